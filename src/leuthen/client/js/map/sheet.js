// The sheet: fetched as a drawing of its own, and put into the page so that it may change its colours.

import { Drawing } from "./drawing.js";

/** @import { Grid, Point } from "./geometry.js" */

/** @typedef {{drawing: Drawing, width: number, height: number, grid: Grid}} Print the sheet as a picture, its size in px, and where its hexes lie */

/** @param {{ruleset: string, version: string}} setting */
const hrefOf = ({ ruleset, version }) => `/map/${encodeURIComponent(ruleset)}.svg?v=${encodeURIComponent(version)}`;

/** A sheet as a picture of its own. @param {string} text @param {Element} sheet @param {Grid} grid @returns {Print} */
export function printOf(text, sheet, grid) {
  const [width, height] = [Number(sheet.getAttribute("width")), Number(sheet.getAttribute("height"))];
  return { drawing: new Drawing(text), width, height, grid };
}

/** The sheet of a rule set as it is served. @param {{ruleset: string, version: string}} setting */
export async function fetchSheetText(setting) {
  const answer = await fetch(hrefOf(setting));
  if (!answer.ok) throw new Error(`the sheet of the map did not come: ${answer.status}`);
  return answer.text();
}

/** A sheet as a part of the page. @param {string} text @returns {SVGSVGElement} */
export function parsedSheet(text) {
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sheet.querySelector("title")?.remove();
  sheet.setAttribute("aria-hidden", "true");
  return /** @type {any} */ (document.importNode(sheet, true));
}

/** The signs of towns, the great ones last. */
const SIGNS = ["town", "walls", "fortress", "great"];

/**
 * Where the sheet shows the town of a hex, the greatest if there are several.
 * @param {Element} sheet @param {Grid} grid @returns {Map<string, Point>}
 */
export function townsOn(sheet, grid) {
  const signs = SIGNS.flatMap((kind) => [...sheet.querySelectorAll(`[href='#sheet-sign-${kind}']`)]);
  const points = signs.map((sign) => ({ x: Number(sign.getAttribute("x")), y: Number(sign.getAttribute("y")) }));
  return new Map(points.flatMap((point) => (grid.placeAt(point) ? [[grid.placeAt(point), point]] : [])));
}
