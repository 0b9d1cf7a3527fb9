// The staff's report on a war that is over: made when somebody asks for it, with how far it is; then the chances, the
// ledger, the errors and the moments, each of which opens on the board.

import { el, fill, format, listOf, rowOf, sentence, svg, tableOf, wideTable } from "../dom.js";
import { dateOf, die, messageOf, sideBadge } from "../panels/parts.js";
import { REPORT } from "../strings/pages.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Store } from "../session/store.js" */

/** Interval between two requests for progress, in ms. */
const PAUSE = 1500;
const SHOWN = new Set(["small", "medium", "large"]);

/** The report section of the campaign page. @param {SeatApi} api @param {Store} store */
export function reportView(api, store) {
  const host = el("div.staff-report", el("p.muted", { role: "status" }, "…"));
  const nameOf = (/** @type {number} */ side) => sentence(store.sideName(side));
  const dateText = (/** @type {readonly [number, number]} */ [year, turn]) => dateOf(store.setting, { year, turn });

  /** Show the report's progress and poll until it is finished. @param {() => Promise<T.ReportStatus>} ask */
  const poll = async (ask) => {
    try {
      show(await ask());
    } catch (error) {
      fill(host, el("p", messageOf(error)));
    }
  };
  const show = (/** @type {T.ReportStatus} */ found) => {
    const { stage, said, done, total } = found;
    if (found.report) return fill(host, view(found.report, found.news));
    if (stage === "none") return fill(host, el("p", said));
    if (!stage || stage === "failed") {
      const create = el("button.primary", { onclick: () => void poll(() => api.beginReport()) }, said ? REPORT.tryAgain : REPORT.create);
      return fill(host, el("p", REPORT.about), said ? el("p.note.bad", { role: "alert" }, said) : null, el("p", create));
    }
    const words = total ? format(REPORT.working, { stage, done, total }) : REPORT.reading;
    const bar = el("progress", { max: total || 1, value: total ? done : undefined, "aria-label": REPORT.progress });
    fill(host, el("p", { role: "status" }, words), bar);
    return void setTimeout(() => void poll(() => api.report()), PAUSE);
  };

  const view = (/** @type {T.WarReport} */ report, /** @type {readonly number[]} */ news) => [
    chancesView(report),
    ...ledgerView(report),
    el("h3", REPORT.decisions),
    ...report.known.map(decisionsView),
    el("h3", REPORT.moments),
    el("ol.staff-moments", ...report.moments.map((moment, at) => momentView(moment, news[at] ?? 0))),
    el("p.muted", format(REPORT.evaluator, { name: report.evaluator })),
  ];
  const chancesView = (/** @type {T.WarReport} */ { chances }) => {
    const points = (/** @type {number} */ chance) => Math.round(chance * 1000) / 10;
    const known = [0, 1].map((side) => ({ side, name: nameOf(side), values: chances.map((one) => points(one.known[side] ?? 0)) }));
    return lineChart({
      title: format(REPORT.chanceOf, { side: nameOf(0) }),
      text: format(REPORT.aboutChances, { one: nameOf(0), other: nameOf(1) }),
      dates: chances.map(({ date }) => dateText(date)),
      years: chances.flatMap(({ date: [year] }, at) => (year !== chances[at - 1]?.date[0] ? [{ at, label: String(year) }] : [])),
      series: [...known, { side: 2, name: REPORT.open, values: chances.map(({ open }) => points(open)) }],
    });
  };
  const ledgerView = (/** @type {T.WarReport} */ { years, account }) => {
    const head = ["", REPORT.from, REPORT.to, REPORT.luck, nameOf(0), nameOf(1), REPORT.unexplained];
    const row = (/** @type {string} */ label, /** @type {T.ChanceAccount} */ of) => {
      const chances = [of.initial, of.final].map((chance) => `${Math.round(chance * 100)} %`);
      const gains = [of.luck, ...of.decisions, of.evaluator].map((gain) => `${gain < 0 ? "−" : "+"}${Math.abs(gain * 100).toFixed(1)}`);
      return rowOf(label, ...[...chances, ...gains].map((text) => el("td.number", text)));
    };
    const rows = [...years.map(([year, of]) => row(String(year), of)), row(REPORT.wholeWar, account)];
    return [
      el("h3", format(REPORT.changes, { side: nameOf(0) })),
      el("p", REPORT.aboutChanges),
      wideTable(REPORT.ledger, tableOf(head, rows)),
    ];
  };
  const decisionsView = (/** @type {T.SideReport} */ { side, judged, alike, tried }) => {
    const errors = judged.filter(({ grade }) => SHOWN.has(grade));
    const count = (/** @type {string} */ grade) => errors.filter((one) => one.grade === grade).length;
    const counts = { large: count("large"), medium: count("medium"), small: count("small") };
    const words = format(REPORT.errors, { side: nameOf(side), alike, all: alike + tried, ...counts });
    return errors.length ? el("details", el("summary", words), listOf("", ...errors.map(orderText))) : el("p", words);
  };
  const orderText = (/** @type {T.Judgement} */ { date, order, staff, cost, grade, error }) => [
    `${dateText(date)}: `,
    el("q", order),
    REPORT.staff,
    el("q", staff),
    format(REPORT.cost, { grade: sentence(grade), points: cost.toFixed(1), error: error.toFixed(1) }),
  ];
  const momentView = (/** @type {T.KeyMoment} */ { judged, luck, points, beliefs }, /** @type {number} */ n) => {
    const open = el("a", { href: `/table/${encodeURIComponent(api.seat)}#at=${n}` }, REPORT.show);
    if (luck) {
      const { date, decision, answer, gain } = luck;
      const about = { date: dateText(date), decision, answer, side: nameOf(gain > 0 ? 0 : 1), points: points.toFixed(1) };
      return el("li", el("p", format(REPORT.lucky, about), open));
    }
    if (!judged) return null;
    return el(
      "li",
      el("p", el("strong", nameOf(judged.side)), `, ${judged.decision}. `, orderText(judged), " ", open),
      judged.why.length ? [el("p", REPORT.plan), listOf("", ...judged.why)] : null,
      beliefs.length ? beliefsView(beliefs) : null,
    );
  };
  void poll(() => api.report());
  return host;
}

