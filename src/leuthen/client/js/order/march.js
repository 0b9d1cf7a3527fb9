// A march that the rules interrupt wherever the other side might react: it goes on by itself along its way, and halts at
// its end if that was ordered with it, as long as nothing happened that its owner should see first.

import { wayOf } from "./form.js";

/** @import * as T from "../../types" */
/** @import { Store } from "../session/store.js" */

/** The topic of events that let something pass: the march goes on. */
const DECLINED = "declined";

export class LongMarch {
  /** The hexes from where it began; empty while there is none. @type {readonly string[]} */
  way = [];
  /** Whether something else is asked in between, and the march waits for that. */
  isAside = false;
  /** Whether something stopped it before its end. */
  isCut = false;
  /** The answer with which it shall end where its way does, "" if its owner wants to be asked. */
  halt = "";
  /** Where it has come to. */
  #at = "";
  /** What was seen of the other side when it was ordered. */
  #others = "";

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** An order is sent: if it is a leg, its rest may have to be ordered later. @param {T.Form} form @param {string} [halt] */
  begin(form, halt = "") {
    const way = wayOf(form);
    if (this.isAside) return void (this.isAside = false);
    this.halt = halt;
    this.isCut = false;
    if (this.way.length && way.at(-1) === this.way.at(-1)) return;
    this.way = way.length > (halt ? 1 : 2) ? way : [];
    this.#at = "";
    this.#others = this.#seen();
    return undefined;
  }

  /** It goes no farther by itself. */
  stop() {
    this.way = [];
    this.isAside = false;
  }

  /** Something has happened that its owner should see first. */
  #cut() {
    this.isCut = true;
    this.stop();
  }

  /**
   * What has happened: where it has come to, or that its owner should look.
   * @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known
   */
  hear(told, isAnew) {
    const { side } = this.store;
    const isEnemys = (/** @type {T.LogEntry} */ event) => (event.side ?? 2) === 1 - side && event.topic !== DECLINED;
    if (this.way.length && (isAnew || told.some(isEnemys))) this.#cut();
    this.#at = told.findLast((event) => event.side === side && event.path?.length)?.path?.at(-1) ?? this.#at;
    if (this.#isThere && !this.halt) this.stop();
  }

  get #isThere() {
    return this.#at !== "" && this.#at === this.way.at(-1);
  }

  /** The hexes that are left, if it is to go on now. @returns {readonly string[]} */
  get rest() {
    const at = this.way.indexOf(this.#at, 1);
    if (at > 0 && this.store.scene.place === this.#at && this.#others === this.#seen()) return this.way.slice(at + 1);
    if (this.#at && this.way.length && !this.#isThere) this.#cut();
    return [];
  }

  /** The answer with which it ends now, "" if it does not: where it is asked no more, it has ended. */
  get ending() {
    if (!this.#isThere) return "";
    if (this.#others !== this.#seen()) this.#cut();
    else if (this.store.scene.place !== this.#at) this.stop();
    return this.way.length ? this.halt : "";
  }

  /** Who is seen of the other side, where, and how strong. */
  #seen() {
    const { scene, side } = this.store;
    const others = Object.entries(scene.pieces).filter(([, piece]) => piece.side !== side);
    return JSON.stringify(others.map(([key, piece]) => [key, piece.strength, (piece.leaders ?? []).map((leader) => leader.id)]));
  }
}
