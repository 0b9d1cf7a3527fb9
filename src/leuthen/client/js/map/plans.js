// A player's own plans on the map: arrows and pins, and those that are being drawn.

import { svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Grid, Point } from "./geometry.js" */

/** The plan being drawn. @typedef {"arrow" | "pin"} Kind */

/** Dispatches `drawn` with detail {places, isDone}. */
export class Plans extends EventTarget {
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
    const arrows = (notes.arrows ?? []).map((places) => this.#arrow(places));
    const pins = (notes.pins ?? []).flatMap(([place, text]) => this.#pin(place, text));
    this.kept.replaceChildren(...arrows.flat(), ...pins);
  }

  /** @param {Kind | null} kind */
  draw(kind) {
    this.kind = kind;
    this.#grow([]);
  }

  /** Add a hex to the arrow; the last one again ends it. @param {string} place */
  add(place) {
    if (this.kind === "pin") this.#dispatchDrawn([place], true);
    else if (place === this.places.at(-1)) this.finish();
    else {
      this.#grow([...this.places, place]);
      this.#dispatchDrawn(this.places, false);
    }
  }

  /** Cancel the arrow being drawn, or else leave drawing: done, without a place. */
  leave() {
    if (this.places.length) this.#grow([]);
    else this.#dispatchDrawn([], true);
  }

  /** Finish the arrow being drawn. */
  finish() {
    const places = this.places;
    this.#grow([]);
    if (places.length > 1) this.#dispatchDrawn(places, true);
  }

  /** @param {string[]} places */
  #grow(places) {
    this.places = places;
    const first = places[0];
    const start = first ? [svg("circle", { cx: this.grid.centre(first).x, cy: this.grid.centre(first).y, r: 6, class: "plan-start" })] : [];
    this.draft.replaceChildren(...start, ...this.#arrow(places));
  }

  /** @param {readonly string[]} places @param {boolean} isDone */
  #dispatchDrawn(places, isDone) {
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
      "g.scaled",
      svg("path", { d: "M0 2C-3-8-10-12-10-21A10 10 0 0 1 10-21C10-12 3-8 0 2Z" }),
      svg("circle", { cy: -21, r: 3.6 }),
      label,
    );
    return [svg("g", { transform: `translate(${x} ${y})`, class: "pin" }, drawn)];
  }
}

// The staff's plan on the map: for each army the way that it goes this turn, where it is bound, and the odds there. The
// head of an arrow can be dragged to another place.

/** Curvature of the arc to an army's goal, as a share of its length. */
const BEND = 0.12;

/** Dispatches `aimed` (detail {leader, place}) when an arrowhead is dragged to another hex. */
export class Arrows extends EventTarget {
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
    const way = (mission.path ?? []).filter((place) => this.grid.has(place));
    const aim = mission.place || way.at(-1) || mission.at;
    if (!this.grid.has(mission.at) || !this.grid.has(aim)) return [];
    const tonight = way.at(-1) ?? mission.at;
    const line = this.grid.way(way, 0.1);
    const on = tonight === aim ? "" : arc(this.grid.centre(tonight), this.grid.centre(aim));
    const yours = mission.is_yours ? " is-yours" : "";
    const end = `url(#map-head-${mission.is_yours ? "yours" : "staff"})`;
    const row = bound.get(aim) ?? 0;
    if (mission.odds !== null) bound.set(aim, row + 1);
    return [
      line ? svg("path", { d: line, class: "staff-case" }) : null,
      on ? svg("path", { d: on, class: `staff-aim${yours}` }) : null,
      line ? svg("path", { d: line, class: `staff-line${yours}`, "marker-end": end }) : null,
      this.#head(mission, aim, row),
    ].filter((part) => part !== null);
  }

  /** @param {T.StaffMission} mission @param {string} aim @param {number} row */
  #head(mission, aim, row) {
    const { x, y } = this.grid.centre(aim);
    const head = svg("circle", { r: 11, class: `staff-head${mission.is_yours ? " is-yours" : ""}` });
    const odds = mission.odds === null ? null : svg("text", { y: 25 + 14 * row, class: "staff-odds" }, `${mission.odds} %`);
    const node = svg(
      "g",
      { transform: `translate(${x} ${y})`, dataset: { leader: mission.leader, place: aim } },
      svg("g.scaled", head, odds),
    );
    head.addEventListener("pointerdown", (event) => this.#drag(event, node, mission.leader, aim));
    return node;
  }

  /** @param {PointerEvent} event @param {SVGGElement} node @param {string} leader @param {string} from */
  #drag(event, node, leader, from) {
    if (event.button !== 0) return;
    event.stopPropagation();
    event.preventDefault();
    const head = /** @type {SVGElement} */ (event.target);
    head.setPointerCapture(event.pointerId);
    const move = (/** @type {PointerEvent} */ moved) => this.#moveHead(node, this.placeAt(moved));
    const end = (/** @type {PointerEvent} */ ended) => {
      head.removeEventListener("pointermove", move);
      const place = ended.type === "pointerup" ? this.placeAt(ended) : "";
      if (place && place !== from) this.dispatchEvent(new CustomEvent("aimed", { detail: { leader, place } }));
      else this.#moveHead(node, from);
    };
    head.addEventListener("pointermove", move);
    for (const last of ["pointerup", "pointercancel"]) head.addEventListener(last, /** @type {EventListener} */ (end), { once: true });
  }

  /** @param {SVGGElement} node @param {string} place */
  #moveHead(node, place) {
    if (!this.grid.has(place)) return;
    const { x, y } = this.grid.centre(place);
    node.setAttribute("transform", `translate(${x} ${y})`);
  }
}

