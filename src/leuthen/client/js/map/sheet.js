// The sheet: fetched as a drawing of its own, and put into the page so that it may change its colours.

import { svg } from "../dom.js";

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

// The sheet as an image, of which many may stand on a page: in the colours of the page, by day, by night and on paper.

/** A colour as the sheet names it: what of, and what it is on paper. */
export const PAINT = /var\((--map-[a-z0-9-]+),(#[0-9a-f]+)\)/g;
const NAME = "drawing";

/** What the images show. @type {WeakMap<Element, Drawing>} */
const shown = new WeakMap();

/** A drawing whose colours are named as those of the sheet are. */
export class Drawing {
  /** The colour of the paper in the image that was made last, and its address. */
  #paper = "";
  #address = "";

  /** @param {string} text */
  constructor(text) {
    watchColours();
    this.text = text;
  }

  /** As an image. @param {Record<string, number>} place where it is put, and how large */
  image(place) {
    const image = svg("image", { ...place, class: NAME });
    shown.set(image, this);
    this.paint(image, pageStyle());
    return image;
  }

  /** @param {Element} image @param {CSSStyleDeclaration | null} style of the page, null on paper */
  paint(image, style) {
    const paper = style?.getPropertyValue("--map-paper") ?? "print";
    if (paper !== this.#paper) {
      const painted = this.text.replaceAll(PAINT, (_, name, plain) => style?.getPropertyValue(name).trim() || plain);
      this.#address = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(painted)}`;
      this.#paper = paper;
    }
    image.setAttribute("href", this.#address);
  }
}

/** The colours of a map as the page has them now, by their names. */
function pageStyle() {
  const map = document.querySelector(`.map:not(.front)`) ?? document.body.appendChild(svg("svg", { class: "map", display: "none" }));
  return getComputedStyle(map);
}

/** @param {CSSStyleDeclaration | null} style */
function repaint(style) {
  for (const image of document.querySelectorAll(`.${NAME}`)) shown.get(image)?.paint(image, style);
}

let isWatched = false;

/** Paints all images anew whenever the colours of the page change. */
function watchColours() {
  if (isWatched) return;
  isWatched = true;
  const now = () => repaint(pageStyle());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", now);
  new MutationObserver(now).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("beforeprint", () => repaint(null));
  addEventListener("afterprint", now);
}
