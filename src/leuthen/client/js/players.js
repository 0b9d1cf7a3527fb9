// How players and games are called. A name and a colour are kept on the device and told to the tables where it sits.

import { el, format, deviceStorage, sentence } from "./dom.js";
import { COMMON } from "./strings/common.js";

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
