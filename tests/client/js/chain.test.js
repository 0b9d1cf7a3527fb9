// The browser's own SHA-256 is that of the standard, and a chain is one that anybody can check.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { Chain, chainOf, hexOf, newChain, sha256 } from "../../../src/leuthen/client/js/session/hashes.js";

const hash = (/** @type {Uint8Array} */ bytes) => createHash("sha256").update(bytes).digest("hex");

test("digests agree with the standard for every length", () => {
  for (const length of [0, 1, 3, 32, 55, 56, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_, n) => (n * 7 + length) % 256);
    assert.equal(hexOf(sha256(bytes)), hash(bytes));
  }
});

test("each link is the hash of the next, up to the last", () => {
  const chain = Chain.from("5a".repeat(32), 20);
  for (let n = 0; n < 20; n += 1) assert.equal(hash(new TextEncoder().encode(`link\n${chain.link(n + 1)}`)), chain.link(n));
  assert.equal(chain.top, chain.link(0));
  assert.equal(chain.link(21), "");
});

test("a browser stores a seat's chain and replaces a lost one", () => {
  const kept = new Map();
  const keep = {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  };
  const chain = chainOf("seat", keep);
  assert.equal(chainOf("seat", keep).top, chain.top);
  assert.notEqual(chainOf("another", keep).top, chain.top);
  assert.notEqual(newChain("seat", keep).top, chain.top);
  kept.set("leuthen.chain.seat", "not a seed");
  assert.equal(chainOf("seat", keep).links.length, 4097);
});
