// JSON merge patches as RFC 7396 has them.

import assert from "node:assert/strict";
import test from "node:test";
import { merged, mergedNotes } from "../../../src/leuthen/client/js/session/store.js";

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

test("a patch follows the standard", () => {
  for (const [target, patch, result] of EXAMPLES) assert.deepEqual(merged(target, patch), result, JSON.stringify(patch));
});

test("a patch leaves its target unchanged and shares the rest", () => {
  const before = { pieces: { a: { strength: 1 }, b: { strength: 2 } }, notes: ["x"] };
  const after = merged(before, { pieces: { a: { strength: 9 } } });
  assert.deepEqual(before.pieces.a, { strength: 1 });
  assert.deepEqual(after.pieces, { a: { strength: 9 }, b: { strength: 2 } });
  assert.equal(after.pieces.b, before.pieces.b);
  assert.equal(after.notes, before.notes);
});

test("a patch cannot reach object prototypes", () => {
  merged({}, JSON.parse('{"__proto__": {"spoiled": 1}, "constructor": {"prototype": {"spoiled": 1}}}'));
  assert.equal(/** @type {any} */ ({}).spoiled, undefined);
});

const notes = (text, arrows = [], pins = [], version = 0) => ({ text, arrows, pins, version });

test("notes changed in one place are taken as they are", () => {
  const base = notes("plan", [["1", "2"]]);
  const own = notes("my plan", []);
  assert.deepEqual(mergedNotes(base, own, base), own);
  assert.deepEqual(mergedNotes(base, base, { ...own, version: 3 }), { ...own, version: 3 });
});

test("notes changed in two places are merged without loss", () => {
  const base = notes("plan", [
    ["1", "2"],
    ["3", "4"],
  ]);
  const own = notes(
    "plan A",
    [
      ["1", "2"],
      ["5", "6"],
    ],
    [["9", "mine"]],
    1,
  );
  const saved = notes(
    "plan B",
    [
      ["1", "2"],
      ["3", "4"],
      ["7", "8"],
    ],
    [["9", "other"]],
    2,
  );
  const both = mergedNotes(base, own, saved);
  assert.deepEqual(both.arrows, [
    ["1", "2"],
    ["7", "8"],
    ["5", "6"],
  ]);
  assert.deepEqual(both.pins, [
    ["9", "other"],
    ["9", "mine"],
  ]);
  assert.deepEqual([both.text, both.version], ["plan B A", 2]);
  const words = mergedNotes(notes("x"), notes("one"), notes("two"));
  assert.match(words.text, /^two.*one$/s);
});
