// What is laid over the sheet: layers, reach, the way, and hexes that are lit. Levels and kinds differ in their
// hatching and outline as well as in colour.

import { svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Light } from "../context.js" */
/** @import { Grid, Point } from "./geometry.js" */

const SIDES = [0, 1, 2];
/** For each level of a layer: the distance of its lines, and whether they cross. */
const HATCHES = /** @type {const} */ ([
  [14, false],
  [9, false],
  [9, true],
  [5, true],
]);
/** Where the text of a line may stand under the middle of its first hex; its height, and the mean width of a letter. */
const DROPS = [30, -24, 43, -37, 56, -50, 69];
const HIGH = 12;
const MANY = 60; // lit hexes; more are shaded, and not each framed
const LETTER = 5.9;
/** How far inside the hex each kind of light is drawn. @type {Record<Light, number>} */
const INSETS = { choice: 3, barred: 3, told: 5, picked: 1.5, asked: -3, clause: 3, lesson: -1 };

export class Overlay {
  /** @type {T.Form | null} */
  #form = null;
  /** @type {T.Layer | null} */
  #layer = null;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.shades = svg("g", { class: "layer" });
    this.lines = svg("g", { class: "layer-lines" });
    this.reach = svg("g", { class: "reach" });
    this.way = svg("g", { class: "way" });
    /** @type {Record<Light, SVGGElement>} */
    this.lights = { choice: light(), barred: light(), told: light(), picked: light(), asked: light(), clause: light(), lesson: light() };
    this.under = svg(
      "g",
      {},
      this.shades,
      this.reach,
      this.lights.barred,
      this.lights.choice,
      this.lights.picked,
      this.lights.clause,
      this.lights.asked,
      this.lights.lesson,
    );
    this.over = svg("g", {}, this.lines, this.way, this.lights.told);
  }

  /** Patterns and arrowheads that the overlay is drawn with. */
  static definitions() {
    const hatches = SIDES.flatMap((side) => HATCHES.map(([step, crosses], k) => hatch(side, k + 1, step, crosses)));
    const barred = svg(
      "pattern",
      { id: "map-barred", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
      svg("path", { d: "M-1 -1L9 9M9 -1L-1 9", class: "hatch-barred" }),
    );
    const heads = ["way", "plan", "staff", "yours", "line-0", "line-1", "line-2"].map((name) => arrowhead(name));
    return svg("defs", {}, ...hatches, barred, ...heads);
  }

  // --- layers ---

  /** @param {T.Layer | null} layer */
  setLayer(layer) {
    this.#layer = layer;
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const [place, shade] of Object.entries(layer?.shades ?? {})) {
      const kind = `${shade.side ?? 2}-${Math.max(1, Math.min(4, shade.level))}`;
      groups.set(kind, [...(groups.get(kind) ?? []), place]);
    }
    this.shades.replaceChildren(...[...groups].flatMap(([kind, places]) => this.#shade(kind, places)));
    const lines = layer?.lines ?? [];
    this.lines.replaceChildren(...lines.flatMap((line) => this.#line(line)), ...this.#labels(lines));
    this.under.classList.toggle("has-layer", layer !== null);
  }

  /** @param {string} kind @param {string[]} places */
  #shade(kind, places) {
    const known = places.filter((place) => this.grid.has(place));
    const [side, level] = kind.split("-");
    const d = this.grid.outline(known);
    return [
      svg("path", { d, class: `shade side-${side} level-${level}`, fill: `url(#map-hatch-${kind})` }),
      svg("path", { d: this.grid.border(new Set(known)), class: `shade-edge side-${side} level-${level}` }),
    ];
  }

  /** @param {T.Trace} line */
  #line({ path, side = 2 }) {
    const d = this.grid.way(
      path.filter((place) => this.grid.has(place)),
      0.2,
    );
    if (!d) return [];
    return [
      svg("path", { d, class: "line-case" }),
      svg("path", { d, class: `line side-${side}`, "marker-end": `url(#map-head-line-${side})` }),
    ];
  }

  /** The texts of lines, each where its line begins, and none over another. @param {readonly T.Trace[]} lines */
  #labels(lines) {
    /** @type {{x: number, y: number, half: number}[]} */
    const placed = [];
    return lines.flatMap(({ path, text }) => {
      const start = path[0] ?? "";
      if (!text || !this.grid.has(start)) return [];
      const { x, y } = this.grid.centre(start);
      const half = (text.length * LETTER) / 2;
      const isFree = (/** @type {number} */ drop) =>
        placed.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y - drop) > HIGH);
      const drop = DROPS.find(isFree) ?? 0;
      placed.push({ x, y: y + drop, half });
      return [
        svg("g", { transform: `translate(${x} ${y})` }, svg("g", { class: "scaled" }, svg("text", { y: drop, class: "line-text" }, text))),
      ];
    });
  }

  /** What the layer says of a hex. @param {string} place */
  layerText(place) {
    return this.#layer?.shades[place]?.text ?? "";
  }

  // --- a march ---

  /** @param {T.Form | null} form */
  setReach(form) {
    if (form?.reach === this.#form?.reach && form?.start === this.#form?.start) {
      this.#form = form;
      return;
    }
    this.#form = form;
    const reached = Object.entries(form?.reach ?? {}).filter(([place]) => this.grid.has(place));
    const places = new Set(reached.map(([place]) => place));
    const parts = reached.length
      ? [
          svg("path", { d: this.grid.outline(places), class: "reach-area" }),
          svg("path", { d: this.grid.border(places), class: "reach-edge" }),
        ]
      : [];
    this.reach.replaceChildren(...parts, ...reached.map(([place, step]) => this.#left(place, step)));
  }

  /** @param {string} place @param {T.Reached} step */
  #left(place, step) {
    const { x, y } = this.grid.centre(place);
    const stop = step.stops ? svg("path", { d: "M-7 4.5H7", class: "reach-stop" }) : null;
    return svg(
      "g",
      { transform: `translate(${x} ${y + 21})`, class: "reach-left" },
      svg("g", { class: "scaled" }, svg("text", { y: 2 }, String(step.left)), stop),
    );
  }

  /** Where the march begins whose reach is shown. @returns {Point | null} */
  get start() {
    const start = this.#form?.start ?? "";
    return this.grid.has(start) ? this.grid.centre(start) : null;
  }

  /** @param {string} place @returns {T.Reached | undefined} */
  reached(place) {
    return this.#form?.reach?.[place];
  }

  /** Why a hex may not be chosen now. @param {string} place @returns {T.Objection | undefined} */
  barred(place) {
    for (const field of this.#form?.fields.toReversed() ?? []) {
      const found = field.barred?.find((barred) => barred.place === place || barred.reason.place === place);
      if (found) return found.reason;
    }
    return undefined;
  }

  /** The way of a march with what each step costs. @param {readonly string[]} places */
  setPath(places) {
    const known = places.filter((place) => this.grid.has(place));
    if (known.length < 2) {
      this.way.replaceChildren();
      return;
    }
    const d = this.grid.way(known, 0.3);
    const steps = known.slice(1).flatMap((place) => this.#step(place));
    this.way.replaceChildren(
      svg("path", { d, class: "way-case" }),
      svg("path", { d, class: "way-line", "marker-end": "url(#map-head-way)" }),
      ...steps,
    );
  }

  /** @param {string} place */
  #step(place) {
    const { x, y } = this.grid.centre(place);
    const price = this.reached(place)?.price ?? "";
    if (!price) return [];
    const short = /^\S+/.exec(price)?.[0] ?? price;
    return [
      svg(
        "g",
        { transform: `translate(${x} ${y})`, class: "way-step" },
        svg("g", { class: "scaled" }, svg("circle", { r: 8 }), svg("text", { y: 3.6 }, short)),
      ),
    ];
  }

  // --- lights ---

  /** @param {Iterable<string>} places @param {Light} kind */
  highlight(places, kind) {
    const known = [...new Set(places)].filter((place) => this.grid.has(place));
    const drawn = known.map((place) =>
      svg("path", { d: this.grid.outline([place], INSETS[kind]), class: `light-${kind}`, dataset: { place, light: kind } }),
    );
    this.lights[kind].classList.toggle("is-many", known.length > MANY);
    this.lights[kind].replaceChildren(...drawn);
  }
}

function light() {
  return svg("g", { class: "light" });
}

/** @param {number} side @param {number} level @param {number} step @param {boolean} crosses */
function hatch(side, level, step, crosses) {
  const turn = side === 1 ? -45 : 45;
  const d = crosses ? `M0 0V${step}M0 ${step / 2}H${step}` : `M0 0V${step}`;
  return svg(
    "pattern",
    { id: `map-hatch-${side}-${level}`, width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
    svg("rect", { width: step, height: step, class: `hatch-ground side-${side} level-${level}` }),
    svg("path", { d, class: `hatch side-${side}` }),
  );
}

/** @param {string} name */
function arrowhead(name) {
  return svg(
    "marker",
    { id: `map-head-${name}`, viewBox: "-8 -5 10 10", markerWidth: 4, markerHeight: 4, refX: -1, orient: "auto" },
    svg("path", { d: "M-8-5L2 0-8 5Z", class: `head-${name}` }),
  );
}
