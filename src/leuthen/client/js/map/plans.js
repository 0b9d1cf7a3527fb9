// A player's own plans on the map: arrows and pins, and those that are being drawn.

import { svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Grid } from "./geometry.js" */

/** What is being drawn. @typedef {"arrow" | "pin"} Kind */

/** Emits `drawn` with detail {places, isDone}. */
export class Plans extends EventTarget {
  /** @type {Kind | null} */
  kind = null;
  /** The hexes of the arrow in the making. @type {string[]} */
  places = [];

  /** @param {Grid} grid */
  constructor(grid) {
    super();
    this.grid = grid;
    this.kept = svg("g", { class: "plans" });
    this.draft = svg("g", { class: "plans is-draft" });
    this.node = svg("g", {}, this.kept, this.draft);
  }

  /** @param {T.Notes} notes */
  show(notes) {
    const arrows = (notes.arrows ?? []).map((places) => this.#arrow(places));
    const pins = (notes.pins ?? []).flatMap(([place, text]) => this.#pin(place, text));
    this.kept.replaceChildren(...arrows.flat(), ...pins);
  }

  /** @param {Kind | null} kind */
  draw(kind) {
    this.kind = kind;
    this.#grow([]);
  }

  /** A hex is chosen while drawing; the last one again ends an arrow. @param {string} place */
  add(place) {
    if (this.kind === "pin") this.#tell([place], true);
    else if (place === this.places.at(-1)) this.finish();
    else {
      this.#grow([...this.places, place]);
      this.#tell(this.places, false);
    }
  }

  /** Leaves the arrow in the making, or else the drawing: it is done then, without a place. */
  leave() {
    if (this.places.length) this.#grow([]);
    else this.#tell([], true);
  }

  /** Ends the arrow in the making. */
  finish() {
    const places = this.places;
    this.#grow([]);
    if (places.length > 1) this.#tell(places, true);
  }

  /** @param {string[]} places */
  #grow(places) {
    this.places = places;
    const first = places[0];
    const start = first ? [svg("circle", { cx: this.grid.centre(first).x, cy: this.grid.centre(first).y, r: 6, class: "plan-start" })] : [];
    this.draft.replaceChildren(...start, ...this.#arrow(places));
  }

  /** @param {readonly string[]} places @param {boolean} isDone */
  #tell(places, isDone) {
    this.dispatchEvent(new CustomEvent("drawn", { detail: { places: [...places], isDone } }));
  }

  /** @param {readonly string[]} places */
  #arrow(places) {
    const d =
      places.length > 1
        ? this.grid.way(
            places.filter((place) => this.grid.has(place)),
            0.15,
          )
        : "";
    return d ? [svg("path", { d, class: "plan-case" }), svg("path", { d, class: "plan-line", "marker-end": "url(#map-head-plan)" })] : [];
  }

  /** @param {string} place @param {string} text */
  #pin(place, text) {
    if (!this.grid.has(place)) return [];
    const { x, y } = this.grid.centre(place);
    const label = text ? svg("text", { x: 11, y: -20, class: "pin-text" }, text) : null;
    const drawn = svg(
      "g",
      { class: "scaled" },
      svg("path", { d: "M0 2C-3-8-10-12-10-21A10 10 0 0 1 10-21C10-12 3-8 0 2Z" }),
      svg("circle", { cy: -21, r: 3.6 }),
      label,
    );
    return [svg("g", { transform: `translate(${x} ${y})`, class: "pin" }, drawn)];
  }
}
