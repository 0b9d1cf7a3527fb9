// What a browser was told of a proof binds the table: another head, fewer blocks, or lost orders are noticed. Its own SHA-256 is that of the
// standard, and a chain is one that anybody can check.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import test from "node:test";
import { Chain, chainOf, digest, hexOf, newChain, sha256 } from "../../../src/leuthen/client/js/session/hashes.js";
import { Heads } from "../../../src/leuthen/client/js/session/seal.js";

/** A place to keep things, as a browser has one. */
function shelf() {
  const kept = new Map();
  return {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(key, value),
  };
}

/** The course of a game as a table tells it: block after block, each with the word of the story. @param {string} story */
function told(story, length = 6) {
  const seals = [
    { blocks: 0, head: "genesis", body: "", waits: "", own: 0, own_head: "own 0", signature: "s", waiting: -1, shares: [true, true] },
  ];
  for (let n = 1; n <= length; n += 1) {
    const body = `${n < 3 ? "both" : story} ${n}`;
    const head = digest("block", n, seals[n - 1]?.head ?? "", body, "");
    seals.push({ blocks: n, head, body, waits: "", own: n, own_head: `own ${n}`, signature: "s", waiting: -1, shares: [true, true] });
  }
  return seals;
}

const CARD = {
  commit: "c",
  key: "k",
  sides: /** @type {[string, string]} */ (["prussia", "austria"]),
  pace: "correspondence",
  can_switch: true,
  chains: [],
  now: told("one")[0],
};

const blocksOf = (/** @type {ReturnType<typeof told>} */ seals, after = 0) =>
  seals.slice(after + 1).map(({ body, waits }) => ({ body, waits }));

test("a continuous proof is accepted, with or without a gap", () => {
  const seals = told("one");
  const heads = new Heads("seat", shelf());
  assert.deepEqual(
    seals.slice(0, 3).map((seal) => heads.take(seal)),
    ["", "", ""],
  );
  assert.equal(heads.take(seals[5]), "gap");
  assert.equal(heads.fill(seals[5], blocksOf(seals, 2)), "");
  assert.equal(heads.at(4), seals[4].head);
  assert.equal(heads.take(seals[3]), "back", "or it came late: who is not sure asks again");
  assert.equal(heads.take(seals[5]), "");
});

test("a forked proof is noticed at once, after a gap and after a reload", () => {
  const [one, other] = [told("one"), told("other")];
  const keep = shelf();
  const heads = new Heads("seat", keep);
  for (const seal of one.slice(0, 5)) heads.take(seal);
  assert.equal(heads.take(other[5]), "forked");
  assert.equal(heads.take(other[4]), "forked");
  assert.equal(heads.take(other[3]), "forked", "an older one too");
  assert.equal(heads.fill(other[6], blocksOf(other, 4)), "forked");
  assert.equal(heads.last?.head, one[4].head, "what was signed is kept");
  assert.equal(new Heads("seat", keep).take(other[5]), "forked");
});

test("a proof that went back or lost signed blocks is noticed", () => {
  const seals = told("one");
  const heads = new Heads("seat", shelf());
  for (const seal of seals) heads.take(seal);
  assert.equal(heads.take(seals[4]), "back");
  assert.equal(heads.take({ ...seals[6], own: 5, own_head: "own 5" }), "lost");
  assert.equal(heads.take({ ...seals[6], own_head: "another" }), "lost");
  heads.forget({ ...CARD, now: seals[4] });
  assert.equal(heads.take(seals[5]), "");
});

test("a changed commitment is noticed, also after a reload", () => {
  const keep = shelf();
  const heads = new Heads("seat", keep);
  assert.equal(heads.isBound(CARD), true);
  heads.take(CARD.now);
  for (const change of [{ key: "other" }, { commit: "other" }, { pace: "live" }])
    for (const one of [heads, new Heads("seat", keep)]) assert.equal(one.isBound({ ...CARD, ...change }), false);
  assert.equal(new Heads("seat", keep).isBound(CARD), true);
  heads.forget({ ...CARD, key: "other" });
  assert.equal(new Heads("seat", keep).isBound(CARD), false, "he goes on with what he is told now");
});

test("unreadable stored heads count as none", () => {
  const keep = shelf();
  keep.setItem("leuthen.seal.seat", "{");
  assert.equal(new Heads("seat", keep).last, null);
});

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
  const keep = shelf();
  const chain = chainOf("seat", keep);
  assert.equal(chainOf("seat", keep).top, chain.top);
  assert.notEqual(chainOf("another", keep).top, chain.top);
  assert.notEqual(newChain("seat", keep).top, chain.top);
  keep.setItem("leuthen.chain.seat", "not a seed");
  assert.equal(chainOf("seat", keep).links.length, 4097);
});
