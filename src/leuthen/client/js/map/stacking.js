// How counters stand in one hex: field stacks side by side, a garrison above them in the fort.

/** @import * as T from "../../types" */

/** @import { Point } from "./geometry.js" */

/**
 * A counter's place: the point of the sheet where its stack stands, how far from there, and how large, in units of a
 * counter.
 * @typedef {{key: string, piece: T.Piece, at: Point, x: number, y: number, size: number}} Seat
 */

/** A counter's size, in units of its own. */
export const WIDTH = 48;
export const HEIGHT = 36;

const PAIR = 0.74;
const FORT = 0.68;
const APART = 13; // from a fort to the field stack beside it

/**
 * The seats of all counters, by hex.
 * @param {Readonly<Record<string, T.Piece>>} pieces
 * @param {(place: string) => Point} centre of a hex
 * @param {(place: string) => Point | undefined} fort where the sheet shows the fort of a hex
 * @returns {Map<string, Seat[]>}
 */
export function seated(pieces, centre, fort) {
  const byPlace = byPlaceOf(pieces);
  return new Map([...byPlace].map(([place, found]) => [place, seatsOf(found, centre(place), fort(place))]));
}

/**
 * What stands in each hex, with its key.
 * @template {{place: string}} P
 * @param {Readonly<Record<string, P>>} things
 */
export function byPlaceOf(things) {
  /** @type {Map<string, [string, P][]>} */
  const found = new Map();
  for (const entry of Object.entries(things)) found.set(entry[1].place, [...(found.get(entry[1].place) ?? []), entry]);
  return found;
}

/** @param {[string, T.Piece][]} found @param {Point} middle @param {Point | undefined} fort @returns {Seat[]} */
function seatsOf(found, middle, fort) {
  const sorted = found.toSorted(([a, one], [b, other]) => one.side - other.side || a.localeCompare(b));
  const inside = sorted.filter(([, piece]) => piece.inside);
  const field = sorted.filter(([, piece]) => !piece.inside);
  const away = fort ? (fort.y > middle.y ? -APART : APART) : 0;
  return [...row(inside, fort ?? middle, 0, FORT, FORT), ...row(field, middle, away, inside.length ? 0.9 : 1, PAIR)];
}

/**
 * Counters in a row.
 * @param {[string, T.Piece][]} found @param {Point} at @param {number} y from there @param {number} alone size of one @param {number} paired size of each of several
 * @returns {Seat[]}
 */
function row(found, at, y, alone, paired) {
  const size = found.length > 2 ? (paired * 2.2) / found.length : found.length === 2 ? paired : alone;
  const step = WIDTH * size * 1.02;
  return found.map(([key, piece], k) => ({ key, piece, at, x: (k - (found.length - 1) / 2) * step, y, size }));
}
