// How lucky each side's dice were, added up over the war.

/** @import * as T from "../../types" */

const MIDDLING = 0.5;
/** The variance of one roll's luck, which lies evenly between 0 and 1. */
const VARIANCE = 1 / 12;
/** So many standard deviations hold 19 of 20 games. */
const NINETEEN = 1.96;

/**
 * For each turn, and for each side: by how much its rolls before that turn were better than middling, in all, and how
 * many they were.
 * @param {readonly T.ChronicleLine[]} lines
 * @param {readonly T.TurnMark[]} marks the last one stands for now
 */
export function luckOf(lines, marks) {
  const sums = [0, 0];
  const rolls = [0, 0];
  let next = 0;
  return marks.map(({ n }, at) => {
    for (; next < lines.length && (at === marks.length - 1 || (lines[next]?.n ?? 0) < n); next += 1) {
      for (const { side, value } of lines[next]?.entry.luck ?? []) {
        sums[side] = (sums[side] ?? 0) + value - MIDDLING;
        rolls[side] = (rolls[side] ?? 0) + 1;
      }
    }
    return { sums: [...sums], rolls: [...rolls] };
  });
}

/** How far from 0 the luck of so many rolls stays in 19 of 20 games. @param {number} rolls */
export function expected(rolls) {
  return NINETEEN * Math.sqrt(rolls * VARIANCE);
}
