// The sheet of the map: where its hexes or areas lie, the drawing fetched and put into the page so that it may change its
// colours, and the same as an image. A hex RRCC has its point upwards; even rows stand half a hex farther to the right.

import { svg } from "../dom.js";

/** @import { Child } from "../dom.js" */

/** @typedef {{x: number, y: number}} Point in pixels of the sheet */

/** Two of the six directions out of a hex, which count counterclockwise from the right. */
export const EAST = 0;
export const WEST = 3;

const ROW = Math.sqrt(3) / 2;

/** @param {number} row @param {number} column */
const nameOf = (row, column) => `${String(row).padStart(2, "0")}${String(column).padStart(2, "0")}`;

const rowAndColumn = (/** @type {string} */ place) => ({ row: Number(place.slice(0, 2)), column: Number(place.slice(2)) });

export class Grid {
  /** True if place numbers are shown at legible scales. */
  isNumbered = true;

  /** @param {number} size the width of a hex @param {Point} zero where row 0, column 0 lies @param {ReadonlySet<string>} places all hexes */
  constructor(size, zero, places) {
    this.size = size;
    this.zero = zero;
    this.places = places;
    /** Distance from the centre of a hex to its corners. */
    this.radius = size / Math.sqrt(3);
  }

  /** The grid that a sheet describes. @param {Element} sheet */
  static of(sheet) {
    const [x = 0, y = 0] = (sheet.getAttribute("data-zero") ?? "").split(" ").map(Number);
    return new Grid(Number(sheet.getAttribute("data-hex")), { x, y }, new Set(placesIn(sheet.getAttribute("data-rows") ?? "")));
  }

  /** @param {string} place */
  has(place) {
    return this.places.has(place);
  }

  /** Those of some places that are on the board. @param {Iterable<string>} places */
  known(places) {
    return [...places].filter((place) => this.has(place));
  }

  /** The centre of a hex. @param {string} place @returns {Point} */
  centre(place) {
    const { row, column } = rowAndColumn(place);
    return this.#centreAt(row, column);
  }

  /** @param {number} row @param {number} column @returns {Point} */
  #centreAt(row, column) {
    const east = row % 2 === 0 ? 0.5 : 0;
    return { x: this.zero.x + this.size * (column + east), y: this.zero.y - this.size * ROW * row };
  }

  /** The centres of those of some places that are on the board. @param {Iterable<string>} places */
  centres(places) {
    return this.known(places).map((place) => this.centre(place));
  }

  /** The hex at a point, or "" off the board. @param {Point} point @returns {string} */
  placeAt(point) {
    const row = Math.round((this.zero.y - point.y) / (this.size * ROW));
    let best = "";
    let least = Infinity;
    for (const r of [row - 1, row, row + 1]) {
      const column = Math.round((point.x - this.zero.x) / this.size - (r % 2 === 0 ? 0.5 : 0));
      const middle = this.#centreAt(r, column);
      const far = Math.hypot(middle.x - point.x, middle.y - point.y);
      if (far < least) [best, least] = [nameOf(r, column), far];
    }
    return this.has(best) ? best : "";
  }

  /** The six neighbours of a hex, counterclockwise from the right; "" off the board. @param {string} place */
  neighbours(place) {
    const { row, column } = rowAndColumn(place);
    const east = row % 2 ? column : column + 1;
    const around = [
      nameOf(row, column + 1),
      nameOf(row + 1, east),
      nameOf(row + 1, east - 1),
      nameOf(row, column - 1),
      nameOf(row - 1, east - 1),
      nameOf(row - 1, east),
    ];
    return around.map((name) => (this.has(name) ? name : ""));
  }

  /** Hexes whose counters may reach a point: its own and, near an edge, the neighbours. @param {Point} point @param {string} place */
  around(point, place) {
    const { x, y } = this.centre(place);
    const isInner = Math.hypot(point.x - x, point.y - y) < this.size / 3;
    return isInner ? [place] : [place, ...this.neighbours(place).filter(Boolean)];
  }

  /** The corners of a hex; the side from corner k leads to neighbour k. @param {string} place @param {number} [inset] @returns {Point[]} */
  corners(place, inset = 0) {
    const { x, y } = this.centre(place);
    const far = this.radius - inset;
    return [0, 1, 2, 3, 4, 5].map((k) => ({
      x: x + far * Math.cos(((30 - 60 * k) * Math.PI) / 180),
      y: y + far * Math.sin(((30 - 60 * k) * Math.PI) / 180),
    }));
  }

  /** Path text around hexes. @param {Iterable<string>} places @param {number} [inset] */
  outline(places, inset = 0) {
    return [...places].map((place) => `M${this.corners(place, inset).map(pair).join("L")}Z`).join("");
  }

  /** Path text along the border of a set of hexes. @param {ReadonlySet<string>} places */
  border(places) {
    const sides = [];
    for (const place of places) {
      const corners = this.corners(place);
      for (const [k, there] of this.neighbours(place).entries()) {
        if (!places.has(there)) sides.push(`M${pair(corners[k])}L${pair(corners[(k + 1) % 6])}`);
      }
    }
    return sides.join("");
  }

  /** Path text through the centres of hexes. @param {readonly string[]} places @param {number} [cut] how much shorter it is at both ends, in hexes */
  way(places, cut = 0) {
    const points = this.centres(places);
    const [first, second, last, before] = [points[0], points[1], points.at(-1), points.at(-2)];
    if (!first || !second || !last || !before) return "";
    const ends = [between(first, second, cut), between(last, before, cut)];
    return `M${[ends[0], ...points.slice(1, -1), ends[1]].map(pair).join("L")}`;
  }
}

