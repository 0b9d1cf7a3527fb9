// What the panels share: texts with their rules, marks of sides, dates, dice, and redrawing only what is seen.

import { el, ruleLink, sentence, svg } from "../dom.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Child } from "../dom.js" */
/** @import { Store } from "../session/store.js" */

/**
 * Draw now and when one of these sections changes; a hidden element is drawn when it becomes visible.
 * @param {HTMLElement} host @param {Context} ctx @param {string[]} sections @param {() => void} draw
 */
export function whenChanged(host, ctx, sections, draw) {
  let isSeen = true;
  let isStale = false;
  let isDue = false;
  const redraw = () => {
    isDue = false;
    isStale = !isSeen;
    if (isSeen) draw();
  };
  ctx.store.onChange(["fresh", "shown", ...sections], () => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(redraw);
  });
  new IntersectionObserver(([entry]) => {
    isSeen = entry?.isIntersecting ?? true;
    if (isSeen && isStale) redraw();
  }).observe(host);
  draw();
}

const RULE = /(\(?)([A-Z]\d+\.\d+[a-z]?)([),]*)/;

/** A text with links to its rules, each with its brackets on one line. @param {Context} ctx @param {string} text @returns {Child[]} */
export function withRules(ctx, text) {
  const parts = text.split(RULE); // in turn a text, an opening bracket, a number, and what closes it
  const link = (/** @type {string} */ number, /** @type {number} */ at) =>
    el("span.nowrap.rule-ref", parts[at - 1], ruleLink(ctx, number), parts[at + 1]);
  return parts.map((part, at) => (at % 4 === 2 ? link(part, at) : at % 4 ? null : part));
}

/** A side's mark for places without its name. @param {Store} store @param {number} side */
export function sideBadge(store, side) {
  const name = store.sideName(side);
  const props = { dataset: { side: String(side) }, role: "img", "aria-label": name, title: name };
  return el("span.side", props, sentence(name).charAt(0));
}

/**
 * The date of a turn: "1757, late August", or "1757, early January 1758" where it ends in the next year; between two turns only the year.
 * @param {T.Setting} setting @param {{year: number, turn: number}} when
 */
export function dateOf(setting, { year, turn }) {
  const date = setting.turns[turn - 1];
  const isNext = turn === setting.turns.length && date?.includes("January");
  return date ? `${year}, ${date}${isNext ? ` ${year + 1}` : ""}` : String(year);
}

const PIPS = ["", "4", "28", "048", "0268", "02468", "023568"];

/** A die with its number. @param {number} value */
export function die(value) {
  const pips = [...(PIPS[value] ?? "")].map((at) =>
    svg("circle", { cx: 4 + 4 * (Number(at) % 3), cy: 4 + 4 * Math.floor(Number(at) / 3), r: 1.4 }),
  );
  const face = svg(
    "svg",
    { viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("rect", { x: 0.5, y: 0.5, width: 15, height: 15, rx: 3 }),
    pips,
  );
  return el("span.rolled", el("span.visually-hidden", PANELS.die), face, el("b", value));
}

/** An error as a sentence. @param {unknown} error */
export const messageOf = (error) => (error instanceof Error ? error.message : String(error));
