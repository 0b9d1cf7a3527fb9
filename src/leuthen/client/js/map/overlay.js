// What is laid over the sheet: layers, reach, the way, hexes that are lit, plans, the staff's arrows, the last marches and
// the numbers of hexes. Levels and kinds differ in their hatching and outline as well as in colour.

import { Emitter, el, svg } from "../dom.js";
import { moveTo, signAt } from "./sheet.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Light } from "./index.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Grid, Point } from "./sheet.js" */

const SIDES = [0, 1, 2];
/** For each level of a layer: distance of the hatching lines, and true if they cross. */
const HATCHES = /** @type {const} */ ([
  [14, false],
  [9, false],
  [9, true],
  [5, true],
]);
/** Offsets of a line's text below the centre of its first hex; its height, and the mean width of a letter. */
const DROPS = [30, -24, 43, -37, 56, -50, 69];
const HIGH = 12;
const MANY = 60; // lit hexes; more are shaded, and not each framed
const LETTER = 5.9;
const CUT = 0.36; // of a track at both ends, in hexes, to keep the counters clear
/** Inset of each kind of highlight from the edge of a hex. @type {Record<Light, number>} */
const INSETS = { choice: 3, barred: 3, told: 5, picked: 1.5, asked: -3, clause: 3, lesson: -1 };

/** A line over its case, with a head. @param {string} d @param {string} kind @param {string} look @param {string} head @param {Record<string, any>} [props] */
const arrow = (d, kind, look, head, props = {}) =>
  d ? [svg(`path.${kind}-case`, { d }), svg("path", { ...props, d, class: look, "marker-end": `url(#map-head-${head})` })] : [];

/** A march or the trace of a layer. @param {string} d @param {number} side @param {Record<string, any>} [props] */
const sideArrow = (d, side, props) => arrow(d, "line", `line side-${side}`, `line-${side}`, props);