/** @param {readonly T.Belief[]} beliefs */
function beliefsView(beliefs) {
  const rows = beliefs.map(({ force, mean, least, most, truth }) =>
    rowOf(force, el("td", format(REPORT.range, { mean: Math.round(mean), least, most })), el("td", truth)),
  );
  return el("details", el("summary", REPORT.estimates), tableOf(REPORT.beliefHeads, rows));
}

// Line charts drawn by hand: two series or three over the turns, told apart by dash and letter, with their numbers in a table.

/** Values one for each turn; null where nothing is known. @typedef {{side: number, name: string, values: readonly (number | null)[]}} Series */

/**
 * @typedef {object} Chart
 * @property {string} title
 * @property {string} text a sentence that explains it
 * @property {readonly string[]} dates of the turns
 * @property {readonly {at: number, label: string}[]} years where they begin
 * @property {readonly Series[]} series
 * @property {readonly number[]} [band] what is expected: as much above and below 0, for each turn
 */

/** Letters keep their size, so that a narrow screen gets a narrow chart. */
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [230, 40, 64, 10, 26];

let charts = 0;

/** @param {Chart} chart */
export const lineChart = (chart) =>
  el("figure.chart", el("figcaption", el("h3", chart.title), el("p", chart.text)), picture(chart), numbers(chart));

/** Range and tick steps of a chart. @param {Chart} chart */
function scaleOf({ series, band = [], dates }) {
  const known = [...series.flatMap(({ values }) => values.filter((value) => value !== null)), ...band, ...band.map((value) => -value), 0];
  const [least, most] = [Math.min(...known), Math.max(...known, 1)];
  const rough = (most - least) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const [low, high] = [Math.floor(least / step) * step, Math.ceil(most / step) * step];
  const steps = Array.from({ length: Math.round((high - low) / step) + 1 }, (_, index) => low + index * step);
  const width = matchMedia("(max-width: 40rem)").matches ? 360 : 640;
  const x = (/** @type {number} */ at) => LEFT + ((width - LEFT - RIGHT) * at) / Math.max(1, dates.length - 1);
  const y = (/** @type {number} */ value) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - value)) / (high - low);
  return { x, y, steps, width };
}

