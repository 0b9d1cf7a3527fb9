// Makes games: against the machine, at one screen, by link, from a record.

import { importProgress, importRecord, newGame, newKey, refusal, rulesets, setting } from "../session/api.js";
import { LENGTH, chainToBe } from "../session/hashes.js";
import { byId, el, fill, format, listOf, optionsOf, plural, sentence } from "../dom.js";
import { fetchSheetText } from "../map/sheet.js";
import { showMessage } from "../dialog.js";
import { keepName, nameFields, namedIn, ownName, parOf } from "../players.js";
import { invite } from "./invite.js";
import { COMMON } from "../strings/common.js";
import { MAKER } from "../strings/home.js";

/** @import * as T from "../../types" */

/** @typedef {"machine" | "screen" | "link" | "import"} Way */

/** Bind the buttons of the page. */
export function mountMaker() {
  const buttons = [...byId("ways").querySelectorAll("button")];
  for (const button of buttons) {
    const way = /** @type {Way} */ (button.dataset.way);
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", async () => {
      for (const one of buttons) {
        one.setAttribute("aria-pressed", String(one === button));
        one.classList.toggle("primary", one === button);
      }
      if (way === "import") showImport();
      else
        await rulesets()
          .then((lines) => showMaker(way, lines[0]?.name ?? ""))
          .catch(tell);
    });
  }
}

const tell = (/** @type {unknown} */ error) => showMessage(refusal(error).problem.detail, { stays: true });

/** @param {Way} way @param {string} ruleset */
async function showMaker(way, ruleset) {
  const [lines, rules] = await Promise.all([rulesets(), setting(ruleset)]);
  const line = lines.find((one) => one.name === ruleset);
  const takebacks = MAKER.takebackKinds[way === "machine" ? "machine" : "people"];
  const props = { type: "submit", dataset: { do: "begin" } };
  const begin = el("button.primary", props, way === "link" ? MAKER.createLink : MAKER.start);
  const kinds = lines.map(({ name, title }) => /** @type {[string, string]} */ ([name, title]));
  const sides = rules.sides.map((name, index) => /** @type {[string, string]} */ ([String(index), sentence(name)]));
  const change = (/** @type {Event} */ { target }) => void showMaker(way, /** @type {HTMLInputElement} */ (target).value);
  const form = el(
    "form.plate.maker",
    { onsubmit: (/** @type {Event} */ event) => void make(event, way, rules) },
    el("p.prose", MAKER[way]),
    lines.length > 1 ? radios("ruleset", MAKER.rules, kinds, { chosen: rules.ruleset, onchange: change }) : null,
    scenarioView(rules, way === "machine"),
    way === "screen" ? null : radios("side", MAKER.yourSide, sides),
    way === "machine" ? botsView(line?.bots ?? []) : null,
    way === "link" ? pacesView() : null,
    radios("takebacks", MAKER.takebacks, Object.entries(takebacks), { about: MAKER.aboutTakebacks }),
    ...namesView(way, rules),
    el(
      "label.option",
      el("span", MAKER.gameName),
      el("input", { name: "title", maxlength: 80, autocomplete: "off", placeholder: MAKER.gameNameHint }),
    ),
    moreView(rules),
    el("div.row.maker-end", begin),
  );
  fill(byId("made"), form);
  form.scrollIntoView();
  begin.focus({ preventScroll: true });
  void fetchSheetText(rules.ruleset).catch(() => undefined); // drawn, and fetched, while the player chooses
}

/** The machine levels from the easiest to the hardest, with their measured strength folded. @param {readonly T.BotLine[]} bots */
function botsView(bots) {
  const names = Object.keys(MAKER.levels);
  const sorted = bots.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const levels = sorted.map(({ name, title, text }) => {
    const [level = title, line = sentence(text)] = MAKER.levels[name] ?? [];
    return /** @type {[string, Node]} */ ([name, el("span", el("strong", format(MAKER.level, { level, title })), " ", line)]);
  });
  const strengths = sorted.map(({ title, text }) => [el("strong", title), `: ${text}.`]);
  const view = radios("bot", MAKER.opponent, levels, {
    look: "choice.levels",
    chosen: sorted.find(({ name }) => name === "captain")?.name,
  });
  view.append(el("details", el("summary", MAKER.howStrong), listOf("small", ...strengths)));
  return view;
}

