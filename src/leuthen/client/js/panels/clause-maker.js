// A clause, or a mission, in the making: keeps what is chosen, asks the server what that comes to, and shows it.

import { placeName } from "../bits.js";
import { say } from "../dialog.js";
import { el, fill } from "../dom.js";
import { answersView, groupView, refusedView } from "../order/fields.js";
import { groupsOf, kindField, openField, placesOf, withoutNames } from "../order/form.js";
import { Refused } from "../session/api.js";
import { withRules } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context, Pointed } from "../context.js" */

/** Asks for the form of what is chosen. @typedef {(partialOrder: Record<string, string>, signal?: AbortSignal) => Promise<T.Form>} Ask */

/** Where nearly everything may be chosen nothing is lit. */
const MOST_LIT = 200;

/** Emits `change` when the form is new. */
export class ClauseMaker extends EventTarget {
  /** @type {Record<string, string>} */
  partialOrder = {};
  /** @type {T.Form | null} the clause so far; null while none is made */
  form = null;

  /** @type {AbortController | null} */
  #asking = null;

  /** @param {Ask} ask */
  constructor(ask) {
    super();
    this.ask = ask;
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
      const form = await this.ask(this.partialOrder, asking.signal);
      if (!asking.signal.aborted) this.#show(form);
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
      if (!(error instanceof Refused)) throw error;
      say(error.problem.detail);
    }
  }

  /** @param {T.Form | null} form */
  #show(form) {
    this.form = form;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Shows what a maker makes, here and on the map.
 * @param {Context} ctx @param {HTMLElement} host @param {ClauseMaker} maker @param {string} title
 * @param {(form: T.Form) => void} give
 */
export function showMaking(ctx, host, maker, title, give) {
  const { form } = maker;
  ctx.picker = form ? (pointed) => void maker.pick(pointed) : null;
  fill(host, ...(form ? formView(ctx, maker, form, title, give) : []));
  const asked = form ? (openField(form) ?? form.fields.findLast((field) => field.kind === "hex")) : undefined;
  const places = asked ? placesOf(asked) : [];
  ctx.map.highlight(places.length > MOST_LIT ? [] : places, "clause");
}

/** @param {Context} ctx @param {ClauseMaker} maker @param {T.Form} form @param {string} title @param {(form: T.Form) => void} give */
function formView(ctx, maker, form, title, give) {
  const desk = {
    composer: maker,
    ctx,
    form,
    bar: (/** @type {T.Objection} */ reason) => say(`${reason.text} ${reason.rule}`, { stays: true }),
  };
  const kind = kindField(form);
  const open = openField(form);
  const begin = (/** @type {string} */ token) => kind && void maker.begin({ [kind.key]: token });
  const kinds = kind?.value ? selectOf(kind, begin) : kind ? answersView(desk, kind, begin) : null;
  const rest = groupsOf(form).filter((group) => group.fields[0] !== kind);
  return [
    el("h3", {}, title),
    kind ? el("fieldset", { class: "field kinds", dataset: { field: kind.key } }, el("legend", {}, kind.label), kinds) : null,
    ...rest.map((group) => groupView(desk, group)),
    form.summary?.[0] ? el("p", { class: "note" }, withRules(ctx, form.summary[0])) : null,
    refusedView(ctx, form.refused ?? []),
    el(
      "div",
      { class: "row sending" },
      button("Give it", "give-clause", () => give(form), "primary", !form.order),
      button("Cancel", "cancel-clause", () => maker.cancel(), "quiet"),
      open ? el("span", { class: "muted small" }, `${open.label}${hintOf(ctx, open)}`) : null,
    ),
  ];
}

/** Where a question may be answered. @param {Context} ctx @param {T.FormField} open */
function hintOf(ctx, open) {
  const places = placesOf(open);
  if (!places.length) return "";
  return `, here or on the map${open.choices.length === 1 ? `: ${placeName(ctx.store, places[0] ?? "")}` : ""}`;
}

/** @param {string} label @param {string} what @param {() => void} run @param {string} [look] @param {boolean} [isBarred] */
export function button(label, what, run, look = "", isBarred = false) {
  return el(
    "button",
    { type: "button", class: look, dataset: { do: what, keep: what }, "aria-disabled": isBarred || null, onclick: () => isBarred || run() },
    label,
  );
}

/** A question that is answered, small; it can be answered anew. @param {T.FormField} field @param {(token: string) => void} choose */
function selectOf(field, choose) {
  const options = field.choices.map((choice) => el("option", { value: choice.token }, choice.label));
  const select = el(
    "select",
    { "aria-label": field.label, dataset: { keep: field.key }, onchange: () => choose(select.value) },
    ...options,
  );
  select.value = field.value ?? "";
  return select;
}