export class Overlay {
  /** @type {T.Form | null} */
  #form = null;
  /** @type {T.Layer | null} */
  #layer = null;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.shades = svg("g.layer");
    this.lines = svg("g.layer-lines");
    this.reach = svg("g.reach");
    this.way = svg("g.way");
    this.tracks = svg("g.tracks.layer-lines");
    const lights = Object.keys(INSETS).map((kind) => [kind, svg("g.light")]);
    this.lights = /** @type {Record<Light, SVGGElement>} */ (Object.fromEntries(lights));
    const { barred, choice, picked, clause, asked, lesson, told } = this.lights;
    this.under = svg("g", this.shades, this.reach, barred, choice, picked, clause, asked, lesson);
    this.over = svg("g", this.lines, this.way, told);
    /** What the numbers within reach are. */
    this.key = el("p.map-key.small", { hidden: true }, MAP.reachKey);
  }

  /** Patterns and arrowheads of the overlay. */
  static definitions() {
    const hatches = SIDES.flatMap((side) => HATCHES.map(([step, crosses], k) => hatch(side, k + 1, step, crosses)));
    const barred = svg(
      "pattern",
      { id: "map-barred", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
      svg("path.hatch-barred", { d: "M-1 -1L9 9M9 -1L-1 9" }),
    );
    return svg("defs", ...hatches, barred, ...["way", "plan", "staff", "yours", "line-0", "line-1", "line-2"].map(arrowhead));
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
    this.shades.replaceChildren(...[...groups].flatMap(([kind, places]) => this.#shade(kind, this.grid.known(places))));
    const lines = layer?.lines ?? [];
    const drawn = lines.flatMap(({ path, side = 2 }) => sideArrow(this.grid.way(path, 0.2), side));
    this.lines.replaceChildren(...drawn, ...this.#labels(lines));
    this.under.classList.toggle("has-layer", layer !== null);
  }

  /** @param {string} kind @param {string[]} places */
  #shade(kind, places) {
    const [side, level] = kind.split("-");
    const edge = `side-${side} level-${level}`;
    return [
      svg("path", { d: this.grid.outline(places), class: `shade ${edge}`, fill: `url(#map-hatch-${kind})` }),
      svg("path", { d: this.grid.border(new Set(places)), class: `shade-edge ${edge}` }),
    ];
  }

  /** Texts of lines, each at the start of its line, without overlaps. @param {readonly T.Trace[]} lines */
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
      return [signAt({ x, y }, {}, svg("text.line-text", { y: drop }, text))];
    });
  }

  /** The layer's text for a hex. @param {string} place */
  layerText(place) {
    return this.#layer?.shades[place]?.text ?? "";
  }

  // --- a march ---

  /** @param {T.Form | null} form */
  setReach(form) {
    const isSame = form?.reach === this.#form?.reach && form?.start === this.#form?.start;
    this.#form = form;
    this.key.hidden = !Object.keys(form?.reach ?? {}).length;
    if (isSame) return;
    const reached = Object.entries(form?.reach ?? {}).filter(([place]) => this.grid.has(place));
    const places = new Set(reached.map(([place]) => place));
    const area = [svg("path.reach-area", { d: this.grid.outline(places) }), svg("path.reach-edge", { d: this.grid.border(places) })];
    const remainingMp = reached.map(([place, { left, stops }]) => {
      const { x, y } = this.grid.centre(place);
      const stop = stops ? svg("path.reach-stop", { d: "M-7 4.5H7" }) : null;
      return signAt({ x, y: y + 21 }, { class: "reach-left" }, svg("text", { y: 2 }, String(left)), stop);
    });
    this.reach.replaceChildren(...(places.size ? area : []), ...remainingMp);
  }

  /** Centres of the reachable hexes and of the march's first hex. */
  get centres() {
    const { start = "", reach = {} } = this.#form ?? {};
    return this.grid.centres([start, ...Object.keys(reach)]);
  }

  /** @param {string} place @returns {T.Reached | undefined} */
  reached(place) {
    return this.#form?.reach?.[place];
  }

  /** The reason why a hex is barred now. @param {string} place @returns {T.Objection | undefined} */
  barred(place) {
    const barred = this.#form?.fields.toReversed().flatMap((field) => field.barred ?? []);
    return barred?.find((answer) => answer.place === place || answer.reason.place === place)?.reason;
  }

  /** Show the path of a march with the cost of each step. @param {readonly string[]} places */
  setPath(places) {
    const steps = this.grid.known(places).slice(1);
    this.way.replaceChildren(
      ...arrow(this.grid.way(places, 0.3), "way", "way-line", "way"),
      ...steps.flatMap((place) => {
        const [short] = /^\S+/.exec(this.reached(place)?.price ?? "") ?? [];
        const sign = [svg("circle", { r: 8 }), svg("text", { y: 3.6 }, short)];
        return short ? [signAt(this.grid.centre(place), { class: "way-step" }, ...sign)] : [];
      }),
    );
  }

  /** Show the ways that armies went last, so that whoever looked away can follow them. @param {readonly import("./playing.js").Track[]} tracks */
  setTracks(tracks) {
    const drawn = tracks.flatMap(({ side, path }) =>
      sideArrow(this.grid.way(path, CUT), side, { dataset: { track: this.grid.known(path).join("-") } }),
    );
    this.tracks.replaceChildren(...drawn);
  }

  // --- lights ---

  /** @param {Iterable<string>} places @param {Light} kind */
  highlight(places, kind) {
    const known = this.grid.known(new Set(places));
    const drawn = known.map((place) =>
      svg(`path.light-${kind}`, { d: this.grid.outline([place], INSETS[kind]), dataset: { place, light: kind } }),
    );
    this.lights[kind].classList.toggle("is-many", known.length > MANY);
    if (kind === "choice" && known.length <= MANY)
      this.over.prepend(this.lights.choice); // a counter would cover the frame
    else if (kind === "choice") this.under.append(this.lights.choice);
    this.lights[kind].replaceChildren(...drawn);
  }
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
  const box = { viewBox: "-8 -5 10 10", markerWidth: 4, markerHeight: 4, refX: -1, orient: "auto" };
  return svg("marker", { id: `map-head-${name}`, ...box }, svg(`path.head-${name}`, { d: "M-8-5L2 0-8 5Z" }));
}

// A player's own plans on the map: arrows and pins, and those that are being drawn.