/** The paces of a game by link, with what the proof shows for each. */
function pacesView() {
  const paces = Object.entries(MAKER.paces).map(([pace, [name = "", ...about]]) => {
    const lines = about.map((line) => el("span.muted.small", " ", line));
    return /** @type {[string, Node]} */ ([pace, el("span", el("strong", name), ...lines)]);
  });
  return radios("pace", MAKER.pace, paces, { look: "choice.levels" });
}

/**
 * @param {string} name @param {string} label @param {readonly (readonly [string, string | Node])[]} values
 * @param {{look?: string, about?: string, chosen?: string | undefined, onchange?: (event: Event) => void}} [more] `chosen` is the default, if not the first
 */
function radios(name, label, values, { look = "choice", about, chosen = values[0]?.[0], onchange } = {}) {
  const buttons = values.map(([value, text]) =>
    el("label.check", el("input", { type: "radio", name, value, checked: value === chosen, onchange }), text),
  );
  return el(`fieldset.${look}`, el("legend", label), el("div.row", ...buttons), about ? el("p.muted.small", about) : null);
}

/** Name fields of the players at this browser. @param {Way} way @param {T.Setting} rules */
function namesView(way, rules) {
  if (way !== "screen") return [nameFields(MAKER.yourName, ownName())];
  const [first = "", second = ""] = rules.sides.map((side) => format(MAKER.nameOf, { side: sentence(side) }));
  return [nameFields(first, ownName(), "0"), nameFields(second, {}, "1")];
}

/** Options that few players change. @param {T.Setting} rules */
function moreView(rules) {
  const advice = Object.entries({ yes: COMMON.allowed, no: COMMON.notAllowed });
  return el(
    "details.more",
    el("summary", MAKER.more),
    optionView("helps", MAKER.advice, MAKER.aboutAdvice, advice),
    ...rules.options
      .filter(({ values }) => values.length > 1)
      .map(({ name, text, values }) => {
        const [label = sentence(inWords(name)), words = {}] = MAKER.options[name] ?? [];
        const named = values.map((value) => [value, words[value] ?? inWords(value)]);
        return optionView(`option:${name}`, label, text, named);
      }),
  );
}

/** @param {string} name @param {string} label @param {string} about @param {readonly string[][]} values with their words */
const optionView = (name, label, about, values) =>
  el("label.option", el("span", el("strong", label), el("span.muted.small", about)), el("select", { name }, ...optionsOf(values)));

/** The name of an option or value in words: `need25` becomes `need 25`. @param {string} name */
const inWords = (name) =>
  name
    .replace(/([a-z])(?=[A-Z\d])/g, "$1 ")
    .replaceAll("-", " ")
    .toLowerCase();

/** @param {Event} event @param {Way} way @param {T.Setting} rules */
async function make(event, way, rules) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const data = new FormData(form);
  const text = (/** @type {string} */ name) => String(data.get(name));
  const begin = /** @type {HTMLButtonElement} */ (form.querySelector("[data-do=begin]"));
  begin.disabled = true;
  try {
    const own = namedIn(data);
    if (way !== "screen") keepName(own);
    const other = way === "link" ? "link" : text("bot");
    const isSecond = text("side") === "1";
    /** @type {[string, string]} */
    const players = way === "screen" ? ["me", "me"] : isSecond ? [other, "me"] : ["me", other];
    const part = way === "screen" ? null : chainToBe();
    // An option with a single value is not asked; one at its default is not sent.
    const options = rules.options.map(({ name, values }) => [name, String(data.get(`option:${name}`) ?? values[0]), values[0]]);
    const made = await newGame({
      players,
      ruleset: rules.ruleset,
      scenario: text("scenario"),
      options: Object.fromEntries(options.filter(([, value, first]) => value !== first)),
      title: text("title").trim(),
      helps: text("helps") === "yes",
      takebacks: text("takebacks"),
      sitting: way === "screen" ? [namedIn(data, "0"), namedIn(data, "1")] : isSecond ? [{}, own] : [own, {}],
      ...(data.has("pace") ? { pace: text("pace") } : {}),
      ...(part ? { chain: { top: part.chain.top, length: LENGTH, why: "first" } } : {}),
    });
    const seat = made.seats.find((one) => one.seat)?.seat;
    if (part && seat) part.keepFor(seat);
    await invite(made);
  } catch (error) {
    begin.disabled = false;
    tell(error);
  }
}

