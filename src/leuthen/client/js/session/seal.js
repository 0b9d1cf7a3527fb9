// This browser's part in the proof of a game: it gives its links, compares what it is told with what it was told before
// and with what the other side was told, and says whether the seal is whole.

import { Emitter, deviceStorage, inTurn } from "../dom.js";
import { Refused, refusal } from "./api.js";
import { LENGTH, chainOf, digest, isSigned, newChain } from "./hashes.js";
import { SEAL } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Chain, Keep } from "./hashes.js" */

/** Time in ms without news after which this browser reports what it has received. */
const QUIET = 1500;

/** Explanations of a broken seal. @type {Record<Exclude<Found, "" | "gap"> | "unsigned", string>} */
const BROKEN = { unsigned: SEAL.unsigned, forked: SEAL.forked, back: SEAL.back, lost: SEAL.lost };

/** Dispatches `change` when the seal's state changes. */
export class Seal extends Emitter {
  /** @type {Chain | null} */
  #chain = null;
  /** @type {T.OwnChain | null} this browser's chain, as the table has it */
  #own = null;
  #quiet = 0;
  #compareInTurn = inTurn();
  /** Waits until no link is in flight. */
  #exclusively = inTurn();

  /** @param {SeatApi} api @param {T.SeatSnapshot} table @param {Keep} [keep] */
  constructor(api, table, keep = deviceStorage) {
    super();
    this.api = api;
    this.keep = keep;
    this.side = table.side;
    this.game = table.game;
    this.card = table.seal;
    this.heads = new Heads(api.seat, keep);
    /** Reason why the seal is broken, or "". */
    this.reason = "";
    /** The side whose link a die waits for, or -1. */
    this.waiting = table.seal?.now.waiting ?? -1;
    /** @type {readonly [boolean, boolean]} which sides have a part in the dice */
    this.shares = table.seal?.now.shares ?? [false, false];
    /** The current pace, and the number of dice that a side rolled without the other. */
    this.pace = paceOf(table.seal?.now.pace);
    this.alone = table.seal?.now.alone ?? 0;
    /** True if the server signed its last statement; null if this browser cannot tell. @type {boolean | null} */
    this.isSigned = null;
  }

  /** @returns {"none" | "whole" | "broken"} */
  get state() {
    if (!this.card) return "none";
    return this.reason ? "broken" : "whole";
  }

  /** Start comparing, and help to seed the dice. */
  async start() {
    if (!this.card) return;
    this.#setCard(this.card);
    await this.take(this.card.now);
    await this.#joinDice();
    await this.#giveAwaitedLink();
  }

