// The staff's plan: what each army is to do, with odds and reasons, on the map and in words; changed by dragging an
// arrow's head, by lists, or in words; signed once.

import { button, el, fill, format, listOf, placeLink, ruleLink, sentence } from "../dom.js";
import { showMessage } from "../dialog.js";
import { Refused } from "../session/api.js";
import { ClauseMaker, showMaking } from "./standing.js";
import { withRules } from "./parts.js";
import { STAFF } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Mounted } from "./drawer.js" */
/** @import { Change } from "../session/store.js" */

/** True if a seat has a staff. @param {Context} ctx */
export const isStaffWanted = ({ store }) => Boolean(store.table.staff) && store.side < 2;

/** @param {HTMLElement} host @param {Context} ctx @returns {Mounted} */
export function mountStaff(host, ctx) {
  const panel = new StaffPanel(host, ctx);
  return { open: () => panel.onOpen(), close: () => panel.onClose() };
}

/**
 * The missions in their previous order, as long as the armies are the same.
 * @param {T.StaffMission[]} missions @param {T.StaffMission[]} before
 */
function keepOrder(missions, before) {
  const places = new Map(before.map(({ leader }, place) => [leader, place]));
  if (missions.length !== before.length || !missions.every(({ leader }) => places.has(leader))) return missions;
  return [...missions].sort((one, other) => (places.get(one.leader) ?? 0) - (places.get(other.leader) ?? 0));
}

