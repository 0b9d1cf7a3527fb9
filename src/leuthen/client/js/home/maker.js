// Makes games: against the machine, at one screen, by link, from a record.

import { Refused, importProgress, importRecord, newGame, newKey, rulesets, setting } from "../session/api.js";
import { LENGTH, chainToBe } from "../session/hashes.js";
import { byId, el, fill, format, listOf, plural, sentence } from "../dom.js";
import { fetchSheetText } from "../map/sheet.js";
import { showMessage } from "../dialog.js";
import { scenarioView } from "./scenarios.js";
import { keepName, nameFields, namedIn, ownName } from "../players.js";
import { invite } from "./invite.js";
import { COMMON } from "../strings/common.js";
import { MAKER } from "../strings/home.js";

/** @import * as T from "../../types" */

/** @typedef {"machine" | "screen" | "link" | "import"} Way */

const EXPLAINED = { machine: MAKER.machine, screen: MAKER.screen, link: MAKER.link, import: MAKER.import };

const TAKEBACKS = {
  machine: /** @type {const} */ ([
    ["never", MAKER.noRoll],
    ["free", MAKER.practice],
  ]),
  people: /** @type {const} */ ([
    ["consent", MAKER.consent],
    ["never", MAKER.noRoll],
    ["free", MAKER.anyTime],
  ]),
};
const ABOUT_TAKEBACKS = MAKER.aboutTakebacks;

/** The machine level selected by default. */
const MEDIUM = "captain";

/** Bind the buttons of the page. */
export function mountMaker() {
  for (const button of byId("ways").querySelectorAll("button")) {
    const way = /** @type {Way} */ (button.dataset.way);
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => void open(way));
  }
}

/** @param {Way} way */
async function open(way) {
  for (const button of byId("ways").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", String(button.dataset.way === way));
    button.classList.toggle("primary", button.dataset.way === way);
  }
  try {
    if (way === "import") showImport();
    else await showMaker(way, (await rulesets())[0]?.name ?? "");
  } catch (error) {
    tell(error);
  }
}

/** @param {unknown} error */
function tell(error) {
  if (!(error instanceof Refused)) throw error;
  showMessage(error.problem.detail, { stays: true });
}

/** @param {Way} way @param {string} ruleset */
async function showMaker(way, ruleset) {
  const [lines, rules] = await Promise.all([rulesets(), setting(ruleset)]);
  const line = lines.find((one) => one.name === ruleset);
  const begin = el("button.primary", { type: "submit", dataset: { do: "begin" } }, way === "link" ? MAKER.createLink : MAKER.start);
  const form = el(
    "form.plate.maker",
    { onsubmit: (/** @type {Event} */ event) => void make(event, way, rules) },
    el("p.prose", EXPLAINED[way]),
    lines.length > 1 ? rulesView(lines, rules, (name) => void showMaker(way, name)) : null,
    scenarioView(rules, way === "machine"),
    way === "screen"
      ? null
      : radios(
          "side",
          MAKER.yourSide,
          rules.sides.map((name, index) => [String(index), sentence(name)]),
        ),
    way === "machine" ? botsView(line?.bots ?? []) : null,
    way === "link" ? pacesView() : null,
    radios("takebacks", MAKER.takebacks, TAKEBACKS[way === "machine" ? "machine" : "people"], ABOUT_TAKEBACKS),
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
  void fetchSheetText(rules).catch(() => undefined); // drawn, and fetched, while the player chooses
}

/** The machine levels from the easiest to the hardest, with their measured strength folded. @param {readonly T.BotLine[]} bots */
function botsView(bots) {
  const names = Object.keys(MAKER.levels);
  const sorted = bots.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name));
  const level = (/** @type {T.BotLine} */ { name, title, text }) => {
    const [word = title, line = sentence(text)] = MAKER.levels[name] ?? [];
    return el("span", el("strong", format(MAKER.level, { level: word, title })), " ", line);
  };
  const strengths = sorted.map(({ title, text }) => [el("strong", title), `: ${text}.`]);
  const view = radios(
    "bot",
    MAKER.opponent,
    sorted.map((bot) => [bot.name, level(bot)]),
    "",
    sorted.find(({ name }) => name === MEDIUM)?.name,
  );
  view.classList.add("levels");
  view.append(el("details", el("summary", MAKER.howStrong), listOf("small", ...strengths)));
  return view;
}

