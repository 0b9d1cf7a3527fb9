// The turns so far, kept up to date: the timeline, the chronicle and the calendar share them.

import { button, el, fill, format, ruleLink, sentence, svg } from "../dom.js";
import { dateOf, messageOf, sideBadge, whenChanged } from "./parts.js";
import { ORDER } from "../strings/order.js";
import { PLAYBACK } from "../strings/pages.js";
import { TURNS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */
/** @import { Playback } from "../story/playback.js" */

/** The scores of a scene as the turn list has them. @param {T.Scene} scene @returns {T.TurnMark["scores"]} */
export const scoresOf = (scene) => Object.fromEntries(scene.scores.map(({ id, values }) => [id, values]));

/** Dispatches `change` when a turn was added or all were reloaded. */
export class TurnList extends EventTarget {
  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {T.TurnMark[]} */
    this.marks = [];
    ctx.store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (sections.has("fresh")) void this.load();
      else if (sections.has("turn") || sections.has("year")) this.#onChange();
    });
  }

  /** Fetch all turns. */
  async load() {
    this.marks = [...(await this.ctx.api.turns()).turns];
    this.dispatchEvent(new Event("change"));
  }

  /** Index of the turn of a news number. @param {number} n */
  at(n) {
    return Math.max(
      0,
      this.marks.findLastIndex((mark) => mark.n <= n),
    );
  }

  /** Update the list after a new turn, or after an undo to an earlier one. */
  #onChange() {
    const { n, scene } = this.ctx.store.table;
    const { year, turn } = scene;
    const last = this.marks.at(-1);
    const isLater = !last || year > last.year || (year === last.year && turn > last.turn);
    if (!isLater) return void this.load();
    this.marks.push({ n, year, turn, scores: scoresOf(scene) });
    return this.dispatchEvent(new Event("change"));
  }
}

/** @type {WeakMap<object, Promise<TurnList>>} */
const lists = new WeakMap();

/** The turns of a table, fetched once. @param {Context} ctx @returns {Promise<TurnList>} */
export function turnsOf(ctx) {
  let list = lists.get(ctx.store);
  if (!list) {
    const made = new TurnList(ctx);
    list = made.load().then(() => made);
    list.catch(() => lists.delete(ctx.store));
    lists.set(ctx.store, list);
  }
  return list;
}

// The timeline under the map: every turn so far, to look back at as it was seen then, over a curve of the score.

const EVERYTHING = 3;
/** Sections that change the strip. */
const DRAWN = ["fresh", "shown", "scores", "result"];

