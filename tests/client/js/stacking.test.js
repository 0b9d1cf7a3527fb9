// How counters stand in one hex.

import assert from "node:assert/strict";
import test from "node:test";
import { placeCounters, WIDTH } from "../../../src/leuthen/client/js/map/counters.js";

const MIDDLE = { x: 100, y: 100 };
const centre = () => MIDDLE;
const noFort = () => undefined;
const piece = (/** @type {number} */ side, inside = false) => /** @type {any} */ ({ place: "2019", side, inside });
/** @param {Record<string, any>} pieces @param {(place: string) => any} fort */
const inHex = (pieces, fort = noFort) => placeCounters(pieces, centre, fort).get("2019") ?? [];

test("a single counter is centred at full size", () => {
  assert.deepEqual(
    inHex({ a: piece(0) }).map(({ x, y, size }) => [x, y, size]),
    [[0, 0, 1]],
  );
});

test("two counters are side by side without overlap", () => {
  const [first, second] = inHex({ "1f": piece(1), "0f": piece(0) });
  assert.deepEqual([first?.key, second?.key], ["0f", "1f"]);
  assert.ok(first && second && second.x - first.x >= WIDTH * first.size);
  assert.equal(first.x, -second.x);
});

test("a row is never wider than one of three counters", () => {
  const wide = (/** @type {number} */ count) => {
    const seats = inHex(Object.fromEntries(Array.from({ length: count }, (_, k) => [`k${k}`, piece(0)])));
    return (seats.at(-1)?.x ?? 0) - (seats[0]?.x ?? 0) + WIDTH * (seats[0]?.size ?? 0);
  };
  assert.ok(wide(6) <= wide(3) * 1.05);
});

test("a garrison is in its fort, away from the field stack", () => {
  const fort = { x: 100, y: 80 };
  const [inside, field] = inHex({ field: piece(0), inside: piece(0, true) }, () => fort);
  assert.deepEqual([inside?.key, inside?.at, inside?.y], ["inside", fort, 0]);
  assert.equal(field?.at, MIDDLE);
  assert.ok(field && field.y > 0, "the fort lies above the middle, so the stack stands below it");
});

test("each hex has counters of its own", () => {
  const pieces = { a: piece(0), b: /** @type {any} */ ({ ...piece(1), place: "2020" }) };
  assert.deepEqual([...placeCounters(pieces, centre, noFort).keys()], ["2019", "2020"]);
});
