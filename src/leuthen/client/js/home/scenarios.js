// The scenarios to choose from: whole wars, single years, and what fits an evening, with their length and par.

import { el, format, plural, sentence } from "../dom.js";
import { COMMON } from "../strings/common.js";
import { MAKER } from "../strings/home.js";

/** @import * as T from "../../types" */

/** Shortest kinds first; the first scenario is the default of a new game. @type {[string, string][]} */
const KINDS = [
  ["evening", MAKER.evening],
  ["year", MAKER.singleYears],
  ["war", MAKER.wholeWars],
];

/** The scenarios by kind, with details of the selected one. @param {T.Setting} rules @param {boolean} isMachine whether a machine plays */
export function scenarioView(rules, isMachine) {
  const about = el("p.muted.small", { role: "status" });
  const select = el("select", { name: "scenario", onchange: () => tell() }, ...groupsOf(rules.scenarios));
  const tell = () => {
    const chosen = rules.scenarios.find(({ name }) => name === select.value);
    about.textContent = chosen ? [lengthOf(chosen, isMachine), parOf(chosen, rules.sides)].filter(Boolean).join(" ") : "";
  };
  tell();
  return el("div.scenario", el("label.option", el("span", MAKER.scenario), select), about);
}

/** @param {readonly T.ScenarioCard[]} scenarios */
function groupsOf(scenarios) {
  const groups = KINDS.map(([kind, label]) => ({ label, found: scenarios.filter((one) => (one.kind ?? "evening") === kind) }));
  return groups.filter(({ found }) => found.length).map(({ label, found }) => el("optgroup", { label }, ...found.map(optionOf)));
}

/** @param {T.ScenarioCard} one */
const optionOf = ({ name, text }) => el("option", { value: name }, text);

/** Expected duration as a sentence; in minutes only against the machine. @param {T.ScenarioCard} one @param {boolean} [isMachine] */
export function lengthOf({ kind = "evening", years = 1, turns = 0, minutes = 0 }, isMachine = true) {
  if (!turns) return "";
  const long =
    minutes < 60 ? format(MAKER.minutes, { minutes: Math.round(minutes / 10) * 10 }) : plural(Math.round(minutes / 60), COMMON.hour);
  const time = minutes && isMachine ? format(MAKER.duration, { time: long }) : "";
  return kind === "war"
    ? format(MAKER.upTo, { years: plural(years, COMMON.year), turns, time })
    : format(MAKER.turns, { turns: plural(turns, COMMON.turn), time });
}

/** The even result of a scenario, as a sentence. @param {T.ScenarioCard} one @param {readonly string[]} sides */
export function parOf({ par }, sides) {
  if (par === undefined || par === null) return "";
  if (!par) return MAKER.evenPar;
  const ahead = sentence(sides[par > 0 ? 0 : 1] ?? "");
  return format(MAKER.par, { side: ahead, points: Math.abs(par) });
}
