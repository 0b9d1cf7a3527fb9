// The buttons under the order: undo, going on, and advice where the table allows it.

import { tryRequest } from "../dialog.js";
import { button, el, fill, format, listOf } from "../dom.js";
import { addKeys } from "../keys.js";
import { withRules } from "../panels/parts.js";
import { redo, undo } from "../session/moves.js";
import { GoingOn, SCOPES, forTheatres } from "./going-on.js";
import { kindField } from "./form.js";
import { GROUPS } from "../strings/common.js";
import { ORDER } from "../strings/order.js";
import { TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Composer } from "./composer.js" */

/**
 * @param {HTMLElement} host of the buttons @param {HTMLElement} helpers where the staff and the adviser answer @param {Context} ctx
 * @param {Sender} sender @param {Composer} composer @param {() => void} openStaff shows the staff's plan
 */
export function mountTools(host, helpers, ctx, sender, composer, openStaff) {
  const { store } = ctx;
  if (store.side > 1) return;
  const advice = el("div.advice", { role: "status" });
  const adviser = new Adviser(advice, ctx, sender, composer);
  const back = el(
    "button.quiet",
    { dataset: { do: "undo" }, onclick: () => undo(ctx) },
    `${TABLE.undo} `,
    el("kbd", { "aria-hidden": true }, "u"),
  );
  const again = el(
    "button.quiet",
    { dataset: { do: "redo" }, hidden: true, onclick: () => redo(ctx) },
    `${TABLE.redo} `,
    el("kbd", { "aria-hidden": true }, "U"),
  );
  const ask = button(ORDER.advice, "advice", () => void adviser.advise(), "quiet");
  const going = el("div", { role: "status" });
  const goingOn = new GoingOn(going, ctx, sender);
  const theatre = () => theatreOf(ctx, composer);
  const more = goingMenu(goingOn, theatre);
  const draw = () => {
    more.hidden = !store.asked;
    if (store.table.can_undo) back.removeAttribute("aria-disabled");
    else back.setAttribute("aria-disabled", "true");
    again.hidden = !store.table.redo || !store.asked;
    ask.hidden = !store.asked || !store.table.helps;
    host.hidden = helpers.hidden = store.table.has_ended;
    adviser.refresh();
  };
  store.onChange(["fresh", "awaited", "can_undo"], draw);
  composer.addEventListener("sent", () => adviser.clear());
  composer.addEventListener("sent", () => goingOn.ordered(composer.form?.start ? (store.theatres.get(composer.form.start) ?? "") : ""));
  composer.addEventListener("left", (event) => void goingOn.begin(/** @type {CustomEvent<string>} */ (event).detail));
  addKeys(
    { keys: ["X"], label: ORDER.skipPhase, group: GROUPS.orders, run: () => void goingOn.begin("phase") },
    { keys: ["g"], label: ORDER.skipToEnemy, group: GROUPS.orders, run: () => void goingOn.begin("event") },
    {
      keys: ["G"],
      label: ORDER.skipTheatre,
      group: GROUPS.orders,
      when: () => store.theatres.size > 0,
      run: () => void goingOn.begin("theatre", theatre()),
    },
  );
  const staff = el("div.staff", { role: "status" });
  mountStaff(staff, ctx, openStaff);
  fill(host, back, again, ask, more);
  fill(helpers, advice, going, staff);
  draw();
}

/** The current theatre: of the pending decision, else of the force, else of the visible map. @param {Context} ctx @param {Composer} composer */
const theatreOf = ({ store, map }, composer) => store.theatres.get(store.scene.place || composer.form?.start || map.middle) ?? "";

/** The ways to skip ahead, folded. @param {GoingOn} goingOn @param {() => string} theatre the one that is meant */
function goingMenu(goingOn, theatre) {
  const begin = (/** @type {string} */ until) => {
    menu.open = false;
    void goingOn.begin(until, until === "theatre" ? theatre() : "");
  };
  const buttons = SCOPES.map(([until, label]) => button(label, `go-on-${until}`, () => begin(until), "quiet"));
  const name = () => {
    const button = buttons.find(({ dataset }) => dataset.do === "go-on-theatre");
    if (!button) return;
    button.hidden = !theatre();
    button.textContent = forTheatres([theatre()]);
  };
  const menu = el(
    "details.go-on",
    { ontoggle: name },
    el("summary", { dataset: { do: "go-on" } }, ORDER.goOn),
    el("div.go-on-ways", ...buttons),
  );
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  return menu;
}

/** The order that the staff suggests from this side's view, with reasons; it can continue for the rest of a decision. */
class Adviser {
  /** The decision delegated to the adviser, or "". */
  #left = "";
  #shown = "";
  /** The suggested order that is in the form. @type {Record<string, string> | null} */
  #advised = null;

