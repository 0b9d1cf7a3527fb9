// Sends what a seat does: each request has a key of its own and is repeated until it is answered; it counts once.

import { Refused, newKey, untilAnswered } from "./api.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */
/** @import { Stream } from "./stream.js" */

/** @typedef {(request: {seen: number, key: string, share?: T.Share}) => Promise<T.Acted>} Attempt */

/** What is told where something else is to be sent meanwhile. @type {T.Problem} */
const HELD = {
  status: 0,
  title: "Your last order waits",
  detail: "Your last order is still waiting for the connection. Order again when it was sent.",
  rule: "",
  place: "",
  n: -1,
};

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
