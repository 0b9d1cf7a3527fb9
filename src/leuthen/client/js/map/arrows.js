// The staff's plan on the map: for each army the way that it goes this turn, where it is bound, and the odds there. The
// head of an arrow can be dragged to another place.

import { svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Grid, Point } from "./geometry.js" */

/** How far the bow to where an army is bound swings out, of its length. */
const BEND = 0.12;

/** Emits `aimed` (detail {leader, place}) when a head was dragged to another hex. */
export class Arrows extends EventTarget {
  /** @param {Grid} grid @param {(event: PointerEvent) => string} placeAt the hex under a pointer */
  constructor(grid, placeAt) {
    super();
    this.grid = grid;
    this.placeAt = placeAt;
    this.node = svg("g", { class: "staff-arrows" });
  }

  /** @param {readonly T.StaffMission[]} missions */
  show(missions) {
    /** How many armies are bound for a place already: their odds stand one below the other. @type {Map<string, number>} */
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
      svg("g", { class: "scaled" }, head, odds),
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
    const move = (/** @type {PointerEvent} */ moved) => this.#carry(node, this.placeAt(moved));
    const end = (/** @type {PointerEvent} */ ended) => {
      head.removeEventListener("pointermove", move);
      const place = ended.type === "pointerup" ? this.placeAt(ended) : "";
      if (place && place !== from) this.dispatchEvent(new CustomEvent("aimed", { detail: { leader, place } }));
      else this.#carry(node, from);
    };
    head.addEventListener("pointermove", move);
    for (const last of ["pointerup", "pointercancel"]) head.addEventListener(last, /** @type {EventListener} */ (end), { once: true });
  }

  /** @param {SVGGElement} node @param {string} place */
  #carry(node, place) {
    if (!this.grid.has(place)) return;
    const { x, y } = this.grid.centre(place);
    node.setAttribute("transform", `translate(${x} ${y})`);
  }
}

/**
 * A bow from one point to another: nobody takes it for a way from hex to hex.
 * @param {Point} from @param {Point} to
 */
function arc(from, to) {
  const middle = { x: (from.x + to.x) / 2 + BEND * (to.y - from.y), y: (from.y + to.y) / 2 - BEND * (to.x - from.x) };
  return `M${from.x} ${from.y}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${to.x} ${to.y}`;
}
