// What was said and has not reached the table yet. It is kept while the tab is open, and sent line by line, each until it
// is answered; a line has a key, so that it counts once however often it is sent.

import { keptHere } from "../keep.js";
import { Refused, newKey } from "./api.js";

/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */

/** A line on its way. `problem` is why the table refused it, "" of one that waits. @typedef {{key: string, text: string, problem: string}} Waiting */

/** Emits `change`, and `said` (detail ChatLine) when a line has arrived. */
export class Outbox extends EventTarget {
  #isSending = false;

  /** @param {SeatApi} api @param {Store} store */
  constructor(api, store) {
    super();
    this.api = api;
    this.keptAs = `leuthen.chat.${api.seat}`;
    /** @type {readonly Waiting[]} the oldest first */
    this.lines = JSON.parse(keptHere.getItem(this.keptAs) ?? "[]");
    store.addEventListener("connection", (event) => {
      if (/** @type {CustomEvent<string>} */ (event).detail === "live") void this.send();
    });
  }

  /** Says something. @param {string} text */
  add(text) {
    this.#put([...this.lines, { key: newKey(), text, problem: "" }]);
    return this.send();
  }

  /** Leaves a line. @param {string} key */
  remove(key) {
    this.#put(this.lines.filter((line) => line.key !== key));
  }

  /** Sends a line again that was refused. @param {string} key */
  again(key) {
    this.#put(this.lines.map((line) => (line.key === key ? { ...line, problem: "" } : line)));
    return this.send();
  }

  /** Sends what waits, the oldest first, until nothing waits or nobody answers. */
  async send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let next = this.#next; next; next = this.#next) await this.#sendOne(next);
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // it is sent when the line is back
    } finally {
      this.#isSending = false;
    }
  }

  get #next() {
    return this.lines.find(({ problem }) => !problem);
  }

  /** @param {Waiting} line */
  async #sendOne({ key, text }) {
    try {
      const said = await this.api.say(text, key);
      this.remove(key);
      this.dispatchEvent(new CustomEvent("said", { detail: said }));
    } catch (error) {
      if (!(error instanceof Refused) || error.isOffline) throw error;
      this.#put(this.lines.map((line) => (line.key === key ? { ...line, problem: error.message } : line)));
    }
  }

  /** @param {readonly Waiting[]} lines */
  #put(lines) {
    this.lines = lines;
    if (lines.length) keptHere.setItem(this.keptAs, JSON.stringify(lines));
    else keptHere.removeItem(this.keptAs);
    this.dispatchEvent(new Event("change"));
  }
}
