// Line charts drawn by hand: two series or three over the turns, told apart by dash and letter, with their numbers in a table.

import { el, svg } from "../dom.js";

/** @typedef {readonly (number | null)[]} Values one for each turn; null where nothing is known */
/** @typedef {{side: number, name: string, values: Values}} Series */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} text a sentence that explains it
 * @property {readonly string[]} dates of the turns
 * @property {readonly {at: number, label: string}[]} years where they begin
 * @property {readonly Series[]} series
 * @property {readonly number[]} [band] what is expected: as much above and below 0, for each turn
 */

/** Letters keep their size, so a narrow screen gets a narrow chart. */
const WIDTH = matchMedia("(max-width: 40rem)").matches ? 360 : 640;
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [230, 40, 64, 10, 26];

let charts = 0;

/** @param {Chart} chart */
export function lineChart(chart) {
  return el(
    "figure",
    { class: "chart" },
    el("figcaption", {}, el("h3", {}, chart.title), el("p", {}, chart.text)),
    picture(chart),
    numbers(chart),
  );
}

/** The numbers between which the chart runs, and its steps. @param {Chart} chart */
function scaleOf({ series, band = [], dates }) {
  const known = [...series.flatMap(({ values }) => values.filter((value) => value !== null)), ...band, ...band.map((value) => -value), 0];
  const [least, most] = [Math.min(...known), Math.max(...known, 1)];
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const steps = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  const x = (/** @type {number} */ at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(1, dates.length - 1);
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  return { x, y, steps };
}

/** @param {Chart} chart */
function picture(chart) {
  const { x, y, steps } = scaleOf(chart);
  const id = `chart-${(charts += 1)}`;
  const rulers = steps.map((step) => [
    svg("line", { class: step === 0 ? "axis" : "ruler", x1: LEFT, x2: WIDTH - RIGHT, y1: y(step), y2: y(step) }),
    svg("text", { class: "scale", x: LEFT - 6, y: y(step) + 4 }, tidy(step)),
  ]);
  const years = chart.years.map(({ at, label }) => [
    svg("line", { class: "ruler", x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM }),
    svg("text", { class: "year", x: x(at) + 3, y: HEIGHT - 8 }, label),
  ]);
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-labelledby": `${id}-title ${id}-desc` },
    svg("title", { id: `${id}-title` }, chart.title),
    svg("desc", { id: `${id}-desc` }, `${chart.text} ${chart.series.map(inWords).join(" ")}`),
    rulers.flat(),
    years.flat(),
    chart.band ? bandOf(chart.band, x, y) : null,
    chart.series.flatMap((series) => curves(series, x, y)),
    namesOf(chart.series, x, y),
  );
}

/** @param {number} value */
function tidy(value) {
  return String(Math.round(value * 100) / 100).replace("-", "−");
}

/** @param {Series} series */
function inWords({ name, values }) {
  const known = values.filter((value) => value !== null);
  if (!known.length) return `${name}: not known.`;
  return `${name}: from ${tidy(known[0] ?? 0)} to ${tidy(known.at(-1) ?? 0)}, between ${tidy(Math.min(...known))} and ${tidy(Math.max(...known))}.`;
}

/** @typedef {(value: number) => number} Scale */

/** @param {readonly number[]} band @param {Scale} x @param {Scale} y */
function bandOf(band, x, y) {
  const above = band.map((value, at) => `${x(at)},${y(value)}`);
  const below = band.map((value, at) => `${x(at)},${y(-value)}`).reverse();
  return svg("polygon", { class: "band", points: [...above, ...below].join(" ") });
}

/** A curve for every run of values that are known. @param {Series} series @param {Scale} x @param {Scale} y */
function curves({ side, values }, x, y) {
  /** @type {string[][]} */
  const runs = [[]];
  values.forEach((value, at) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  });
  return runs.filter((run) => run.length).map((run) => svg("polyline", { class: "curve", "data-side": side, points: run.join(" ") }));
}

/**
 * The names at the ends of the curves, moved apart where they would lie upon each other.
 * @param {readonly Series[]} series @param {Scale} x @param {Scale} y
 */
function namesOf(series, x, y) {
  const ends = series.flatMap(({ side, name, values }) => {
    const at = values.findLastIndex((value) => value !== null);
    return at < 0 ? [] : [{ side, name, x: x(at) + 6, y: y(values[at] ?? 0) + 4 }];
  });
  const sorted = ends.toSorted((a, b) => a.y - b.y);
  const [first, second] = sorted;
  if (first && second && second.y - first.y < 14) {
    const middle = (first.y + second.y) / 2;
    first.y = middle - 7;
    second.y = middle + 7;
  }
  const third = sorted[2];
  if (second && third) third.y = Math.max(third.y, second.y + 14);
  return ends.map(({ side, name, x, y }) => svg("text", { class: "name", "data-side": side, x, y }, name));
}

/** @param {Chart} chart */
function numbers({ title, dates, series }) {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "Turn"),
    series.map(({ name }) => el("th", { scope: "col" }, name)),
  );
  const rows = dates.map((date, at) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, date),
      series.map(({ values }) => el("td", {}, values[at] === null ? "not known" : tidy(values[at] ?? 0))),
    ),
  );
  const table = el("table", {}, el("caption", { class: "visually-hidden" }, title), el("thead", {}, head), el("tbody", {}, rows));
  return el(
    "details",
    { class: "no-print" },
    el("summary", {}, "The numbers"),
    el("div", { class: "scroll-x", tabindex: 0, role: "group", "aria-label": title }, table),
  );
}
