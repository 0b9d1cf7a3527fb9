// This browser's part in the proof of a game: it gives its links, compares what it is told with what it was told before
// and with what the other side was told, and says whether the seal is whole.

import { kept } from "../keep.js";
import { Refused } from "./api.js";
import { LENGTH, chainOf, newChain } from "./chain.js";
import { Heads } from "./heads.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Chain, Keep } from "./chain.js" */
/** @import { Found } from "./heads.js" */

/** ms of quiet after which the others are told what this browser has seen. */
const QUIET = 1500;

/** @typedef {"none" | "whole" | "broken"} State */

/** What a broken seal means, in plain words. @type {Record<Exclude<Found, "" | "gap">, string>} */
const BROKEN = {
  forked: "What the table tells now does not go on from what it told this browser before: the course of the game was changed.",
  back: "The table has gone back behind what it had already told and signed: something that happened is gone.",
  lost: "Orders of yours that the table had accepted and signed are gone, or were changed.",
};
const APART = "The other side was shown another course of this game than you: one of you was deceived.";

/** Emits `change` when the seal is told of anything new. */
export class Seal extends EventTarget {
  /** @type {Chain | null} */
  #chain = null;
  /** @type {T.OwnChain | null} this browser's chain, as the table has it */
  #own = null;
  #quiet = 0;
  #isGiving = false;
  #queue = Promise.resolve();

  /** @param {SeatApi} api @param {T.Fresh} table @param {Keep} [keep] */
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
  }

  /** @returns {State} */
  get state() {
    if (!this.card) return "none";
    return this.reason ? "broken" : "whole";
  }

  /** Begins: compares, and takes part in the dice. */
  async start() {
    if (!this.card) return;
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

  /** A request with this part was accepted. @param {T.Share | undefined} share @param {T.Seal | null} seal */
  async gave(share, seal) {
    if (share && this.#own?.number === share.chain && this.#own.given < share.number)
      this.#own = { ...this.#own, given: share.number, last: share.link };
    if (seal) await this.take(seal);
    if (this.#own && this.#own.given >= this.#own.length) await this.#begin(newChain(this.api.seat, this.keep), "used-up");
  }

  /** Looks again how far this browser's chain was given, because a part of it was refused. */
  async again() {
    const { seal } = await this.api.fresh();
    if (!seal) return;
    this.card = seal;
    this.#find();
    await this.take(seal.now);
  }

  /** Takes in what the table tells of the proof. @param {T.Seal} seal */
  async take(seal) {
    const turn = this.#queue.then(() => this.#compare(seal));
    this.#queue = turn.catch(() => {}); // one that fails keeps nobody waiting
    await turn;
    await this.#giveIfAwaited();
  }

  /** @param {T.Seal} seal */
  async #compare(seal) {
    let found = this.heads.take(seal);
    if (found === "gap") found = await this.#fill(seal);
    if (found === "back" || found === "lost") found = await this.#sure(found);
    if (found && found !== "gap") this.#break(BROKEN[found]);
    if (seal.blocks >= (this.heads.last?.blocks ?? 0)) this.waiting = seal.waiting;
    this.dispatchEvent(new CustomEvent("change"));
    if (!found) this.#tell();
  }

  /** Asks again: a message may have come late, or another tab been told more while this one asked. @param {Found} found @returns {Promise<Found>} */
  async #sure(found) {
    try {
      const { seal } = await this.api.fresh();
      return seal ? this.heads.take(seal.now) : found;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return "gap";
    }
  }

  /** What the other side has seen. @param {T.Seen} seen */
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
    this.heads.forget(seal.now);
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
    if (!last) return "";
    const side = this.side < 2 ? [`seat ${this.card?.sides[this.side] ?? ""} ${last.own} ${last.own_head}`] : [];
    const lines = ["leuthen checkpoint 1", `game ${this.game}`, `blocks ${last.blocks} ${last.head}`, ...side];
    return `${[...lines, `signed ${last.signature}`].join("\n")}\n`;
  }

  /** @param {string} reason */
  #break(reason) {
    this.reason ||= reason;
  }

  /** Asks for the blocks in between. @param {T.Seal} seal @returns {Promise<Found>} */
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
      this.card = await this.api.giveChain({ top: chain.top, length: LENGTH, why });
      this.#chain = chain;
      this.#find();
      await this.take(this.card.now);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the seat plays on without, and that is told in the end
    }
  }

  /** Gives the part for which a die waits, when the order has been seen to be sealed. */
  async #giveIfAwaited() {
    const { share } = this.part;
    if (this.waiting !== this.side || this.reason || !share || this.#isGiving) return;
    this.#isGiving = true;
    try {
      await this.gave(share, await this.api.giveShare(share));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.status === 409) await this.again();
    } finally {
      this.#isGiving = false;
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