/** @param {Point} a @param {Point} b @param {number} t @returns {Point} */
const between = (a, b, t) => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });

const pair = (/** @type {Point | undefined} */ point) => (point ? `${point.x.toFixed(1)} ${point.y.toFixed(1)}` : "");

/** @param {Point} point */
export const moveTo = ({ x, y }) => `translate(${x} ${y})`;

/** A sign at a point of the sheet, which keeps its size. @param {Point} at @param {Record<string, any>} props @param {...Child} content */
export const signAt = (at, props, ...content) => svg("g", { ...props, transform: moveTo(at) }, svg("g.scaled", ...content));

/** Hexes that are 1 wide, for small maps. */
export const UNIT = new Grid(1, { x: 0, y: 0 }, new Set());

/** @param {string} rows "01:1-36 02:1-36,38-40" */
export function* placesIn(rows) {
  for (const part of rows.split(" ").filter(Boolean)) {
    const [row = "", runs = ""] = part.split(":");
    for (const run of runs.split(",")) {
      const [first = 0, last = 0] = run.split("-").map(Number);
      for (let column = first; column <= last; column += 1) yield nameOf(Number(row), column);
    }
  }
}

// Where the areas of a map without hexes lie: each has a name, a middle, and those that it is next to.

class Areas extends Grid {
  /** The sheet names its areas itself. @override */
  isNumbered = false;

  /** @param {number} size the width of an area @param {string} named "Garth:220,90:Fell,Holm Fell:…" */
  constructor(size, named) {
    const areas = named.split(" ").map((part) => {
      const [name = "", middle = "", near = ""] = part.split(":");
      const [x = 0, y = 0] = middle.split(",").map(Number);
      return /** @type {const} */ ([name, { middle: { x, y }, near: near.split(",").filter(Boolean) }]);
    });
    super(size, { x: 0, y: 0 }, new Set(areas.map(([name]) => name)));
    this.areas = new Map(areas);
  }

  /** @override @param {string} place @returns {Point} */
  centre(place) {
    return this.areas.get(place)?.middle ?? { x: 0, y: 0 };
  }

  /** The area with the nearest centre, or "" if none is near. @override @param {Point} point */
  placeAt(point) {
    const away = (/** @type {string} */ place) => Math.hypot(this.centre(place).x - point.x, this.centre(place).y - point.y);
    const [nearest = ""] = [...this.places].toSorted((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= this.size / 2 ? nearest : "";
  }

  /** Neighbours of an area in six directions, counterclockwise from the right; "" where there is none. @override @param {string} place */
  neighbours(place) {
    const { x, y } = this.centre(place);
    const ways = Array.from({ length: 6 }, () => "");
    for (const there of this.areas.get(place)?.near ?? []) {
      const at = this.centre(there);
      const way = (Math.round((Math.atan2(y - at.y, at.x - x) * 3) / Math.PI) + 6) % 6;
      const free = [way, (way + 1) % 6, (way + 5) % 6].find((each) => !ways[each]);
      if (free !== undefined) ways[free] = there;
    }
    return ways;
  }

  /** Path text around each of some areas. @override @param {ReadonlySet<string>} places */
  border(places) {
    return this.outline(places);
  }
}

/** The places of a sheet: areas or hexes. @param {Element} sheet */
export function gridOf(sheet) {
  const areas = sheet.getAttribute("data-areas");
  return areas === null ? Grid.of(sheet) : new Areas(Number(sheet.getAttribute("data-hex")), areas);
}

// --- the drawing ---

/** Sheets by rule set, without those that failed. @type {Map<string, Promise<string>>} */
const fetched = new Map();

/** Fetch the sheet of a rule set, once for a page. @param {string} ruleset @returns {Promise<string>} */
export function fetchSheetText(ruleset) {
  const text = fetched.get(ruleset) ?? fetchText(`/map/${encodeURIComponent(ruleset)}.svg`);
  fetched.set(ruleset, text);
  text.catch(() => fetched.delete(ruleset));
  return text;
}

/** @param {string} path */
async function fetchText(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`the sheet of the map did not come: ${answer.status}`);
  return answer.text();
}

/** A sheet as part of the page. @param {string} text @returns {SVGSVGElement} */
export function parsedSheet(text) {
  const sheet = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  sheet.querySelector("title")?.remove();
  sheet.setAttribute("aria-hidden", "true");
  return /** @type {any} */ (document.adoptNode(sheet));
}

/** Size of a sheet, in px. @param {Element} sheet */
export const sizeOf = (sheet) => ({ width: Number(sheet.getAttribute("width")), height: Number(sheet.getAttribute("height")) });

/** Town symbols, the most important last. */
const SIGNS = ["town", "walls", "fortress", "great"];

/** Position of the town in a hex, the largest if there are several. @param {Element} sheet @param {Grid} grid @returns {Map<string, Point>} */
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
    const image = svg(`image.${NAME}`, place);
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

let isWatched = false;

/** Repaint all images when the page's colours change. */
function watchColours() {
  if (isWatched) return;
  isWatched = true;
  const repaint = (/** @type {CSSStyleDeclaration | null} */ style) => {
    for (const image of document.querySelectorAll(`.${NAME}`)) shown.get(image)?.paint(image, style);
  };
  const now = () => repaint(pageStyle());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", now);
  new MutationObserver(now).observe(document.documentElement, { attributeFilter: ["data-theme"] });
  addEventListener("beforeprint", () => repaint(null));
  addEventListener("afterprint", now);
}
