// Standing instructions: clauses in words, read from the top, that answer for this seat what the other side's activity
// asks of it; made by a form and on the map. Only this seat is told of them.

import { button, el, fill, format, deviceStorage, placeName } from "../dom.js";
import { showMessage } from "../dialog.js";
import { answersView, groupView, groupsOf, kindField, openField, placesOf, refusedView, withoutNames } from "../order/form.js";
import { Refused } from "../session/api.js";
import { withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { STANDING } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Pointed } from "../map/index.js" */
/** @import { Mounted } from "./drawer.js" */
/** @import { Change } from "../session/store.js" */

const ABOUT = STANDING.about;

/** True if a seat can give standing instructions. @param {Context} ctx */
export const isStandingWanted = ({ store }) => Boolean(store.table.standing) && store.side < 2;

/** @param {HTMLElement} host @param {Context} ctx @returns {Mounted} */
export function mountStanding(host, ctx) {
  const panel = new StandingPanel(host, ctx);
  return { close: () => panel.onClose() };
}

class StandingPanel {
  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, ctx) {
    this.ctx = ctx;
    this.status = el("div", { role: "status" });
    this.list = el("ol.clauses");
    this.buttons = el("div.row");
    this.making = el("section.clause-form", { "aria-label": STANDING.newClause });
    this.maker = new ClauseMaker((partialOrder, signal) => ctx.api.clauseForm(partialOrder, signal));
    this.maker.addEventListener("change", () =>
      showMaking(ctx, this.making, this.maker, STANDING.newClause, (form) => void this.#add(form)),
    );
    fill(host, this.status, this.list, this.buttons, this.making);
    ctx.store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (sections.has("fresh") || sections.has("standing")) this.#draw();
    });
    this.#draw();
  }

  /** Clauses suspended on this device, which survive a reload. @returns {readonly T.ClauseLine[]} */
  get #suspended() {
    return JSON.parse(deviceStorage.getItem(this.#storageKey) ?? "[]");
  }

  set #suspended(clauses) {
    if (clauses.length) deviceStorage.setItem(this.#storageKey, JSON.stringify(clauses));
    else deviceStorage.removeItem(this.#storageKey);
  }

  get #storageKey() {
    return `leuthen.suspended.${this.ctx.api.seat}`;
  }

  /** @returns {T.StandingInstruction} */
  get #standing() {
    return this.ctx.store.table.standing ?? { clauses: [], is_armed: false, stopped: "" };
  }

  /** The clauses in force, stopped or suspended. */
  get #clauses() {
    return this.#standing.clauses.length ? this.#standing.clauses : this.#suspended;
  }

  #draw() {
    const { clauses, stopped, is_armed: isArmed } = this.#standing;
    const all = this.#clauses;
    fill(this.status, this.#state(isArmed, stopped, all.length));
    fill(this.list, ...all.map((clause, index) => this.#clause(clause, index, all)));
    this.list.classList.toggle("is-idle", !isArmed);
    const arm = all.length && !isArmed ? button(STANDING.activate, "arm", () => void this.#replace(all), "primary") : null;
    const suspend = clauses.length && isArmed ? button(STANDING.suspend, "suspend", () => void this.#suspend()) : null;
    const drop = all.length ? button(STANDING.deleteAll, "drop-all", () => void this.#removeAll()) : null;
    fill(
      this.buttons,
      arm,
      button(STANDING.add, "add-clause", () => void this.maker.start()),
      suspend,
      drop,
    );
  }

  /** @param {boolean} isArmed @param {string} stopped @param {number} count */
  #state(isArmed, stopped, count) {
    if (stopped) return el("p.note.bad", el("strong", STANDING.stopped), withRules(this.ctx, stopped));
    if (isArmed) return el("p.note.good", el("strong", STANDING.active), STANDING.firstCounts);
    return el("p.note", count ? STANDING.suspended : ABOUT);
  }

  /** @param {T.ClauseLine} clause @param {number} index @param {readonly T.ClauseLine[]} all */
  #clause(clause, index, all) {
    const up = index
      ? this.#tool("↑", format(STANDING.moveUp, { number: index + 1 }), `up ${index}`, () => void this.#moveUp(index, all))
      : null;
    const { dead } = clause;
    const remove = this.#tool(
      "×",
      format(STANDING.remove, { number: index + 1 }),
      `remove ${index}`,
      () => void this.#change(all.toSpliced(index, 1)),
    );
    return el(
      "li",
      { class: dead ? "is-dead" : "", dataset: { clause: clause.text } },
      el(
        "div.clause",
        el("span", withRules(this.ctx, clause.label)),
        el("span.clause-tools", up, remove),
        dead ? el("strong.clause-dead.small", dead) : null,
      ),
    );
  }

  /** @param {string} sign @param {string} label @param {string} keep @param {() => void} run */
  #tool(sign, label, keep, run) {
    return el("button.quiet.icon", { "aria-label": label, title: label, dataset: { keep }, onclick: run }, sign);
  }

  // --- what is given ---

  /** Change clauses that are not in force on this device only. @param {readonly T.ClauseLine[]} clauses */
  async #change(clauses) {
    if (this.#standing.is_armed) return this.#replace(clauses);
    this.#suspended = clauses;
    if (this.#standing.clauses.length) await this.#send([]);
    return this.#draw();
  }

  /** Move a clause up; a clause that answers everything stays last, with a notice. @param {number} index @param {readonly T.ClauseLine[]} all */
  async #moveUp(index, all) {
    const [before, clause] = /** @type {[T.ClauseLine, T.ClauseLine]} */ (all.slice(index - 1, index + 1));
    await this.#change(all.with(index, before).with(index - 1, clause));
    if (this.#clauses.every(({ text }, at) => text === all[at]?.text)) showMessage(STANDING.alwaysLast);
  }

  async #suspend() {
    this.#suspended = this.#standing.clauses;
    await this.#send([]);
  }

  async #removeAll() {
    this.#suspended = [];
    if (this.#standing.clauses.length) await this.#send([]);
    else this.#draw();
  }

  /** @param {readonly T.ClauseLine[]} clauses @returns {Promise<boolean>} */
  async #replace(clauses) {
    const counts = await this.#send(clauses.map((clause) => clause.text));
    if (counts) this.#suspended = [];
    return counts;
  }

  /** @param {string[]} clauses @returns {Promise<boolean>} whether they count */
  async #send(clauses) {
    const { api, store, sender } = this.ctx;
    const counts = await sender.instruct(clauses);
    if (counts) store.takeStanding(await api.standing());
    return counts;
  }

  /** Add the new clause at the end. @param {T.Form} form */
  async #add({ order, summary }) {
    if (!order) return;
    const clauses = [...this.#clauses, { text: order, label: summary?.[0] ?? order, dead: "" }];
    if (await this.#replace(clauses)) this.maker.cancel();
  }

  /** Handle the closing of the panel: remove its highlights. */
  onClose() {
    this.maker.cancel();
  }
}

