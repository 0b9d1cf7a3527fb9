// The sheet as an image, of which many may stand on a page: in the colours of the page, by day, by night and on paper.

import { svg } from "../dom.js";

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

/** Paints all images anew whenever the colours of the page change. */
function watchColours() {
  const now = () => repaint(pageStyle());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", now);
  new MutationObserver(now).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("beforeprint", () => repaint(null));
  addEventListener("afterprint", now);
}

watchColours();
