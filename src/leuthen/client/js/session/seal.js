// This browser's part in the proof of a game: it gives its links, compares what it is told with what it was told before
// and with what the other side was told, and says whether the seal is whole.

import { kept } from "../dom.js";
import { Refused } from "./api.js";
import { LENGTH, chainOf, digest, isSigned, newChain } from "./hashes.js";
import { SEAL } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Chain, Keep } from "./hashes.js" */

/** ms of quiet after which the others are told what this browser has seen. */
const QUIET = 1500;

/** @typedef {"none" | "whole" | "broken"} State */

/** Whether the table's name stands under what it told; null where this browser cannot tell. @typedef {boolean | null} IsSigned */

/** What a broken seal means, in plain words. @type {Record<Exclude<Found, "" | "gap"> | "unsigned", string>} */
const BROKEN = { unsigned: SEAL.unsigned, forked: SEAL.forked, back: SEAL.back, lost: SEAL.lost };
const UNBOUND = SEAL.unbound;
const APART = SEAL.apart;

/** Emits `change` when the seal is told of anything new. */
export class Seal extends EventTarget {
  /** @type {Chain | null} */
  #chain = null;
  /** @type {T.OwnChain | null} this browser's chain, as the table has it */
  #own = null;
  #quiet = 0;
  #queue = Promise.resolve();
  #turn = Promise.resolve();

  /** @param {SeatApi} api @param {T.SeatSnapshot} table @param {Keep} [keep] */
  constructor(api, table, keep = kept) {
    super();
    this.api = api;
    this.keep = keep;
    this.side = table.side;
    this.game = table.game;
    this.card = table.seal;
    this.heads = new Heads(api.seat, keep);
    /** Why it is broken, or "". */
    this.reason = "";
    /** The side for whose part a die waits, or -1. */
    this.waiting = table.seal?.now.waiting ?? -1;
    /** @type {readonly [boolean, boolean]} which sides have a part in the dice */
    this.shares = table.seal?.now.shares ?? [false, false];
    /** The present pace, and how many dice a side rolled without the other. */
    this.pace = paceOf(table.seal?.now.pace);
    this.alone = table.seal?.now.alone ?? 0;
    /** @type {IsSigned} of what was told last */
    this.isSigned = null;
  }

  /** @returns {State} */
  get state() {
    if (!this.card) return "none";
    return this.reason ? "broken" : "whole";
  }

  /** Begins: compares, and takes part in the dice. */
  async start() {
    if (!this.card) return;
    this.#hold(this.card);
    await this.take(this.card.now);
    await this.#sit();
    await this.#giveIfAwaited();
  }