// A clause, or a mission, in the making: keeps what is chosen, asks the server what that comes to, and shows it.

/**
 * Request the form of the current answers.
 * @typedef {(partialOrder: Record<string, string>, signal?: AbortSignal) => Promise<T.Form>} Ask
 */

/** If nearly every hex can be chosen, none is highlighted. */
const MOST_LIT = 200;

/** Dispatches `change` when the form is new. */
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

  /** Start with no answers. */
  start() {
    return this.begin({});
  }

  /** @param {Record<string, string>} partialOrder */
  begin(partialOrder) {
    this.partialOrder = partialOrder;
    return this.#ask();
  }

  /** Add or change answers. @param {Record<string, string>} partialOrder @param {readonly string[]} [without] names of what is dropped */
  choose(partialOrder, without = []) {
    this.partialOrder = { ...withoutNames(this.partialOrder, without), ...partialOrder };
    void this.#ask();
  }

  /** Handle a hex or counter selected on the map. @param {Pointed} pointed */
  async pick({ place, key }) {
    const kind = this.form && kindField(this.form);
    if (!this.form || !place) return;
    const settled = this.form.fields.filter((field) => field.value && (field.is_given || field === kind));
    this.partialOrder = { ...Object.fromEntries(settled.map((field) => [field.key, field.value ?? ""])), at: key ?? place };
    await this.#ask();
  }

  /** Cancel the clause. */
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
      showMessage(error.problem.detail);
    }
  }

  /** @param {T.Form | null} form */
  #show(form) {
    this.form = form;
    this.dispatchEvent(new Event("change"));
  }
}

/**
 * Show the clause in progress here and on the map.
 * @param {Context} ctx @param {HTMLElement} host @param {ClauseMaker} maker @param {string} title
 * @param {(form: T.Form) => void} give
 */
export function showMaking(ctx, host, maker, title, give) {
  const { form } = maker;
  ctx.picker = form ? (pointed) => void maker.pick(pointed) : null;
  fill(host, ...(form ? formView(ctx, maker, form, title, give) : []));
  const asked = form ? (openField(form) ?? form.fields.findLast((field) => field.kind === "hex")) : undefined;
  const places = asked ? placesOf(asked) : [];
  ctx.map.overlay.highlight(places.length > MOST_LIT ? [] : places, "clause");
}

/** @param {Context} ctx @param {ClauseMaker} maker @param {T.Form} form @param {string} title @param {(form: T.Form) => void} give */
function formView(ctx, maker, form, title, give) {
  const desk = {
    composer: maker,
    ctx,
    form,
    bar: (/** @type {T.Objection} */ reason) => showMessage(`${reason.text} ${reason.rule}`, { stays: true }),
  };
  const kind = kindField(form);
  const open = openField(form);
  const begin = (/** @type {string} */ token) => kind && void maker.begin({ [kind.key]: token });
  const kinds = kind?.value ? selectOf(kind, begin) : kind ? answersView(desk, kind, begin) : null;
  const rest = groupsOf(form).filter((group) => group.fields[0] !== kind);
  return [
    el("h3", title),
    kind ? el("fieldset.field.kinds", { dataset: { field: kind.key } }, el("legend", kind.label), kinds) : null,
    ...rest.map((group) => groupView(desk, group)),
    form.summary?.[0] ? el("p.note", withRules(ctx, form.summary[0])) : null,
    refusedView(ctx, form.refused ?? []),
    el(
      "div.row.sending",
      button(STANDING.give, "give-clause", () => give(form), "primary", !form.order),
      button(COMMON.cancel, "cancel-clause", () => maker.cancel(), "quiet"),
      open ? el("span.muted.small", `${open.label}${hintOf(ctx, open)}`) : null,
    ),
  ];
}

/** Hint on where a question can be answered. @param {Context} ctx @param {T.FormField} open */
function hintOf(ctx, open) {
  const places = placesOf(open);
  if (!places.length) return "";
  return format(STANDING.where, { place: open.choices.length === 1 ? `: ${placeName(ctx.store, places[0] ?? "")}` : "" });
}

/** An answered question, in small; it can be changed. @param {T.FormField} field @param {(token: string) => void} choose */
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
