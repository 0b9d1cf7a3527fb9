// Sends what a seat does: each request has a key of its own and is repeated until it is answered; it counts once.

import { Emitter, tabStorage } from "../dom.js";
import { Refused, newKey, untilAnswered } from "./api.js";
import { MOVES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */
/** @import { Stream } from "./stream.js" */

/** @typedef {(request: {seen: number, key: string, share?: T.Share}) => Promise<T.OrderResult>} Attempt */

/** Message shown when another request is still waiting. @type {T.Problem} */
const HELD = { status: 0, title: MOVES.heldTitle, detail: MOVES.held, rule: "", place: "", n: -1 };

export class Sender {
  /** True while a request is in flight: no other is sent, so two clicks count as one. */
  isBusy = false;

  /** @param {SeatApi} api @param {Store} store @param {Stream} stream @param {(problem: T.Problem) => void} onProblem tells the player */
  constructor(api, store, stream, onProblem) {
    this.api = api;
    this.store = store;
    this.stream = stream;
    this.onProblem = onProblem;
  }

  /** True while a request waits for the connection. */
  get isHeld() {
    return this.isBusy && this.store.connection === "offline";
  }

  /** True while a request is in flight; shows a reminder if it waits for the connection. */
  remind() {
    if (this.isHeld) this.onProblem(HELD);
    return this.isBusy;
  }

  /** Update the connection notice, which depends on a waiting request. */
  #updateNotice() {
    if (this.store.connection === "offline") this.store.tell("connection", "offline");
  }

  /**
   * Send an order in the record's notation, and the answer that follows if nothing comes between.
   * @param {string} order @param {string} [halt] @returns {Promise<boolean>} whether it counts
   */
  order(order, halt = "") {
    return this.#send((request) => this.api.order({ ...request, order, ...(halt && { halt }) }));
  }

  /**
   * Send undo, go on, resign and similar commands.
   * @param {string} what @param {number} [to] @param {string} [until] @param {string[]} [theatres] @returns {Promise<boolean>}
   */
  move(what, to = 0, until = "phase", theatres = []) {
    return this.#send((request) => this.api.move({ ...request, do: what, to, until, theatres }));
  }

  /** Accept or decline an offer, if it is still the displayed one. @param {string} what @param {string} offer its kind @param {number} [to] @returns {Promise<boolean>} */
  answer(what, offer, to = 0) {
    return this.#send((request) => this.api.move({ ...request, do: what, offer, to }));
  }

  /** Set the clauses of the standing instruction. @param {string[]} clauses @returns {Promise<boolean>} */
  instruct(clauses) {
    return this.#send((request) => this.api.instruct({ ...request, clauses }));
  }

  /** Let the staff continue, with its plan or with its open question. @returns {Promise<boolean>} whether it does */
  signPlan() {
    const { n, staff } = this.store.table;
    return this.#exclusively(() => this.#askStaff(() => this.api.signStaff({ seen: n, asks: staff?.asks ?? "" })));
  }

  /** Stop the staff. @returns {Promise<boolean>} */
  stopStaff() {
    return this.#exclusively(() => this.#askStaff(() => this.api.stopStaff()));
  }

  /** Use an answer about the staff, unless newer news has arrived. @param {() => Promise<T.StaffCard>} ask */
  async #askStaff(ask) {
    const before = this.store.table.staff;
    const card = await ask();
    if (this.store.table.staff === before) this.store.takeStaff(card);
  }

  /** @param {Attempt} attempt @returns {Promise<boolean>} */
  #send(attempt) {
    return this.#exclusively(async () => this.stream.waitFor((await this.#sendWithLink(attempt)).n));
  }

  /** Run one request at a time and show a refusal. @param {() => Promise<unknown> | void} act @returns {Promise<boolean>} */
  async #exclusively(act) {
    if (this.remind()) return false;
    this.isBusy = true;
    document.body.classList.add("is-sending");
    this.#updateNotice();
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.isStale) await this.stream.waitFor(error.problem.n);
      this.onProblem(error.problem);
      return false;
    } finally {
      this.isBusy = false;
      document.body.classList.remove("is-sending");
      this.#updateNotice();
    }
  }

  /** Send a request with this browser's link; repeat it once if the link was already used, as after a lost answer. @param {Attempt} attempt */
  async #sendWithLink(attempt) {
    try {
      return await this.#sendOnce(attempt);
    } catch (error) {
      const isOutOfStep = error instanceof Refused && error.problem.status === 409 && !error.isStale && this.store.seal.card;
      if (!isOutOfStep) throw error;
      await this.store.seal.reload();
      return this.#sendOnce(attempt);
    }
  }

  /** @param {Attempt} attempt */
  async #sendOnce(attempt) {
    const { seal, table } = this.store;
    const request = { seen: table.n, key: newKey() };
    return seal.withLink((part) =>
      untilAnswered(
        () => attempt({ ...request, ...part }),
        () => this.stream.onUnanswered(),
      ),
    );
  }
}

// What was said and has not reached the table yet. It is kept while the tab is open, and sent line by line, each until it
// is answered; a line has a key, so that it counts once however often it is sent.

/** A chat line in flight; its `problem` is "" while it waits. @typedef {{key: string, text: string, problem: string}} Waiting */

/** Dispatches `change`, and `said` (detail ChatLine) when a line has arrived. */
export class Outbox extends Emitter {
  #isSending = false;

  /** @param {SeatApi} api @param {Store} store */
  constructor(api, store) {
    super();
    this.api = api;
    this.keptAs = `leuthen.chat.${api.seat}`;
    /** @type {readonly Waiting[]} the oldest first */
    this.lines = JSON.parse(tabStorage.getItem(this.keptAs) ?? "[]");
    store.on("connection", (connection) => connection === "live" && void this.send());
  }

  /** Add a line. @param {string} text */
  add(text) {
    this.#storeLines([...this.lines, { key: newKey(), text, problem: "" }]);
    return this.send();
  }

  /** Discard a line. @param {string} key */
  remove(key) {
    this.#storeLines(this.lines.filter((line) => line.key !== key));
  }

  /** Send a refused line again. @param {string} key */
  resend(key) {
    this.#storeLines(this.lines.map((line) => (line.key === key ? { ...line, problem: "" } : line)));
    return this.send();
  }

  /** Send waiting lines, the oldest first, until none is left or no answer comes. */
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
      this.tell("said", said);
    } catch (error) {
      if (!(error instanceof Refused) || error.isOffline) throw error;
      this.#storeLines(this.lines.map((line) => (line.key === key ? { ...line, problem: error.message } : line)));
    }
  }

  /** @param {readonly Waiting[]} lines */
  #storeLines(lines) {
    this.lines = lines;
    if (lines.length) tabStorage.setItem(this.keptAs, JSON.stringify(lines));
    else tabStorage.removeItem(this.keptAs);
    this.tell("change");
  }
}
