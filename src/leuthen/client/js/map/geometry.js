// Where hexes lie on the sheet. A hex RRCC has its point upwards; even rows stand half a hex farther to the right.

/** @typedef {{x: number, y: number}} Point in pixels of the sheet */

/** The six directions out of a hex, counterclockwise from the right. */
export const EAST = 0;
export const WEST = 3;

const ROW = Math.sqrt(3) / 2;

/** @param {number} row @param {number} column */
const nameOf = (row, column) => `${String(row).padStart(2, "0")}${String(column).padStart(2, "0")}`;

/** @param {string} place */
const rowAndColumn = (place) => ({ row: Number(place.slice(0, 2)), column: Number(place.slice(2)) });

export class Grid {
  /**
   * @param {number} size the width of a hex
   * @param {Point} zero where row 0, column 0 lies
   * @param {ReadonlySet<string>} places all hexes
   */
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

  /** True if place numbers are shown at legible scales. */
  get isNumbered() {
    return true;
  }

  /** @param {string} place */
  has(place) {
    return this.places.has(place);
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

  /**
   * Path text through the centres of hexes.
   * @param {readonly string[]} places @param {number} [cut] how much shorter it is at both ends, in hexes
   */
  way(places, cut = 0) {
    const points = places.map((place) => this.centre(place));
    const [first, second, last, before] = [points[0], points[1], points.at(-1), points.at(-2)];
    if (!first || !second || !last || !before) return "";
    const ends = [between(first, second, cut), between(last, before, cut)];
    return `M${[ends[0], ...points.slice(1, -1), ends[1]].map(pair).join("L")}`;
  }
}

/** @param {Point} a @param {Point} b @param {number} t @returns {Point} */
const between = (a, b, t) => ({ x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y) });

/** @param {Point | undefined} point */
const pair = (point) => (point ? `${point.x.toFixed(1)} ${point.y.toFixed(1)}` : "");

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
