// What comes behind an order: a warning of what is left undone before a phase ends, which never decides for the player; and
// what comes by itself: the rest of a march, the halt at its end, and what is left as it is then.

import { closeDialogs, openDialog } from "../dialog.js";
import { el, placeLink, placeName, ruleLink, sentence, tabStorage } from "../dom.js";
import { Refused, refusal } from "../session/api.js";
import { chosenPath } from "./form.js";
import { openSettings, settingOf } from "../settings.js";
import { ORDER } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Store } from "../session/store.js" */

/** Topics of events after which the player is asked again. */
const STRUGGLES = ["opening", "battle"];

/** True if an event must interrupt skipping for a side. @param {T.LogEntry} entry @param {number} side */
export const interrupts = ({ hurts, topic = "" }, side) => hurts === side || STRUGGLES.includes(topic);

/** If something is left undone, ask for confirmation to end the phase. @param {Context} ctx @param {string} [theatre] the one that is left, if not all @returns {Promise<boolean>} */
export async function mayEnd(ctx, theatre = "") {
  const warnings = settingOf("warnings");
  if (warnings === "off") return true;
  const found = await ctx.api.left().catch(refusal);
  const all = found instanceof Refused ? [] : found.left;
  const left = all.filter(({ place = "" }) => !theatre || ctx.store.theatres.get(place) === theatre);
  const isNew = takeNew(ctx, left);
  if (!left.length || (warnings === "turn" && !isNew)) return true;
  const body = [el("p", ORDER.canStill), el("ul.left-list", ...left.map((line) => leftoverLine(ctx, line)))];
  const answers = /** @type {const} */ ([
    { label: ORDER.stay, value: "", kind: "primary" },
    { label: ORDER.endAnyway, value: "end" },
    { label: ORDER.warnLess, value: "settings", kind: "quiet" },
  ]);
  const chosen = await openDialog({ title: ORDER.endTitle, body, answers });
  if (chosen === "settings") await openSettings();
  return chosen === "end";
}

/** True if a warning was not shown this turn; marks it as shown. @param {Context} ctx @param {readonly T.Left[]} left */
function takeNew({ api, store }, left) {
  const [keptAs, turn] = [`leuthen.warned.${api.seat}`, store.scene.title];
  const { turn: when = "", texts = [] } = JSON.parse(tabStorage.getItem(keptAs) ?? "{}");
  const known = new Set(when === turn ? texts : []);
  const isNew = left.some(({ text }) => !known.has(text));
  tabStorage.setItem(keptAs, JSON.stringify({ turn, texts: [...known, ...left.map(({ text }) => text)] }));
  return isNew;
}

/** @param {Context} ctx @param {T.Left} line */
function leftoverLine(ctx, line) {
  const leave = (/** @type {(what: string) => void} */ go) => (/** @type {string} */ what) => {
    closeDialogs();
    go(what);
  };
  const place = line.place ? placeLink({ jump: leave(ctx.jump) }, line.place, placeName(ctx.store, line.place)) : null;
  return el("li", sentence(line.text), " ", ruleLink({ showRule: leave(ctx.showRule) }, line.rule), " ", place);
}

/** The order that ends a march. */
export const HALT = "halt";

/**
 * Callbacks: the player is asked, a march has ended, an error, the rest is skipped.
 * @typedef {{ask: () => void, refresh: () => void, fail: (error: unknown) => void, leave: (until: string) => void}} Back
 */

export class Sequel {
  /** The scope to skip after the order, or "". */
  #until = "";
  /** The turn or phase of that request. */
  #when = "";

  /** @param {Store} store @param {SeatApi} api @param {Sender} sender @param {Back} back */
  constructor(store, api, sender, back) {
    this.store = store;
    this.api = api;
    this.sender = sender;
    this.back = back;
    this.march = new LongMarch(store);
  }

  /** Send an order. @param {T.Form} form @param {string} halt how its march shall end, "" if that is asked @param {string} until what ends that is left as it is behind it @returns {Promise<boolean>} whether it counts */
  async order(form, halt, until) {
    this.march.begin(form, halt);
    this.#until = until;
    this.#when = this.#stageKey(until);
    const counts = await this.sender.order(form.order ?? "", halt);
    if (!counts) this.stop();
    return counts;
  }

  /** True if an order may follow by itself. */
  get isOn() {
    return this.march.way.length > 0 || this.#until !== "";
  }

  /** Cancel everything that would follow. */
  stop() {
    this.march.stop();
    this.#until = "";
  }

