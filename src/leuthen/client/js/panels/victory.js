// How the war stands: victory points by fortress and holder, their ratio, and all that is counted besides; the powers on
// a small map of Europe, and their orders of battle.

import { el, fill, format, listOf, placeLink, rowOf, ruleLink, sentence, sideMark, svg, tableOf } from "../dom.js";
import { sideBadge, whenChanged, withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Store } from "../session/store.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountVictory(host, ctx) {
  whenChanged(host, ctx, ["scores", "holdings", "meters", "notes", "result"], () => {
    const { scene } = ctx.store;
    const sieges = (scene.meters ?? []).map((meter) => meterView(ctx, meter));
    fill(
      host,
      scene.result ? el("p.note.gold", scene.result) : null,
      el("dl.scores", ...scene.scores.map((score) => scoreOf(ctx, score))),
      scene.notes?.length ? [el("h3", PANELS.also), listOf("", ...scene.notes.map((note) => withRules(ctx, note)))] : null,
      sieges.length ? [el("h3", PANELS.sieges), el("ul.plain.sieges", sieges)] : null,
      ...[0, 1, 2].map((side) => holdings(ctx, side)),
    );
  });
}

/** @param {Context} ctx @param {T.Meter} meter */
function meterView(ctx, { place, side, title, rule, value, text, most = 0, lines = [] }) {
  const pips = Array.from({ length: most }, (_, k) => el("i", { class: k < value ? "pip is-open" : "pip" }));
  return el(
    "li",
    { dataset: { siege: place } },
    el(
      "p",
      sideBadge(ctx.store, side),
      " ",
      placeLink(ctx, place, title),
      " ",
      most ? el("span.pips", { "aria-hidden": true }, pips) : null,
      ` ${text} `,
      ruleLink(ctx, rule),
    ),
    listOf("small", ...lines.map((line) => withRules(ctx, line))),
  );
}

/** @param {Context} ctx @param {T.Score} score */
function scoreOf(ctx, { label, values, text, rule, is_ratio: isRatio = false }) {
  const { store } = ctx;
  return el(
    "div.score",
    el("dt", label, " ", ruleLink(ctx, rule)),
    el("dd", sideBadge(store, 0), shown(values[0]), ratioBar(values, isRatio), shown(values[1]), sideBadge(store, 1)),
    text ? el("dd.small.muted", text) : null,
  );
}

/** An unknown value is −1. @param {number} value */
const shown = (value) => el("b.number", value < 0 ? "?" : value);

/** @type {readonly [string, string][]} */
const RATIOS = [
  ["33.33%", "1:2"],
  ["50%", "1:1"],
  ["66.67%", "2:1"],
];

/** Each side's share, with marks where one has double the other's. @param {readonly [number, number]} values @param {boolean} isMarked */
function ratioBar([first, second], isMarked) {
  const share = shareOf(first, second);
  if (share === null) return el("span.ratio.unknown");
  return el(
    "span",
    { class: isMarked ? "ratio marked" : "ratio", "aria-hidden": "true" },
    el("span.part", { style: { "flex-grow": share } }),
    el("span.part", { style: { "flex-grow": 1 - share } }),
    isMarked ? RATIOS.map(([left, words]) => el("i", { style: { left } }, words)) : null,
  );
}

/** Share of the first of two numbers; null if one is unknown or both are zero. @param {number} first @param {number} second */
export const shareOf = (first, second) => (first < 0 || second < 0 || first + second === 0 ? null : first / (first + second));

/** Fortresses of a side, or of neither, within the part of the map in play. @param {T.Setting} setting @param {T.Scene} scene @param {number} side */
export const fortressesOf = ({ fortresses }, { holdings: held }, side) =>
  fortresses.filter(({ place }) => held[place] !== undefined && (held[place].side ?? 2) === side);

/** A side's fortresses, by province. @param {Context} ctx @param {number} side */
function holdings(ctx, side) {
  const { setting, scene } = ctx.store;
  const mine = fortressesOf(setting, scene, side);
  if (!mine.length) return null;
  const points = mine.reduce((sum, { place }) => sum + (scene.holdings[place]?.points ?? 0), 0);
  const title = side === 2 ? PANELS.neutral : format(PANELS.sidePoints, { side: sentence(ctx.store.sideName(side)), points });
  const sorted = mine.toSorted((a, b) => b.points - a.points || a.name.localeCompare(b.name));
  const rows = sorted.map(({ place, name, province, points: most, is_great: isGreat }) => {
    const { is_held: isHeld, points: held, text = "", siege } = scene.holdings[place] ?? {};
    const great = { role: "img", "aria-label": PANELS.greatFortress, title: PANELS.greatFortress };
    const row = rowOf(
      [isGreat ? el("span", great, "★ ") : null, placeLink(ctx, place, name)],
      el("td", province),
      el("td.number", held === undefined ? most : format(PANELS.partOf, { points: held, most })),
      el("td", { title: text }, isHeld ? COMMON.yes : COMMON.no, siege ? `; ${siege}` : ""),
    );
    row.classList.toggle("empty", !isHeld);
    return row;
  });
  const table = tableOf(PANELS.fortressHeads, rows, { class: "holdings" });
  return el("section", el("h3", sideMark(ctx.store, side), " ", title), table);
}

