// How players and games are called, and the mark in the tab of every page when it is your turn somewhere. A name and a
// colour are kept on the device and told to the tables where it sits.

import { deviceStorage, el, format, plural, sentence } from "./dom.js";
import { home, refusal } from "./session/api.js";
import { COMMON } from "./strings/common.js";
import { MAKER } from "./strings/home.js";

/** @import * as T from "../types" */

const KEPT = "leuthen.player";
const LONGEST = 24;
/** Available colours, as the server knows them. */
const COLOURS = ["blue", "red", "green", "gold", "violet", "brown", "teal", "grey"];

/** The name stored in this browser. @returns {{name: string, colour: string}} */
export function ownName() {
  try {
    const { name = "", colour = "" } = JSON.parse(deviceStorage.getItem(KEPT) ?? "{}");
    return { name: String(name), colour: COLOURS.includes(colour) ? colour : "" };
  } catch {
    return { name: "", colour: "" };
  }
}

/** Store the name on this device for later games. @param {T.DisplayName} sitter */
export function keepName({ name, colour }) {
  if (name || colour) deviceStorage.setItem(KEPT, JSON.stringify({ name, colour }));
}

/**
 * Optional fields for a name and a colour.
 * @param {string} legend @param {T.DisplayName} sitter @param {string} [suffix] of the fields' names, where two are asked for
 */
export function nameFields(legend, { name = "", colour = "" }, suffix = "") {
  const input = el("input", { name: `player${suffix}`, value: name, maxlength: LONGEST, autocomplete: "nickname", "aria-label": legend });
  const swatches = COLOURS.map((each) =>
    el(
      "label.swatch",
      { title: sentence(each) },
      el("input", { type: "radio", name: `colour${suffix}`, value: each, checked: each === colour, "aria-label": sentence(each) }),
      el("span.dot-of", { dataset: { colour: each }, "aria-hidden": true }),
    ),
  );
  return el(
    "fieldset.choice.naming",
    el("legend", legend),
    el("div.row", input, el("div.swatches", { role: "group", "aria-label": format(COMMON.colourOf, { legend }) }, ...swatches)),
  );
}

/** Values of the name fields. @param {FormData} data @param {string} [suffix] @returns {Required<T.DisplayName>} */
export const namedIn = (data, suffix = "") => ({
  name: String(data.get(`player${suffix}`) ?? "").trim(),
  colour: String(data.get(`colour${suffix}`) ?? ""),
});

/** True if a machine leads the seat. @param {T.SeatLine} line */
export const isMachine = ({ who }) => !["person", "open", "watcher"].includes(who);

/** The player of a seat, as text. @param {T.SeatLine} line */
export function calledText(line) {
  if (line.who === "open") return COMMON.openSeat;
  if (line.who === "script") return COMMON.theLesson;
  if (isMachine(line)) return format(COMMON.machine, { name: line.player || line.who });
  if (line.side === 2) return line.seat ? COMMON.youWatch : COMMON.spectators;
  return line.player || (line.seat ? COMMON.you : COMMON.unnamed);
}

/** A name with its colour, isolated from the text direction around it. @param {string} name @param {string} [colour] @param {string} [more] what stands behind it */
export function nameView(name, colour = "", more = "") {
  const mark = colour ? el("span.dot-of", { dataset: { colour }, "aria-hidden": true }) : null;
  return el("span.called", mark, el("bdi", name), more);
}

/** The player of a seat, with colour. @param {T.SeatLine} line */
export const calledView = (line) => nameView(calledText(line), line.colour, line.seat && line.player && line.side < 2 ? COMMON.isYou : "");

/** A game's title, or its players. @param {{title: string, seats: readonly T.SeatLine[]}} game */
export function titleOf({ title, seats }) {
  if (title) return title;
  const [one, other] = seats.filter((line) => line.side < 2).map((line) => `${sentence(line.name)} (${calledText(line)})`);
  return format(COMMON.against, { one, other });
}

/** The even result of a scenario, as a sentence. @param {T.ScenarioCard} one @param {readonly string[]} sides */
export function parOf({ par }, sides) {
  if (par === undefined || par === null) return "";
  if (!par) return MAKER.evenPar;
  return format(MAKER.par, { side: sentence(sides[par > 0 ? 0 : 1] ?? ""), points: Math.abs(par) });
}

// --- the mark in the tab: in its title, and on its sign ---

/** Interval in ms; the browser asks less often while the page is hidden. */
const EVERY = 30000;

/** Add or remove the mark on the tab's icon. @param {boolean} isOn */
export function markSign(isOn) {
  const sign = document.querySelector("link[rel=icon]");
  const now = sign?.getAttribute("href") ?? "";
  const href = now.replace(/[^/]*$/, isOn ? "favicon-turn.svg" : "favicon.svg");
  if (href !== now) sign?.setAttribute("href", href);
}

/** Mark the tab if games wait for this browser. @param {readonly T.GameLine[]} games @param {string} title of the page itself */
export function markTab(games, title) {
  const waiting = games.filter((game) => game.is_your_turn && !game.result).length;
  document.title = waiting ? format(COMMON.waiting, { decisions: plural(waiting, COMMON.oneDecision), title }) : title;
  markSign(waiting > 0);
}

/** Check regularly whether a game waits, on pages without one. @param {string} title of the page itself */
export function watchTab(title) {
  // The mark stays as it is until the table answers again.
  const look = () => void home().then(({ games }) => markTab(games, title), refusal);
  look();
  setInterval(look, EVERY);
}
