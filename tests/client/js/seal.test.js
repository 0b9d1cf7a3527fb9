// The seal as a page keeps it: whole, or broken by what the table tells; and what two tabs of one seat do.

import assert from "node:assert/strict";
import test, { mock } from "node:test";
import { Refused } from "../../../src/leuthen/client/js/session/api.js";
import { Chain, digest, hexOf } from "../../../src/leuthen/client/js/session/hashes.js";
import { Seal } from "../../../src/leuthen/client/js/session/seal.js";

mock.timers.enable({ apis: ["setTimeout"] }); // nobody is told what was seen

const OWNER = await crypto.subtle.generateKey("Ed25519", true, ["sign"]);
const KEY = hexOf(new Uint8Array(await crypto.subtle.exportKey("raw", OWNER.publicKey)));
const PROBLEM = { type: "", title: "", status: 409, detail: "", code: "stale", n: -1 };

function shelf() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

/** A table at which one seat sits: it takes links as a server does, and signs what it tells. */
class Table {
  given = 0;
  top = "";
  own = 0;
  waiting = -1;
  head = digest("genesis");
  key = KEY;
  seat = "s";
  asked = [];

  async told() {
    const own_head = `own ${this.own}`;
    const text = `leuthen checkpoint 1\ngame g\nblocks 0 ${this.head}\nseat prussia ${this.own} ${own_head}\n`;
    const signature = hexOf(new Uint8Array(await crypto.subtle.sign("Ed25519", OWNER.privateKey, new TextEncoder().encode(text))));
    const { head, own, waiting } = this;
    return { blocks: 0, head, body: "", waits: "", own, own_head, signature, waiting, shares: [Boolean(this.top), false] };
  }

  async card() {
    const chains = this.top ? [{ number: 1, length: 4096, given: this.given, last: this.last }] : [];
    return { commit: "c", key: this.key, sides: ["prussia", "austria"], pace: "live", can_switch: true, chains, now: await this.told() };
  }

  async fresh() {
    return { side: 0, game: "g", seal: await this.card() };
  }

  async giveChain({ top }) {
    if (!this.top) [this.top, this.last, this.own] = [top, top, this.own + 1];
    return this.card();
  }

  async giveShare(share) {
    this.asked.push(share.number);
    if (this.waiting !== 0) return this.told();
    if (share.number !== this.given + 1 || digest("link", share.link) !== this.last) throw new Refused(PROBLEM);
    [this.given, this.last, this.own, this.waiting] = [share.number, share.link, this.own + 1, -1];
    return this.told();
  }
}

/** @param {Table} table @param {ReturnType<typeof shelf>} keep */
async function opened(table, keep = shelf()) {
  const seal = new Seal(table, await table.fresh(), keep);
  await seal.start();
  return seal;
}

test("a signed proof is whole, and another signature breaks it", async () => {
  const table = new Table();
  const seal = await opened(table);
  assert.deepEqual([seal.state, seal.isSigned, seal.shares[0]], ["whole", true, true]);
  const told = await table.told();
  await seal.take({ ...told, own: told.own + 1, own_head: "another" });
  assert.deepEqual([seal.state, seal.isSigned], ["broken", false]);
  assert.match(seal.reason, /has not signed/);
  assert.doesNotMatch(seal.receipt(), /another/, "what was not signed is no receipt");
});

test("a browser without signatures continues and says so", async () => {
  const subtle = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  const table = new Table();
  Object.defineProperty(globalThis, "crypto", { configurable: true, value: { getRandomValues: (bytes) => bytes.fill(7) } });
  try {
    const seal = new Seal(table, { side: 0, game: "g", seal: { ...CARD, now: { ...CARD.now, signature: "" } } }, shelf());
    await seal.take(CARD.now);
    assert.deepEqual([seal.state, seal.isSigned], ["whole", null]);
  } finally {
    Object.defineProperty(globalThis, "crypto", subtle);
  }
});
const CARD = await new Table().card();

test("another key breaks the seal until the player accepts it", async () => {
  const [table, keep] = [new Table(), shelf()];
  assert.equal((await opened(table, keep)).state, "whole");
  const other = await crypto.subtle.generateKey("Ed25519", true, ["sign"]);
  table.key = hexOf(new Uint8Array(await crypto.subtle.exportKey("raw", other.publicKey)));
  const seal = await opened(table, keep);
  assert.equal(seal.state, "broken");
  assert.match(seal.reason, /committed to/);
});

test("one of two tabs gives the awaited link, and both continue", async () => {
  const [table, keep] = [new Table(), shelf()];
  const tabs = [await opened(table, keep), await opened(table, keep)];
  for (const die of [1, 2, 3]) {
    table.waiting = 0;
    const told = await table.told();
    await Promise.all(tabs.map((tab) => tab.take(told)));
    assert.deepEqual([table.waiting, table.given], [-1, die]);
    assert.deepEqual(
      tabs.map((tab) => [tab.state, tab.part.share?.number]),
      [
        ["whole", die + 1],
        ["whole", die + 1],
      ],
    );
  }
});

test("an unused link is given with the next request", async () => {
  const table = new Table();
  const seal = await opened(table);
  table.waiting = 0;
  const told = await table.told();
  table.waiting = -1; // the other side has given the game up
  await seal.take(told);
  assert.deepEqual([table.asked, table.given, seal.part.share?.number], [[1], 0, 1]);
});

test("the browser registers its own chain", async () => {
  const [table, keep] = [new Table(), shelf()];
  await opened(table, keep);
  assert.equal(table.top, Chain.from(keep.getItem("leuthen.chain.s") ?? "").top);
});
