// What stands on the map besides the counters: whose each fortress is, the tracks of sieges, depots and the like.

import { svg } from "../dom.js";
import { HEIGHT, byPlaceOf } from "./stacking.js";

/** @import * as T from "../../types" */
/** @import { Grid, Point } from "./geometry.js" */
/** @import { Seat } from "./stacking.js" */

/** Flags, by side: square, swallow-tailed, and a bare pole. */
const FLAGS = { 0: "M0 0h17v12H0Z", 1: "M0 0h19l-5 6 5 6H0Z", 2: "M0 0h5v12H0Z" };
/** Markers, by side: square, a house, round. */
const BOXES = { 0: "M-7-7H7V7H-7Z", 1: "M-7-3L0-9 7-3V7H-7Z", 2: "M-7 0A7 7 0 0 1 7 0 7 7 0 0 1-7 0Z" };

/** How far markers stand apart, and how far below the middle of their hex at least. */
const STEP = 15;
const LOW = 28;

export class Holders {
  /** @param {Grid} grid @param {ReadonlyMap<string, Point>} towns where they stand on the sheet, by hex */
  constructor(grid, towns) {
    this.grid = grid;
    this.towns = towns;
    this.flags = svg("g", { class: "flags" });
    this.markers = svg("g", { class: "markers" });
  }

  /** Where fortresses fly a flag. @type {Point[]} */
  spots = [];
  /** Where markers stand: hexes, and how far from there in units of a counter. @type {{at: Point, x: number, y: number}[]} */
  boxes = [];

  /** @param {T.Scene} scene @param {ReadonlyMap<string, readonly Seat[]>} seats the counters, by hex */
  show(scene, seats) {
    this.spots = Object.keys(scene.holdings).map((place) => this.#spot(place));
    this.flags.replaceChildren(...Object.entries(scene.holdings).map(([place, holding]) => this.#flag(place, holding)));
    this.boxes = [];
    const markers = [...byPlaceOf(scene.markers)].flatMap(([place, found]) =>
      found.map(([key, marker], k) =>
        this.#marker(place, key, marker, { x: STEP * (k - (found.length - 1) / 2), y: below(seats.get(place) ?? []) }),
      ),
    );
    const meters = new Map((scene.meters ?? []).map((meter) => [meter.place, meter]));
    const sieges = Object.entries(scene.holdings).flatMap(([place, { siege }]) => (siege ? this.#siege(place, meters.get(place)) : []));
    this.markers.replaceChildren(...markers, ...sieges);
  }

  /**
   * How far a siege has come: steps in a row where there is a last one, else their number.
   * @param {string} place @param {T.Meter | undefined} meter
   */
  #siege(place, meter) {
    const { x, y } = this.#spot(place);
    const { value = 0, most = 0 } = meter ?? {};
    const shown = most ? Array.from({ length: most }, (_, k) => breach(k, k < value)) : [svg("text", { x: 17, y: -18 }, String(value))];
    const drawn = svg("g", { class: "scaled" }, svg("path", { d: "M9-29v3h4v-3h4v3h4v-3h4v13H9Z" }), ...shown);
    return svg("g", { class: "siege", transform: `translate(${x} ${y})`, dataset: { siege: place, breaches: String(value) } }, drawn);
  }

  /** Where the town of a hex stands. @param {string} place */
  #spot(place) {
    return this.towns.get(place) ?? this.grid.centre(place);
  }

  /** @param {string} place @param {T.HeldFortress} holding */
  #flag(place, holding) {
    const { x, y } = this.#spot(place);
    const cloth = FLAGS[/** @type {0 | 1 | 2} */ (holding.side)];
    return svg(
      "g",
      {
        class: `flag side-${holding.side}${holding.is_held ? " is-held" : ""}`,
        transform: `translate(${x} ${y})`,
        dataset: { holding: place },
      },
      svg(
        "g",
        { class: "scaled" },
        svg("path", { d: "M-13-28V-9", class: "pole" }),
        svg("path", { d: cloth, class: "cloth", transform: "translate(-13 -28)" }),
        holding.points ? svg("text", { x: -5.2, y: -19, class: "points" }, String(holding.points)) : null,
        holding.siege ? svg("circle", { r: 21, class: "trench" }) : null,
      ),
    );
  }

  /** @param {string} place @param {string} key @param {T.Marker} marker @param {Point} from the middle of the hex, in units of a counter */
  #marker(place, key, marker, from) {
    const { x, y } = this.grid.centre(place);
    this.boxes.push({ at: { x, y }, ...from });
    const at = `translate(${from.x} ${from.y})`;
    return svg(
      "g",
      { class: `marker side-${marker.side}`, transform: `translate(${x} ${y})`, dataset: { marker: key, kind: marker.kind } },
      svg(
        "g",
        { class: "scaled" },
        svg("g", { transform: at }, svg("path", { d: BOXES[/** @type {0 | 1 | 2} */ (marker.side)] }), svg("text", { y: 4 }, marker.mark)),
      ),
    );
  }
}

/** The row under the field counters of a hex, so that it hides none of them. @param {readonly Seat[]} seats */
function below(seats) {
  const field = seats.filter(({ piece }) => !piece.inside);
  return Math.max(LOW, ...field.map(({ y, size }) => y + (HEIGHT / 2) * size + 7));
}

/** A place for a breach in the wall, open or not. @param {number} k @param {boolean} isOpen */
function breach(k, isOpen) {
  return svg("rect", { x: 10.2 + 5 * k, y: -23, width: 3.6, height: 5.5, class: isOpen ? "breach is-open" : "breach" });
}
