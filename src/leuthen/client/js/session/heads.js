// What this browser was told of a game's proof, and keeps: whatever it is told later must go on from there.

import { digest } from "./sha256.js";

/** @import * as T from "../../types" */
/** @import { Keep } from "./chain.js" */

/** Heads that are kept to be compared with what the other side has seen. */
const MOST = 200;

/** @typedef {{seal: T.SealStatus, heads: [number, string][], bound?: string}} Kept the newest that was signed, the last heads by
 * their number, and what the table has bound itself by */
/** @typedef {"" | "gap" | "forked" | "back" | "lost"} Found nothing wrong; something is missing in between; another story; fewer than before; own orders gone */

export class Heads {
  /** @param {string} name of the seat @param {Keep} keep */
  constructor(name, keep) {
    this.name = `leuthen.seal.${name}`;
    this.keep = keep;
    /** @type {Kept | null} */
    this.kept = read(keep.getItem(this.name));
    /** What the table has bound itself by, if that was told. @type {string | undefined} */
    this.bound = this.kept?.bound;
  }

  /** The newest that was signed for this seat. */
  get last() {
    return this.kept?.seal ?? null;
  }

  /** The head of a block, "" if it is not kept. @param {number} number */
  at(number) {
    return this.kept?.heads.find(([n]) => n === number)?.[1] ?? "";
  }

  /** Whether the table is bound by what it was bound by when this browser first came. @param {T.SealCard} card */
  isBound(card) {
    const bound = `${card.commit} ${card.key} ${card.is_strict}`;
    if (this.kept && !this.kept.bound) this.#keep({ ...this.kept, bound });
    this.bound = this.kept?.bound ?? bound;
    return this.bound === bound;
  }

  /** Takes in what was told. @param {T.SealStatus} seal @returns {Found} of `back` and `lost` one must be sure: a message may come late */
  take(seal) {
    const { last } = this;
    if (!last) return this.#save(seal);
    if (seal.blocks < last.blocks) return this.#older(seal);
    if (seal.blocks > last.blocks + 1) return "gap";
    const head = seal.blocks === last.blocks ? last.head : digest("block", seal.blocks, last.head, seal.body, seal.waits);
    if (head !== seal.head) return "forked";
    if (seal.own < last.own || (seal.own === last.own && seal.own_head !== last.own_head)) return "lost";
    return this.#save(seal);
  }

  /** Takes in what was told, with all blocks in between. @param {T.SealStatus} seal @param {readonly T.ProofBlock[]} blocks @returns {Found} */
  fill(seal, blocks) {
    const { kept } = this;
    if (!kept) return this.#save(seal);
    this.go(blocks.slice(0, Math.max(0, seal.blocks - kept.seal.blocks - 1)));
    const found = this.take(seal);
    if (!found) return "";
    this.kept = kept;
    return "forked";
  }

  /** Goes on by blocks that were told in their order. @param {readonly T.ProofBlock[]} blocks */
  go(blocks) {
    for (const { body, waits } of blocks) {
      const before = this.last;
      if (!before) return;
      const number = before.blocks + 1;
      this.#save({ ...before, blocks: number, head: digest("block", number, before.head, body, waits) });
    }
  }

  /** Forgets all: the player goes on with what he is told now. @param {T.SealCard} card */
  forget(card) {
    this.kept = null;
    this.isBound(card);
    this.#save(card.now);
  }

  /** @param {T.SealStatus} seal @returns {Found} */
  #older(seal) {
    const head = this.at(seal.blocks);
    return head && head !== seal.head ? "forked" : "back";
  }

  /** @param {T.SealStatus} seal @returns {Found} */
  #save(seal) {
    const others = (this.kept?.heads ?? []).filter(([n]) => n < seal.blocks);
    const heads = [...others, /** @type {[number, string]} */ ([seal.blocks, seal.head])].slice(-MOST);
    this.#keep({ seal, heads, bound: this.bound });
    return "";
  }

  /** @param {Kept} kept */
  #keep(kept) {
    this.kept = kept;
    this.keep.setItem(this.name, JSON.stringify(kept));
  }
}

/** What was kept, if it can be read. @param {string | null} text @returns {Kept | null} */
function read(text) {
  try {
    const kept = JSON.parse(text ?? "null");
    return kept && typeof kept.seal?.head === "string" && Array.isArray(kept.heads) ? kept : null;
  } catch {
    return null;
  }
}
