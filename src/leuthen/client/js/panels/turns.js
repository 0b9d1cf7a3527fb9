// The turns so far, kept up to date: the timeline, the chronicle and the calendar share them.

import { Emitter, button, el, fill, format, icon, optionsOf, ruleLink, sentence, svg } from "../dom.js";
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
export class TurnList extends Emitter {
  /** @type {Promise<void> | null} */
  #ready = null;

  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {T.TurnMark[]} */
    this.marks = [];
    ctx.store.on("change", (/** @type {Change} */ { sections }) => {
      if (sections.has("fresh")) void this.load();
      else if (sections.has("turn") || sections.has("year")) this.#onChange();
    });
  }

  /** Fetch all turns, once if the server answers. */
  get ready() {
    return (this.#ready ??= this.load().catch((error) => {
      this.#ready = null;
      throw error;
    }));
  }

  /** Fetch all turns. */
  async load() {
    this.marks = [...(await this.ctx.api.turns()).turns];
    this.tell("change");
  }

  /** Index of the turn of a news number. @param {number} n */
  at(n) {
    const index = this.marks.findLastIndex((mark) => mark.n <= n);
    return Math.max(0, index);
  }

  /** Update the list after a new turn, or after an undo to an earlier one. */
  #onChange() {
    const { n, scene } = this.ctx.store.table;
    const { year, turn } = scene;
    const last = this.marks.at(-1);
    const isLater = !last || year > last.year || (year === last.year && turn > last.turn);
    if (!isLater) return void this.load();
    this.marks.push({ n, year, turn, scores: scoresOf(scene) });
    return this.tell("change");
  }
}

// The timeline under the map: every turn so far, to look back at as it was seen then, over a curve of the score.

const EVERYTHING = 3;

