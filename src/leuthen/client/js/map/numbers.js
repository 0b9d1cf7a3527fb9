// The numbers of the hexes that are seen, while they can be read.

import { svg } from "../dom.js";

/** @import { Camera } from "./camera.js" */
/** @import { Grid, Point } from "./geometry.js" */

const LEAST = 66; // px that a hex is wide

export class Numbers {
  /** @type {Map<string, SVGTextElement>} */
  #drawn = new Map();
  /** Where the middle of the view was, and the scale, when they were drawn. */
  last = { x: Infinity, y: Infinity, scale: 0 };

  /** @param {Grid} grid @param {Camera} camera */
  constructor(grid, camera) {
    this.grid = grid;
    this.camera = camera;
    this.node = svg("g", { class: "numbers" });
  }

  /** Draws those that are seen, and some around; nothing while there are enough. */
  draw() {
    const { camera, grid, last } = this;
    const { clientWidth: width, clientHeight: height } = camera.view;
    if (camera.scale === last.scale && Math.abs(camera.x - last.x) < width / 3 && Math.abs(camera.y - last.y) < height / 3) return;
    this.last = { x: camera.x, y: camera.y, scale: camera.scale };
    const seen = grid.isNumbered && camera.scale * grid.size >= LEAST ? this.#seen() : new Set();
    for (const [place, node] of this.#drawn) {
      if (seen.has(place)) continue;
      node.remove();
      this.#drawn.delete(place);
    }
    const added = [...seen].filter((place) => !this.#drawn.has(place)).map((place) => this.#number(place));
    this.node.append(...added);
  }

  /** @returns {Set<string>} */
  #seen() {
    const { camera, grid } = this;
    const { clientWidth: width, clientHeight: height } = camera.view;
    const from = camera.toSheet({ x: -width / 2, y: -height / 2 });
    const to = camera.toSheet({ x: 1.5 * width, y: 1.5 * height });
    return new Set([...grid.places].filter((place) => isWithin(grid.centre(place), from, to)));
  }

  /** @param {string} place */
  #number(place) {
    const { x, y } = this.grid.centre(place);
    const node = svg("text", { x, y: y - this.grid.size * 0.36 }, place);
    this.#drawn.set(place, node);
    return node;
  }
}

/** @param {Point} point @param {Point} from @param {Point} to */
function isWithin(point, from, to) {
  return point.x >= from.x && point.x <= to.x && point.y >= from.y && point.y <= to.y;
}
