// The engraved sheet under the maps of the story: one wash for every land, so that tints tell who holds it.

import { Grid } from "../map/geometry.js";
import { Drawing, PAINT } from "../map/drawing.js";
import { fetchSheetText, parsedSheet, printOf, townsOn } from "../map/sheet.js";
import { svg } from "../dom.js";

/** @import * as T from "../../types" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box in hexes */

const WASH = /var\(--map-wash-[a-z-]+,#[0-9a-f]+\)/g;
const LAND = "var(--map-land,#f2e7cb)";
/** From so many hexes on, only the great fortresses are named. */
const WIDE = 26;
/** px that the names are high in a picture. */
const WRITTEN = 15;
/** px that such an image is wide. */
const STILL = 600;
const SMALL = [".legend", ".grid", ".names-town", ".names-walls", ".names-battle", ".names-pass", ".names-fortress"];

export class Ground {
  /** What `still` shows. @type {Drawing | null} */
  #still = null;

  /** @param {string} text of a sheet which has hexes */
  constructor(text) {
    this.text = text;
    const sheet = parsedSheet(text);
    this.grid = Grid.of(sheet);
    this.print = printOf(text, sheet, this.grid);
    this.towns = townsOn(sheet, this.grid);
  }

  /** Where the town of a hex stands, in hexes; nothing where it has none. @param {string} place */
  townAt(place) {
    const at = this.towns.get(place);
    const { size, zero } = this.grid;
    return at && { x: (at.x - zero.x) / size, y: (at.y - zero.y) / size };
  }

  /** The ground of a rule set, null where its sheet has no hexes. @param {T.Setting} setting */
  static async fetch(setting) {
    const text = await fetchSheetText(setting);
    return parsedSheet(text).hasAttribute("data-zero") ? new Ground(text) : null;
  }

  /** A part of it, in the colours of the page, as large as it is in hexes. @param {Box} box */
  view(box) {
    const { left, top, right, bottom } = box;
    const place = { x: left, y: top, width: right - left, height: bottom - top };
    return part(parsedSheet(this.text), box, place);
  }

  /** A part of it as an image, for drawings of which many stand on a page. @param {Box} box the same each time */
  still(box) {
    const [width, height] = [box.right - box.left, box.bottom - box.top];
    const drawn = () => this.#part(this.#land, box, { width: STILL, height: (STILL * height) / width });
    this.#still ??= new Drawing(new XMLSerializer().serializeToString(drawn()));
    return this.#still.image({ x: box.left, y: box.top, width, height });
  }

  /** How much is named on a part of it. @param {Box} box */
  level({ left, right }) {
    return right - left > WIDE ? "far" : "close";
  }

  /** A part of it for a picture that stands alone, on paper, of that size. @param {Box} box @param {{width: number, height: number}} size */
  picture(box, size) {
    return this.#part(this.#land.replaceAll("sheet-", "share-").replaceAll(PAINT, "$2"), box, size);
  }

  /** The sheet with one wash for every land. */
  get #land() {
    return this.text.replaceAll(WASH, LAND);
  }

  /** @param {string} text @param {Box} box @param {{width: number, height: number}} size */
  #part(text, box, { width, height }) {
    const sheet = parsedSheet(text);
    for (const name of SMALL) sheet.querySelector(name)?.remove();
    const size = (WRITTEN * (box.right - box.left) * Number(sheet.getAttribute("data-hex"))) / width;
    const names = sheet.querySelector(".names-great");
    names?.setAttribute("font-size", size.toFixed(1));
    names?.setAttribute("stroke-width", (size / 5).toFixed(1));
    return part(sheet, box, { width, height });
  }
}

/** A part of a sheet. @param {SVGSVGElement} sheet @param {Box} box @param {Record<string, number>} place where it is put, and how large */
function part(sheet, { left, top, right, bottom }, place) {
  const hex = Number(sheet.getAttribute("data-hex"));
  const [x = 0, y = 0] = (sheet.getAttribute("data-zero") ?? "").split(" ").map(Number);
  const box = [x + left * hex, y + top * hex, (right - left) * hex, (bottom - top) * hex];
  return svg("svg", { ...place, viewBox: box.join(" "), class: "sheet", preserveAspectRatio: "none" }, ...sheet.childNodes);
}
