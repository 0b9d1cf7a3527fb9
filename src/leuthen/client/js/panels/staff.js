// The staff's plan: what each army is to do, with odds and reasons, on the map and in words; changed by dragging an
// arrow's head, by lists, or in words; signed once. And standing instructions: clauses in words, read from the top, that
// answer for this seat what the other side's activity asks of it. Only this seat is told of either.

import { button, deviceStorage, el, fill, format, icon, inTurn, listOf, placeLink, placeName, ruleLink, sentence } from "../dom.js";
import { showMessage } from "../dialog.js";
import { answersView, groupView, groupsOf, kindField, openField, placesOf, refusedView, selectOf, withoutNames } from "../order/form.js";
import { refusal, Refused } from "../session/api.js";
import { withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { STAFF, STANDING } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Pointed } from "../map/index.js" */
/** @import { Mounted } from "./drawer.js" */

/** True if a seat has a staff. @param {Context} ctx */
export const isStaffWanted = ({ store }) => Boolean(store.table.staff) && store.side < 2;

/** @param {HTMLElement} host @param {Context} ctx @returns {Mounted} */
export function mountStaff(host, ctx) {
  const { api, map, store } = ctx;
  /** @type {T.StaffMission[]} */
  let shown = [];
  let isOpen = false;
  /** Requests go out one at a time. */
  const queue = inTurn();
  /** The mission being sent, so that a second press does not repeat it. */
  let giving = "";
  const status = el("div", { role: "status" });
  const list = el("ol.plain.missions");
  const orders = el("ol.small");
  const steps = el("details", el("summary", STAFF.ordersOfTurn), orders);
  const places = el("datalist", { id: "staff-places" });
  const making = el("section.clause-form", { "aria-label": STAFF.newMission });
  const maker = new ClauseMaker(api.missionForm, () => showMaking(ctx, making, maker, STAFF.newMission, (form) => void send(form)));

  /** @param {() => Promise<T.StaffPlan>} ask @returns {Promise<boolean>} whether there is a plan now */
  const request = (ask) =>
    queue(async () => {
      const plan = await ask().catch(refusal);
      if (!(plan instanceof Refused)) return draw(plan);
      showMessage(plan.problem.detail, { stays: true });
      map.arrows.show(shown);
      return false;
    });
  const load = () => (store.table.has_ended ? draw({ missions: [], steps: [], kinds: [], word: "" }) : request(() => api.staff()));
  const giveMission = async (/** @type {string} */ words) => {
    if (words === giving) return false;
    giving = words;
    return request(() => api.giveMission(words)).finally(() => (giving = ""));
  };

  const draw = (/** @type {T.StaffPlan} */ plan) => {
    const missions = (shown = keepOrder(plan.missions, shown));
    map.arrows.show(missions);
    const { asked, isLive, table } = store;
    const canSign = missions.length && asked && isLive && !table.staff?.is_at_work && !table.staff?.asks;
    const carryOut = () => {
      ctx.showOrders();
      void ctx.sender.signPlan();
    };
    fill(
      status,
      el("p.note", plan.word || (missions.length ? STAFF.about : STAFF.noMissions)),
      canSign ? el("p", button(STAFF.carryOut, "sign-plan", carryOut, "primary")) : null,
    );
    fill(list, ...missions.map((mission) => missionView(mission, plan.kinds)));
    steps.hidden = !plan.steps.length;
    const items = plan.steps.map((step) =>
      el("li", step.asks ? el("em", STAFF.youDecide) : null, `${step.text}. `, ruleLink(ctx, step.rule)),
    );
    fill(orders, ...items);
    return true;
  };

  const missionView = (/** @type {T.StaffMission} */ mission, /** @type {readonly string[]} */ kinds) => {
    const { leader, names, men, at, goal, reasons, rule, odds, price, is_yours: isYours } = mission;
    const chance = odds === null ? null : el("strong", format(STAFF.chance, { odds }));
    const others = names.length > 1 ? format(STAFF.with, { names: names.slice(1).join(", ") }) : "";
    return el(
      "li",
      { dataset: { leader } },
      el("p", placeLink(ctx, at, leader), others, `, ${men}`, isYours ? el("em", STAFF.yours) : null),
      el("p", el("span", `${sentence(goal)} `), ruleLink(ctx, rule), chance),
      reasons.length ? listOf("small.muted", ...reasons.map((reason) => withRules(ctx, reason))) : null,
      price ? el("p.small", STAFF.price, withRules(ctx, price)) : null,
      editorOf(mission, kinds),
    );
  };

  /** Offer the places where an army can carry out a kind of mission. @param {string} leader @param {string} kind */
  const offerPlaces = async (leader, kind) => {
    const form = await api.missionForm({ do: "give", leader, kind }).catch(refusal);
    if (form instanceof Refused) return;
    const choices = form.fields.find((field) => field.name === "place")?.choices ?? [];
    const names = choices.flatMap((choice) => store.namesByPlace.get(choice.place ?? "") ?? []);
    fill(places, ...names.map((name) => el("option", { value: name })));
  };

  const editorOf = (/** @type {T.StaffMission} */ { leader, kind, place, is_yours: isYours }, /** @type {readonly string[]} */ kinds) => {
    const options = kinds.map((one) => el("option", { value: one, selected: one === kind }, one));
    const what = el("select", { "aria-label": format(STAFF.mission, { leader }), dataset: { keep: `kind ${leader}` } }, ...options);
    const where = el("input", {
      "aria-label": format(STAFF.place, { leader }),
      list: "staff-places",
      onfocus: () => void offerPlaces(leader, what.value),
      maxlength: 60,
      value: place ? (store.namesByPlace.get(place) ?? place) : "",
      dataset: { keep: `place ${leader}` },
    });
    const onsubmit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void giveMission(`${leader} ${what.value} ${where.value.trim()}`.trim());
    };
    const give = el("button", { type: "submit", dataset: { do: "give-mission" } }, STAFF.give);
    const drop = isYours ? button(STAFF.leave, "drop-mission", () => void giveMission(`drop ${leader}`), "quiet") : null;
    return el("details", el("summary", STAFF.change), el("form.row", { onsubmit }, what, where, give, drop));
  };

  const words = el("input", { maxlength: 120, "aria-label": STAFF.inWords, placeholder: STAFF.example, dataset: { keep: "staff-words" } });
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const typed = words.value;
    if (typed.trim() && (await giveMission(typed.trim())) && words.value === typed) words.value = "";
  };
  const inWords = el(
    "form.row",
    { onsubmit },
    words,
    el("button", { type: "submit", dataset: { do: "give-words" } }, STAFF.give),
    button(STAFF.choose, "make-mission", () => void maker.begin({})),
  );
  fill(host, status, inWords, making, list, steps, places);
  const send = async (/** @type {T.Form} */ { order }) => {
    if (order && (await giveMission(order))) maker.cancel();
  };
  store.onChange(["fresh", "shown", "staff", "awaited"], () => {
    if (isOpen && store.isLive && !store.table.staff?.is_at_work) void load();
    else map.arrows.show([]);
  });
  map.arrows.on("aimed", ({ leader, place }) => void giveMission(`${leader} to ${place}`));
  return {
    open: () => {
      isOpen = true;
      void load();
    },
    // The arrows stay until something happens.
    close: () => {
      isOpen = false;
      maker.cancel();
    },
  };
}

