// The film of the campaign: the front turn by turn with the armies as they were seen, played or stepped through; battles are
// marked on the bar. Scenes are fetched as they are shown, the next ones meanwhile.

import { plural } from "../bits.js";
import { el, fill, svg } from "../dom.js";
import { centre } from "../story/battle.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "../session/api.js" */
/** @import { FrontSheet } from "./front.js" */

/** Turns a second, by the name of the speed. */
const SPEEDS = { slow: 0.7, usual: 1.5, fast: 4 };

/** @typedef {{n: number, date: string, battles: readonly T.LogEntry[], scene?: T.Scene}} Frame */

export class Film {
  #at = 0;
  #timer = 0;
  /** @type {keyof typeof SPEEDS} */
  #speed = "usual";

  /** @param {SeatApi} api @param {FrontSheet} sheet @param {readonly Frame[]} frames @param {number | undefined} viewer */
  constructor(api, sheet, frames, viewer) {
    this.api = api;
    this.sheet = sheet;
    this.frames = frames;
    this.viewer = viewer;
    /** @type {Map<number, Promise<T.Scene>>} */
    this.scenes = new Map();
    /** @type {SVGElement | null} */
    this.map = null;
    this.picture = el("div", { class: "film-picture" });
    this.words = el("p", { class: "film-words", "aria-live": "polite" });
    this.bar = el("input", {
      type: "range",
      min: 0,
      max: frames.length - 1,
      value: 0,
      "aria-label": "Turn of the film",
      oninput: () => this.#show(Number(this.bar.value)),
    });
    this.play = el("button", { type: "button", class: "primary", dataset: { do: "film-play" }, onclick: () => this.#toggle() }, "Play");
  }

  /** The whole of it, with the first turn on show. */
  view() {
    void this.#show(0);
    const step = (/** @type {number} */ by, /** @type {string} */ label) =>
      el("button", { type: "button", "aria-label": label, onclick: () => this.#step(by) }, by < 0 ? "‹" : "›");
    const speed = el(
      "select",
      { "aria-label": "Speed of the film", onchange: () => this.#setSpeed(speed.value) },
      ...Object.keys(SPEEDS).map((name) => el("option", { value: name, selected: name === this.#speed }, name)),
    );
    return el(
      "div",
      { class: "film" },
      this.picture,
      this.words,
      el("div", { class: "film-bar" }, this.bar, this.#marks()),
      el("p", { class: "row no-print" }, this.play, step(-1, "Turn back"), step(1, "Turn on"), speed),
    );
  }

  /** Where battles were, under the bar. */
  #marks() {
    const last = Math.max(1, this.frames.length - 1);
    const marks = this.frames.flatMap(({ battles, date }, at) =>
      battles.length
        ? [
            el(
              "button",
              {
                type: "button",
                class: "film-mark",
                style: { left: `${(100 * at) / last}%` },
                "aria-label": `${date}: ${battles.map((told) => told.battle?.name).join(", ")}`,
                onclick: () => this.#show(at),
              },
              "⚔",
            ),
          ]
        : [],
    );
    return el("div", { class: "film-marks" }, ...marks);
  }

  /** @param {string} name */
  #setSpeed(name) {
    this.#speed = /** @type {keyof typeof SPEEDS} */ (name);
    if (this.#timer) this.#run();
  }

  #toggle() {
    if (this.#timer) this.#stop();
    else {
      if (this.#at === this.frames.length - 1) void this.#show(0);
      this.#run();
    }
  }

  #run() {
    clearInterval(this.#timer);
    this.#timer = window.setInterval(() => this.#next(), 1000 / SPEEDS[this.#speed]);
    this.play.textContent = "Pause";
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = 0;
    this.play.textContent = "Play";
  }

  #next() {
    if (this.#at >= this.frames.length - 1) this.#stop();
    else void this.#show(this.#at + 1);
  }

  /** @param {number} by */
  #step(by) {
    this.#stop();
    void this.#show(Math.max(0, Math.min(this.frames.length - 1, this.#at + by)));
  }

  /** @param {number} at @returns {Promise<T.Scene>} */
  #scene(at) {
    const frame = /** @type {Frame} */ (this.frames[at]);
    const known =
      this.scenes.get(at) ?? (frame.scene ? Promise.resolve(frame.scene) : this.api.past(frame.n, this.viewer).then((past) => past.scene));
    this.scenes.set(at, known);
    return known;
  }

  /** @param {number} at */
  async #show(at) {
    this.#at = at;
    this.bar.value = String(at);
    const frame = /** @type {Frame} */ (this.frames[at]);
    this.bar.setAttribute("aria-valuetext", frame.date);
    const scene = await this.#scene(at);
    if (this.#at !== at) return;
    const { sheet } = this;
    this.map = this.map ? sheet.show(this.map, scene, frame.date) : sheet.draw(scene, frame.date);
    this.map.lastElementChild?.append(...armies(scene, sheet.size), ...frame.battles.map((told) => swords(told, sheet.size)));
    if (!this.map.isConnected) fill(this.picture, this.map);
    const fought = frame.battles.map((told) => `${told.battle?.name}`);
    const vp = scene.scores[0];
    const score = vp ? `${vp.label} ${vp.values[0]} to ${vp.values[1]}` : "";
    this.words.textContent = [frame.date, score, fought.length ? `${plural(fought.length, "battle")}: ${fought.join(", ")}` : ""]
      .filter(Boolean)
      .join(" · ");
    if (at + 1 < this.frames.length) void this.#scene(at + 1);
  }
}

/** The armies in the field, by size as far as it is known. @param {T.Scene} scene @param {number} unit */
function armies({ pieces }, unit) {
  return Object.values(pieces)
    .filter(({ inside, side, leaders = [] }) => !inside && side < 2 && leaders.length)
    .map((piece) => {
      const { x, y } = centre(piece.place);
      const size = unit * (0.6 + Math.min(0.6, Math.sqrt(Math.max(1, piece.low)) / 10));
      const block = svg("rect", { x: -1.25 * size, y: -size, width: 2.5 * size, height: 2 * size, rx: piece.side * 0.9 * size });
      const strength = svg("text", { style: { "font-size": `${1.3 * size}px` }, y: 0.45 * size }, piece.strength);
      const title = svg("title", {}, piece.spoken);
      return svg("g", { class: "army", "data-side": piece.side, transform: `translate(${x} ${y})` }, block, strength, title);
    });
}

/** @param {T.LogEntry} told @param {number} unit */
function swords(told, unit) {
  const { x, y } = centre(told.battle?.place ?? "0000");
  return svg(
    "g",
    { class: "battle-mark", transform: `translate(${x} ${y})` },
    svg("path", { d: "M-.9-.9.9.9M-.9.9.9-.9", transform: `scale(${unit})` }),
    svg("text", { y: -1.2 * unit }, told.battle?.name ?? ""),
  );
}
