// Going on: what is asked is left as it is until a phase or a turn ends, or something happens that the player should see.
// The server answers as far as it is this side's turn; when it is asked again, the page goes on, as long as it is open.

import { closeDialogs, openDialog } from "../dialog.js";
import { button, el, fill, format, keptHere, placeLink, placeName, ruleLink, sentence } from "../dom.js";
import { Refused } from "../session/api.js";
import { wayOf } from "./form.js";
import { openSettings, settingOf } from "../settings.js";
import { COMMON } from "../strings/common.js";
import { ORDER } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Change, Store } from "../session/store.js" */

/** What ends it, by the server's word, as the buttons and the note say it. */
export const SCOPES = /** @type {const} */ ([
  ["phase", ORDER.skipPhase],
  ["turn", ORDER.skipTurn],
  ["theatre", ORDER.skipTheatre],
  ["event", ORDER.skipToEnemy],
]);

/** The same of theatres by name. @param {readonly string[]} names */
export function ofTheatres(names) {
  return format(ORDER.skipTheatres, { theatres: names.join(COMMON.and) });
}

/** Topics of events after which the player is asked again. */
const STRUGGLES = ["opening", "battle"];

/** Whether something happened after which a side is asked again, whatever it wanted to leave. @param {T.LogEntry} entry @param {number} side */
function touches({ hurts, topic = "" }, side) {
  return hurts === side || STRUGGLES.includes(topic);
}

export class GoingOn {
  /** What ends it, "" while the player answers himself. */
  #until = "";
  /** The turn in which it began. */
  #turn = "";
  /** The theatres that are left as they are. @type {Set<string>} */
  #theatres = new Set();
  /** Of which of the seat's news it was last asked whether it goes on. */
  #asked = -1;