  /** Handle new log entries. @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known */
  onEntries(told, isAnew) {
    this.march.onEntries(told, isAnew);
    if (isAnew || told.some((entry) => interrupts(entry, this.store.side))) this.#until = "";
  }

  /** Continue the march or skipping, if something follows now. @returns {boolean} false where the player is asked */
  proceed() {
    if (this.sender.isBusy || !this.store.asked) return false;
    if (this.march.rest.length) void this.#proceed();
    else if (this.march.ending) void this.#end(this.march.ending);
    else {
      if (!this.march.way.length) this.#skipRest();
      return false;
    }
    return true;
  }

  /** Order the rest of a march's path; if that is no longer legal, ask the player. */
  async #proceed() {
    const { march } = this;
    try {
      const form = await this.api.form({ path: march.rest.join("-") });
      const isWhole = !form.refused?.length && chosenPath(form).at(-1) === march.way.at(-1);
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

  /** End a march as requested, unless it has already ended. @param {string} halt */
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

  /** Skip the rest of the phase or turn, if it is still the one of the request. */
  #skipRest() {
    const until = this.#until;
    this.#until = "";
    if (until && !this.march.isCut && this.#stageKey(until) === this.#when) this.back.leave(until);
  }

  /** The current turn or phase, as a key. @param {string} until */
  #stageKey(until) {
    const { title, stages } = this.store.scene;
    return JSON.stringify([title, until === "phase" && stages.filter(({ when }) => when === "now")]);
  }
}

// A march that the rules interrupt wherever the other side might react: it goes on by itself along its way, and halts at
// its end if that was ordered with it, as long as nothing happened that its owner should see first.

/** Topic of events in which a reaction was declined: the march continues. */
const DECLINED = "declined";

export class LongMarch {
  /** Hexes from the march's start; empty without a march. @type {readonly string[]} */
  way = [];
  /** True while another question comes between and the march waits for it. */
  isAside = false;
  /** True if something stopped the march before its end. */
  isCut = false;
  /** The answer that ends the march at its last hex, or "" if its owner wants to be asked. */
  halt = "";
  /** The march's current hex. */
  #at = "";
  /** Visible enemy forces when the march was ordered. */
  #others = "";

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** Remember a march whose remaining legs may have to be ordered later. @param {T.Form} form @param {string} [halt] */
  begin(form, halt = "") {
    const way = chosenPath(form);
    if (this.isAside) return void (this.isAside = false);
    this.halt = halt;
    this.isCut = false;
    if (this.way.length && way.at(-1) === this.way.at(-1)) return;
    this.way = way.length > (halt ? 1 : 2) ? way : [];
    this.#at = "";
    this.#others = this.#visibleEnemies();
  }

  /** Stop continuing the march. */
  stop() {
    this.way = [];
    this.isAside = false;
  }

  /** Stop the march because its owner should see what happened. */
  #interrupt() {
    this.isCut = true;
    this.stop();
  }

  /**
   * Update the march's position, or stop it, from new log entries.
   * @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known
   */
  onEntries(told, isAnew) {
    const { side } = this.store;
    const isEnemys = (/** @type {T.LogEntry} */ event) => (event.side ?? 2) === 1 - side && event.topic !== DECLINED;
    if (this.way.length && (isAnew || told.some(isEnemys))) this.#interrupt();
    this.#at = told.findLast((event) => event.side === side && event.path?.length)?.path?.at(-1) ?? this.#at;
    if (this.#hasArrived && !this.halt) this.stop();
  }

  get #hasArrived() {
    return this.#at !== "" && this.#at === this.way.at(-1);
  }

  /** The remaining hexes, if the march continues now. @returns {readonly string[]} */
  get rest() {
    const at = this.way.indexOf(this.#at, 1);
    if (at > 0 && this.store.scene.place === this.#at && this.#others === this.#visibleEnemies()) return this.way.slice(at + 1);
    if (this.#at && this.way.length && !this.#hasArrived) this.#interrupt();
    return [];
  }

  /** The answer that ends the march now, or "": if there is no question, it has already ended. */
  get ending() {
    if (!this.#hasArrived) return "";
    if (this.#others !== this.#visibleEnemies()) this.#interrupt();
    else if (this.store.scene.place !== this.#at) this.stop();
    return this.way.length ? this.halt : "";
  }

  /** The visible enemy forces, with hex and strength. */
  #visibleEnemies() {
    const { scene, side } = this.store;
    const others = Object.entries(scene.pieces).filter(([, piece]) => piece.side !== side);
    return JSON.stringify(others.map(([key, piece]) => [key, piece.strength, (piece.leaders ?? []).map((leader) => leader.id)]));
  }
}
