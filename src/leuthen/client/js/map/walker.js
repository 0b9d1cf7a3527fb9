// The cursor of the keyboard: arrows walk the hexes, Tab goes from stack to stack.

import { svg } from "../dom.js";
import { EAST, WEST } from "./geometry.js";

/** @import { Grid } from "./geometry.js" */

/** @typedef {"ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown"} Arrow */

export class Walker {
  /** The hex of the cursor, "" before the first step. */
  place = "";
  /** Where the cursor would be if it could walk straight up and down. */
  #x = 0;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.node = svg("path", { class: "cursor" });
  }

  /** @param {string} place */
  go(place) {
    this.#x = this.grid.centre(place).x;
    this.#put(place);
  }

  /** @param {string} place */
  #put(place) {
    this.place = place;
    this.node.setAttribute("d", place ? this.grid.outline([place], 1) : "");
  }

  /** The next hex that way; at the edge the same one. @param {Arrow} arrow */
  step(arrow) {
    const around = this.grid.neighbours(this.place);
    if (arrow === "ArrowLeft" || arrow === "ArrowRight") return this.go(around[arrow === "ArrowLeft" ? WEST : EAST] || this.place);
    const pair = (arrow === "ArrowUp" ? [around[1], around[2]] : [around[4], around[5]]).filter(Boolean);
    const off = (/** @type {string | undefined} */ place) => Math.abs(this.grid.centre(place ?? "").x - this.#x);
    return this.#put(pair.toSorted((a, b) => off(a) - off(b))[0] ?? this.place);
  }

  /**
   * The stack after the cursor's, in the order in which one reads, "" after the last.
   * @param {Iterable<string>} places of the stacks @param {number} by 1 or -1
   */
  next(places, by) {
    const sorted = [...new Set(places)].toSorted((a, b) => b.localeCompare(a));
    const at = sorted.indexOf(this.place);
    if (at < 0) return sorted.at(by > 0 ? 0 : -1) ?? "";
    return sorted[at + by] ?? "";
  }
}
