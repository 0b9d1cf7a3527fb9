// The scenarios to choose from: whole wars, single years, and what fits an evening, with their length and par.

import { el, plural, sentence } from "../dom.js";

/** @import * as T from "../../types" */

/** What is over soonest stands first, and its first one is what a new game begins with. @type {[string, string][]} */
const KINDS = [
  ["evening", "For an evening"],
  ["year", "Single years"],
  ["war", "Whole wars"],
];

/** A list of the scenarios by their kinds, and under it what the chosen one asks for. @param {T.Setting} rules */
export function scenarioView(rules) {
  const about = el("p", { class: "muted small", role: "status" });
  const select = el("select", { name: "scenario", onchange: () => tell() }, ...groupsOf(rules.scenarios));
  const tell = () => {
    const chosen = rules.scenarios.find(({ name }) => name === select.value);
    about.textContent = chosen ? [lengthOf(chosen), parOf(chosen, rules.sides)].filter(Boolean).join(" ") : "";
  };
  tell();
  return el("div", { class: "scenario" }, el("label", { class: "option" }, el("span", {}, "Scenario"), select), about);
}

/** @param {readonly T.ScenarioCard[]} scenarios */
function groupsOf(scenarios) {
  const groups = KINDS.map(([kind, label]) => ({ label, found: scenarios.filter((one) => (one.kind ?? "evening") === kind) }));
  return groups.filter(({ found }) => found.length).map(({ label, found }) => el("optgroup", { label }, ...found.map(optionOf)));
}

/** @param {T.ScenarioCard} one */
function optionOf({ name, text }) {
  return el("option", { value: name }, text);
}

/** How long it may last, as a sentence. @param {T.ScenarioCard} one */
export function lengthOf({ kind = "evening", years = 1, turns = 0, minutes = 0 }) {
  if (!turns) return "";
  const long = minutes < 60 ? `${Math.round(minutes / 10) * 10} minutes` : plural(Math.round(minutes / 60), "hour");
  const time = minutes ? `, about ${long} against the machine` : "";
  return kind === "war" ? `Up to ${plural(years, "year")}, ${turns} turns${time}.` : `${plural(turns, "turn")}${time}.`;
}

/** Which end is even, as a sentence. @param {T.ScenarioCard} one @param {readonly string[]} sides */
export function parOf({ par }, sides) {
  if (par === undefined || par === null) return "";
  if (!par) return "Even play ends with as many victory points for both.";
  const ahead = sentence(sides[par > 0 ? 0 : 1] ?? "");
  const article = /( side|^Coalition)$/.test(ahead) ? "the " : "";
  return `Even play ends with ${article}${ahead} ${plural(Math.abs(par), "victory point")} ahead.`;
}