/** The plan being drawn. @typedef {"arrow" | "pin"} Kind */

/** Dispatches `drawn` with detail {places, isDone}. */
export class Plans extends Emitter {
  /** @type {Kind | null} */
  kind = null;
  /** The hexes of the arrow being drawn. @type {string[]} */
  places = [];

  /** @param {Grid} grid */
  constructor(grid) {
    super();
    this.grid = grid;
    this.kept = svg("g.plans");
    this.draft = svg("g.plans.is-draft");
    this.node = svg("g", this.kept, this.draft);
  }

  /** @param {T.Notes} notes */
  show(notes) {
    const arrows = (notes.arrows ?? []).flatMap((places) => this.#arrow(places));
    const pins = (notes.pins ?? []).filter(([place]) => this.grid.has(place)).map(([place, text]) => this.#pin(place, text));
    this.kept.replaceChildren(...arrows, ...pins);
  }

  /** @param {Kind | null} kind */
  draw(kind) {
    this.kind = kind;
    this.#grow([]);
  }

  /** Add a hex to the arrow; the last one again ends it. @param {string} place */
  add(place) {
    if (this.kind === "pin") this.tell("drawn", { places: [place], isDone: true });
    else if (place === this.places.at(-1)) {
      const { places } = this;
      this.#grow([]);
      if (places.length > 1) this.tell("drawn", { places, isDone: true });
    } else {
      this.#grow([...this.places, place]);
      this.tell("drawn", { places: this.places, isDone: false });
    }
  }

  /** Cancel the arrow being drawn, or else leave drawing: done, without a place. */
  leave() {
    if (this.places.length) this.#grow([]);
    else this.tell("drawn", { places: [], isDone: true });
  }

  /** @param {string[]} places */
  #grow(places) {
    this.places = places;
    const start = places.slice(0, 1).map((place) => this.grid.centre(place));
    this.draft.replaceChildren(...start.map(({ x, y }) => svg("circle.plan-start", { cx: x, cy: y, r: 6 })), ...this.#arrow(places));
  }

  /** @param {readonly string[]} places */
  #arrow(places) {
    return arrow(this.grid.way(places, 0.15), "plan", "plan-line", "plan");
  }

  /** @param {string} place @param {string} text */
  #pin(place, text) {
    const label = text ? svg("text.pin-text", { x: 11, y: -20 }, text) : null;
    const drop = svg("path", { d: "M0 2C-3-8-10-12-10-21A10 10 0 0 1 10-21C10-12 3-8 0 2Z" });
    return signAt(this.grid.centre(place), { class: "pin" }, drop, svg("circle", { cy: -21, r: 3.6 }), label);
  }
}

// The staff's plan on the map: for each army the way that it goes this turn, where it is bound, and the odds there. The
// head of an arrow can be dragged to another place.

/** Curvature of the arc to an army's goal, as a share of its length. */
const BEND = 0.12;

/** Dispatches `aimed` (detail {leader, place}) when an arrowhead is dragged to another hex. */
export class Arrows extends Emitter {
  /** @param {Grid} grid @param {(event: PointerEvent) => string} placeAt the hex under a pointer */
  constructor(grid, placeAt) {
    super();
    this.grid = grid;
    this.placeAt = placeAt;
    this.node = svg("g.staff-arrows");
  }

