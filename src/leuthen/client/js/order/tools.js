// The buttons under the order: undo, going on, advice where the table allows it, and the staff.

import { tryRequest } from "../dialog.js";
import { button, el, fill, format, listOf } from "../dom.js";
import { addKeys } from "../keys.js";
import { withRules } from "../panels/parts.js";
import { redo, undo } from "../session/moves.js";
import { kindField } from "./form.js";
import { interrupts, mayEnd } from "./going-on.js";
import { COMMON, GROUPS } from "../strings/common.js";
import { ORDER } from "../strings/order.js";
import { TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */
/** @import { Composer } from "./composer.js" */

/**
 * @param {HTMLElement} host of the buttons @param {HTMLElement} helpers where the staff and the adviser answer @param {Context} ctx
 * @param {Composer} composer @param {() => void} openStaff shows the staff's plan
 */
export function mountTools(host, helpers, ctx, composer, openStaff) {
  const { store, map } = ctx;
  if (store.side > 1) return;
  const advice = el("div.advice", { role: "status" });
  const going = el("div", { role: "status" });
  const staff = el("div.staff", { role: "status" });
  const adviser = mountAdviser(advice, ctx, composer);
  const goingOn = mountGoingOn(going, ctx);
  const withKey = (/** @type {string} */ label, /** @type {string} */ key, /** @type {string} */ what, /** @type {() => void} */ run) =>
    el("button.quiet", { dataset: { do: what }, onclick: run }, `${label} `, el("kbd", { "aria-hidden": true }, key));
  const back = withKey(TABLE.undo, "u", "undo", () => undo(ctx));
  const again = withKey(TABLE.redo, "U", "redo", () => redo(ctx));
  const ask = button(ORDER.advice, "advice", () => void adviser.advise(), "quiet");
  /** The current theatre: of the pending decision, else of the force, else of the visible map. */
  const theatre = () => store.theatres.get(store.scene.place || composer.form?.start || map.middle) ?? "";
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
  composer.addEventListener("sent", () => {
    adviser.clear();
    goingOn.ordered(composer.form?.start ? (store.theatres.get(composer.form.start) ?? "") : "");
  });
  composer.on("left", (stage) => void goingOn.begin(stage));
  const group = GROUPS.orders;
  addKeys(
    { keys: ["X"], label: ORDER.skips.phase, group, run: () => void goingOn.begin("phase") },
    { keys: ["g"], label: ORDER.skips.event, group, run: () => void goingOn.begin("event") },
    {
      keys: ["G"],
      label: ORDER.skips.theatre,
      group,
      when: () => store.theatres.size > 0,
      run: () => void goingOn.begin("theatre", theatre()),
    },
  );
  mountStaff(staff, ctx, openStaff);
  fill(host, back, again, ask, more);
  fill(helpers, advice, going, staff);
  draw();
}

// Going on: what is asked is left as it is until a phase or a turn ends, or something happens that the player should see.
// The server answers as far as it is this side's turn; when it is asked again, the page goes on, as long as it is open.

/** The scopes for named theatres. @param {readonly string[]} names */
const forTheatres = (names) => format(ORDER.skipTheatres, { theatres: names.join(COMMON.and) });

/** @param {HTMLElement} host of the note that says so @param {Context} ctx */
function mountGoingOn(host, ctx) {
  const { sender, store } = ctx;
  /** The scope of skipping, or "" while the player answers. */
  let until = "";
  /** The turn in which skipping began. */
  let turn = "";
  /** The theatres being skipped. @type {Set<string>} */
  const theatres = new Set();
  /** Number of the seat's news at the last request to go on. */
  let asked = -1;

  /** Start skipping, unless something left undone needs the player. @param {string} scope @param {string} [theatre] that is left too */
  const begin = async (scope, theatre = "") => {
    if (!store.asked || (scope === "theatre" && !theatre) || !(await mayEnd(ctx, theatre))) return;
    if (scope !== "theatre" || until !== scope) theatres.clear();
    if (theatre) theatres.add(theatre);
    until = scope;
    turn = store.scene.title;
    asked = -1;
    await proceed();
  };
  /** Handle the player's own order: skipping stops, unless it concerns a theatre that is not skipped. @param {string} theatre */
  const ordered = (theatre) => {
    if (!theatre || theatres.has(theatre)) stop();
  };
  const stop = () => {
    until = "";
    theatres.clear();
    draw();
  };
  const proceed = async () => {
    const lasts = ["turn", "theatre"].includes(until);
    if (store.table.has_ended || (lasts && store.scene.title !== turn)) return stop();
    draw();
    if (!store.asked || store.table.n === asked) return undefined;
    const counts = await sender.move("go-on", 0, until, [...theatres]);
    asked = store.table.n;
    const isAnswered = store.asked && !theatres.size;
    if (!counts || until === "phase" || isAnswered) stop();
  };
  const draw = () => {
    const whole = theatres.size ? forTheatres([...theatres]) : (ORDER.skips[until] ?? "");
    const label = whole.charAt(0).toLowerCase() + whole.slice(1);
    const end = button(ORDER.stop, "stop-going", stop);
    fill(host, label ? el("div.note.row", el("span", format(ORDER.automatic, { label })), end) : null);
  };
  store.on("change", (/** @type {Change} */ { sections, told }) => {
    if (!until) return;
    const isEnemys = (/** @type {T.LogEntry} */ { side, path = [] }) => until === "event" && side === 1 - store.side && path.length > 0;
    const mustStop = told.some((entry) => interrupts(entry, store.side) || isEnemys(entry));
    if (sections.has("fresh") || !store.isLive || mustStop) stop();
    else if (!sender.isBusy) void proceed();
  });
  return { begin, ordered };
}

/** The ways to skip ahead, folded. @param {ReturnType<typeof mountGoingOn>} goingOn @param {() => string} theatre the one that is meant */
function goingMenu(goingOn, theatre) {
  const begin = (/** @type {string} */ until) => {
    menu.open = false;
    void goingOn.begin(until, until === "theatre" ? theatre() : "");
  };
  const buttons = Object.entries(ORDER.skips).map(([until, label]) => button(label, `go-on-${until}`, () => begin(until), "quiet"));
  const ontoggle = () => {
    for (const one of buttons.filter(({ dataset }) => dataset.do === "go-on-theatre")) {
      one.hidden = !theatre();
      one.textContent = forTheatres([theatre()]);
    }
  };
  const summary = el("summary", { dataset: { do: "go-on" } }, ORDER.goOn);
  const menu = el("details.go-on", { ontoggle }, summary, el("div.go-on-ways", ...buttons));
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  return menu;
}

/**
 * The order that the staff suggests from this side's view, with reasons; it can continue for the rest of a decision.
 * @param {HTMLElement} host @param {Context} ctx @param {Composer} composer
 */
function mountAdviser(host, ctx, composer) {
  const { api, sender, store } = ctx;
  /** The decision delegated to the adviser, or "". */
  let left = "";
  let shown = "";
  /** The suggested order that is in the form. @type {Record<string, string> | null} */
  let advised = null;
  const decision = () => store.asked?.decision ?? "";
  /** The current question: a suggestion is out of date when it changes; actions of the other side do not change it. */
  const question = () => (store.asked ? `${store.asked.decision} ${store.asked.text}` : "");

  const clear = () => {
    shown = "";
    composer.advised = "";
    advised = null;
    if (!left) fill(host);
  };
  const advise = async () => {
    const asked = (shown = question());
    fill(host, el("p.muted", ORDER.thinking));
    const advice = await tryRequest(() => api.advice());
    if (shown !== asked) return;
    fill(host, advice && view(advice));
    const { partial_order: partialOrder = {}, order = "" } = advice ?? {};
    composer.advised = order;
    if (!Object.keys(partialOrder).length) return;
    await composer.propose(partialOrder);
    if (shown === asked) advised = partialOrder;
  };
  const view = (/** @type {T.Advice} */ { order, text, partial_order: partialOrder = {}, reasons }) => {
    const isDrawn = Object.keys(partialOrder).length > 0;
    const field = composer.form && kindField(composer.form);
    const kind = field?.choices.find(({ token }) => token === partialOrder[field.key]);
    const follow = () => {
      clear();
      void sender.order(order);
    };
    return el(
      "div.note",
      el("p", isDrawn ? format(ORDER.suggested, { order: kind?.label ?? order }) : text),
      isDrawn ? null : el("p.mono", order),
      reasons.length ? listOf("small.muted", ...reasons.map((reason) => withRules(ctx, reason))) : null,
      el(
        "div.row",
        button(ORDER.followAdvice, "follow", follow),
        button(ORDER.leaveRest, "auto", () => void proceed()),
        button(ORDER.dismissAdvice, "dismiss-advice", clear, "quiet"),
      ),
    );
  };
  /** Follow suggestions while the same question is asked, until stopped. */
  const proceed = async () => {
    left = decision();
    const stop = button(ORDER.stop, "stop", () => (left = ""));
    fill(host, el("div.note.row", el("span", ORDER.staffDecides), stop));
    while (left && left === decision()) {
      const advice = await tryRequest(() => api.advice());
      if (!advice || !left || !(await sender.order(advice.order))) break;
    }
    left = "";
    clear();
  };
  composer.addEventListener("cancelled", clear);
  composer.addEventListener("change", () => {
    if (advised && composer.partialOrder.do !== advised.do) clear();
  });
  const refresh = () => {
    if (question() !== shown) clear();
  };
  return { advise, clear, refresh };
}

// The staff beside the order: one button carries out its plan, and one lets it do what it asks about. What it is at comes
// with the news; an order by hand stops it.

/** @param {HTMLElement} host @param {Context} ctx @param {() => void} open shows the plan */
function mountStaff(host, ctx, open) {
  const { store, sender } = ctx;
  const sign = () => void sender.signPlan();
  const plan = () => button(ORDER.showPlan, "show-plan", open, "quiet");
  const view = (/** @type {T.StaffCard} */ { is_at_work: isAtWork, asks, topic, text, order }) => {
    if (isAtWork) {
      const stop = button(ORDER.stopStaff, "stop-staff", () => void sender.stopStaff());
      return el("div.note.row", el("span", ORDER.staffAtWork), stop);
    }
    if (!asks) return el("div.row.staff-row", button(ORDER.carryOut, "sign", sign), plan());
    const leave = topic ? format(ORDER.leaveToStaff, { topic }) : ORDER.letStaff;
    return el(
      "div.note.staff-asks",
      el("p", el("strong", ORDER.staffAsks), withRules(ctx, `${asks}.`)),
      order ? el("p", ORDER.staffWould, withRules(ctx, text || order)) : null,
      el("div.row", button(leave, "sign", sign, "primary"), plan()),
    );
  };
  const draw = () => {
    const { staff, has_ended: hasEnded } = store.table;
    fill(host, staff && !hasEnded && store.isLive && store.asked ? view(staff) : null);
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