// --- allegiances on a small map of Europe, and as a list ---

/** @param {HTMLElement} host @param {Context} ctx */
export function mountEurope(host, ctx) {
  whenChanged(host, ctx, ["powers"], () => fill(host, europePicture(ctx.store), list(ctx)));
}

/** Side 0 and side 1 are hatched in opposite directions; neutrals are plain. @param {Store} store */
export function europePicture(store) {
  const { scene, setting } = store;
  const lands = setting.powers.flatMap(({ name }, power) => {
    const land = LANDS[name];
    return land ? [{ name, land, side: scene.powers[power]?.side ?? 2 }] : [];
  });
  return svg(
    "svg.europe",
    { viewBox: SIZE, role: "img", "aria-label": PANELS.europeMap },
    svg("defs", hatch("hatch-0", "M0 6 6 0M-1 1 1 -1M5 7 7 5"), hatch("hatch-1", "M0 0 6 6M-1 5 1 7M5 -1 7 1")),
    svg("path.land", { d: LAND }),
    lands.map(({ land, side }) =>
      svg("g.power", { "data-side": side }, svg("path.wash", { d: land.path }), svg("path.hatch", { d: land.path })),
    ),
    lands.map(({ name, land, side }) =>
      svg(
        "text",
        { x: land.at[0], y: land.at[1] },
        name,
        side === 2 ? null : svg("tspan.letter", ` ${store.sideName(side).charAt(0).toUpperCase()}`),
      ),
    ),
  );
}

/** @param {string} id @param {string} d */
const hatch = (id, d) => svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, svg("path", { d }));

/** @param {Context} ctx */
function list(ctx) {
  const { store } = ctx;
  const { scene, setting } = store;
  return [0, 1, 2].map((side) => {
    const lines = setting.powers.flatMap(({ name, is_major: isMajor }, power) => {
      const { side: whose = 2, text = "" } = scene.powers[power] ?? {};
      return whose === side ? [[isMajor ? el("b", name) : name, text ? el("span.muted", ": ", withRules(ctx, text)) : null]] : [];
    });
    if (!lines.length) return null;
    return el(
      "section",
      el("h3", sideMark(store, side), " ", side === 2 ? PANELS.neutral : sentence(store.sideName(side))),
      listOf("plain.powers", ...lines),
    );
  });
}

/** A plain outline of Europe in 1756 with the positions of the powers, drawn for this game. */
const SIZE = "30 0 336 232";
const LAND =
  "M134 37l-4 29 9 11 11-7 8-3 3 7 3 12 4 13 1 6 6-1 10-7 3-12 5-13 7-12-9-9 1-13 14-23 4-13 12 3 2 6-12 17-2 14 7 15 12 0 14-6 10 3-9 5-17 5-4 6 5 7 0 8-9-3-7 9 0 10-2 8-5 5-5 1-2-4-10 4-12 5-4-1 0-6-7 1-3 3-5 1-1-4-4-4 0-8 5-8-1-11-12 6-1 14 1 11-1 4-8 1-15 4-6 10-5 4-5 2-6 1-2 7-9 4-9-1-3-3-1 9-9-3-11 1 1 6 11 9 4 13-4 14-6 10-15-4-26-11-11 4-3 19-12 19-2 17 18 7 4 11 30 1 13-9 8-8-1-9 16-11 13-5 1-11 11-1 14 4 7-5 8-4 9 3 4 13 13 13 11 8 13 8 2 20 8-10-2-14 12 3-1-5-17-12-14-9-4-9-8-10 1-9 9-1 0 7 9 7 14 12 17 11 1 13 13 15 10 21 10 2 3-16-9-14 0-10 8 2 14-7 21-6-10-14 3-12 7-17 4-13 15 3 6 12 18-11-12-7 17-13 9-4 37-23-78-179-126 23-11 39zM54 137l12 1 31-1-2-6 7-8-8-4 0-13-5-13-6-7 9-14-9-4 6-7-9-2-9 13 0 13 0 9 8 2-2 11-9 2-1 9-7 3 12 8-9 1zM57 117l-16 0-9-6 11-9-2-11 10 0 8-5 7 9-6 10zM157 102l9-3-2 9-7-1zM158 274l23-1-3 14zM128 242l10 1-3 18-8 1zM132 229l6-6-1 14z";
