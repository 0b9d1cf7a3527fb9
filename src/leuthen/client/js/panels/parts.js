// What the panels share: links to rules and places, marks of sides, dates, and redrawing only what is seen.

import { el, svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change, Store } from "../store.js" */
/** @import { Child } from "../dom.js" */

/**
 * Draws now, and again when one of these sections changed; what nobody sees is drawn when it is seen.
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
  ctx.store.addEventListener("change", (event) => {
    const change = /** @type {CustomEvent<Change>} */ (event).detail;
    if (isDue || !["fresh", "shown", ...sections].some((section) => change.sections.has(section))) return;
    isDue = true;
    requestAnimationFrame(redraw);
  });
  new IntersectionObserver(([entry]) => {
    isSeen = entry?.isIntersecting ?? true;
    if (isSeen && isStale) redraw();
  }).observe(host);
  draw();
}

/** A button with a rule's number, that opens it. @param {Context} ctx @param {string} number */
export function ruleLink(ctx, number) {
  if (!number) return null;
  return el("button", { type: "button", class: "rule", "aria-label": `rule ${number}`, onclick: () => ctx.showRule(number) }, number);
}

/** Words that jump to a place. @param {Context} ctx @param {string} place @param {Child[]} words */
export function placeLink(ctx, place, ...words) {
  if (!place) return el("span", {}, ...words);
  return el("button", { type: "button", class: "place", "data-keep": `at ${place}`, onclick: () => ctx.jump(place) }, ...words);
}

/** A side's letter on its colours; its name is read out. @param {Store} store @param {number} side */
export function sideMark(store, side) {
  const name = store.sideName(side);
  return el("span", { class: "side", "data-side": side, role: "img", "aria-label": name, title: name }, side === 2 ? "–" : name.charAt(0).toUpperCase());
}

/** A side's name with a capital. @param {Store} store @param {number} side */
export function sideTitle(store, side) {
  const name = store.sideName(side);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The date of a turn, «late August 1757». @param {T.Setting} setting @param {{year: number, turn: number}} when */
export function dateOf(setting, { year, turn }) {
  const date = setting.turns[turn - 1];
  return date ? `${date} ${year}` : String(year);
}

/** The town in a hex, or the hex. @param {T.Setting} setting @param {string} place */
export function townAt(setting, place) {
  return setting.fortresses.find((one) => one.place === place)?.name ?? setting.towns.find((town) => town.place === place)?.name ?? place;
}

const PIPS = ["", "4", "28", "048", "0268", "02468", "023568"];

/** A die as it lies; read out as its number. @param {number} value */
export function die(value) {
  const face = el("span", { class: "die", role: "img", "aria-label": `die ${value}` });
  const pips = [...(PIPS[value] ?? "")].map((at) => svg("circle", { cx: 4 + 4 * (Number(at) % 3), cy: 4 + 4 * Math.floor(Number(at) / 3), r: 1.4 }));
  face.append(svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("rect", { x: 0.5, y: 0.5, width: 15, height: 15, rx: 3 }), ...pips));
  face.append(el("span", { "aria-hidden": "true" }, value));
  return face;
}

/** Calls once, when it has been quiet for so long. @param {number} quiet milliseconds @param {() => void} call */
export function debounced(quiet, call) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(call, quiet);
  };
}

/** What went wrong, as a sentence. @param {unknown} error */
export function sentence(error) {
  return error instanceof Error ? error.message : String(error);
}
