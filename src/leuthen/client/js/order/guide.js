// What may be done where, before a kind of order is chosen: the forms of all the kinds that there are.

import { kindField, placesOf } from "./form.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */

export class Guide {
  /** @type {ReadonlyMap<string, T.Form>} by kind of order */
  forms = new Map();

  /**
   * Asks for all forms that a form with an open choice of kinds leads to.
   * @param {SeatApi} api @param {T.Form} form @param {AbortSignal} signal
   * @returns {Promise<Guide>}
   */
  static async make(api, form, signal) {
    const guide = new Guide();
    const field = kindField(form);
    if (!field || field.value) return guide;
    const kinds = field.choices.map((choice) => choice.token);
    const forms = await Promise.all(kinds.map((kind) => api.form({ [field.key]: kind }, signal)));
    guide.forms = new Map(kinds.map((kind, index) => [kind, /** @type {T.Form} */ (forms[index])]));
    return guide;
  }

  /** All hexes where something may be done. */
  get places() {
    const fields = [...this.forms.values()].flatMap((form) => form.fields);
    return new Set(fields.filter((field) => field.kind === "hex" || field.kind === "leader").flatMap(placesOf));
  }

  /** The kind of order by which a force may go on at once, with its form. @returns {[string, T.Form] | undefined} */
  get walk() {
    return [...this.forms].find(([, form]) => Object.keys(form.reach ?? {}).length > 0);
  }
}
