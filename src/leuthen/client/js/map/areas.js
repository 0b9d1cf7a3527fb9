// Where the areas of a map without hexes lie: each has a name, a middle, and those that it is next to.

import { Grid } from "./geometry.js";

/** @import { Point } from "./geometry.js" */

/** @typedef {{middle: Point, near: string[]}} Area */

export class Areas extends Grid {
  /** @param {number} size the width of an area @param {Map<string, Area>} areas */
  constructor(size, areas) {
    super(size, { x: 0, y: 0 }, new Set(areas.keys()));
    this.areas = areas;
  }

  /** The sheet names its areas itself. @override */
  get isNumbered() {
    return false;
  }

  /** @override @param {string} place @returns {Point} */
  centre(place) {
    return this.areas.get(place)?.middle ?? { x: 0, y: 0 };
  }

  /** The area whose middle is nearest to a point, "" where none is near. @override @param {Point} point */
  placeAt(point) {
    const away = (/** @type {string} */ place) => Math.hypot(this.centre(place).x - point.x, this.centre(place).y - point.y);
    const [nearest = ""] = [...this.places].toSorted((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= this.size / 2 ? nearest : "";
  }

  /** Those next to an area in six directions, counterclockwise from the right; "" where none lies that way. @override @param {string} place */
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

  /** The text of a path around each of some areas. @override @param {ReadonlySet<string>} places */
  border(places) {
    return this.outline(places);
  }
}

/** The areas that a sheet names: «Garth:220,90:Fell,Holm Fell:…». @param {string} named @returns {Map<string, Area>} */
export function areasIn(named) {
  return new Map(
    named.split(" ").map((part) => {
      const [name = "", middle = "", near = ""] = part.split(":");
      const [x = 0, y = 0] = middle.split(",").map(Number);
      return [name, { middle: { x, y }, near: near.split(",").filter(Boolean) }];
    }),
  );
}

/** The places of a sheet: its areas, or its hexes. @param {Element} sheet */
export function gridOf(sheet) {
  const areas = sheet.getAttribute("data-areas");
  return areas === null ? Grid.of(sheet) : new Areas(Number(sheet.getAttribute("data-hex")), areasIn(areas));
}