class StaffPanel {
  /** @type {T.StaffPlan | null} */
  #plan = null;
  #isOpen = false;
  #turn = Promise.resolve(true);
  /** The mission being sent, so that a second press does not repeat it. */
  #giving = "";

  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, ctx) {
    this.ctx = ctx;
    this.status = el("div", { role: "status" });
    this.list = el("ol.plain.missions");
    this.steps = el("details", el("summary", STAFF.ordersOfTurn), el("ol.small"));
    this.places = el("datalist", { id: "staff-places" });
    this.making = el("section.clause-form", { "aria-label": STAFF.newMission });
    this.maker = new ClauseMaker((partialOrder, signal) => ctx.api.missionForm(partialOrder, signal));
    this.maker.addEventListener("change", () =>
      showMaking(ctx, this.making, this.maker, STAFF.newMission, (form) => void this.#send(form)),
    );
    fill(host, this.status, this.#missionInput(), this.making, this.list, this.steps, this.places);
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    ctx.map.arrows.addEventListener("aimed", (event) => {
      const { leader, place } = /** @type {CustomEvent<{leader: string, place: string}>} */ (event).detail;
      void this.#giveMission(`${leader} to ${place}`);
    });
  }

  /** Handle the opening of the panel. */
  onOpen() {
    this.#isOpen = true;
    void this.#load();
  }

  /** Handle the closing of the panel: its arrows stay until something happens. */
  onClose() {
    this.#isOpen = false;
    this.maker.cancel();
  }

  /** @param {Change} change */
  #onChange({ sections }) {
    if (!["fresh", "shown", "staff", "awaited"].some((section) => sections.has(section))) return;
    const { store, map } = this.ctx;
    if (this.#isOpen && store.isLive && !store.table.staff?.is_at_work) void this.#load();
    else map.arrows.show([]);
  }

  async #load() {
    if (this.ctx.store.table.has_ended) return this.#draw({ missions: [], steps: [], kinds: [], word: "" });
    return this.#runInTurn(() => this.ctx.api.staff());
  }

  /** @param {string} words @returns {Promise<boolean>} */
  async #giveMission(words) {
    if (words === this.#giving) return false;
    this.#giving = words;
    const isGiven = await this.#runInTurn(() => this.ctx.api.giveMission(words));
    this.#giving = "";
    return isGiven;
  }

  /** Send the finished mission. @param {T.Form} form */
  async #send({ order }) {
    if (order && (await this.#giveMission(order))) this.maker.cancel();
  }

  /** Offer the places where an army can carry out a kind of mission. @param {string} leader @param {string} kind */
  async #offerPlaces(leader, kind) {
    try {
      const form = await this.ctx.api.missionForm({ do: "give", leader, kind });
      const places = form.fields.find((field) => field.name === "place")?.choices ?? [];
      const names = places.flatMap((choice) => this.ctx.store.namesByPlace.get(choice.place ?? "") ?? []);
      fill(this.places, ...names.map((name) => el("option", { value: name })));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  /**
   * Send one request at a time, in order.
   * @param {() => Promise<T.StaffPlan>} ask @returns {Promise<boolean>} whether there is a plan now
   */
  #runInTurn(ask) {
    const asked = this.#turn.then(() => this.#run(ask));
    this.#turn = asked;
    return asked;
  }

  /** @param {() => Promise<T.StaffPlan>} ask @returns {Promise<boolean>} */
  async #run(ask) {
    try {
      this.#draw(await ask());
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      showMessage(error.problem.detail, { stays: true });
      this.ctx.map.arrows.show(this.#plan?.missions ?? []);
      return false;
    }
  }

  /** @param {T.StaffPlan} plan */
  #draw(plan) {
    const missions = keepOrder(plan.missions, this.#plan?.missions ?? []);
    this.#plan = { ...plan, missions };
    this.ctx.map.arrows.show(missions);
    fill(this.status, el("p.note", plan.word || this.#statusText(missions.length)), this.#carryOutButton(missions.length));
    fill(this.list, ...missions.map((mission) => this.#mission(mission, plan.kinds)));
    this.steps.hidden = !plan.steps.length;
    const items = plan.steps.map((step) =>
      el("li", step.asks ? el("em", STAFF.youDecide) : null, `${step.text}. `, ruleLink(this.ctx, step.rule)),
    );
    fill(/** @type {HTMLElement} */ (this.steps.querySelector("ol")), ...items);
  }

  /** The button that carries out the plan. @param {number} count */
  #carryOutButton(count) {
    const { asked, isLive, table } = this.ctx.store;
    if (!count || !asked || !isLive || table.staff?.is_at_work || table.staff?.asks) return null;
    const sign = button(STAFF.carryOut, "sign-plan", () => this.#carryOutPlan(), "primary");
    return el("p", sign);
  }

  #carryOutPlan() {
    this.ctx.showOrders();
    void this.ctx.sender.signPlan();
  }

  /** @param {number} count */
  #statusText(count) {
    if (!count) return STAFF.noMissions;
    return STAFF.about;
  }

  #missionInput() {
    const input = el("input", {
      maxlength: 120,
      "aria-label": STAFF.inWords,
      placeholder: STAFF.example,
      dataset: { keep: "staff-words" },
    });
    const give = async (/** @type {Event} */ event) => {
      event.preventDefault();
      const words = input.value;
      if (words.trim() && (await this.#giveMission(words.trim())) && input.value === words) input.value = "";
    };
    return el(
      "form.row",
      { onsubmit: give },
      input,
      el("button", { type: "submit", dataset: { do: "give-words" } }, STAFF.give),
      button(STAFF.choose, "make-mission", () => void this.maker.start()),
    );
  }

  /** @param {T.StaffMission} mission @param {readonly string[]} kinds */
  #mission(mission, kinds) {
    const { ctx } = this;
    const { leader, names, men, at, goal, reasons, rule, odds, price, is_yours: isYours } = mission;
    const chance = odds === null ? null : el("strong", format(STAFF.chance, { odds }));
    return el(
      "li",
      { dataset: { leader } },
      el(
        "p",
        placeLink(ctx, at, leader),
        names.length > 1 ? format(STAFF.with, { names: names.slice(1).join(", ") }) : "",
        `, ${men}`,
        isYours ? el("em", STAFF.yours) : null,
      ),
      el("p", el("span", `${sentence(goal)} `), ruleLink(ctx, rule), chance),
      reasons.length
        ? listOf(
            reasons.map((reason) => withRules(ctx, reason)),
            { class: "small muted" },
          )
        : null,
      price ? el("p.small", STAFF.price, withRules(ctx, price)) : null,
      this.#missionEditor(mission, kinds),
    );
  }

  /** @param {T.StaffMission} mission @param {readonly string[]} kinds */
  #missionEditor({ leader, kind, place, is_yours: isYours }, kinds) {
    const options = kinds.map((one) => el("option", { value: one, selected: one === kind }, one));
    const what = el("select", { "aria-label": format(STAFF.mission, { leader }), dataset: { keep: `kind ${leader}` } }, ...options);
    const where = el("input", {
      "aria-label": format(STAFF.place, { leader }),
      list: "staff-places",
      onfocus: () => void this.#offerPlaces(leader, what.value),
      maxlength: 60,
      value: place ? (this.ctx.store.namesByPlace.get(place) ?? place) : "",
      dataset: { keep: `place ${leader}` },
    });
    const give = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#giveMission(`${leader} ${what.value} ${where.value.trim()}`.trim());
    };
    const drop = button(STAFF.leave, "drop-mission", () => void this.#giveMission(`drop ${leader}`), "quiet");
    return el(
      "details",
      el("summary", STAFF.change),
      el(
        "form.row",
        { onsubmit: give },
        what,
        where,
        el("button", { type: "submit", dataset: { do: "give-mission" } }, STAFF.give),
        isYours ? drop : null,
      ),
    );
  }
}