  /** The link for the next request, or nothing if the game has no proof. @returns {{share?: T.Share}} */
  get part() {
    const [chain, own, last] = [this.#chain, this.#own, this.heads.last];
    const link = chain && own ? chain.link(own.given + 1) : "";
    if (!own || !last || !link) return {};
    return { share: { chain: own.number, number: own.given + 1, link, seen: last.blocks, head: last.head } };
  }

  /**
   * Send a request with this browser's link, then give the link that a die waits for. Only one link is in flight, so that none is used twice.
   * @template {{seal: T.SealStatus | null}} A @param {(part: {share?: T.Share}) => Promise<A>} send @returns {Promise<A>}
   */
  async withLink(send) {
    const acted = await this.#exclusively(async () => {
      const { part } = this;
      const answer = await send(part);
      await this.#onAccepted(part.share, answer.seal);
      return answer;
    });
    await this.#giveAwaitedLink();
    return acted;
  }

  /** Handle an accepted request with a link. @param {T.Share | undefined} share @param {T.SealStatus | null} seal */
  async #onAccepted(share, seal) {
    if (share && this.#own?.number === share.chain && this.#own.given < share.number)
      this.#own = { ...this.#own, given: share.number, last: share.link };
    if (seal) await this.#compareNext(seal);
    if (this.#own && this.#own.given >= this.#own.length) await this.#startChain(newChain(this.api.seat, this.keep), "used-up");
  }

  /** Reload the chain's position because a link was refused. */
  async reload() {
    const { seal } = await this.api.fresh();
    if (!seal) return;
    this.#setCard(seal);
    this.#findChain();
    await this.#compareNext(seal.now);
  }

  /** Handle the server's statement about the proof. @param {T.SealStatus} seal */
  async take(seal) {
    await this.#compareNext(seal);
    await this.#giveAwaitedLink();
  }

  /** Compare statements one after the other. @param {T.SealStatus} seal */
  #compareNext(seal) {
    return this.#compareInTurn(() => this.#compare(seal));
  }

  /** @param {T.SealStatus} seal */
  async #compare(seal) {
    this.isSigned = await isSigned(this.card?.key ?? "", this.#checkpoint(seal), seal.signature);
    const found = this.isSigned === false ? "unsigned" : await this.#checkContinuity(seal);
    if (found && found !== "gap") this.reason ||= BROKEN[found];
    const { last } = this.heads;
    // A statement that is older than the known state is late, and must not cause a link to be used twice.
    const isStale = last !== null && (seal.blocks < last.blocks || seal.own < last.own);
    if (!isStale) [this.waiting, this.pace, this.alone] = [seal.waiting, paceOf(seal.pace), seal.alone];
    this.shares = [this.shares[0] || seal.shares[0], this.shares[1] || seal.shares[1]];
    this.tell("change");
    if (!found) this.#reportSeen();
  }

  /** Compare a statement with the known chain of blocks. @param {T.SealStatus} seal @returns {Promise<Found>} */
  async #checkContinuity(seal) {
    const found = this.heads.take(seal);
    if (found === "gap") return this.#fetchBlocks(seal);
    return found === "back" || found === "lost" ? this.#confirm(found) : found;
  }

  /** Ask again: a message may be late, or another tab may have received more. @param {Found} found @returns {Promise<Found>} */
  async #confirm(found) {
    const table = await this.api.fresh().catch(refusal);
    if (table instanceof Refused) return "gap";
    if (!table.seal) return found;
    this.waiting = table.seal.now.waiting;
    return this.heads.take(table.seal.now);
  }

  /** Compare what the other side has received. @param {T.LastSeenBlock} seen */
  compareOther(seen) {
    const own = seen.side === this.side ? "" : this.heads.at(seen.blocks);
    if (own && own !== seen.head) {
      this.reason ||= SEAL.apart;
      this.tell("change");
    }
  }

  /** Continue with the server's current statement although it does not match. */
  async acceptAnyway() {
    const { seal } = await this.api.fresh();
    if (!seal) return;
    this.card = seal;
    this.heads.forget(seal);
    this.reason = "";
    this.tell("change");
  }

  /** Words that two players can compare to see that they see one game. */
  get mark() {
    const { last } = this.heads;
    return last ? `${last.blocks} · ${last.head.slice(0, 4)} ${last.head.slice(4, 8)} ${last.head.slice(8, 12)}` : "";
  }

  /** The newest signed receipt of this seat, for `leuthen verify --receipt`. */
  receipt() {
    const { last } = this.heads;
    return last ? `${this.#checkpoint(last)}signed ${last.signature}\n` : "";
  }

  /** The text that the server signs. @param {T.SealStatus} seal */
  #checkpoint({ blocks, head, own, own_head }) {
    const side = this.side < 2 ? [`seat ${this.card?.sides[this.side] ?? ""} ${own} ${own_head}`] : [];
    return `${["leuthen checkpoint 1", `game ${this.game}`, `blocks ${blocks} ${head}`, ...side].join("\n")}\n`;
  }

  /** @param {T.SealCard} card */
  #setCard(card) {
    this.card = card;
    if (!this.heads.isBound(card)) this.reason ||= SEAL.unbound;
  }

  /** Request the blocks in between. @param {T.SealStatus} seal @returns {Promise<Found>} */
  async #fetchBlocks(seal) {
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

  /** Help to seed the dice with this browser's chain, or with a new one. */
  async #joinDice() {
    if (this.side > 1) return;
    const had = this.keep.getItem(`leuthen.chain.${this.api.seat}`);
    this.#chain = chainOf(this.api.seat, this.keep);
    if (!this.#findChain()) await this.#startChain(this.#chain, had ? "lost" : "device");
    else if (this.#own && this.#own.given >= this.#own.length) await this.#startChain(newChain(this.api.seat, this.keep), "used-up");
  }

  /** Find this browser's chain among the seat's. */
  #findChain() {
    const known = new Set(this.#chain?.links);
    this.#own = this.card?.chains.findLast((chain) => known.has(chain.last)) ?? null;
    return this.#own !== null;
  }

  /** @param {Chain} chain @param {"device" | "lost" | "used-up"} why */
  async #startChain(chain, why) {
    const card = await this.api.giveChain({ top: chain.top, length: LENGTH, why }).catch(refusal);
    if (card instanceof Refused) return; // the seat plays on without, and that is told in the end
    this.#setCard(card);
    this.#chain = chain;
    this.#findChain();
    await this.#compareNext(card.now);
  }

  /** Give the link that a die waits for, once the order is sealed; once more if it did not fit. */
  async #giveAwaitedLink() {
    if (this.waiting === this.side) await this.#exclusively(async () => (await this.#giveNextLink()) || (await this.#giveNextLink()));
  }

  /** @returns {Promise<boolean>} whether nothing is left to give, or it cannot be given */
  async #giveNextLink() {
    const { share } = this.part;
    if (this.waiting !== this.side || this.reason || !share) return true;
    const before = this.heads.last?.own ?? 0;
    const told = await this.api.giveShare(share).catch(refusal);
    if (!(told instanceof Refused))
      await this.#onAccepted(told.own > before ? share : undefined, told); // another tab may have given it before
    else if (told.problem.status === 409) {
      await this.reload();
      return false;
    }
    return true;
  }

  /** Report what this browser has received, once there is no more news. */
  #reportSeen() {
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

