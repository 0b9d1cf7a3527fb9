// The sheet: fetched as a drawing of its own, and put into the page so that it may change its colours.

import { svg } from "../dom.js";

/** @import { Grid, Point } from "./geometry.js" */

/** @typedef {{drawing: Drawing, width: number, height: number, grid: Grid}} Print the sheet as a picture, its size in px, and where its hexes lie */

/** @param {{ruleset: string, version: string}} setting */
const hrefOf = ({ ruleset, version }) => `/map/${encodeURIComponent(ruleset)}.svg?v=${encodeURIComponent(version)}`;

/** A sheet as a standalone picture. @param {string} text @param {Element} sheet @param {Grid} grid @returns {Print} */
export function printOf(text, sheet, grid) {
  const [width, height] = [Number(sheet.getAttribute("width")), Number(sheet.getAttribute("height"))];
  return { drawing: new Drawing(text), width, height, grid };
}

/** Fetch the sheet of a rule set. @param {{ruleset: string, version: string}} setting */
export async function fetchSheetText(setting) {
  const answer = await fetch(hrefOf(setting));
  if (!answer.ok) throw new Error(`the sheet of the map did not come: ${answer.status}`);
  return answer.text();
}

/** A sheet as part of the page. @param {string} text @returns {SVGSVGElement} */
export function parsedSheet(text) {
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sheet.querySelector("title")?.remove();
  sheet.setAttribute("aria-hidden", "true");
  return /** @type {any} */ (document.importNode(sheet, true));
}

/** Town symbols, the most important last. */
const SIGNS = ["town", "walls", "fortress", "great"];

/**
 * Position of the town in a hex, the largest if there are several.
 * @param {Element} sheet @param {Grid} grid @returns {Map<string, Point>}
 */
export function townsOn(sheet, grid) {
  const signs = SIGNS.flatMap((kind) => [...sheet.querySelectorAll(`[href='#sheet-sign-${kind}']`)]);
  const points = signs.map((sign) => ({ x: Number(sign.getAttribute("x")), y: Number(sign.getAttribute("y")) }));
  return new Map(points.flatMap((point) => (grid.placeAt(point) ? [[grid.placeAt(point), point]] : [])));
}

// The sheet as an image, of which many may stand on a page: in the colours of the page, by day, by night and on paper.

/** A colour of the sheet: its variable and its value on paper. */
export const PAINT = /var\((--map-[a-z0-9-]+),(#[0-9a-f]+)\)/g;
const NAME = "drawing";

/** Current content of the images. @type {WeakMap<Element, Drawing>} */
const shown = new WeakMap();

/** A drawing with the sheet's named colours. */
export class Drawing {
  /** Colours and URL of the image created last. */
  #paper = "";
  #address = "";

  /** @param {string} text */
  constructor(text) {
    watchColours();
    this.text = text;
  }

  /** The drawing as an image. @param {Record<string, number>} place where it is put, and how large */
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

/** The page's current map colours, by name. */
function pageStyle() {
  const map = document.querySelector(`.map:not(.front)`) ?? document.body.appendChild(svg("svg.map", { display: "none" }));
  return getComputedStyle(map);
}

/** @param {CSSStyleDeclaration | null} style */
function repaint(style) {
  for (const image of document.querySelectorAll(`.${NAME}`)) shown.get(image)?.paint(image, style);
}

let isWatched = false;

/** Repaint all images when the page's colours change. */
function watchColours() {
  if (isWatched) return;
  isWatched = true;
  const now = () => repaint(pageStyle());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", now);
  new MutationObserver(now).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("beforeprint", () => repaint(null));
  addEventListener("afterprint", now);
}
