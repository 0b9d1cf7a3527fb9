// Sends what a seat does: each request has a key of its own and is repeated until it is answered; it counts once.

import { keptHere } from "../dom.js";
import { Refused, newKey, untilAnswered } from "./api.js";
import { MOVES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */
/** @import { Stream } from "./stream.js" */

/** @typedef {(request: {seen: number, key: string, share?: T.Share}) => Promise<T.OrderResult>} Attempt */

/** What is told where something else is to be sent meanwhile. @type {T.Problem} */
const HELD = { status: 0, title: MOVES.heldTitle, detail: MOVES.held, rule: "", place: "", n: -1 };

export class Sender {
  #isBusy = false;

  /**
   * @param {SeatApi} api
   * @param {Store} store
   * @param {Stream} stream
   * @param {(problem: T.Problem) => void} onProblem tells the player
   */
  constructor(api, store, stream, onProblem) {
    this.api = api;
    this.store = store;
    this.stream = stream;
    this.onProblem = onProblem;
  }

  /** Whether something is on its way: nothing else is sent meanwhile, so two clicks at once are one. */
  get isBusy() {
    return this.#isBusy;
  }

  /** Whether something waits for the line to come back. */
  get isHeld() {
    return this.#isBusy && this.store.connection === "offline";
  }

  /** Whether something is on its way; the player is reminded of it where it waits for the line. */
  remind() {
    if (this.isHeld) this.onProblem(HELD);
    return this.#isBusy;
  }

  /** What the page says of a broken line depends on whether something waits for it. */
  #tellHeld() {
    if (this.store.connection === "offline") this.store.tellConnection();
  }

  /** An order in the record's notation, and the answer behind it if nothing comes between. @param {string} order @param {string} [halt] @returns {Promise<boolean>} whether it counts */
  order(order, halt = "") {
    return this.#send((request) => this.api.order({ ...request, order, ...(halt && { halt }) }));
  }

  /** Undo, go on, resign and the like. @param {string} what @param {number} [to] @param {string} [until] @param {string[]} [theatres] @returns {Promise<boolean>} */
  move(what, to = 0, until = "phase", theatres = []) {
    return this.#send((request) => this.api.move({ ...request, do: what, to, until, theatres }));
  }

  /** Accepts or declines an offer, if it is still the one that was read. @param {string} what @param {string} offer its kind @param {number} [to] @returns {Promise<boolean>} */
  answer(what, offer, to = 0) {
    return this.#send((request) => this.api.move({ ...request, do: what, offer, to }));
  }

  /** Standing instructions, all their clauses. @param {string[]} clauses @returns {Promise<boolean>} */
  instruct(clauses) {
    return this.#send((request) => this.api.instruct({ ...request, clauses }));
  }

  /** Lets the staff carry on: with its plan, or with what it asks about. @returns {Promise<boolean>} whether it does */
  sign() {
    const { n, staff } = this.store.table;
    return this.#alone(() => this.#askStaff(() => this.api.signStaff({ seen: n, asks: staff?.asks ?? "" })));
  }

  /** Stops the staff. @returns {Promise<boolean>} */
  stopStaff() {
    return this.#alone(() => this.#askStaff(() => this.api.stopStaff()));
  }

  /** What an answer says of the staff counts unless news came before it: they are newer. @param {() => Promise<T.StaffCard>} ask */
  async #askStaff(ask) {
    const before = this.store.table.staff;
    const card = await ask();
    if (this.store.table.staff === before) this.store.takeStaff(card);
  }

  /** @param {Attempt} attempt @returns {Promise<boolean>} */
  #send(attempt) {
    return this.#alone(async () => this.stream.reach((await this.#inStep(attempt)).n));
  }

  /** Does one thing at a time; what is refused is told. @param {() => Promise<unknown> | void} act @returns {Promise<boolean>} */
  async #alone(act) {
    if (this.remind()) return false;
    this.#isBusy = true;
    document.body.classList.add("is-sending");
    this.#tellHeld();
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.isStale) await this.stream.reach(error.problem.n);
      this.onProblem(error.problem);
      return false;
    } finally {
      this.#isBusy = false;
      document.body.classList.remove("is-sending");
      this.#tellHeld();
    }
  }

  /** Sends it with this browser's part in the dice; if that was given already, which is so after a lost answer, once more. @param {Attempt} attempt */
  async #inStep(attempt) {
    try {
      return await this.#once(attempt);
    } catch (error) {
      const isOutOfStep = error instanceof Refused && error.problem.status === 409 && !error.isStale && this.store.seal.card;
      if (!isOutOfStep) throw error;
      await this.store.seal.again();
      return this.#once(attempt);
    }
  }

  /** @param {Attempt} attempt */
  async #once(attempt) {
    const { seal, table } = this.store;
    const request = { seen: table.n, key: newKey() };
    return seal.along((part) =>
      untilAnswered(
        () => attempt({ ...request, ...part }),
        () => this.stream.doubt(),
      ),
    );
  }
}

// What was said and has not reached the table yet. It is kept while the tab is open, and sent line by line, each until it
// is answered; a line has a key, so that it counts once however often it is sent.

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
