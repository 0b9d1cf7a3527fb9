// Sends what a seat does: each request has a key of its own and is repeated until it is answered; it counts once.

import { Refused, newKey, untilAnswered } from "./api.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */
/** @import { Stream } from "./stream.js" */

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

  /** An order in the record's notation. @param {string} order @returns {Promise<boolean>} whether it counts */
  order(order) {
    const request = { seen: this.store.table.n, key: newKey(), order };
    return this.#send(() => this.api.order(request));
  }

  /** Undo, go on, resign and the like. @param {string} what @param {number} [to] @param {string} [until] @returns {Promise<boolean>} */
  move(what, to = 0, until = "phase") {
    const request = { seen: this.store.table.n, key: newKey(), do: what, to, until };
    return this.#send(() => this.api.move(request));
  }

  /** @param {() => Promise<T.Acted>} attempt @returns {Promise<boolean>} */
  async #send(attempt) {
    if (this.#isBusy) return false;
    this.#isBusy = true;
    try {
      const acted = await untilAnswered(attempt, () => this.store.setConnection("offline"));
      await this.stream.reach(acted.n);
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.isStale) await this.stream.reach(error.problem.n);
      this.onProblem(error.problem);
      return false;
    } finally {
      this.#isBusy = false;
    }
  }
}