/** The missions in their order before, if the armies are the same. @param {T.StaffMission[]} missions @param {T.StaffMission[]} before */
function keepOrder(missions, before) {
  const places = new Map(before.map(({ leader }, place) => [leader, place]));
  if (missions.length !== before.length || !missions.every(({ leader }) => places.has(leader))) return missions;
  return missions.toSorted((one, other) => (places.get(one.leader) ?? 0) - (places.get(other.leader) ?? 0));
}

// --- standing instructions ---

/** True if a seat can give standing instructions. @param {Context} ctx */
export const isStandingWanted = ({ store }) => Boolean(store.table.standing) && store.side < 2;

/** @param {HTMLElement} host @param {Context} ctx @returns {Mounted} */
export function mountStanding(host, ctx) {
  const { api, sender, store } = ctx;
  const storageKey = `leuthen.suspended.${api.seat}`;
  const status = el("div", { role: "status" });
  const list = el("ol.clauses");
  const buttons = el("div.row");
  const making = el("section.clause-form", { "aria-label": STANDING.newClause });
  const maker = new ClauseMaker(api.clauseForm, () => showMaking(ctx, making, maker, STANDING.newClause, (form) => void add(form)));

  /** Remember on this device which clauses are suspended, so that they survive a reload. @param {readonly T.ClauseLine[]} clauses */
  const keepSuspended = (clauses) => {
    if (clauses.length) deviceStorage.setItem(storageKey, JSON.stringify(clauses));
    else deviceStorage.removeItem(storageKey);
  };
  /** @returns {T.StandingInstruction} */
  const standing = () => store.table.standing ?? { clauses: [], is_armed: false, stopped: "" };
  /** The clauses in force, stopped or suspended. @returns {readonly T.ClauseLine[]} */
  const all = () => (standing().clauses.length ? standing().clauses : JSON.parse(deviceStorage.getItem(storageKey) ?? "[]"));

  /** @param {string[]} clauses @returns {Promise<boolean>} whether they count */
  const send = async (clauses) => {
    const counts = await sender.instruct(clauses);
    if (counts) store.takeStanding(await api.standing());
    return counts;
  };
  const replace = async (/** @type {readonly T.ClauseLine[]} */ clauses) => {
    const counts = await send(clauses.map((clause) => clause.text));
    if (counts) keepSuspended([]);
    return counts;
  };
  /** Change clauses; those that are not in force change on this device only. @param {readonly T.ClauseLine[]} clauses */
  const change = async (clauses) => {
    if (standing().is_armed) return replace(clauses);
    keepSuspended(clauses);
    if (standing().clauses.length) await send([]);
    return draw();
  };
  /** Move a clause up; a clause that answers everything stays last, with a notice. @param {number} index */
  const moveUp = async (index) => {
    const before = all();
    await change(before.toSpliced(index - 1, 2, ...before.slice(index - 1, index + 1).reverse()));
    if (all().every(({ text }, at) => text === before[at]?.text)) showMessage(STANDING.alwaysLast);
  };
  const suspend = () => {
    keepSuspended(standing().clauses);
    return send([]);
  };
  const removeAll = () => {
    keepSuspended([]);
    return standing().clauses.length ? send([]) : draw();
  };
  /** Add the new clause at the end. @param {T.Form} form */
  const add = async ({ order, summary }) => {
    if (order && (await replace([...all(), { text: order, label: summary?.[0] ?? order, dead: "" }]))) maker.cancel();
  };

  /** @param {number} count of clauses */
  const stateView = (count) => {
    const { stopped, is_armed: isArmed } = standing();
    if (stopped) return el("p.note.bad", el("strong", STANDING.stopped), withRules(ctx, stopped));
    if (isArmed) return el("p.note.good", el("strong", STANDING.active), STANDING.firstCounts);
    return el("p.note", count ? STANDING.suspended : STANDING.about);
  };
  const clauseView = (/** @type {T.ClauseLine} */ { dead, label, text }, /** @type {number} */ index) => {
    const number = index + 1;
    const up = index ? icon("↑", format(STANDING.moveUp, { number }), () => void moveUp(index), { keep: `up ${index}` }) : null;
    const remove = () => void change(all().toSpliced(index, 1));
    const out = icon("×", format(STANDING.remove, { number }), remove, { keep: `remove ${index}` });
    const says = [el("span", withRules(ctx, label)), el("span.clause-tools", up, out), dead ? el("strong.clause-dead.small", dead) : null];
    return el("li", { class: dead ? "is-dead" : "", dataset: { clause: text } }, el("div.clause", ...says));
  };
  const draw = () => {
    const { clauses, is_armed: isArmed } = standing();
    const listed = all();
    fill(status, stateView(listed.length));
    fill(list, ...listed.map(clauseView));
    list.classList.toggle("is-idle", !isArmed);
    fill(
      buttons,
      listed.length && !isArmed ? button(STANDING.activate, "arm", () => void replace(all()), "primary") : null,
      button(STANDING.add, "add-clause", () => void maker.begin({})),
      clauses.length && isArmed ? button(STANDING.suspend, "suspend", () => void suspend()) : null,
      listed.length ? button(STANDING.deleteAll, "drop-all", () => void removeAll()) : null,
    );
  };
  fill(host, status, list, buttons, making);
  store.onChange(["fresh", "standing"], draw);
  draw();
  return { close: () => maker.cancel() };
}

