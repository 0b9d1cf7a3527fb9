// Plays what happened: a counter goes its way, hexes light up, and a card says what it was, with its dice.

import { diceOf, el, svg } from "../dom.js";
import { settingOf } from "../settings.js";

/** @import * as T from "../../types" */
/** @import { Camera } from "./camera.js" */
/** @import { Counters } from "./counters.js" */
/** @import { Grid, Point } from "./geometry.js" */
/** @import { Overlay } from "./overlay.js" */

const STEP = 170; // ms for each hex of a march
const LONGEST = 1400; // ms for a whole march
const PAUSE = 300; // ms after a march
const READING = [700, 2600]; // ms for a card, at least and at most
const LETTER = 14; // ms for each letter of it
const AWAY = 44; // px from a hex's middle to where a card hides nothing of it, at least
const EDGE = 6; // px
const TOOLS = 58; // px at the right edge, where the buttons of the map lie over a card
/** How fast events are played, by the setting. @type {Record<string, number>} */
const PACES = { slow: 0.5, normal: 1, fast: 2.5, off: 0 };
const MANY = 6; // events; more are played faster, so that all take no longer

export class Playing {
  #number = 0;
  /** The counters that have gone their way, by side and hex. @type {Map<string, SVGGElement>} */
  #gone = new Map();
  /** @type {(() => void) | null} */
  #wake = null;
  /** What was in the middle before something was shown elsewhere. @type {Point | null} */
  #home = null;

  /** @param {Grid} grid @param {Camera} camera @param {Counters} counters @param {Overlay} overlay @param {() => T.Scene} after what came of it */
  constructor(grid, camera, counters, overlay, after) {
    this.after = after;
    this.grid = grid;
    this.camera = camera;
    this.counters = counters;
    this.overlay = overlay;
    this.way = svg("path", { class: "played-way" });
    this.node = svg("g", { class: "playing" }, this.way);
    this.card = el("div", { class: "map-card", hidden: true });
  }

  get isOn() {
    return this.#wake !== null;
  }

  /** Ends what is being played; the view stays where it is. */
  skip() {
    this.#stop();
    this.#home = null;
    this.#end();
  }

  /** The player has moved the map: that is where it stays. */
  stay() {
    this.#home = null;
  }

  /** Shows again what was in the middle before something was shown elsewhere. */
  comeHome() {
    if (this.#home) this.camera.centre(this.#home);
    this.#home = null;
  }

  /** @param {readonly T.LogEntry[]} told more of what happens, after what was played last */
  async play(told) {
    const number = this.#stop();
    const pace = PACES[settingOf("speed")] ?? 1;
    const speed = pace * Math.max(1, told.length / MANY);
    for (const event of told) {
      if (number !== this.#number || document.hidden || !pace) break;
      await this.#event(event, speed);
    }
    if (number === this.#number) this.#rest(); // who has gone stays there until the map shows what came of it
  }

  /** @returns {number} the number of what is played next */
  #stop() {
    this.#number += 1;
    this.#wake?.();
    return this.#number;
  }

  /** @param {T.LogEntry} event @param {number} speed */
  async #event(event, speed) {
    const path = (event.path ?? []).filter((place) => this.grid.has(place));
    const places = [...path, ...(event.places ?? [])].filter((place) => this.grid.has(place));
    const first = places[0];
    if (first === undefined) return;
    if (!places.some((place) => this.camera.sees(this.grid.centre(place)))) this.#goTo(this.grid.centre(first));
    this.overlay.highlight(event.places?.length ? event.places : path.slice(-1), "told");
    this.#tell(event, places);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const moving = path.length > 1 && !isStill ? this.#march(event, path, speed) : 0;
    const [least = 0, most = 0] = READING;
    const reading = isStill ? least : Math.min(most, least + LETTER * event.text.length);
    await this.#wait(Math.max(moving, reading / speed));
    this.#rest();
  }

  /** @param {Point} point */
  #goTo(point) {
    this.#home ??= this.camera.middle;
    this.camera.centre(point);
  }

