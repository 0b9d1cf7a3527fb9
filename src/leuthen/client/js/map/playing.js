// Plays what happened: a counter goes its way, hexes light up, and a card says what it was, with its dice.

import { el, svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Camera } from "./camera.js" */
/** @import { Counters } from "./counters.js" */
/** @import { Grid } from "./geometry.js" */
/** @import { Overlay } from "./overlay.js" */

const STEP = 170; // ms for each hex of a march
const LONGEST = 1400; // ms for a whole march
const READING = [700, 2600]; // ms for a card, at least and at most
const LETTER = 14; // ms for each letter of it

export class Playing {
  #number = 0;
  /** @type {(() => void) | null} */
  #wake = null;

  /** @param {Grid} grid @param {Camera} camera @param {Counters} counters @param {Overlay} overlay */
  constructor(grid, camera, counters, overlay) {
    this.grid = grid;
    this.camera = camera;
    this.counters = counters;
    this.overlay = overlay;
    this.node = svg("g", { class: "playing" });
    this.card = el("div", { class: "map-card", hidden: true });
  }

  get isOn() {
    return this.#wake !== null;
  }

  /** Ends what is being played. */
  skip() {
    this.#number += 1;
    this.#wake?.();
  }

  /** @param {readonly T.Told[]} told */
  async play(told) {
    this.skip();
    const number = this.#number;
    const speed = told.length > 20 ? 4 : told.length > 6 ? 2 : 1;
    for (const event of told) {
      if (number !== this.#number || document.hidden) break;
      await this.#event(event, speed);
    }
    if (number === this.#number) this.#clear();
  }

  /** @param {T.Told} event @param {number} speed */
  async #event(event, speed) {
    const path = (event.path ?? []).filter((place) => this.grid.has(place));
    const places = [...path, ...(event.places ?? [])].filter((place) => this.grid.has(place));
    const first = places[0];
    if (first === undefined) return;
    if (!places.some((place) => this.camera.sees(this.grid.centre(place)))) this.camera.centre(this.grid.centre(first));
    this.overlay.highlight(event.places?.length ? event.places : path.slice(-1), "told");
    this.#tell(event, path.at(-1) ?? first);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const moving = path.length > 1 && !isStill ? this.#march(event, path, speed) : null;
    const [least = 0, most = 0] = READING;
    await this.#wait(isStill ? least : Math.max(moving ?? 0, Math.min(most, least + LETTER * event.text.length) / speed));
    this.#clear();
  }

  /** @param {T.Told} event @param {string} place */
  #tell(event, place) {
    const dice = (event.dice ?? []).map((die) => el("span", { class: "die" }, String(die)));
    this.card.replaceChildren(...dice, event.text);
    this.card.hidden = false;
    const { x, y } = this.camera.toView(this.grid.centre(place));
    const { clientWidth: width } = this.camera.view;
    const wide = this.card.offsetWidth;
    const left = Math.max(4, Math.min(width - wide - 4, x - wide / 2));
    const above = y - 40 * this.camera.scale - this.card.offsetHeight;
    this.card.style.transform = `translate(${Math.round(left)}px, ${Math.round(above > 4 ? above : y + 44 * this.camera.scale)}px)`;
  }

  /** The counter goes its way. @param {T.Told} event @param {string[]} path @param {number} speed @returns {number} ms that it takes */
  #march(event, path, speed) {
    const time = Math.min(LONGEST, STEP * (path.length - 1)) / speed;
    const way = svg("path", { d: this.grid.way(path), class: "played-way" });
    const token = this.#token(event.side ?? 2, /** @type {string} */ (path[0]));
    this.node.replaceChildren(way, token);
    const steps = path.map((place) => this.grid.centre(place)).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    token.animate(steps, { duration: time, easing: "ease-in-out", fill: "forwards" });
    return time + 300;
  }

  /** The counter that goes; where none is seen, a mere token of its side. @param {number} side @param {string} from */
  #token(side, from) {
    const seat = this.counters.seats.get(from)?.findLast(({ piece }) => piece.side === side && !piece.inside);
    if (seat) return this.counters.draw({ ...seat, at: this.grid.centre(from), x: 0, y: 0 });
    return svg("g", { class: `counter side-${side}` }, svg("g", { class: "scaled" }, svg("circle", { r: 12, class: "c-face" })));
  }

  /** @param {number} ms */
  async #wait(ms) {
    await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
    });
    this.#wake = null;
  }

  #clear() {
    this.node.replaceChildren();
    this.card.hidden = true;
    this.overlay.highlight([], "told");
  }
}
