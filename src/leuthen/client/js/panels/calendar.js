// The calendar: the year's turns with its winter, and the sequence of play with the present stage lit.

import { ruleLink } from "../bits.js";
import { el, fill } from "../dom.js";
import { dateOf, sideBadge, whenChanged } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @type {Record<string, string>} */
const WORDS = { past: "done", now: "now", next: "to come" };

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  whenChanged(host, ctx, ["year", "turn", "stages", "phase", "title"], () => {
    const { scene, setting } = ctx.store;
    fill(
      host,
      el("h3", {}, dateOf(setting, scene)),
      el("p", {}, scene.phase),
      yearOf(setting, scene),
      el("h3", {}, "Sequence of play"),
      el(
        "ol",
        { class: "stages plain" },
        scene.stages.map((stage) => stageOf(ctx, stage)),
      ),
      el("p", { class: "muted" }, comesNext(setting, scene, ctx.store.table.scenario)),
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
      { class: isWinter ? "winter" : "", "aria-current": isNow ? "date" : undefined, title: date + (isWinter ? ", winter" : "") },
      el("b", {}, index + 1, isWinter ? " ❄" : ""),
      el("span", { "aria-hidden": "true" }, shortened(date)),
      el("span", { class: "visually-hidden" }, date, isWinter ? ", winter" : ""),
    );
  });
  return el("ol", { class: "year plain", "aria-label": `The turns of ${year}` }, days);
}

/** «late Aug» of «late August». @param {string} date */
function shortened(date) {
  return date.replace(/[A-Z]\w+$/, (month) => month.slice(0, 3));
}

/** @param {Context} ctx @param {T.Stage} stage */
function stageOf(ctx, { name, rule, when, side = 2 }) {
  const word = WORDS[when] ?? when;
  return el(
    "li",
    { class: when, "aria-current": when === "now" ? "step" : undefined },
    side === 2 ? null : sideBadge(ctx.store, side),
    el("span", {}, name),
    el("span", { class: "when" }, word),
    ruleLink(ctx, rule),
  );
}

/** What comes after this turn, and when winter begins, if it does before the end. @param {T.Setting} setting @param {Pick<T.Scene, "year" | "turn">} scene @param {string} scenario */
export function comesNext(setting, { year, turn }, scenario) {
  const card = setting.scenarios.find(({ name }) => name === scenario);
  const [lastYear, lastTurn] = card?.ends ?? [setting.years[1], setting.turns.length];
  const most = year < lastYear ? setting.turns.length : Math.min(lastTurn, setting.turns.length);
  const end = card?.kind === "war" ? "the end of the war" : "the end of the scenario";
  const next = turn < most ? `${setting.turns[turn]} ${year}` : year < lastYear ? `the year ${year + 1}` : end;
  const winters = setting.winter ?? [];
  const winter = winters.find((index) => index >= turn);
  if (winter === undefined || turn === 0 || winter >= most || winters.includes(turn - 1)) return `Next: ${next}.`;
  const turns = winter + 1 - turn;
  return `Next: ${next}. Winter begins ${turns === 1 ? "then" : `in ${turns} turns`}.`;
}