/** @type {Record<string, {path: string, at: [number, number]}>} by a power's name */
const LANDS = {
  Prussia: {
    at: [175, 129],
    path: "M155 128l9-2 5-4 3-3 4 1 12-5 8-3-2 7-6 9-8 4 1 6 10 3 9 6 4 8-10 1-6-1-4-4-5-3-1-5-8-3-9-3-5 6-2-9zM205 114l5-5 2-8 10 6 0 8-11 8-7-3z",
  },
  Austria: {
    at: [202, 182],
    path: "M163 154l12-5 4-1 5 3 4 4 6 1 10-1 1 7 11 0 10 2 14 10 14 9 1 12-25 9-15 1-23 0-10-1-7 6-6-6 0-5-9-10-12 1-2-7 3-2 16-1 6-10-7-8zM104 139l5-2 14 4 0 18-11-9z",
  },
  France: {
    at: [95, 179],
    path: "M98 140l6-1 8 11 11 9 12 6-5 12-5 4-7 8 5 8 2 17-7 5-14-4-11 1-1 6-21-6-11-10 6-10 4-14-4-13-11-9-1-6 11-1 9 3 1-9 3 3 9 1 9-4z",
  },
  Hanover: {
    at: [83, 120],
    path: "M143 118l9 4 7 6-4 0-1 6 2 9-5 0-7 1-3-12-1-8zM54 137l12 1 31-1-2-6 7-8-8-4 0-13-5-13-6-7 9-14-9-4 6-7-9-2-9 13 0 13 0 9 8 2-2 11-9 2-1 9-7 3 12 8-9 1zM57 117l-16 0-9-6 11-9-2-11 10 0 8-5 7 9-6 10z",
  },
  Russia: {
    at: [288, 88],
    path: "M253 54l-9 5-17 5-4 6 5 7 0 8 8 8 11 1 16-2 11 12 2 22 6 11-7 11 8 9 14 4 17 3 14 0 9-4 37-23-78-179-58 18 8 44 7 9-10 22z",
  },
  Sweden: {
    at: [183, 51],
    path: "M161 74l3 12 4 13 1 6 6-1 10-7 3-12 5-13 7-12-9-9 1-13 14-23 4-13 12 3 2 6-12 17-2 14 7 15 12 0 14-6 10-22-7-9-8-44-53 5-9 35-8 14-1 20-3 15zM165 114l7-1 0 6-3 3-5-3z",
  },
  Saxony: { at: [166, 145], path: "M156 143l5-6 9 3 8 3 1 5-4 1-12 5-9-3-3-8z" },
  Empire: {
    at: [145, 161],
    path: "M135 119l8-1-3 6 1 8 3 12 7-1 3 8 9 3 1 8 7 8-6 10-16 1-6-2-13-2 5-12-12-6 0-18 8-8zM152 122l5-4 5-1 3-3-1 5 5 3-5 4-9 2 4 0z",
  },
};

// --- the order of battle: every power's leaders and troops, how strong, and where ---

/** @param {HTMLElement} host @param {Context} ctx */
export function mountMusters(host, ctx) {
  /** @type {Set<number>} powers that were folded up */
  const folded = new Set();
  const body = el("div");
  const draw = () => {
    const query = field.value.trim().toLowerCase();
    fill(body, ...ctx.store.scene.musters.map((muster) => musterOf(ctx, muster, query, folded)));
  };
  const field = el("input", { type: "search", placeholder: PANELS.leaderOrPlace, "aria-label": PANELS.searchMusters, oninput: draw });
  fill(host, el("div.panel-tools", field), body);
  whenChanged(host, ctx, ["musters", "powers"], draw);
}

/** @param {Context} ctx @param {T.Muster} muster @param {string} query @param {Set<number>} folded */
function musterOf(ctx, { power, side, entries }, query, folded) {
  const { store } = ctx;
  const powerName = store.setting.powers[power]?.name ?? "";
  const found = entries.filter((entry) => `${powerName} ${entry.name} ${entry.text}`.toLowerCase().includes(query));
  if (!found.length) return null;
  const rows = found.map(({ name, text, place = "", strength = "" }) => {
    const head = [place ? placeLink(ctx, place, name) : name, el("div.muted.small", withRules(ctx, text))];
    return rowOf(head, el("td.number", strength));
  });
  const title = [sideMark(store, side), el("h3", powerName), el("span.visually-hidden", store.sideName(side))];
  const details = el(
    "details.muster",
    { open: query !== "" || !folded.has(power) },
    el("summary", { "data-keep": `power ${power}` }, ...title),
    tableOf(PANELS.musterHeads, rows),
  );
  details.addEventListener("toggle", () => (details.open ? folded.delete(power) : folded.add(power)));
  return details;
}
