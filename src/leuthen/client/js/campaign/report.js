// The staff's report on a war that is over: made when somebody asks for it, with how far it is; then the chances, the
// ledger, the errors and the moments, each of which opens on the board.

import { sentence } from "../bits.js";
import { el, fill } from "../dom.js";
import { dateOf } from "../panels/parts.js";
import { lineChart } from "./charts.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { Store } from "../session/store.js" */

/** ms between two looks at how far it is. */
const PAUSE = 1500;
const SHOWN = new Set(["small", "medium", "large"]);

/** The section of the campaign page. */
export class ReportView {
  /** @param {SeatApi} api @param {Store} store */
  constructor(api, store) {
    this.api = api;
    this.store = store;
    this.host = el("div", { class: "staff-report" }, el("p", { class: "muted", role: "status" }, "…"));
    void this.#follow(() => api.report());
  }

  /** Shows what there is, and looks again as long as it is being made. @param {() => Promise<T.Reported>} ask */
  async #follow(ask) {
    try {
      this.#show(await ask());
    } catch (error) {
      fill(this.host, el("p", {}, error instanceof Error ? error.message : String(error)));
    }
  }

  /** @param {T.Reported} found */
  #show(found) {
    const { stage, said } = found;
    if (found.report) fill(this.host, this.#whole(found.report, found.news));
    else if (stage === "none") fill(this.host, el("p", {}, said));
    else if (!stage || stage === "failed") fill(this.host, this.#offer(said));
    else {
      fill(this.host, this.#underWay(found));
      setTimeout(() => void this.#follow(() => this.api.report()), PAUSE);
    }
  }

  /** @param {string} said why it was not made before */
  #offer(said) {
    const ask = () => void this.#follow(() => this.api.beginReport());
    return [
      el(
        "p",
        {},
        "What each side's chance was, what decisions cost by what was known then, what the dice brought, and the moments that mattered. It takes some minutes.",
      ),
      said ? el("p", { class: "note bad", role: "alert" }, said) : null,
      el("p", {}, el("button", { type: "button", class: "primary", onclick: ask }, said ? "Try again" : "Have the staff report")),
    ];
  }

  /** @param {T.Reported} found */
  #underWay({ stage, done, total }) {
    const words = total ? `The staff tries ${stage}: ${done} of ${total}.` : "The staff reads what each side could know.";
    return [
      el("p", { role: "status" }, words),
      el("progress", { max: total || 1, value: total ? done : undefined, "aria-label": "The report" }),
    ];
  }

  /** @param {T.WarReport} report @param {readonly number[]} news */
  #whole(report, news) {
    return [
      this.#chances(report),
      this.#ledger(report),
      el("h3", {}, "Decisions"),
      report.known.map((known) => this.#decisions(known)),
      el("h3", {}, "The moments that mattered"),
      el(
        "ol",
        { class: "staff-moments" },
        report.moments.map((moment, at) => this.#moment(moment, news[at] ?? 0)),
      ),
      el("p", { class: "muted" }, `Chances by the learned value ${report.evaluator}, of wars as the machine would play them on.`),
    ].flat();
  }

  /** @param {T.WarReport} report */
  #chances({ chances }) {
    const name = (/** @type {number} */ side) => sentence(this.store.sideName(side));
    const points = (/** @type {number} */ chance) => Math.round(chance * 1000) / 10;
    const known = [0, 1].map((side) => ({ side, name: name(side), values: chances.map((one) => points(one.known[side] ?? 0)) }));
    return lineChart({
      title: `The chance of ${name(0)}`,
      text: `In per cent, when each turn began: as ${name(0)} could know it, as ${name(1)} could, and with open cards.`,
      dates: chances.map(({ date }) => this.#date(date)),
      years: chances.flatMap(({ date: [year] }, at) => (year !== chances[at - 1]?.date[0] ? [{ at, label: String(year) }] : [])),
      series: [...known, { side: 2, name: "open", values: chances.map(({ open }) => points(open)) }],
    });
  }

  /** @param {readonly [number, number]} date */
  #date([year, turn]) {
    return dateOf(this.store.setting, { year, turn });
  }

  /** @param {T.WarReport} report */
  #ledger({ years, account }) {
    const names = [0, 1].map((side) => sentence(this.store.sideName(side)));
    const head = ["", "From", "To", "Luck", ...names, "Evaluator"].map((word) => el("th", { scope: "col" }, word));
    const row = (/** @type {string} */ label, /** @type {T.ChanceAccount} */ of) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, label),
        [of.initial, of.final].map((chance) => el("td", { class: "number" }, `${Math.round(chance * 100)} %`)),
        [of.luck, ...of.decisions, of.evaluator].map((gain) => el("td", { class: "number" }, signed(gain * 100))),
      );
    const rows = [...years.map(([year, of]) => row(String(year), of)), row("The war", account)];
    const table = el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
    return [
      el("h3", {}, `Where the chance of ${names[0]} went`),
      el(
        "p",
        {},
        "In points. Luck: dice against what was to be expected. The sides: what they did worse, or better, than their staffs. Evaluator: what neither explains.",
      ),
      el("div", { class: "scroll-x", tabindex: 0, role: "group", "aria-label": "The ledger" }, table),
    ];
  }

  /** @param {T.SideReport} known */
  #decisions({ side, judged, alike, tried }) {
    const errors = judged.filter(({ grade }) => SHOWN.has(grade));
    const count = (/** @type {string} */ grade) => errors.filter((one) => one.grade === grade).length;
    const words = `${sentence(this.store.sideName(side))}: ${alike} of ${alike + tried} decisions as the staff would have done; errors: ${count("large")} large, ${count("medium")} medium, ${count("small")} small.`;
    if (!errors.length) return el("p", {}, words);
    return el(
      "details",
      {},
      el("summary", {}, words),
      el(
        "ul",
        {},
        errors.map((one) => el("li", {}, this.#ordered(one))),
      ),
    );
  }

  /** @param {T.Judgement} judged */
  #ordered({ date, order, staff, cost, grade, error }) {
    return [
      `${this.#date(date)}: `,
      el("q", {}, order),
      "; the staff: ",
      el("q", {}, staff),
      `. ${sentence(grade)}: ${cost.toFixed(1)} points (± ${error.toFixed(1)}).`,
    ];
  }

  /** @param {T.KeyMoment} moment @param {number} n */
  #moment({ judged, luck, points, beliefs }, n) {
    const open = el("a", { href: `/table/${encodeURIComponent(this.api.seat)}#at=${n}` }, "See it on the board");
    if (luck) {
      const whose = sentence(this.store.sideName(luck.gain > 0 ? 0 : 1));
      return el(
        "li",
        {},
        el("p", {}, `${this.#date(luck.date)}: ${luck.decision}, ${luck.answer}. Luck of ${whose}: ${points.toFixed(1)} points. `, open),
      );
    }
    if (!judged) return null;
    return el(
      "li",
      {},
      el("p", {}, el("strong", {}, sentence(this.store.sideName(judged.side))), `, ${judged.decision}. `, this.#ordered(judged), " ", open),
      judged.why.length
        ? [
            el("p", {}, "The staff's plan:"),
            el(
              "ul",
              {},
              judged.why.map((line) => el("li", {}, line)),
            ),
          ]
        : null,
      beliefs.length ? this.#beliefs(beliefs) : null,
    );
  }

  /** @param {readonly T.Belief[]} beliefs */
  #beliefs(beliefs) {
    const head = ["The enemy's force", "taken to be", "was"].map((word) => el("th", { scope: "col" }, word));
    const rows = beliefs.map(({ force, mean, least, most, truth }) =>
      el("tr", {}, el("th", { scope: "row" }, force), el("td", {}, `${Math.round(mean)} (${least} to ${most})`), el("td", {}, truth)),
    );
    return el(
      "details",
      {},
      el("summary", {}, "What was believed, and what was"),
      el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
    );
  }
}

/** A number of points with its sign. @param {number} points */
export function signed(points) {
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
}