  /** What goes along with the next request; nothing where nothing is proved. @returns {{share?: T.Share}} */
  get part() {
    const [chain, own, last] = [this.#chain, this.#own, this.heads.last];
    const link = chain && own ? chain.link(own.given + 1) : "";
    if (!own || !last || !link) return {};
    return { share: { chain: own.number, number: own.given + 1, link, seen: last.blocks, head: last.head } };
  }

  /**
   * Sends a request with this browser's part, then gives what a die waits for. One link at a time is on its way, so that none is given twice.
   * @template {{seal: T.SealStatus | null}} A @param {(part: {share?: T.Share}) => Promise<A>} send @returns {Promise<A>}
   */
  async along(send) {
    const acted = await this.#alone(async () => {
      const { part } = this;
      const answer = await send(part);
      await this.#gave(part.share, answer.seal);
      return answer;
    });
    await this.#giveIfAwaited();
    return acted;
  }

  /** Waits until no link is on its way. @template A @param {() => Promise<A>} give @returns {Promise<A>} */
  #alone(give) {
    const turn = this.#turn.then(give);
    this.#turn = turn.then(
      () => {},
      () => {},
    );
    return turn;
  }

  /** A request with this part was accepted. @param {T.Share | undefined} share @param {T.SealStatus | null} seal */
  async #gave(share, seal) {
    if (share && this.#own?.number === share.chain && this.#own.given < share.number)
      this.#own = { ...this.#own, given: share.number, last: share.link };
    if (seal) await this.#compareNext(seal);
    if (this.#own && this.#own.given >= this.#own.length) await this.#begin(newChain(this.api.seat, this.keep), "used-up");
  }

  /** Looks again how far this browser's chain was given, because a part of it was refused. */
  async again() {
    const { seal } = await this.api.fresh();
    if (!seal) return;
    this.#hold(seal);
    this.#find();
    await this.#compareNext(seal.now);
  }

  /** Takes in what the table tells of the proof. @param {T.SealStatus} seal */
  async take(seal) {
    await this.#compareNext(seal);
    await this.#giveIfAwaited();
  }

  /** Compares what is told one after the other. @param {T.SealStatus} seal */
  #compareNext(seal) {
    const turn = this.#queue.then(() => this.#compare(seal));
    this.#queue = turn.catch(() => {}); // one that fails keeps nobody waiting
    return turn;
  }

  /** @param {T.SealStatus} seal */
  async #compare(seal) {
    this.isSigned = await isSigned(this.card?.key ?? "", this.#checkpoint(seal), seal.signature);
    const found = this.isSigned === false ? "unsigned" : await this.#follow(seal);
    if (found && found !== "gap") this.#break(BROKEN[found]);
    if (!this.#isStale(seal)) [this.waiting, this.pace, this.alone] = [seal.waiting, paceOf(seal.pace), seal.alone];
    this.shares = [this.shares[0] || seal.shares[0], this.shares[1] || seal.shares[1]];
    this.dispatchEvent(new CustomEvent("change"));
    if (!found) this.#tell();
  }

  /** Whether it was told before what is known: it may come late, and must not have a part given twice. @param {T.SealStatus} seal */
  #isStale({ blocks, own }) {
    const { last } = this.heads;
    return last !== null && (blocks < last.blocks || own < last.own);
  }

  /** Whether it goes on from what was told before. @param {T.SealStatus} seal @returns {Promise<Found>} */
  async #follow(seal) {
    const found = this.heads.take(seal);
    if (found === "gap") return this.#fill(seal);
    return found === "back" || found === "lost" ? this.#sure(found) : found;
  }

  /** Asks again: a message may have come late, or another tab been told more while this one asked. @param {Found} found @returns {Promise<Found>} */
  async #sure(found) {
    try {
      const { seal } = await this.api.fresh();
      if (!seal) return found;
      this.waiting = seal.now.waiting;
      return this.heads.take(seal.now);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return "gap";
    }
  }

  /** What the other side has seen. @param {T.LastSeenBlock} seen */
  hear(seen) {
    const own = seen.side === this.side ? "" : this.heads.at(seen.blocks);
    if (own && own !== seen.head) {
      this.#break(APART);
      this.dispatchEvent(new CustomEvent("change"));
    }
  }

  /** Goes on with what the table tells now, though it does not fit. */
  async goOn() {
    const { seal } = await this.api.fresh();
    if (!seal) return;
    this.card = seal;
    this.heads.forget(seal);
    this.reason = "";
    this.dispatchEvent(new CustomEvent("change"));
  }

  /** What two people can read to each other, to see that they are told one game. */
  get mark() {
    const { last } = this.heads;
    return last ? `${last.blocks} · ${last.head.slice(0, 4)} ${last.head.slice(4, 8)} ${last.head.slice(8, 12)}` : "";
  }

  /** What `leuthen verify --receipt` compares with the game's file: the newest that was signed for this seat. */
  receipt() {
    const { last } = this.heads;
    return last ? `${this.#checkpoint(last)}signed ${last.signature}\n` : "";
  }

  /** The text that the table puts its name to. @param {T.SealStatus} seal */
  #checkpoint({ blocks, head, own, own_head }) {
    const side = this.side < 2 ? [`seat ${this.card?.sides[this.side] ?? ""} ${own} ${own_head}`] : [];
    return `${["leuthen checkpoint 1", `game ${this.game}`, `blocks ${blocks} ${head}`, ...side].join("\n")}\n`;
  }

  /** @param {T.SealCard} card */
  #hold(card) {
    this.card = card;
    if (!this.heads.isBound(card)) this.#break(UNBOUND);
  }

  /** @param {string} reason */
  #break(reason) {
    this.reason ||= reason;
  }

  /** Asks for the blocks in between. @param {T.SealStatus} seal @returns {Promise<Found>} */
  async #fill(seal) {
    try {
      for (let before = -1; (this.heads.last?.blocks ?? 0) > before; ) {
        before = this.heads.last?.blocks ?? 0;
        const { blocks } = await this.api.blocks(before);
        if (before + blocks.length >= seal.blocks - 1) return this.heads.fill(seal, blocks);
        this.heads.go(blocks);
      }
      return "forked";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return "gap"; // it is asked for again with the next news
    }
  }

  // --- the chain ---

  /** Takes part in the dice with the chain that this browser keeps, or with a new one. */
  async #sit() {
    if (this.side > 1) return;
    const had = this.keep.getItem(`leuthen.chain.${this.api.seat}`);
    this.#chain = chainOf(this.api.seat, this.keep);
    if (!this.#find()) await this.#begin(this.#chain, had ? "lost" : "device");
    else if (this.#own && this.#own.given >= this.#own.length) await this.#begin(newChain(this.api.seat, this.keep), "used-up");
  }

  /** Finds this browser's chain among those of the seat. */
  #find() {
    const known = new Set(this.#chain?.links);
    this.#own = this.card?.chains.findLast((chain) => known.has(chain.last)) ?? null;
    return this.#own !== null;
  }

  /** @param {Chain} chain @param {"device" | "lost" | "used-up"} why */
  async #begin(chain, why) {
    try {
      const card = await this.api.giveChain({ top: chain.top, length: LENGTH, why });
      this.#hold(card);
      this.#chain = chain;
      this.#find();
      await this.#compareNext(card.now);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the seat plays on without, and that is told in the end
    }
  }

  /** Gives the part for which a die waits, when the order has been seen to be sealed; once more if it did not fit. */
  async #giveIfAwaited() {
    if (this.waiting === this.side) await this.#alone(async () => (await this.#giveNext()) || (await this.#giveNext()));
  }

  /** @returns {Promise<boolean>} whether nothing is left to give, or it cannot be given */
  async #giveNext() {
    const { share } = this.part;
    if (this.waiting !== this.side || this.reason || !share) return true;
    const before = this.heads.last?.own ?? 0;
    try {
      const told = await this.api.giveShare(share);
      await this.#gave(told.own > before ? share : undefined, told); // another tab may have given it before
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.status !== 409) return true;
      await this.again();
      return false;
    }
  }

  /** Tells the others what this browser has seen, once it is quiet. */
  #tell() {
    if (this.side > 1) return;
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => {
      const { last } = this.heads;
      if (last) this.api.seen({ blocks: last.blocks, head: last.head }).catch(() => {}); // it is told again with the next
    }, QUIET);
  }
}

/** @param {string | undefined} pace @returns {"live" | "correspondence"} */
const paceOf = (pace) => (pace === "live" ? "live" : "correspondence");

// What this browser was told of a game's proof, and keeps: whatever it is told later must go on from there.

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
    const bound = `${card.commit} ${card.key} ${card.pace === "live"}`;
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
