// The keyboard on the map: arrows walk the hexes, Tab goes from stack to stack, Enter chooses, Escape leaves. Where the
// cursor stands is shown, and said to screen readers.

import { svg } from "../dom.js";
import { EAST, WEST } from "./geometry.js";

/** @import { Grid } from "./geometry.js" */
/** @import { SheetMap } from "./index.js" */

export class Keyboard {
  /** @param {SheetMap} map */
  constructor(map) {
    this.map = map;
    map.view.addEventListener("keydown", (event) => this.#onKey(event));
    map.view.addEventListener("focus", () => this.#focus());
    map.view.addEventListener("blur", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && map.tip.node.contains(relatedTarget))) map.tip.hide();
    });
  }

  #focus() {
    if (this.map.view.matches(":focus-visible")) this.#walkTo(this.map.walker.place || this.#middle());
  }

  /** The hex at the centre of the view. */
  #middle() {
    const { view, camera, grid } = this.map;
    return grid.placeAt(camera.toSheet({ x: view.clientWidth / 2, y: view.clientHeight / 2 })) || this.#stacks()[0] || "";
  }

  /** Hexes of this side's stacks; of all stacks for a spectator. */
  #stacks() {
    const { scene, side } = this.map.ctx.store;
    return Object.values(scene.pieces).flatMap((piece) => (piece.side === side || side > 1 ? piece.place : []));
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target !== this.map.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.map.playing.isHeld && [" ", "ArrowLeft", "ArrowRight"].includes(event.key)) return; // keys of the playback
    const isChoice = event.key === "Enter" || event.key === " " || event.key === "Escape";
    if ((event.repeat && isChoice) || this.#runKey(event.key, event.shiftKey)) event.preventDefault();
  }

  /** @param {string} key @param {boolean} isShift @returns {boolean} whether the key did something */
  #runKey(key, isShift) {
    if (key.startsWith("Arrow")) return this.#walk(/** @type {Arrow} */ (key));
    if (key === "Tab") return this.#walkTo(this.map.walker.next(this.#stacks(), isShift ? -1 : 1));
    if (key === "Enter" || key === " ") return this.#enter();
    return key === "Escape" && this.#escape();
  }

  /** @param {Arrow} arrow */
  #walk(arrow) {
    const { walker } = this.map;
    if (!walker.place) walker.go(this.#middle());
    else walker.step(arrow);
    return this.#show();
  }

  #enter() {
    const { walker, plans, counters, ctx } = this.map;
    const place = walker.place;
    if (!place) return false;
    if (plans.kind) plans.add(place);
    else {
      const own = (counters.seats.get(place) ?? []).filter(({ piece }) => piece.side === ctx.store.side);
      const key = (own.find(({ piece }) => !piece.inside) ?? own[0])?.key;
      this.map.choose(key ? { place, key } : { place });
    }
    return true;
  }

  /** @returns {boolean} whether there was something to leave */
  #escape() {
    const { playing, plans, tip } = this.map;
    const { isPinned } = tip;
    tip.hide();
    if (playing.isOn) this.map.skip();
    else if (plans.kind) plans.leave();
    else return isPinned;
    return true;
  }

  /** @param {string} place @returns {boolean} whether it is a place */
  #walkTo(place) {
    if (!place) return false;
    this.map.walker.go(place);
    return this.#show();
  }

  /** Show the cursor and announce its hex. */
  #show() {
    const { walker, grid, camera, counters, ctx, tip } = this.map;
    const place = walker.place;
    const middle = grid.centre(place);
    camera.reveal(middle);
    const key = counters.seats.get(place)?.find(({ piece }) => piece.side === ctx.store.side)?.key;
    this.map.point(key ? { place, key } : { place });
    this.map.announcePlace(place);
    const below = { x: middle.x + 0.33 * grid.size, y: middle.y + 0.33 * grid.size };
    requestAnimationFrame(() => tip.show(place, camera.toView(below)));
    return true;
  }
}

// The cursor of the keyboard: arrows walk the hexes, Tab goes from stack to stack.

/** @typedef {"ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown"} Arrow */

export class Walker {
  /** The hex of the cursor, or "" before the first step. */
  place = "";
  /** Column to which the cursor returns when it moves straight up or down. */
  #x = 0;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.node = svg("path.cursor");
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

  /** The next hex in a direction, or the same one at the edge. @param {Arrow} arrow */
  step(arrow) {
    const around = this.grid.neighbours(this.place);
    if (arrow === "ArrowLeft" || arrow === "ArrowRight") return this.go(around[arrow === "ArrowLeft" ? WEST : EAST] || this.place);
    const pair = (arrow === "ArrowUp" ? [around[1], around[2]] : [around[4], around[5]]).filter(Boolean);
    const off = (/** @type {string | undefined} */ place) => Math.abs(this.grid.centre(place ?? "").x - this.#x);
    return this.#put(pair.toSorted((a, b) => off(a) - off(b))[0] ?? this.place);
  }

  /**
   * The stack after the cursor's in reading order, or "" after the last.
   * @param {Iterable<string>} places of the stacks @param {number} by 1 or -1
   */
  next(places, by) {
    const sorted = [...new Set(places)].toSorted((a, b) => b.localeCompare(a));
    const at = sorted.indexOf(this.place);
    if (at < 0) return sorted.at(by > 0 ? 0 : -1) ?? "";
    return sorted[at + by] ?? "";
  }
}
