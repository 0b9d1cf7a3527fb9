// Small things that many parts of the page show.

import { el } from "./dom.js";

/** @import * as T from "../types" */
/** @import { Context } from "./context.js" */
/** @import { Store } from "./session/store.js" */

/** A rule's number, as a button that opens it. @param {Pick<Context, "showRule">} ctx @param {string} rule */
export function ruleLink(ctx, rule) {
  if (!rule) return null;
  return el(
    "button",
    { class: "rule", type: "button", "aria-label": `Rule ${rule}`, dataset: { rule }, onclick: () => ctx.showRule(rule) },
    rule,
  );
}

/** A place, as a button that shows it on the map. @param {Pick<Context, "jump">} ctx @param {string} place @param {string} [label] */
export function placeLink(ctx, place, label = place) {
  return el("button", { class: "rule", type: "button", "aria-label": `Show ${label} on the map`, onclick: () => ctx.jump(place) }, label);
}

/** Why something may not be done, with its rule. @param {Context} ctx @param {T.Objection} reason */
export function reasonLine(ctx, reason) {
  return el("span", { class: "reason" }, sentence(reason.text), " ", reason.rule && ruleLink(ctx, reason.rule));
}

/** A text with a capital letter at its head. @param {string} text */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A side's letter on its colours. @param {Store} store @param {number} side */
export function sideMark(store, side) {
  return el("span", { class: "side", dataset: { side: String(side) }, "aria-hidden": true }, initial(store.sideName(side)));
}

/** @param {string} name */
function initial(name) {
  return name.charAt(0).toUpperCase();
}

/** A name with its hex, if the hex has one. @param {Store} store @param {string} place */
export function placeName(store, place) {
  const name = store.namesByPlace.get(place);
  return name ? `${name} ${place}` : place;
}

/** How long ago something was, in words; "" where no time is given. @param {string} iso @param {number} [now] in ms */
export function ago(iso, now = Date.now()) {
  const minutes = Math.max(0, Math.round((now - Date.parse(iso)) / 60000));
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${plural(minutes, "minute")} ago`;
  if (minutes < 48 * 60) return `${plural(Math.round(minutes / 60), "hour")} ago`;
  return `${plural(Math.round(minutes / 1440), "day")} ago`;
}

/** A number with its noun. @param {number} count @param {string} noun @param {string} [many] the noun of any number but 1 */
export function plural(count, noun, many = `${noun}s`) {
  return `${count} ${count === 1 ? noun : many}`;
}

/** The dice of an event that can be drawn one by one: of two thrown together only their sum is known. @param {T.LogEntry} told */
export function diceOf({ dice = [], is_sum: isSum = false }) {
  return isSum ? [] : dice;
}

/** Whether an event is worth a line beside the map: no small one, unless somebody went somewhere or a die fell. @param {T.LogEntry} told */
export function isNotable(told) {
  return !told.is_small || Boolean(told.path?.length || told.dice?.length);
}