/** @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
export function mountTimeline(host, ctx, playback) {
  turnsOf(ctx).then(
    (turns) => new Timeline(host, ctx, turns, playback).open(),
    (error) => ctx.say(messageOf(error)),
  );
}

class Timeline {
  /** @param {HTMLElement} host @param {Context} ctx @param {TurnList} turns @param {Playback} playback */
  constructor(host, ctx, turns, playback) {
    this.host = host;
    this.ctx = ctx;
    this.turns = turns;
    this.playback = playback;
    this.isAsking = false;
    this.slider = el("input", { type: "range", min: 0, step: 1, "aria-label": TURNS.shown, oninput: () => void this.#scrub() });
    this.curve = svg("svg.curve", { preserveAspectRatio: "none", "aria-hidden": "true" });
    this.years = el("div.years", { "aria-hidden": "true" });
    this.label = el("div.shown");
    this.now = el("button", { hidden: true, onclick: () => this.#showPresent() });
    this.viewer = el("select", { "aria-label": TURNS.seenBy, hidden: true, onchange: () => void this.#scrub() });
    const step = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ by) =>
      el("button.quiet.icon", { title, "aria-label": title, onclick: () => void playback.step(by, this.#eyes) }, sign);
    this.orders = el(
      "div.row.orders-steps",
      step("‹", PLAYBACK.previous, -1),
      step("›", PLAYBACK.next, 1),
      button(PLAYBACK.replayMenu, "replay", () => void playback.replay(), "quiet"),
    );
  }

  /** The viewer, if it is not the seat's own side. */
  get #eyes() {
    return this.viewer.value === "" ? undefined : Number(this.viewer.value);
  }

  open() {
    const { store } = this.ctx;
    const viewers = [
      ["", TURNS.youSaw],
      ["0", format(TURNS.sideSaw, { side: sentence(store.sideName(0)) })],
      ["1", format(TURNS.sideSaw, { side: sentence(store.sideName(1)) })],
      [String(EVERYTHING), TURNS.everything],
    ];
    fill(this.viewer, ...viewers.map(([value, words]) => el("option", { value }, words)));
    fill(this.host, this.label, el("div.track", this.curve, this.years, this.slider), this.orders, this.viewer, this.now);
    this.playback.addEventListener("change", () => this.#draw());
    this.turns.addEventListener("change", () => this.#draw());
    store.onChange(DRAWN, () => this.#draw());
    this.slider.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || store.isLive) return;
      event.preventDefault();
      this.#showPresent();
    });
    this.#draw();
  }

  /** The slider position of the present. */
  get #lastPosition() {
    return this.turns.marks.length;
  }

  #showPresent() {
    if (document.activeElement === this.now) this.slider.focus();
    this.viewer.value = "";
    this.ctx.store.live();
    this.#draw();
  }

  /** Show the turn under the slider. While the server answers, only the latest position is remembered. */
  async #scrub() {
    this.#announce();
    if (this.isAsking) return;
    this.isAsking = true;
    let asked = "";
    const wish = () => `${this.slider.value} ${this.viewer.value}`;
    try {
      while (asked !== wish()) {
        asked = wish();
        await this.#show(Number(this.slider.value), this.viewer.value);
      }
    } catch (error) {
      this.ctx.say(messageOf(error));
      this.#showPresent();
    } finally {
      this.isAsking = false;
    }
  }

  /** @param {number} at @param {string} viewer */
  async #show(at, viewer) {
    const { store } = this.ctx;
    if (at >= this.#lastPosition && viewer === "") return store.live();
    const n = this.turns.marks[at]?.n ?? store.table.n;
    await store.scrub(n, viewer === "" ? undefined : Number(viewer));
  }

  #draw() {
    const { store } = this.ctx;
    const { past } = store;
    const { isOn, n } = this.playback;
    this.slider.max = String(this.#lastPosition);
    if (!this.isAsking) this.slider.value = String(past || isOn ? this.#positionOf(n) : this.#lastPosition);
    if (!this.isAsking && !past && !isOn) this.viewer.value = "";
    this.viewer.hidden = !store.table.has_ended;
    this.now.hidden = store.isLive;
    this.now.textContent = store.table.has_ended ? TURNS.toEnd : ORDER.backToNow;
    this.host.classList.toggle("past", !store.isLive);
    this.#announce();
    this.#drawTrack();
  }

  /** @param {number} n */
  #positionOf(n) {
    return n >= this.ctx.store.table.n ? this.#lastPosition : this.turns.at(n);
  }

  #announce() {
    const { store } = this.ctx;
    const at = Number(this.slider.value);
    const mark = this.turns.marks[at];
    const date = dateOf(store.setting, mark ?? store.table.scene);
    const isNow = !mark && this.viewer.value === "";
    const how = this.viewer.selectedOptions[0]?.textContent ?? "";
    const head = isNow ? (store.table.has_ended ? TURNS.theEnd : TURNS.now) : this.viewer.value ? how : TURNS.lookingBack;
    const words = `${this.playback.isOn ? this.playback.title : head}: ${date}`;
    const { id = "", label = "", values = [0, 0] } = store.table.scene.scores[0] ?? {};
    const stood = mark?.scores[id] ?? values;
    fill(
      this.label,
      words,
      el("span.stood", { title: label }, ...[0, 1].flatMap((side) => [sideBadge(store, side), el("b", stood[side])])),
    );
    this.slider.setAttribute("aria-valuetext", format(TURNS.score, { words, label, one: stood[0], other: stood[1] }));
  }

  #drawTrack() {
    const { marks } = this.turns;
    const { scene } = this.ctx.store.table;
    const id = scene.scores[0]?.id ?? "";
    const points = [...marks.map(({ scores }) => scores[id] ?? [0, 0]), scene.scores[0]?.values ?? [0, 0]];
    const most = Math.max(1, ...points.flat());
    this.curve.setAttribute("viewBox", `0 0 ${Math.max(1, this.#lastPosition)} 100`);
    const lines = [0, 1].map((side) =>
      svg("polyline", { "data-side": side, points: points.map((point, at) => `${at},${96 - (90 * (point[side] ?? 0)) / most}`).join(" ") }),
    );
    const years = marks.map(({ year }, at) => ({ year, at })).filter(({ year, at }) => year !== marks[at - 1]?.year);
    const ticks = marks.map((_, at) => svg("line", { x1: at, x2: at, y1: 82, y2: 100 }));
    const bounds = years.map(({ at }) => svg("line.year", { x1: at, x2: at, y1: 0, y2: 100 }));
    fill(this.curve, ticks, bounds, lines);
    fill(this.years, ...years.map(({ year, at }) => el("span", { style: { left: `${(100 * at) / this.#lastPosition}%` } }, year)));
  }
}

// The calendar: the year's turns with its winter, and the sequence of play with the present stage lit.

/** @type {Record<string, string>} */
const WORDS = { past: TURNS.done, now: TURNS.nowWord, next: TURNS.later };

/** @param {HTMLElement} host @param {Context} ctx */
export function mountCalendar(host, ctx) {
  whenChanged(host, ctx, ["year", "turn", "stages", "phase", "title"], () => {
    const { scene, setting } = ctx.store;
    fill(
      host,
      el("h3", dateOf(setting, scene)),
      el("p", scene.phase),
      yearOf(setting, scene),
      el("h3", TURNS.sequence),
      el("ol.stages.plain", ...scene.stages.map((stage) => stageOf(ctx, stage))),
      el("p.muted", comesNext(setting, scene, ctx.store.table.scenario)),
    );
  });
}

/** The turns of the year as a strip. @param {T.Setting} setting @param {T.Scene} scene */
function yearOf(setting, { year, turn }) {
  const winter = setting.winter ?? [];
  const days = setting.turns.map((date, index) => {
    const isNow = index === turn - 1;
    const isWinter = winter.includes(index);
    return el(
      "li",
      { class: isWinter ? "winter" : "", "aria-current": isNow ? "date" : undefined, title: date + (isWinter ? TURNS.winter : "") },
      el("b", index + 1, isWinter ? " ❄" : ""),
      el("span", { "aria-hidden": "true" }, shortened(date)),
      el("span.visually-hidden", date, isWinter ? TURNS.winter : ""),
    );
  });
  return el("ol.year.plain", { "aria-label": format(TURNS.turnsOf, { year }) }, days);
}

/** Shorten "late August" to "late Aug". @param {string} date */
const shortened = (date) => date.replace(/[A-Z]\w+$/, (month) => month.slice(0, 3));

/** @param {Context} ctx @param {T.Stage} stage */
function stageOf(ctx, { name, rule, when, side = 2 }) {
  const word = WORDS[when] ?? when;
  return el(
    "li",
    { class: when, "aria-current": when === "now" ? "step" : undefined },
    side === 2 ? null : sideBadge(ctx.store, side),
    el("span", name),
    el("span.when", word),
    ruleLink(ctx, rule),
  );
}

/** The next turn, and the start of winter if it comes before the end. @param {T.Setting} setting @param {Pick<T.Scene, "year" | "turn">} scene @param {string} scenario */
export function comesNext(setting, { year, turn }, scenario) {
  const card = setting.scenarios.find(({ name }) => name === scenario);
  const [lastYear, lastTurn] = card?.ends ?? [setting.years[1], setting.turns.length];
  const most = year < lastYear ? setting.turns.length : Math.min(lastTurn, setting.turns.length);
  const end = card?.kind === "war" ? TURNS.endOfWar : TURNS.endOfScenario;
  const next = turn < most ? `${setting.turns[turn]} ${year}` : year < lastYear ? format(TURNS.theYear, { year: year + 1 }) : end;
  const winters = setting.winter ?? [];
  const winter = winters.find((index) => index >= turn);
  if (winter === undefined || turn === 0 || winter >= most || winters.includes(turn - 1)) return format(TURNS.next, { next });
  const turns = winter + 1 - turn;
  return format(TURNS.nextWinter, { next, when: turns === 1 ? TURNS.afterThis : format(TURNS.inTurns, { turns }) });
}