/** The paces of a game by link, with what the proof shows for each. */
function pacesView() {
  const paces = Object.entries(MAKER.paces).map(([pace, [name = "", ...about]]) => {
    const lines = about.map((line) => el("span.muted.small", " ", line));
    return /** @type {[string, Node]} */ ([pace, el("span", el("strong", name), ...lines)]);
  });
  const view = radios("pace", MAKER.pace, paces);
  view.classList.add("levels");
  return view;
}

/**
 * @param {string} name @param {string} label @param {readonly (readonly [string, string | Node])[]} values the first is the default @param {string} about @param {string} [chosen] the default, if not the first
 */
function radios(name, label, values, about = "", chosen = values[0]?.[0]) {
  const buttons = values.map(([value, text]) =>
    el("label.check", el("input", { type: "radio", name, value, checked: value === chosen }), text),
  );
  return el("fieldset.choice", el("legend", label), el("div.row", ...buttons), about ? el("p.muted.small", about) : null);
}

/** The choice of a rule set. @param {readonly T.RulesetLine[]} lines @param {T.Setting} rules @param {(name: string) => void} change */
function rulesView(lines, rules, change) {
  const choices = lines.map((one) =>
    el(
      "label.check",
      el("input", {
        type: "radio",
        name: "ruleset",
        value: one.name,
        checked: one.name === rules.ruleset,
        onchange: () => change(one.name),
      }),
      one.title,
    ),
  );
  return el("fieldset.choice", el("legend", MAKER.rules), el("div.row", ...choices));
}

/** Name fields of the players at this browser. @param {Way} way @param {T.Setting} rules */
function namesView(way, rules) {
  if (way !== "screen") return [nameFields(MAKER.yourName, ownName())];
  const [first, second] = rules.sides.map((side) => format(MAKER.nameOf, { side: sentence(side) }));
  return [nameFields(first ?? "", ownName(), "0"), nameFields(second ?? "", {}, "1")];
}

/** @param {Way} way @param {FormData} data @returns {[T.DisplayName, T.DisplayName]} */
function sittingOf(way, data) {
  if (way === "screen") return [namedIn(data, "0"), namedIn(data, "1")];
  const own = namedIn(data);
  keepName(own);
  return data.get("side") === "1" ? [{}, own] : [own, {}];
}

/** Options that few players change. @param {T.Setting} rules */
const moreView = (rules) =>
  el(
    "details.more",
    el("summary", MAKER.more),
    el(
      "label.option",
      el("span", el("strong", MAKER.advice), el("span.muted.small", MAKER.aboutAdvice)),
      el("select", { name: "helps" }, el("option", { value: "yes" }, COMMON.allowed), el("option", { value: "no" }, COMMON.notAllowed)),
    ),
    ...rules.options.filter((option) => option.values.length > 1).map(optionView),
  );

/** The name of an option or value in words: `need25` becomes `need 25`. @param {string} name */
const inWords = (name) =>
  name
    .replace(/([a-z])(?=[A-Z\d])/g, "$1 ")
    .replaceAll("-", " ")
    .toLowerCase();

/** @param {T.OptionCard} option */
function optionView(option) {
  const [label = sentence(inWords(option.name)), words = {}] = MAKER.options[option.name] ?? [];
  const values = option.values.map((value) => el("option", { value }, words[value] ?? inWords(value)));
  return el(
    "label.option",
    el("span", el("strong", label), el("span.muted.small", option.text)),
    el("select", { name: `option:${option.name}` }, ...values),
  );
}

/** @param {FormData} data @param {T.Setting} rules @returns {Record<string, string>} the options that are not at their default */
function optionsOf(data, rules) {
  const asked = rules.options.filter((option) => data.has(`option:${option.name}`)); // one with a single value is not
  const chosen = asked.map((option) => [option.name, String(data.get(`option:${option.name}`)), option.values[0]]);
  return Object.fromEntries(chosen.filter(([, value, first]) => value !== first).map(([name, value]) => [name, value]));
}

