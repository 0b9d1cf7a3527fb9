// The page of the school: the lessons of each game, in the order in which they are taken.

import { Refused, SeatApi, decoded, drills, refusal, rulesets, school, toDrill, toLesson } from "../session/api.js";
import { byId, el, fill, format, plural } from "../dom.js";
import { watchTab } from "../players.js";
import { COMMON } from "../strings/common.js";
import { SCHOOL } from "../strings/pages.js";

/** @import * as T from "../../types" */

const host = byId("lessons");

/** @param {unknown} error */
function failed(error) {
  const { detail } = refusal(error).problem;
  host.removeAttribute("aria-busy");
  host.prepend(el("p.note.bad", { role: "alert" }, detail));
}

/** @typedef {T.LessonCard & {at: T.LessonState | null}} Card a lesson, and where one stands in the game of it that goes on */

/** @param {T.LessonCard} lesson @returns {Promise<Card>} */
async function cardOf(lesson) {
  const at = lesson.begun ? await new SeatApi(lesson.begun).lesson().catch(refusal) : null;
  return { ...lesson, at: at instanceof Refused ? null : at }; // what cannot be gone on with is begun anew
}

/** @param {Card} lesson @param {boolean} isFirst */
function lessonView({ name, title, about, minutes, begun, at }, isFirst) {
  const isOpen = at !== null && at.done < at.steps;
  const begin = at ? SCHOOL.again : SCHOOL.start;
  const button = { class: isFirst && !at ? "primary" : "", dataset: { lesson: name }, onclick: () => void toLesson(name).catch(failed) };
  const onward = { href: `/table/${begun}`, dataset: { goOn: name }, "aria-label": format(SCHOOL.continueLesson, { title }) };
  const where = isOpen
    ? format(SCHOOL.underWay, { step: at.done + 1, steps: at.steps })
    : at
      ? SCHOOL.completed
      : format(SCHOOL.about, { time: plural(minutes, COMMON.minute) });
  return el(
    "li.plate.lesson-card",
    el("h3", title),
    el("p", about),
    el(
      "p.row",
      isOpen ? el("a.button.primary", onward, SCHOOL.continue) : null,
      el("button", { ...button, "aria-label": `${begin}: ${title}` }, begin),
      el("span.muted.small", where),
    ),
  );
}

/** The drills of a game, fetched when opened. @param {string} ruleset @param {string} rule whose drills are wanted, or "" for all */
function drillsView(ruleset, rule) {
  const body = el("div.drill-chapters");
  const show = async () => {
    if (body.childElementCount) return;
    const chapters = (await drills(ruleset)).chapters.map(({ title, drills: list }) => {
      const wanted = list.filter(({ rules }) => !rule || rules.includes(rule)).map(drillView);
      return wanted.length ? el("section", { "aria-label": title }, el("h3", title), el("ul.plain.drill-list", ...wanted)) : null;
    });
    fill(body, ...chapters);
  };
  const props = { open: rule !== "", ontoggle: () => void show().catch(failed) };
  if (rule) void show().catch(failed);
  return el("details.drills", props, el("summary", rule ? format(SCHOOL.drillsFor, { rule }) : SCHOOL.drills), body);
}

/** @param {T.DrillLine} drill */
function drillView({ name, title, rules }) {
  const begin = { dataset: { drill: name }, onclick: () => void toDrill(name).catch(failed) };
  return el("li", el("button.quiet", begin, title, " ", el("span.muted.small", rules[0] ?? "")));
}

/** @param {T.RulesetLine} game @param {readonly Card[]} list @param {boolean} isFirst @param {string} rule */
const gameView = ({ name, title }, list, isFirst, rule) =>
  el(
    "section",
    { "aria-label": title },
    el("h2", title),
    rule ? drillsView(name, rule) : null,
    el("ol.plain.lesson-list", ...list.map((lesson, at) => lessonView(lesson, isFirst && !at))),
    drillsView(name, ""),
  );

/** Open the page for the drills of a rule: `/learn#frederick/O5.3`. */
async function main() {
  const [known, games] = await Promise.all([school(), rulesets()]);
  const lessons = await Promise.all(known.lessons.map(cardOf));
  const [wanted, rule = ""] = decoded(location.hash.slice(1)).split("/");
  const parts = games
    .map((game) => ({ game, list: lessons.filter((lesson) => lesson.ruleset === game.name) }))
    .filter(({ list }) => list.length)
    .sort((a, b) => Number(b.game.name === wanted) - Number(a.game.name === wanted))
    .map(({ game, list }, at) => gameView(game, list, !at && !rule, game.name === wanted ? rule : ""));
  fill(host, ...parts);
  host.removeAttribute("aria-busy");
}

main().catch(failed);
watchTab(SCHOOL.title);
window.addEventListener("hashchange", () => main().catch(failed));
window.addEventListener("pageshow", ({ persisted }) => persisted && void main().catch(failed)); // back from a table