  /** @param {T.LogEntry} event @param {readonly string[]} places */
  #tell(event, places) {
    const dice = diceOf(event).map((die) => el("span", { class: "die" }, String(die)));
    this.card.replaceChildren(...dice, event.text);
    this.card.hidden = false;
    const { x, y } = this.#spot(places.map((place) => this.camera.toView(this.grid.centre(place))));
    this.card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** Where the card hides nothing of what it is about: above it, below it, or in a corner. @param {readonly Point[]} points in the view @returns {Point} */
  #spot(points) {
    const { left, top, width, height } = this.camera.room;
    const right = left + width - TOOLS;
    const { offsetWidth: wide, offsetHeight: high } = this.card;
    const away = AWAY * Math.max(1, this.camera.scale);
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    const middle = Math.max(left + EDGE, Math.min(right - wide - EDGE, (Math.min(...xs) + Math.max(...xs) - wide) / 2));
    const spots = [
      { x: middle, y: Math.min(...ys) - away - high },
      { x: middle, y: Math.max(...ys) + away },
      { x: left + EDGE, y: top + EDGE },
      { x: right - wide - EDGE, y: top + height - high - EDGE },
    ];
    const isFree = (/** @type {Point} */ { x, y }) =>
      y >= top + EDGE &&
      y + high <= top + height - EDGE &&
      points.every((point) => point.x < x - away || point.x > x + wide + away || point.y < y - away || point.y > y + high + away);
    return spots.find(isFree) ?? { x: Math.max(left + EDGE, (left + right - wide) / 2), y: top + height - high - EDGE };
  }

  /** The counter goes its way. @param {T.LogEntry} event @param {string[]} path @param {number} speed @returns {number} ms that it takes */
  #march(event, path, speed) {
    const time = Math.min(LONGEST, STEP * (path.length - 1)) / speed;
    const [from = "", to = ""] = [path[0], path.at(-1)];
    const token = this.#token(event.side ?? 2, from, to);
    this.#gone.set(`${event.side ?? 2} ${to}`, token);
    this.way.setAttribute("d", this.grid.way(path));
    this.node.append(token);
    const steps = path.map((place) => this.grid.centre(place)).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    token.animate(steps, { duration: time, easing: "ease-in-out", fill: "forwards" });
    return time + PAUSE / speed;
  }

  /**
   * The counter that goes: one that has gone before, one that is seen, as it arrives, or a mere token.
   * @param {number} side @param {string} from @param {string} to
   */
  #token(side, from, to) {
    const before = this.#gone.get(`${side} ${from}`);
    if (before) {
      this.#gone.delete(`${side} ${from}`);
      return before;
    }
    const at = this.grid.centre(from);
    const seat = this.counters.seats.get(from)?.findLast(({ piece }) => piece.side === side && !piece.inside);
    if (!seat) return this.#arriving(side, to, at);
    this.counters.hide(seat.key);
    return this.counters.draw({ ...seat, at, x: 0, y: 0 });
  }

  /** A counter that was not seen setting out, as it is seen where it goes. @param {number} side @param {string} to @param {Point} at */
  #arriving(side, to, at) {
    const found = Object.entries(this.after().pieces).filter(([, piece]) => piece.place === to && piece.side === side);
    const [key, piece] = found.find(([, { inside }]) => !inside) ?? found[0] ?? [];
    if (!key || !piece) return this.counters.token(side, at);
    return this.counters.draw({ key, piece: { ...piece, inside: false }, at, x: 0, y: 0, size: 1 });
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

  /** Between two events. */
  #rest() {
    this.way.removeAttribute("d");
    this.card.hidden = true;
    this.overlay.highlight([], "told");
  }

  #end() {
    this.#rest();
    this.#gone.clear();
    this.counters.hide();
    this.node.replaceChildren(this.way);
  }
}
