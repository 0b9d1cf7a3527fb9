// JSON merge patches as RFC 7396 has them.

import assert from "node:assert/strict";
import test from "node:test";
import { merged } from "../../../src/leuthen/client/js/session/merge.js";

/** The examples of the appendix of RFC 7396: what there is, the patch, what comes of it. */
const EXAMPLES = [
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [
    ["a", "b"],
    ["c", "d"],
    ["c", "d"],
  ],
  [{ a: "b" }, ["c"], ["c"]],
  [{ a: "foo" }, null, null],
  [{ a: "foo" }, "bar", "bar"],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: "b", c: null }, { a: "b" }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

test("a patch does what the standard says", () => {
  for (const [target, patch, result] of EXAMPLES) assert.deepEqual(merged(target, patch), result, JSON.stringify(patch));
});

test("what a patch is applied to stays as it was, and what it does not touch is the same thing", () => {
  const before = { pieces: { a: { strength: 1 }, b: { strength: 2 } }, notes: ["x"] };
  const after = merged(before, { pieces: { a: { strength: 9 } } });
  assert.deepEqual(before.pieces.a, { strength: 1 });
  assert.deepEqual(after.pieces, { a: { strength: 9 }, b: { strength: 2 } });
  assert.equal(after.pieces.b, before.pieces.b);
  assert.equal(after.notes, before.notes);
});

test("a patch cannot reach what all objects share", () => {
  merged({}, JSON.parse('{"__proto__": {"spoiled": 1}, "constructor": {"prototype": {"spoiled": 1}}}'));
  assert.equal(/** @type {any} */ ({}).spoiled, undefined);
});