/** An arc between two points, which cannot be mistaken for a path of hexes. @param {Point} from @param {Point} to */
function arc(from, to) {
  const middle = { x: (from.x + to.x) / 2 + BEND * (to.y - from.y), y: (from.y + to.y) / 2 - BEND * (to.x - from.x) };
  return `M${from.x} ${from.y}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${to.x} ${to.y}`;
}

// The ways that armies went last: they stay on the map as arrows, so that whoever looked away can follow them.

/** Shortening of a path at both ends, in hexes, to keep the counters clear. */
const CUT = 0.36;

/** The path of a march, hex by hex. @typedef {{side: number, path: string[]}} Track */

/**
 * The enemy's marches of the last turn in which it marched, with the legs of a march joined; empty once this side has
 * marched.
 * @param {readonly T.LogEntry[]} told the latest last @param {number} side whose eyes they are for @returns {Track[]}
 */
export function tracksOf(told, side) {
  /** @type {T.LogEntry[]} */
  const gone = [];
  for (const entry of told.toReversed()) {
    const isWay = (entry.path?.length ?? 0) > 1;
    if ((entry.topic === "turn" && gone.length) || (isWay && entry.side === side)) break;
    if (isWay) gone.unshift(entry);
  }
  /** @type {Track[]} */
  const tracks = [];
  for (const { side: whose = 2, path = [] } of gone) {
    const before = tracks.find((track) => track.side === whose && track.path.at(-1) === path[0]);
    if (before) before.path.push(...path.slice(1));
    else tracks.push({ side: whose, path: [...path] });
  }
  return [...new Map(tracks.map((track) => [`${track.side} ${track.path.join("-")}`, track])).values()];
}

/** True if an entry shows more than a line of text: a movement, a roll, news or a loss. @param {T.LogEntry} entry */
export const isSight = ({ path, dice, round, topic = "", hurts = 2 }) =>
  Boolean(path?.length || dice?.length || round) || hurts < 2 || !["", "declined"].includes(topic);

/** Events with the legs of each march joined where nothing comes between. @param {readonly T.LogEntry[]} told @returns {T.LogEntry[]} */
export function joined(told) {
  /** @type {T.LogEntry[]} */
  const whole = [];
  for (const entry of told) {
    const { path = [] } = entry;
    const before = whole.at(-1);
    const goesOn = path.length > 1 && before?.event === entry.event && before.side === entry.side && before.path?.at(-1) === path[0];
    if (goesOn) whole.splice(-1, 1, { ...entry, path: [...(before.path ?? []), ...path.slice(1)] });
    else whole.push(entry);
  }
  return whole;
}

export class Tracks {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.node = svg("g.tracks.layer-lines");
  }

  /** @param {readonly Track[]} tracks */
  show(tracks) {
    this.node.replaceChildren(...tracks.flatMap((track) => this.#track(track)));
  }

  /** @param {Track} track */
  #track({ side, path }) {
    const known = path.filter((place) => this.grid.has(place));
    const d = this.grid.way(known, CUT);
    if (!d) return [];
    const props = { d, class: `line side-${side}`, "marker-end": `url(#map-head-line-${side})`, dataset: { track: known.join("-") } };
    return [svg("path", { d, class: "line-case" }), svg("path", props)];
  }
}