  /** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender @param {Composer} composer */
  constructor(host, ctx, sender, composer) {
    this.composer = composer;
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    composer.addEventListener("cancelled", () => this.clear());
    composer.addEventListener("change", () => {
      if (this.#advised && composer.partialOrder.do !== this.#advised.do) this.clear();
    });
  }

  get #decision() {
    return this.ctx.store.asked?.decision ?? "";
  }

  /** The current question, which decides whether a suggestion is out of date; actions of the other side do not change it. */
  get #question() {
    const asked = this.ctx.store.asked;
    return asked ? `${asked.decision} ${asked.text}` : "";
  }

  /** Handle a change of the table. */
  refresh() {
    if (this.#question !== this.#shown) this.clear();
  }

  /** Remove the suggestion. */
  clear() {
    this.#shown = "";
    this.composer.advised = "";
    this.#advised = null;
    if (!this.#left) fill(this.host);
  }

  /** Request one suggestion and show it. */
  async advise() {
    const question = (this.#shown = this.#question);
    fill(this.host, el("p.muted", ORDER.thinking));
    const advice = await tryRequest(() => this.ctx.api.advice());
    if (this.#shown !== question) return;
    fill(this.host, advice ? this.#view(advice) : null);
    const { partial_order: partialOrder = {}, order = "" } = advice ?? {};
    this.composer.advised = order;
    if (!Object.keys(partialOrder).length) return;
    await this.composer.propose(partialOrder);
    if (this.#shown === question) this.#advised = partialOrder;
  }

  /** @param {T.Advice} advice */
  #view({ order, text, partial_order: partialOrder = {}, reasons }) {
    const isDrawn = Object.keys(partialOrder).length > 0;
    const field = this.composer.form && kindField(this.composer.form);
    const kind = field?.choices.find(({ token }) => token === partialOrder[field.key]);
    const buttons = [
      button(ORDER.followAdvice, "follow", () => void this.#accept(order)),
      button(ORDER.leaveRest, "auto", () => void this.#proceed()),
      button(ORDER.dismissAdvice, "dismiss-advice", () => this.clear(), "quiet"),
    ];
    const why = listOf("small.muted", ...reasons.map((reason) => withRules(this.ctx, reason)));
    return el(
      "div.note",
      el("p", isDrawn ? format(ORDER.suggested, { order: kind?.label ?? order }) : text),
      isDrawn ? null : el("p.mono", order),
      reasons.length ? why : null,
      el("div.row", ...buttons),
    );
  }

  /** @param {string} order */
  async #accept(order) {
    this.clear();
    await this.sender.order(order);
  }

  /** Follow suggestions while the same question is asked, until stopped. */
  async #proceed() {
    this.#left = this.#decision;
    const stop = button(ORDER.stop, "stop", () => (this.#left = ""));
    fill(this.host, el("div.note.row", el("span", ORDER.staffDecides), stop));
    while (this.#left && this.#left === this.#decision) {
      const advice = await tryRequest(() => this.ctx.api.advice());
      if (!advice || !this.#left || !(await this.sender.order(advice.order))) break;
    }
    this.#left = "";
    this.clear();
  }
}

// The staff beside the order: one button carries out its plan, and one lets it do what it asks about. What it is at comes
// with the news; an order by hand stops it.

/** @param {HTMLElement} host @param {Context} ctx @param {() => void} open shows the plan */
function mountStaff(host, ctx, open) {
  const { store, sender } = ctx;
  const sign = () => void sender.signPlan();
  const draw = () => {
    const staff = store.table.staff;
    const isOff = !staff || store.table.has_ended || !store.isLive || !store.asked;
    fill(host, ...(isOff ? [] : staff.is_at_work ? atWork() : staff.asks ? asking() : ready()));
  };
  const atWork = () => [
    el(
      "div.note.row",
      el("span", ORDER.staffAtWork),
      button(ORDER.stopStaff, "stop-staff", () => void sender.stopStaff()),
    ),
  ];
  const ready = () => [el("div.row.staff-row", button(ORDER.carryOut, "sign", sign), button(ORDER.showPlan, "show-plan", open, "quiet"))];
  const asking = () => {
    const { asks = "", topic = "", text = "", order = "" } = store.table.staff ?? {};
    const leave = topic ? format(ORDER.leaveToStaff, { topic }) : ORDER.letStaff;
    return [
      el(
        "div.note.staff-asks",
        el("p", el("strong", ORDER.staffAsks), withRules(ctx, `${asks}.`)),
        order ? el("p", ORDER.staffWould, withRules(ctx, text || order)) : null,
        el("div.row", button(leave, "sign", sign, "primary"), button(ORDER.showPlan, "show-plan", open, "quiet")),
      ),
    ];
  };
  store.onChange(["fresh", "shown", "awaited", "staff"], draw);
  addKeys({
    keys: ["c"],
    label: ORDER.staffContinue,
    group: GROUPS.orders,
    run: sign,
    when: () => Boolean(store.table.staff && store.asked && !store.table.staff.is_at_work),
  });
  draw();
}
