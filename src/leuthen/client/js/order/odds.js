// Odds before one commits: results as bars, losses as distributions with their tails, the enemy's strength as a slider
// where it is not known, and each die by itself. The numbers stand beside the bars, so nothing is in colour alone.

import { el, fill } from "../dom.js";
import { ruleLink, sentence } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

let count = 0;

/** @param {T.Odds} odds @param {Context} ctx @returns {HTMLElement} */
export function oddsView(odds, ctx) {
  const host = el("div");
  const middle = Math.floor((odds.cases.length - 1) / 2);
  const show = (/** @type {number} */ index) => fill(host, caseView(odds.cases[index], ctx));
  show(middle);
  return el(
    "section",
    { class: "odds", "aria-label": `Odds: ${odds.title}` },
    el("h3", {}, odds.title, " ", ruleLink(ctx, odds.rule)),
    odds.cases.length > 1 ? sliderView(odds.cases, middle, show) : null,
    host,
    odds.cases.length > 1 ? overviewView(odds.cases, show) : null,
    ...(odds.notes ?? []).map((note) => el("p", { class: "muted small" }, note)),
    tablesView(odds.spots ?? [], ctx),
  );
}

/** The tables that the odds rest on, each with the first of its cells. @param {readonly T.Spot[]} spots @param {Context} ctx */
function tablesView(spots, ctx) {
  const first = new Map([...spots].reverse().map((spot) => [spot.table, spot]));
  const title = (/** @type {string} */ id) => ctx.store.setting.tables.find((table) => table.id === id)?.title ?? id;
  const links = [...first.values()].map((spot) =>
    el("button", { type: "button", class: "rule", onclick: () => ctx.showTable(spot) }, title(spot.table)),
  );
  return links.length ? el("p", { class: "small row odds-by" }, "By: ", ...links) : null;
}

/**
 * From one end of what is not known to the other.
 * @param {readonly T.OddsCase[]} cases @param {number} at @param {(index: number) => void} show
 */
function sliderView(cases, at, show) {
  const id = `odds-${(count += 1)}`;
  const label = el("output", { htmlFor: id }, cases[at]?.label ?? "");
  const onInput = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const text = cases[Number(input.value)]?.label ?? "";
    label.textContent = text;
    input.setAttribute("aria-valuetext", text);
    show(Number(input.value));
  };
  const input = el("input", {
    id,
    type: "range",
    min: 0,
    max: cases.length - 1,
    step: 1,
    value: String(at),
    "aria-valuetext": cases[at]?.label ?? "",
    dataset: { keep: "odds-case" },
    oninput: onInput,
  });
  return el("div", { class: "odds-slider" }, el("label", { htmlFor: id }, "Not known. If: ", label), input);
}

/** All cases side by side, small. @param {readonly T.OddsCase[]} cases @param {(index: number) => void} show */
function overviewView(cases, show) {
  const rows = cases.map((one, index) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, el("button", { type: "button", class: "rule", onclick: () => show(index) }, one.label)),
      el("td", { class: "odds-mini" }, resultBar(one.results)),
      ...one.results.map((part) => el("td", { class: "number" }, percent(part.chance))),
    ),
  );
  const heads = (cases[0]?.results ?? []).map((part) => el("th", { scope: "col" }, part.label));
  return el(
    "details",
    {},
    el("summary", {}, "All cases"),
    el(
      "div",
      { class: "scroll-x" },
      el("table", { class: "small" }, el("thead", {}, el("tr", {}, el("th", {}, "If"), el("td"), ...heads)), el("tbody", {}, ...rows)),
    ),
  );
}

/** @param {T.OddsCase | undefined} one @param {Context} ctx */
function caseView(one, ctx) {
  if (!one) return null;
  return el(
    "div",
    {},
    resultBar(one.results),
    el("ul", { class: "plain odds-results" }, ...one.results.map(resultLine)),
    ...(one.spreads ?? []).map((spread) => spreadView(spread, ctx)),
    one.rolls?.length
      ? el("details", {}, el("summary", {}, "Each die"), el("ul", { class: "plain small" }, ...one.rolls.map((roll) => el("li", {}, roll))))
      : null,
  );
}

/** @param {T.OddsResult} part @param {number} index */
function resultLine(part, index) {
  return el(
    "li",
    {},
    el("span", { class: "swatch", dataset: { part: String(index % 4) }, "aria-hidden": true }),
    `${part.label}: `,
    el("strong", { class: "number" }, percent(part.chance)),
    el("span", { class: "muted small number" }, ` ${part.odds}`),
  );
}

/** @param {readonly T.OddsResult[]} parts */
function resultBar(parts) {
  const pieces = parts.map((part, index) => el("span", { dataset: { part: String(index % 4) }, style: { "flex-grow": part.chance } }));
  return el("div", { class: "odds-bar", "aria-hidden": true }, ...pieces);
}

/**
 * A distribution: of a number as bars from the lowest up, its least likely ends too; of anything else as a line.
 * @param {T.Spread} spread @param {Context} ctx
 */
function spreadView(spread, ctx) {
  const side = spread.side < 2 ? `${sentence(ctx.store.sideName(spread.side))}: ` : "";
  const isNumber = spread.parts.length > 1 && spread.parts.every((part) => typeof part.value === "number");
  const title = el("figcaption", {}, side, spread.label, isNumber ? meanOf(spread) : null);
  return el(
    "figure",
    { class: "spread", dataset: { side: String(spread.side) } },
    title,
    isNumber ? barsView(spread.parts) : lineView(spread.parts),
  );
}

/** @param {readonly T.OddsResult[]} parts */
function barsView(parts) {
  const most = Math.max(...parts.map((part) => part.chance), 0.0001);
  const bars = parts.map((part) => {
    const bar = el("span", { class: "bar", style: { height: `${Math.max(2, (100 * part.chance) / most)}%` } });
    return el(
      "li",
      { title: part.odds },
      el("span", { class: "small number" }, percent(part.chance)),
      el("span", { class: "bar-room", "aria-hidden": true }, bar),
      el("strong", { class: "number" }, part.label),
    );
  });
  return el("ol", { class: "plain spread-bars" }, ...bars);
}

/** @param {readonly T.OddsResult[]} parts */
function lineView(parts) {
  return el(
    "ul",
    { class: "plain spread-line" },
    ...parts.map((part) => el("li", { title: part.odds }, `${part.label} `, el("strong", { class: "number" }, percent(part.chance)))),
  );
}

/** @param {T.Spread} spread */
function meanOf(spread) {
  const mean = spread.parts.reduce((sum, part) => sum + (part.value ?? 0) * part.chance, 0);
  return el("span", { class: "muted small" }, ` on average ${mean.toFixed(1)}`);
}

/** @param {number} chance */
export function percent(chance) {
  if (chance > 0 && chance < 0.01) return "< 1 %";
  if (chance < 1 && chance > 0.99) return "> 99 %";
  return `${Math.round(100 * chance)} %`;
}