/** @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
export function mountTimeline(host, ctx, playback) {
  ctx.turns.ready.then(
    () => openTimeline(host, ctx, playback),
    (error) => ctx.say(messageOf(error)),
  );
}

/** @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
function openTimeline(host, ctx, playback) {
  const { store, turns } = ctx;
  let isAsking = false;
  const slider = el("input", { type: "range", min: 0, step: 1, "aria-label": TURNS.shown, oninput: () => void scrub() });
  const curve = svg("svg.curve", { preserveAspectRatio: "none", "aria-hidden": "true" });
  const years = el("div.years", { "aria-hidden": "true" });
  const label = el("div.shown");
  const now = el("button", { hidden: true, onclick: () => showPresent() });
  const viewers = [
    ["", TURNS.youSaw],
    ...[0, 1].map((side) => [String(side), format(TURNS.sideSaw, { side: sentence(store.sideName(side)) })]),
    [String(EVERYTHING), TURNS.everything],
  ];
  const viewer = el("select", { "aria-label": TURNS.seenBy, hidden: true, onchange: () => void scrub() }, ...optionsOf(viewers));
  /** The viewer, if it is not the seat's own side. */
  const eyes = () => (viewer.value === "" ? undefined : Number(viewer.value));
  const orders = el(
    "div.row.orders-steps",
    icon("‹", PLAYBACK.previous, () => void playback.step(-1, eyes())),
    icon("›", PLAYBACK.next, () => void playback.step(1, eyes())),
    button(PLAYBACK.replayMenu, "replay", () => void playback.replay(), "quiet"),
  );
  /** The slider position of the present. */
  const lastPosition = () => turns.marks.length;

  const showPresent = () => {
    if (document.activeElement === now) slider.focus();
    viewer.value = "";
    store.live();
    draw();
  };
  /** Show the turn under the slider. While the server answers, only the latest position is remembered. */
  const scrub = async () => {
    announce();
    if (isAsking) return;
    isAsking = true;
    let asked = "";
    const wish = () => `${slider.value} ${viewer.value}`;
    try {
      while (asked !== wish()) {
        asked = wish();
        const at = Number(slider.value);
        if (at >= lastPosition() && viewer.value === "") store.live();
        else await store.scrub(turns.marks[at]?.n ?? store.table.n, eyes());
      }
    } catch (error) {
      ctx.say(messageOf(error));
      showPresent();
    } finally {
      isAsking = false;
    }
  };

  const draw = () => {
    const { past, table } = store;
    const { isOn, n } = playback;
    const position = (past || isOn) && n < table.n ? turns.at(n) : lastPosition();
    slider.max = String(lastPosition());
    if (!isAsking) slider.value = String(position);
    if (!isAsking && !past && !isOn) viewer.value = "";
    viewer.hidden = !table.has_ended;
    now.hidden = store.isLive;
    now.textContent = table.has_ended ? TURNS.toEnd : ORDER.backToNow;
    host.classList.toggle("past", !store.isLive);
    announce();
    drawTrack();
  };
  const announce = () => {
    const { table, setting } = store;
    const mark = turns.marks[Number(slider.value)];
    const date = dateOf(setting, mark ?? table.scene);
    const isNow = !mark && viewer.value === "";
    const how = viewer.selectedOptions[0]?.textContent ?? "";
    const head = isNow ? (table.has_ended ? TURNS.theEnd : TURNS.now) : viewer.value ? how : TURNS.lookingBack;
    const words = `${playback.isOn ? playback.title : head}: ${date}`;
    const { id = "", label: title = "", values = [0, 0] } = table.scene.scores[0] ?? {};
    const stood = mark?.scores[id] ?? values;
    const sides = [0, 1].flatMap((side) => [sideBadge(store, side), el("b", stood[side])]);
    fill(label, words, el("span.stood", { title }, sides));
    slider.setAttribute("aria-valuetext", format(TURNS.score, { words, label: title, one: stood[0], other: stood[1] }));
  };
  const drawTrack = () => {
    const { marks } = turns;
    const { scene } = store.table;
    const id = scene.scores[0]?.id ?? "";
    const points = [...marks.map(({ scores }) => scores[id] ?? [0, 0]), scene.scores[0]?.values ?? [0, 0]];
    const most = Math.max(1, ...points.flat());
    curve.setAttribute("viewBox", `0 0 ${Math.max(1, lastPosition())} 100`);
    const lines = [0, 1].map((side) =>
      svg("polyline", { "data-side": side, points: points.map((point, at) => `${at},${96 - (90 * (point[side] ?? 0)) / most}`).join(" ") }),
    );
    const begun = marks.map(({ year }, at) => ({ year, at })).filter(({ year, at }) => year !== marks[at - 1]?.year);
    const ticks = marks.map((_, at) => svg("line", { x1: at, x2: at, y1: 82, y2: 100 }));
    const bounds = begun.map(({ at }) => svg("line.year", { x1: at, x2: at, y1: 0, y2: 100 }));
    fill(curve, ticks, bounds, lines);
    fill(years, ...begun.map(({ year, at }) => el("span", { style: { left: `${(100 * at) / lastPosition()}%` } }, year)));
  };

  fill(host, label, el("div.track", curve, years, slider), orders, viewer, now);
  playback.addEventListener("change", draw);
  turns.addEventListener("change", draw);
  store.onChange(["fresh", "shown", "scores", "result"], draw);
  slider.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || store.isLive) return;
    event.preventDefault();
    showPresent();
  });
  draw();
}

// The calendar: the year's turns with its winter, and the sequence of play with the present stage lit.

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
      el("span", { "aria-hidden": "true" }, date.replace(/([A-Z]\w\w)\w*$/, "$1")),
      el("span.visually-hidden", date, isWinter ? TURNS.winter : ""),
    );
  });
  return el("ol.year.plain", { "aria-label": format(TURNS.turnsOf, { year }) }, days);
}

/** @param {Context} ctx @param {T.Stage} stage */
function stageOf(ctx, { name, rule, when, side = 2 }) {
  return el(
    "li",
    { class: when, "aria-current": when === "now" ? "step" : undefined },
    side === 2 ? null : sideBadge(ctx.store, side),
    el("span", name),
    el("span.when", TURNS.stages[when] ?? when),
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
