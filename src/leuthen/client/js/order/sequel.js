// What comes by itself behind an order: the rest of its march, the halt at its end, and what is left as it is then.

import { wayOf } from "./form.js";
import { touches } from "./going-on.js";
import { LongMarch } from "./march.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Store } from "../session/store.js" */

/** The order that ends a march. */
export const HALT = "halt";

/**
 * Who is told: that the player is asked, that something has come to its end, what went wrong, that the rest is left.
 * @typedef {{ask: () => void, refresh: () => void, fail: (error: unknown) => void, leave: (until: string) => void}} Back
 */

export class Sequel {
  /** What ends that is left as it is when the order is done, "" for nothing. */
  #until = "";
  /** The turn or phase in which that was ordered. */
  #when = "";

  /** @param {Store} store @param {SeatApi} api @param {Sender} sender @param {Back} back */
  constructor(store, api, sender, back) {
    this.store = store;
    this.api = api;
    this.sender = sender;
    this.back = back;
    this.march = new LongMarch(store);
  }

  /** Sends an order. @param {T.Form} form @param {string} halt how its march shall end, "" if that is asked @param {string} until what ends that is left as it is behind it @returns {Promise<boolean>} whether it counts */
  async order(form, halt, until) {
    this.march.begin(form, halt);
    this.#until = until;
    this.#when = this.#nowOf(until);
    const counts = await this.sender.order(form.order ?? "", halt);
    if (!counts) this.stop();
    return counts;
  }

  /** Whether something may come. */
  get isOn() {
    return this.march.way.length > 0 || this.#until !== "";
  }

  /** Nothing more comes by itself. */
  stop() {
    this.march.stop();
    this.#until = "";
  }

  /** Something has happened. @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known */
  hear(told, isAnew) {
    this.march.hear(told, isAnew);
    if (isAnew || told.some((entry) => touches(entry, this.store.side))) this.#until = "";
  }

  /** Goes on, where something comes by itself now. @returns {boolean} false where the player is asked */
  pursue() {
    if (this.sender.isBusy || !this.store.asked) return false;
    if (this.march.rest.length) void this.#goOn();
    else if (this.march.ending) void this.#end(this.march.ending);
    else {
      if (!this.march.way.length) this.#leave();
      return false;
    }
    return true;
  }

  /** Orders the rest of a march's way; if that cannot be as it was chosen, the player is asked. */
  async #goOn() {
    const { march } = this;
    try {
      const form = await this.api.form({ path: march.rest.join("-") });
      const isWhole = !form.refused?.length && wayOf(form).at(-1) === march.way.at(-1);
      if (form.order && isWhole && (await this.sender.order(form.order, march.halt))) {
        if (this.isOn) this.back.refresh();
        return;
      }
      march.isAside = form.fields.every((field) => field.kind !== "path");
    } catch (error) {
      this.back.fail(error);
    }
    if (!march.isAside) march.stop();
    this.back.ask();
  }

  /** Ends a march as it was ordered to; where that is not asked, it has ended already. @param {string} halt */
  async #end(halt) {
    try {
      const form = await this.api.form({ do: HALT });
      if (form.order && !form.refused?.length) await this.sender.order(halt);
    } catch (error) {
      this.back.fail(error);
    }
    this.march.stop();
    this.back.refresh();
  }

  /** Leaves the rest of the phase or turn as it is, if that still goes on in which it was ordered. */
  #leave() {
    const until = this.#until;
    this.#until = "";
    if (until && !this.march.isCut && this.#nowOf(until) === this.#when) this.back.leave(until);
  }

  /** The turn, or the phase, as a word. @param {string} until */
  #nowOf(until) {
    const { title, stages } = this.store.scene;
    return JSON.stringify([title, until === "phase" && stages.filter(({ when }) => when === "now")]);
  }
}
