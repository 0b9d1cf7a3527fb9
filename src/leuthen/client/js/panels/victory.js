// How the war stands: victory points by fortress and holder, their ratio, and all that is counted besides.

import { el, fill, format, listOf, placeLink, ruleLink, sentence, sideMark, tableOf } from "../dom.js";
import { sideBadge, whenChanged, withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountVictory(host, ctx) {
  whenChanged(host, ctx, ["scores", "holdings", "meters", "notes", "result"], () => {
    const { scene } = ctx.store;
    fill(
      host,
      scene.result ? el("p.note.gold", scene.result) : null,
      el("dl.scores", ...scene.scores.map((score) => scoreOf(ctx, score))),
      scene.notes?.length ? [el("h3", PANELS.also), listOf(scene.notes.map((note) => withRules(ctx, note)))] : null,
      sieges(ctx),
      ...[0, 1, 2].map((side) => holdings(ctx, side)),
    );
  });
}

/** Progress of the sieges and the rolls they need next. @param {Context} ctx */
function sieges(ctx) {
  const meters = ctx.store.scene.meters ?? [];
  if (!meters.length) return null;
  return [el("h3", PANELS.sieges), el("ul.plain.sieges", ...meters.map((meter) => meterView(ctx, meter)))];
}

/** @param {Context} ctx @param {T.Meter} meter */
export function meterView(ctx, { place, side, title, rule, value, text, most = 0, lines = [] }) {
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
    listOf(
      lines.map((line) => withRules(ctx, line)),
      { class: "small" },
    ),
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
  const rows = mine
    .toSorted((a, b) => b.points - a.points || a.name.localeCompare(b.name))
    .map((fortress) => fortressRow(ctx, fortress, scene.holdings[fortress.place]));
  return el(
    "section",
    el(
      "h3",
      sideMark(ctx.store, side),
      " ",
      side === 2 ? PANELS.neutral : format(PANELS.sidePoints, { side: sentence(ctx.store.sideName(side)), points }),
    ),
    tableOf([PANELS.fortress, PANELS.province, PANELS.vp, PANELS.held], rows, { class: "holdings" }),
  );
}

/** @param {Context} ctx @param {T.FortressCard} fortress @param {T.HeldFortress | undefined} holding */
function fortressRow(ctx, fortress, holding) {
  const star = fortress.is_great
    ? el("span", { role: "img", "aria-label": PANELS.greatFortress, title: PANELS.greatFortress }, "★ ")
    : null;
  return el(
    "tr",
    { class: holding?.is_held ? "" : "empty" },
    el("th", { scope: "row" }, star, placeLink(ctx, fortress.place, fortress.name)),
    el("td", fortress.province),
    el("td.number", holding ? format(PANELS.partOf, { points: holding.points, most: fortress.points }) : fortress.points),
    el("td", { title: holding?.text ?? "" }, holding?.is_held ? COMMON.yes : COMMON.no, holding?.siege ? `; ${holding.siege}` : ""),
  );
}