/** @param {Chart} chart */
function picture(chart) {
  const { x, y, steps, width } = scaleOf(chart);
  const { band = [] } = chart;
  const above = band.map((value, at) => `${x(at)},${y(value)}`);
  const below = band.map((value, at) => `${x(at)},${y(-value)}`).reverse();
  const id = `chart-${(charts += 1)}`;
  const rulers = steps.map((step) => [
    svg("line", { class: step === 0 ? "axis" : "ruler", x1: LEFT, x2: width - RIGHT, y1: y(step), y2: y(step) }),
    svg("text.scale", { x: LEFT - 6, y: y(step) + 4 }, tidy(step)),
  ]);
  const years = chart.years.map(({ at, label }) => [
    svg("line.ruler", { x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM }),
    svg("text.year", { x: x(at) + 3, y: HEIGHT - 8 }, label),
  ]);
  return svg(
    "svg",
    { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-labelledby": `${id}-title ${id}-desc` },
    svg("title", { id: `${id}-title` }, chart.title),
    svg("desc", { id: `${id}-desc` }, `${chart.text} ${chart.series.map(inWords).join(" ")}`),
    rulers.flat(),
    years.flat(),
    band.length ? svg("polygon.band", { points: [...above, ...below].join(" ") }) : null,
    ...chart.series.flatMap((series) => curves(series, x, y)),
    namesOf(chart.series, x, y),
  );
}

const tidy = (/** @type {number} */ value) => String(Math.round(value * 100) / 100).replace("-", "−");

/** @param {Series} series */
function inWords({ name, values }) {
  const known = values.filter((value) => value !== null);
  if (!known.length) return format(REPORT.unknownSeries, { name });
  return format(REPORT.inWords, {
    name,
    first: tidy(known[0] ?? 0),
    last: tidy(known.at(-1) ?? 0),
    least: tidy(Math.min(...known)),
    most: tidy(Math.max(...known)),
  });
}

/** @typedef {(value: number) => number} Scale */

/** A curve for each run of known values. @param {Series} series @param {Scale} x @param {Scale} y */
function curves({ side, values }, x, y) {
  /** @type {string[][]} */
  const runs = [[]];
  values.forEach((value, at) => {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push(`${x(at).toFixed(1)},${y(value).toFixed(1)}`);
  });
  return runs.filter((run) => run.length).map((run) => svg("polyline.curve", { "data-side": side, points: run.join(" ") }));
}

/** Names at the ends of the curves, moved apart where they overlap. @param {readonly Series[]} series @param {Scale} x @param {Scale} y */
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
  return ends.map(({ side, name, x, y }) => svg("text.name", { "data-side": side, x, y }, name));
}

/** @param {Chart} chart */
function numbers({ title, dates, series }) {
  const head = [PANELS.whichTurn, ...series.map(({ name }) => name)];
  const shown = (/** @type {number | null | undefined} */ value) => el("td", value === null ? REPORT.unknown : tidy(value ?? 0));
  const rows = dates.map((date, at) => rowOf(date, ...series.map(({ values }) => shown(values[at]))));
  const table = tableOf(head, rows);
  table.prepend(el("caption.visually-hidden", title));
  return el("details.no-print", el("summary", REPORT.numbers), wideTable(title, table));
}

// How lucky each side's dice were, added up over the war.

const MIDDLING = 0.5;
/** Variance of one roll's luck, which is uniform between 0 and 1. */
const VARIANCE = 1 / 12;
/** Standard deviations that contain 95 % of games. */
const NINETEEN = 1.96;

/**
 * For each turn and side: total luck of its earlier rolls, and the number of rolls.
 * @param {readonly T.ChronicleLine[]} lines @param {readonly T.TurnMark[]} marks the last one stands for now
 */
export function luckOf(lines, marks) {
  const sums = [0, 0];
  const rolls = [0, 0];
  let next = 0;
  return marks.map(({ n }, at) => {
    for (; next < lines.length && (at === marks.length - 1 || (lines[next]?.n ?? 0) < n); next += 1) {
      for (const { side, value } of lines[next]?.entry.luck ?? []) {
        sums[side] = (sums[side] ?? 0) + value - MIDDLING;
        rolls[side] = (rolls[side] ?? 0) + 1;
      }
    }
    return { sums: [...sums], rolls: [...rolls] };
  });
}

/** Bound that the luck of this many rolls stays within in 95 % of games. @param {number} rolls */
export const expected = (rolls) => NINETEEN * Math.sqrt(rolls * VARIANCE);

// The sieges of a campaign, roll by roll.

/**
 * A table of sieges and of overrun forces.
 * @param {{dates: readonly string[], scene: T.Scene, store: Store}} campaign @param {readonly T.ChronicleLine[]} lines
 */
export function sieges({ dates, scene, store }, lines) {
  const rows = lines
    .filter(({ entry }) => !entry.battle && (entry.topic === "battle" || entry.topic === "siege"))
    .map(({ turn, entry: { side = 2, text, dice = [] } }) =>
      rowOf(dates[turn] ?? "", el("td", sideBadge(store, side)), el("td", text), el("td", dice.map(die))),
    );
  if (!rows.length) return el("p", noRolls(store.setting, scene));
  const found = wideTable(PANELS.sieges, tableOf(REPORT.siegeHeads, rows));
  found.classList.add("fights");
  return found;
}

/** Text for sieges before any roll. @param {T.Setting} setting @param {T.Scene} scene */
export function noRolls({ fortresses }, { holdings }) {
  const besieged = fortresses.filter(({ place }) => holdings[place]?.siege).map(({ name }) => name);
  return besieged.length ? format(REPORT.besieged, { towns: besieged.join(", ") }) : REPORT.noSiege;
}