/** Number of block heads kept for comparison with the other side. */
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
    /** The commitment of the table, if it is known. @type {string | undefined} */
    this.bound = this.kept?.bound;
  }

  /** The newest signed statement of this seat. */
  get last() {
    return this.kept?.seal ?? null;
  }

  /** The head of a block, or "" if it is not kept. @param {number} number */
  at(number) {
    return this.kept?.heads.find(([n]) => n === number)?.[1] ?? "";
  }

  /** True if the table's commitment is the one from this browser's first visit. @param {T.SealCard} card */
  isBound(card) {
    const bound = `${card.commit} ${card.key} ${card.pace === "live"}`;
    if (this.kept && !this.kept.bound) this.#store({ ...this.kept, bound });
    this.bound = this.kept?.bound ?? bound;
    return this.bound === bound;
  }

  /** Store a statement. @param {T.SealStatus} seal @returns {Found} of `back` and `lost` one must be sure: a message may come late */
  take(seal) {
    const { last } = this;
    if (!last) return this.#save(seal);
    const known = this.at(seal.blocks);
    if (seal.blocks < last.blocks) return known && known !== seal.head ? "forked" : "back";
    if (seal.blocks > last.blocks + 1) return "gap";
    const head = seal.blocks === last.blocks ? last.head : digest("block", seal.blocks, last.head, seal.body, seal.waits);
    if (head !== seal.head) return "forked";
    if (seal.own < last.own || (seal.own === last.own && seal.own_head !== last.own_head)) return "lost";
    return this.#save(seal);
  }

  /** Store a statement with all blocks in between. @param {T.SealStatus} seal @param {readonly T.ProofBlock[]} blocks @returns {Found} */
  fill(seal, blocks) {
    const { kept } = this;
    if (!kept) return this.#save(seal);
    this.go(blocks.slice(0, Math.max(0, seal.blocks - kept.seal.blocks - 1)));
    const found = this.take(seal);
    if (!found) return "";
    this.kept = kept;
    return "forked";
  }

  /** Add consecutive blocks. @param {readonly T.ProofBlock[]} blocks */
  go(blocks) {
    for (const { body, waits } of blocks) {
      const before = this.last;
      if (!before) return;
      const number = before.blocks + 1;
      this.#save({ ...before, blocks: number, head: digest("block", number, before.head, body, waits) });
    }
  }

  /** Forget all; continue with the current statement. @param {T.SealCard} card */
  forget(card) {
    this.kept = null;
    this.isBound(card);
    this.#save(card.now);
  }

  /** @param {T.SealStatus} seal @returns {Found} */
  #save(seal) {
    const others = (this.kept?.heads ?? []).filter(([n]) => n < seal.blocks);
    const heads = [...others, /** @type {[number, string]} */ ([seal.blocks, seal.head])].slice(-MOST);
    this.#store({ seal, heads, bound: this.bound });
    return "";
  }

  /** @param {Kept} kept */
  #store(kept) {
    this.kept = kept;
    this.keep.setItem(this.name, JSON.stringify(kept));
  }
}

/** Stored heads, if they can be read. @param {string | null} text @returns {Kept | null} */
function read(text) {
  try {
    const kept = JSON.parse(text ?? "null");
    return kept && typeof kept.seal?.head === "string" && Array.isArray(kept.heads) ? kept : null;
  } catch {
    return null;
  }
}
