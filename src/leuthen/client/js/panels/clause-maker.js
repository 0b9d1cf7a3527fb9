// A clause in the making: keeps what is chosen and asks the server what that comes to.

import { Refused } from "../session/api.js";
import { kindField, withoutNames } from "../order/form.js";

/** @import * as T from "../../types" */
/** @import { Pointed } from "../context.js" */
/** @import { SeatApi } from "../session/api.js" */

/** Emits `change` when the form is new. */
export class ClauseMaker extends EventTarget {
  /** @type {Record<string, string>} */
  partialOrder = {};
  /** @type {T.Form | null} the clause so far; null while none is made */
  form = null;

  /** @type {AbortController | null} */
  #asking = null;

  /** @param {SeatApi} api @param {(text: string) => void} tell says what went wrong */
  constructor(api, tell) {
    super();
    this.api = api;
    this.tell = tell;
  }

  /** Begins with nothing chosen. */
  start() {
    return this.begin({});
  }

  /** @param {Record<string, string>} partialOrder */
  begin(partialOrder) {
    this.partialOrder = partialOrder;
    return this.#ask();
  }

  /** Chooses more, or otherwise. @param {Record<string, string>} partialOrder @param {readonly string[]} [without] names of what is dropped */
  choose(partialOrder, without = []) {
    this.partialOrder = { ...withoutNames(this.partialOrder, without), ...partialOrder };
    void this.#ask();
  }

  /** A hex or a counter was chosen on the map. @param {Pointed} pointed */
  async pick({ place, key }) {
    const kind = this.form && kindField(this.form);
    if (!this.form || !place) return;
    const settled = this.form.fields.filter((field) => field.value && (field.is_given || field === kind));
    this.partialOrder = { ...Object.fromEntries(settled.map((field) => [field.key, field.value ?? ""])), at: key ?? place };
    await this.#ask();
  }

  /** Leaves it. */
  cancel() {
    this.#asking?.abort();
    this.#show(null);
  }

  async #ask() {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const form = await this.api.clauseForm(this.partialOrder, asking.signal);
      if (!asking.signal.aborted) this.#show(form);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      if (!(error instanceof Refused)) throw error;
      this.tell(error.problem.detail);
    }
  }

  /** @param {T.Form | null} form */
  #show(form) {
    this.form = form;
    this.dispatchEvent(new Event("change"));
  }
}