// --- a clause, or a mission, in the making: keeps what is chosen, asks the server what that comes to, and shows it ---

/** If nearly every hex can be chosen, none is highlighted. */
const MOST_LIT = 200;

class ClauseMaker {
  /** @type {Record<string, string>} */
  partialOrder = {};
  /** @type {T.Form | null} the clause so far; null while none is made */
  form = null;
  #asking = new AbortController();

  /**
   * @param {(partialOrder: Record<string, string>, signal?: AbortSignal) => Promise<T.Form>} ask requests the form of the current answers
   * @param {() => void} draw shows the new form
   */
  constructor(ask, draw) {
    this.ask = ask;
    this.draw = draw;
  }

  /** @param {Record<string, string>} partialOrder */
  async begin(partialOrder) {
    this.partialOrder = partialOrder;
    this.#asking.abort();
    const { signal } = (this.#asking = new AbortController());
    const form = await this.ask(partialOrder, signal).catch((error) => (signal.aborted ? null : refusal(error)));
    if (signal.aborted) return;
    if (form instanceof Refused) showMessage(form.problem.detail);
    else this.#show(form);
  }

  /** Add or change answers. @param {Record<string, string>} partialOrder @param {readonly string[]} [without] names of what is dropped */
  choose(partialOrder, without = []) {
    void this.begin({ ...withoutNames(this.partialOrder, without), ...partialOrder });
  }

  /** Handle a hex or counter selected on the map. @param {Pointed} pointed */
  async pick({ place, key }) {
    const kind = this.form && kindField(this.form);
    if (!this.form || !place) return;
    const settled = this.form.fields.filter((field) => field.value && (field.is_given || field === kind));
    await this.begin({ ...Object.fromEntries(settled.map((field) => [field.key, field.value ?? ""])), at: key ?? place });
  }

  /** Cancel the clause. */
  cancel() {
    this.#asking.abort();
    this.#show(null);
  }

  /** @param {T.Form | null} form */
  #show(form) {
    this.form = form;
    this.draw();
  }
}