  /** @param {HTMLElement} host of the note that says so @param {Context} ctx @param {Sender} sender */
  constructor(host, ctx, sender) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
  }

  /** Goes on, if nothing that is left undone keeps the player here. @param {string} until @param {string} [theatre] that is left too */
  async begin(until, theatre = "") {
    const { store } = this.ctx;
    if (!store.asked || (until === "theatre" && !theatre) || !(await mayEnd(this.ctx, theatre))) return;
    if (until !== "theatre" || this.#until !== until) this.#theatres.clear();
    if (theatre) this.#theatres.add(theatre);
    this.#until = until;
    this.#turn = store.scene.title;
    this.#asked = -1;
    await this.#goOn();
  }

  /** The player has ordered something: he answers himself again, unless it is of a theatre that he has not left. @param {string} theatre */
  ordered(theatre) {
    if (!theatre || this.#theatres.has(theatre)) this.stop();
  }

  /** The player answers himself again. @returns {boolean} whether he did not before */
  stop() {
    const was = this.#until !== "";
    this.#until = "";
    this.#theatres.clear();
    this.#draw();
    return was;
  }

  /** @param {Change} change */
  #onChange({ sections, told }) {
    if (!this.#until) return;
    if (sections.has("fresh") || !this.ctx.store.isLive || told.some((entry) => this.#stops(entry))) this.stop();
    else if (!this.sender.isBusy) void this.#goOn();
  }

  /** @param {T.LogEntry} entry */
  #stops(entry) {
    const { side, path = [] } = entry;
    const own = this.ctx.store.side;
    return touches(entry, own) || (this.#until === "event" && side === 1 - own && path.length > 0);
  }

  async #goOn() {
    const { store } = this.ctx;
    const lasts = ["turn", "theatre"].includes(this.#until);
    if (store.table.has_ended || (lasts && store.scene.title !== this.#turn)) return void this.stop();
    this.#draw();
    if (!store.asked || store.table.n === this.#asked) return undefined;
    const counts = await this.sender.move("go-on", 0, this.#until, [...this.#theatres]);
    this.#asked = store.table.n;
    const isAnswered = store.asked && !this.#theatres.size;
    if (!counts || this.#until === "phase" || isAnswered) this.stop();
    return undefined;
  }

  #draw() {
    const scope = SCOPES.find(([until]) => until === this.#until)?.[1] ?? "";
    const label = this.#theatres.size ? ofTheatres([...this.#theatres]) : scope;
    const stop = button(ORDER.stop, "stop-going", () => this.stop());
    fill(
      this.host,
      label
        ? el(
            "div",
            { class: "note row" },
            el("span", {}, format(ORDER.automatic, { label: label.charAt(0).toLowerCase() + label.slice(1) })),
            stop,
          )
        : null,
    );
  }
}

// Before a phase ends: what is left undone, and what that will cost. It never decides for the player.

/** Asks, if something is left undone, whether the phase shall end all the same. @param {Context} ctx @param {string} [theatre] the one that is left, if not all @returns {Promise<boolean>} */
export async function mayEnd(ctx, theatre = "") {
  const warnings = settingOf("warnings");
  if (warnings === "off") return true;
  const left = (await leftOf(ctx)).filter(({ place = "" }) => !theatre || ctx.store.theatres.get(place) === theatre);
  const isNew = takeNew(ctx, left);
  if (!left.length || (warnings === "turn" && !isNew)) return true;
  const body = [el("p", {}, ORDER.canStill), el("ul", { class: "left-list" }, ...left.map((line) => leftLine(ctx, line)))];
  const answers = /** @type {const} */ ([
    { label: ORDER.stay, value: "", kind: "primary" },
    { label: ORDER.endAnyway, value: "end" },
    { label: ORDER.warnLess, value: "settings", kind: "quiet" },
  ]);
  const chosen = await openDialog({ title: ORDER.endTitle, body, answers });
  if (chosen === "settings") await openSettings();
  return chosen === "end";
}

/** Whether a warning is none of those of this turn; from now on it is. @param {Context} ctx @param {readonly T.Left[]} left */
function takeNew({ api, store }, left) {
  const [keptAs, turn] = [`leuthen.warned.${api.seat}`, store.scene.title];
  const { turn: when = "", texts = [] } = JSON.parse(keptHere.getItem(keptAs) ?? "{}");
  const known = new Set(when === turn ? texts : []);
  const isNew = left.some(({ text }) => !known.has(text));
  keptHere.setItem(keptAs, JSON.stringify({ turn, texts: [...known, ...left.map(({ text }) => text)] }));
  return isNew;
}

/** @param {Context} ctx @returns {Promise<readonly T.Left[]>} */
async function leftOf({ api }) {
  try {
    return (await api.left()).left;
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

/** @param {Context} ctx @param {T.Left} line */
function leftLine(ctx, line) {
  const leave = (/** @type {(what: string) => void} */ go) => (/** @type {string} */ what) => {
    closeDialogs();
    go(what);
  };
  const place = line.place ? placeLink({ jump: leave(ctx.jump) }, line.place, placeName(ctx.store, line.place)) : null;
  return el("li", {}, sentence(line.text), " ", ruleLink({ showRule: leave(ctx.showRule) }, line.rule), " ", place);
}

// What comes by itself behind an order: the rest of its march, the halt at its end, and what is left as it is then.

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

// A march that the rules interrupt wherever the other side might react: it goes on by itself along its way, and halts at
// its end if that was ordered with it, as long as nothing happened that its owner should see first.

/** The topic of events that let something pass: the march goes on. */
const DECLINED = "declined";

export class LongMarch {
  /** The hexes from where it began; empty while there is none. @type {readonly string[]} */
  way = [];
  /** Whether something else is asked in between, and the march waits for that. */
  isAside = false;
  /** Whether something stopped it before its end. */
  isCut = false;
  /** The answer with which it shall end where its way does, "" if its owner wants to be asked. */
  halt = "";
  /** Where it has come to. */
  #at = "";
  /** What was seen of the other side when it was ordered. */
  #others = "";

  /** @param {Store} store */
  constructor(store) {
    this.store = store;
  }

  /** An order is sent: if it is a leg, its rest may have to be ordered later. @param {T.Form} form @param {string} [halt] */
  begin(form, halt = "") {
    const way = wayOf(form);
    if (this.isAside) return void (this.isAside = false);
    this.halt = halt;
    this.isCut = false;
    if (this.way.length && way.at(-1) === this.way.at(-1)) return;
    this.way = way.length > (halt ? 1 : 2) ? way : [];
    this.#at = "";
    this.#others = this.#seen();
    return undefined;
  }

  /** It goes no farther by itself. */
  stop() {
    this.way = [];
    this.isAside = false;
  }

  /** Something has happened that its owner should see first. */
  #cut() {
    this.isCut = true;
    this.stop();
  }

  /**
   * What has happened: where it has come to, or that its owner should look.
   * @param {readonly T.LogEntry[]} told @param {boolean} isAnew something was taken back, or is not known
   */
  hear(told, isAnew) {
    const { side } = this.store;
    const isEnemys = (/** @type {T.LogEntry} */ event) => (event.side ?? 2) === 1 - side && event.topic !== DECLINED;
    if (this.way.length && (isAnew || told.some(isEnemys))) this.#cut();
    this.#at = told.findLast((event) => event.side === side && event.path?.length)?.path?.at(-1) ?? this.#at;
    if (this.#isThere && !this.halt) this.stop();
  }

  get #isThere() {
    return this.#at !== "" && this.#at === this.way.at(-1);
  }

  /** The hexes that are left, if it is to go on now. @returns {readonly string[]} */
  get rest() {
    const at = this.way.indexOf(this.#at, 1);
    if (at > 0 && this.store.scene.place === this.#at && this.#others === this.#seen()) return this.way.slice(at + 1);
    if (this.#at && this.way.length && !this.#isThere) this.#cut();
    return [];
  }

  /** The answer with which it ends now, "" if it does not: where it is asked no more, it has ended. */
  get ending() {
    if (!this.#isThere) return "";
    if (this.#others !== this.#seen()) this.#cut();
    else if (this.store.scene.place !== this.#at) this.stop();
    return this.way.length ? this.halt : "";
  }

  /** Who is seen of the other side, where, and how strong. */
  #seen() {
    const { scene, side } = this.store;
    const others = Object.entries(scene.pieces).filter(([, piece]) => piece.side !== side);
    return JSON.stringify(others.map(([key, piece]) => [key, piece.strength, (piece.leaders ?? []).map((leader) => leader.id)]));
  }
}
