// The ways that armies went last: they stay on the map as arrows, so that whoever looked away can follow them.

import { svg } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Grid } from "./geometry.js" */

/** How much shorter a way is drawn at both ends, in hexes: the counters there stay free. */
const CUT = 0.36;

/** A way of a side, hex by hex. @typedef {{side: number, path: string[]}} Track */

/**
 * The ways of the others in the last turn in which they went anywhere, legs of one march joined; none once this side
 * has gone somewhere itself.
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

/**
 * The events with the legs of each march as one: it is told and goes as one where nothing comes between.
 * @param {readonly T.LogEntry[]} told @returns {T.LogEntry[]}
 */
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
    this.node = svg("g", { class: "tracks layer-lines" });
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