/**
 * Show the clause in progress here and on the map.
 * @param {Context} ctx @param {HTMLElement} host @param {ClauseMaker} maker @param {string} title @param {(form: T.Form) => void} give
 */
function showMaking(ctx, host, maker, title, give) {
  const { form } = maker;
  ctx.picker = form ? (pointed) => void maker.pick(pointed) : null;
  fill(host, ...(form ? formView(ctx, maker, form, title, give) : []));
  const asked = form ? (openField(form) ?? form.fields.findLast((field) => field.kind === "hex")) : undefined;
  const places = asked ? placesOf(asked) : [];
  ctx.map.overlay.highlight(places.length > MOST_LIT ? [] : places, "clause");
}

/** @param {Context} ctx @param {ClauseMaker} maker @param {T.Form} form @param {string} title @param {(form: T.Form) => void} give */
function formView(ctx, maker, form, title, give) {
  const bar = (/** @type {T.Objection} */ reason) => showMessage(`${reason.text} ${reason.rule}`, { stays: true });
  const desk = { composer: maker, ctx, form, bar };
  const kind = kindField(form);
  const open = openField(form);
  const begin = (/** @type {string} */ token) => kind && void maker.begin({ [kind.key]: token });
  const options = kind?.choices.map((choice) => el("option", { value: choice.token }, choice.label));
  const kinds = kind?.value ? selectOf(kind.label, kind.key, kind.value, options ?? [], begin) : kind && answersView(desk, kind, begin);
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