  /** @param {readonly T.StaffMission[]} missions */
  show(missions) {
    /** Number of armies that already go to a place: their odds are listed below each other. @type {Map<string, number>} */
    const bound = new Map();
    this.node.replaceChildren(...missions.flatMap((mission) => this.#mission(mission, bound)));
  }

  /** @param {T.StaffMission} mission @param {Map<string, number>} bound */
  #mission(mission, bound) {
    const way = this.grid.known(mission.path ?? []);
    const aim = mission.place || way.at(-1) || mission.at;
    if (!this.grid.has(mission.at) || !this.grid.has(aim)) return [];
    const tonight = way.at(-1) ?? mission.at;
    const on = tonight === aim ? "" : arc(this.grid.centre(tonight), this.grid.centre(aim));
    const yours = mission.is_yours ? " is-yours" : "";
    const row = bound.get(aim) ?? 0;
    if (mission.odds !== null) bound.set(aim, row + 1);
    const [under, line] = arrow(this.grid.way(way, 0.1), "staff", `staff-line${yours}`, mission.is_yours ? "yours" : "staff");
    const goal = on ? svg("path", { d: on, class: `staff-aim${yours}` }) : null;
    return [under, goal, line, this.#head(mission, aim, row)].filter((part) => part instanceof Node);
  }

  /** @param {T.StaffMission} mission @param {string} aim @param {number} row */
  #head({ leader, odds, is_yours: isYours }, aim, row) {
    const head = svg("circle", { r: 11, class: `staff-head${isYours ? " is-yours" : ""}` });
    const chance = odds === null ? null : svg("text.staff-odds", { y: 25 + 14 * row }, `${odds} %`);
    const node = signAt(this.grid.centre(aim), { dataset: { leader, place: aim } }, head, chance);
    head.addEventListener("pointerdown", (event) => this.#drag(event, node, leader, aim));
    return node;
  }

  /** @param {PointerEvent} event @param {SVGGElement} node @param {string} leader @param {string} from */
  #drag(event, node, leader, from) {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    const head = /** @type {SVGElement} */ (event.target);
    head.setPointerCapture(event.pointerId);
    const moveHead = (/** @type {string} */ place) => {
      if (this.grid.has(place)) node.setAttribute("transform", moveTo(this.grid.centre(place)));
    };
    const move = (/** @type {PointerEvent} */ moved) => moveHead(this.placeAt(moved));
    const end = (/** @type {PointerEvent} */ ended) => {
      head.removeEventListener("pointermove", move);
      const place = ended.type === "pointerup" ? this.placeAt(ended) : "";
      if (place && place !== from) this.tell("aimed", { leader, place });
      else moveHead(from);
    };
    head.addEventListener("pointermove", move);
    for (const last of ["pointerup", "pointercancel"]) head.addEventListener(last, /** @type {EventListener} */ (end), { once: true });
  }
}

/** An arc between two points, which cannot be mistaken for a path of hexes. @param {Point} from @param {Point} to */
function arc(from, to) {
  const middle = { x: (from.x + to.x) / 2 + BEND * (to.y - from.y), y: (from.y + to.y) / 2 - BEND * (to.x - from.x) };
  return `M${from.x} ${from.y}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${to.x} ${to.y}`;
}

// The numbers of the hexes that are seen, while they can be read.

const LEAST = 66; // px that a hex is wide

/** Returns the drawing, and a function that draws it anew. @param {Grid} grid @param {Camera} camera */
export function numbersOf(grid, camera) {
  const node = svg("g.numbers");
  /** @type {Map<string, SVGTextElement>} */
  const drawn = new Map();
  /** Position and scale of the view at the last drawing. */
  let last = { x: Infinity, y: Infinity, scale: 0 };
  /** Draw the numbers in and around the view; nothing while those present suffice. */
  const draw = () => {
    const { x: left, y: top, scale, view } = camera;
    const { clientWidth: width, clientHeight: height } = view;
    if (scale === last.scale && Math.abs(left - last.x) < width / 3 && Math.abs(top - last.y) < height / 3) return;
    last = { x: left, y: top, scale };
    const from = camera.toSheet({ x: -width / 2, y: -height / 2 });
    const to = camera.toSheet({ x: 1.5 * width, y: 1.5 * height });
    const isSeen = ({ x = 0, y = 0 }) => x >= from.x && x <= to.x && y >= from.y && y <= to.y;
    const isLegible = grid.isNumbered && scale * grid.size >= LEAST;
    const seen = new Set(isLegible ? [...grid.places].filter((place) => isSeen(grid.centre(place))) : []);
    for (const [place, number] of drawn) {
      if (seen.has(place)) continue;
      number.remove();
      drawn.delete(place);
    }
    for (const place of seen) {
      if (drawn.has(place)) continue;
      const { x, y } = grid.centre(place);
      drawn.set(place, node.appendChild(svg("text", { x, y: y - grid.size * 0.36 }, place)));
    }
  };
  return { node, draw };
}