/** @param {Way} way @param {FormData} data @returns {[string, string]} */
function playersOf(way, data) {
  if (way === "screen") return ["me", "me"];
  const other = way === "link" ? "link" : String(data.get("bot"));
  return data.get("side") === "1" ? [other, "me"] : ["me", other];
}

/** @param {Event} event @param {Way} way @param {T.Setting} rules */
async function make(event, way, rules) {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const data = new FormData(form);
  const begin = /** @type {HTMLButtonElement} */ (form.querySelector("[data-do=begin]"));
  begin.disabled = true;
  try {
    const players = playersOf(way, data);
    const scenario = String(data.get("scenario"));
    const part = players.filter((who) => who === "me").length === 1 ? chainToBe() : null;
    const made = await newGame({
      players,
      ruleset: rules.ruleset,
      scenario,
      options: optionsOf(data, rules),
      title: String(data.get("title")).trim(),
      helps: data.get("helps") === "yes",
      takebacks: String(data.get("takebacks")),
      sitting: sittingOf(way, data),
      ...(data.has("pace") ? { pace: String(data.get("pace")) } : {}),
      ...(part ? { chain: { top: part.chain.top, length: LENGTH, why: "first" } } : {}),
    });
    const own = made.seats.find((seat) => seat.seat);
    if (part && own) part.keepFor(own.seat);
    await invite(made);
  } catch (error) {
    begin.disabled = false;
    tell(error);
  }
}

/** Choose who continues the game, by the record's names of its sides. @param {string} record @returns {HTMLOptionElement[]} */
function playersOn(record) {
  const [one = MAKER.firstSide, other = MAKER.secondSide] = [...record.matchAll(/^seat ([a-z]+)/gm)].map(([, side = ""]) => sentence(side));
  return [
    el("option", { value: "me me" }, MAKER.oneScreen),
    el("option", { value: "me link" }, format(MAKER.byLink, { side: one })),
    el("option", { value: "link me" }, format(MAKER.byLink, { side: other })),
  ];
}

/** Interval between two requests for progress, in ms. */
const LOOK = 400;

/** Show the progress of an import until the returned function is called. @param {Element} into @param {string} key @param {number} lines */
function follow(into, key, lines) {
  const bar = el("progress");
  const count = el("span.muted.small", { "aria-hidden": true }); // the bar itself is read aloud when asked for
  const said = format(MAKER.replaying, { lines: plural(lines, MAKER.line) });
  fill(into, el("label", said, bar, " ", count));
  const timer = setInterval(async () => {
    try {
      const { done, total } = await importProgress(key);
      if (!total) return;
      bar.max = total;
      bar.value = done;
      count.textContent = format(MAKER.progress, { done: done.toLocaleString("en"), total: total.toLocaleString("en") });
    } catch (error) {
      if (!(error instanceof Refused)) throw error; // the next look may be answered
    }
  }, LOOK);
  return () => {
    clearInterval(timer);
    fill(into);
  };
}

function showImport() {
  const text = el("textarea", {
    rows: 6,
    class: "mono",
    "aria-label": MAKER.record,
    placeholder: "leuthen record 1 …",
    spellcheck: "false",
    oninput: () => fill(players, ...playersOn(text.value)),
  });
  const players = el("select", ...playersOn(""));
  const file = el("input", {
    type: "file",
    accept: ".leuthen,text/plain",
    "aria-label": MAKER.file,
    onchange: async () => {
      text.value = (await file.files?.[0]?.text()) ?? "";
      fill(players, ...playersOn(text.value));
    },
  });
  const open = el("button.primary", { type: "submit" }, MAKER.open);
  const reading = el("div", { role: "status" });
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const key = newKey();
    const stop = follow(reading, key, text.value.split("\n").length);
    open.disabled = true;
    try {
      const [first = "me", second = "me"] = players.value.split(" ");
      await invite(await importRecord(text.value, first, second, key));
    } catch (error) {
      tell(error);
    }
    open.disabled = false;
    stop();
  };
  fill(
    byId("made"),
    el(
      "form.plate.maker.stack",
      { onsubmit: send },
      el("p.prose", EXPLAINED.import),
      file,
      text,
      el("label.option", el("span", MAKER.playOn), players),
      el("div.row", open, reading),
    ),
  );
  file.focus();
}
