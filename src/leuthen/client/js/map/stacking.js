// How counters stand in one hex: field stacks side by side, a garrison above them in the fort.

/** @import * as T from "../../types" */

/**
 * A counter's place in its hex: how far from the middle, and how large, in units of a counter.
 * @typedef {{key: string, piece: T.Piece, x: number, y: number, size: number}} Seat
 */

/** A counter's size, in units of its own. */
export const WIDTH = 48;
export const HEIGHT = 36;

const PAIR = 0.74;
const FORT = 0.62;

/**
 * The seats of all counters, by hex.
 * @param {Readonly<Record<string, T.Piece>>} pieces
 * @param {ReadonlySet<string>} forts the hexes in which the sheet shows a fort
 * @returns {Map<string, Seat[]>}
 */
export function seated(pieces, forts) {
  const byPlace = byPlaceOf(pieces);
  return new Map([...byPlace].map(([place, found]) => [place, seatsOf(found, forts.has(place))]));
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

/** @param {[string, T.Piece][]} found @param {boolean} isFort @returns {Seat[]} */
function seatsOf(found, isFort) {
  const sorted = found.toSorted(([a, one], [b, other]) => one.side - other.side || a.localeCompare(b));
  const inside = sorted.filter(([, piece]) => piece.inside);
  const field = sorted.filter(([, piece]) => !piece.inside);
  const drop = inside.length ? 9 : isFort && field.length ? 10 : 0;
  const rise = field.length ? -16 : 0;
  return [...row(inside, rise, field.length ? FORT : 0.8, FORT), ...row(field, drop, inside.length ? 0.9 : 1, PAIR)];
}

/**
 * Counters in a row about the middle.
 * @param {[string, T.Piece][]} found @param {number} y @param {number} alone size of one @param {number} paired size of each of several
 * @returns {Seat[]}
 */
function row(found, y, alone, paired) {
  const size = found.length > 2 ? (paired * 2.2) / found.length : found.length === 2 ? paired : alone;
  const step = WIDTH * size * 1.02;
  return found.map(([key, piece], k) => ({ key, piece, x: (k - (found.length - 1) / 2) * step, y, size }));
}