// --- the scenarios to choose from: whole wars, single years, and what fits an evening, with their length and par ---

/** The scenarios by kind, with details of the selected one. @param {T.Setting} rules @param {boolean} isMachine whether a machine plays */
function scenarioView({ scenarios, sides }, isMachine) {
  const about = el("p.muted.small", { role: "status" });
  const groups = Object.entries(MAKER.kinds).map(([kind, label]) => {
    const found = scenarios.filter((one) => (one.kind ?? "evening") === kind);
    return found.length ? el("optgroup", { label }, ...optionsOf(found.map(({ name, text }) => [name, text]))) : null;
  });
  const show = () => {
    const chosen = scenarios.find(({ name }) => name === select.value);
    about.textContent = chosen ? [lengthOf(chosen, isMachine), parOf(chosen, sides)].filter(Boolean).join(" ") : "";
  };
  const select = el("select", { name: "scenario", onchange: show }, ...groups);
  show();
  return el("div.scenario", el("label.option", el("span", MAKER.scenario), select), about);
}

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

// --- a game from its record ---

/** Choose who continues the game, by the record's names of its sides. @param {string} record */
function playersOn(record) {
  const [one = MAKER.firstSide, other = MAKER.secondSide] = [...record.matchAll(/^seat ([a-z]+)/gm)].map(([, side]) => sentence(side));
  return optionsOf([
    ["me me", MAKER.oneScreen],
    ["me link", format(MAKER.byLink, { side: one })],
    ["link me", format(MAKER.byLink, { side: other })],
  ]);
}

/** Interval between two requests for progress, in ms. */
const LOOK = 400;

/** Show the progress of an import until the returned function is called. @param {Element} into @param {string} key @param {number} lines */
function follow(into, key, lines) {
  const bar = el("progress");
  const count = el("span.muted.small", { "aria-hidden": true }); // the bar itself is read aloud when asked for
  const said = format(MAKER.replaying, { lines: plural(lines, MAKER.line) });
  fill(into, el("label", said, bar, " ", count));
  const show = (/** @type {T.ImportProgress} */ { done, total }) => {
    if (!total) return;
    bar.max = total;
    bar.value = done;
    count.textContent = format(MAKER.progress, { done: done.toLocaleString("en"), total: total.toLocaleString("en") });
  };
  const timer = setInterval(() => void importProgress(key).then(show).catch(refusal), LOOK); // the next look may be answered
  return () => {
    clearInterval(timer);
    fill(into);
  };
}

function showImport() {
  const list = () => fill(players, ...playersOn(text.value));
  const text = el("textarea.mono", {
    rows: 6,
    "aria-label": MAKER.record,
    placeholder: "leuthen record 1 …",
    spellcheck: "false",
    oninput: list,
  });
  const players = el("select", ...playersOn(""));
  const onchange = async () => {
    text.value = (await file.files?.[0]?.text()) ?? "";
    list();
  };
  const file = el("input", { type: "file", accept: ".leuthen,text/plain", "aria-label": MAKER.file, onchange });
  const open = el("button.primary", { type: "submit" }, MAKER.open);
  const reading = el("div", { role: "status" });
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const key = newKey();
    const stop = follow(reading, key, text.value.split("\n").length);
    open.disabled = true;
    const [first = "me", second = "me"] = players.value.split(" ");
    await importRecord(text.value, first, second, key).then(invite).catch(tell);
    open.disabled = false;
    stop();
  };
  fill(
    byId("made"),
    el(
      "form.plate.maker.stack",
      { onsubmit },
      el("p.prose", MAKER.import),
      file,
      text,
      el("label.option", el("span", MAKER.playOn), players),
      el("div.row", open, reading),
    ),
  );
  file.focus();
}
