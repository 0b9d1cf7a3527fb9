// Hexes on the sheet: the numbers of the board, places under the pointer, outlines.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { Grid } from "../../../src/leuthen/client/js/map/sheet.js";

/** The hexes of the real board with their neighbours, as the program has them; "" beyond the board. */
const BOARD = /** @type {Record<string, string[]>} */ (JSON.parse(readFileSync(process.env.LEUTHEN_BOARD ?? "", "utf-8")));
const grid = new Grid(60, { x: 10, y: 3000 }, new Set(Object.keys(BOARD)));

test("the neighbours of every hex are those of the board", () => {
  assert.ok(Object.keys(BOARD).length > 1000);
  for (const [place, around] of Object.entries(BOARD)) assert.deepEqual(grid.neighbours(place), around, place);
});

test("every hex is found at its centre and near its edges", () => {
  for (const place of Object.keys(BOARD)) {
    const { x, y } = grid.centre(place);
    for (const [dx, dy] of [
      [0, 0],
      [29, 0],
      [-29, 0],
      [0, 33],
      [0, -33],
    ])
      assert.equal(grid.placeAt({ x: x + dx, y: y + dy }), place);
  }
  assert.equal(grid.placeAt({ x: -5000, y: 0 }), "");
});

test("neighbours are one hex away", () => {
  for (const [place, around] of Object.entries(BOARD))
    for (const there of around.filter(Boolean)) {
      const [a, b] = [grid.centre(place), grid.centre(there)];
      assert.ok(Math.abs(Math.hypot(a.x - b.x, a.y - b.y) - 60) < 1e-6);
    }
});

test("only a click near an edge considers the neighbours' counters", () => {
  const { x, y } = grid.centre("2019");
  assert.deepEqual(grid.around({ x: x + 19, y }, "2019"), ["2019"]);
  assert.equal(grid.around({ x: x + 21, y }, "2019").length, 7);
});

test("the border of a hex has six sides, that of two hexes ten", () => {
  const sides = (/** @type {string[]} */ ...places) => grid.border(new Set(places)).split("M").length - 1;
  assert.equal(sides("2019"), 6);
  assert.equal(sides("2019", "2020"), 10);
});

test("a path runs through the centres and is shortened at both ends", () => {
  assert.equal(grid.way(["2019"]), "");
  const [a, b] = [grid.centre("2019"), grid.centre("2020")];
  assert.equal(grid.way(["2019", "2020"]), `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`);
  assert.equal(grid.way(["2019", "2020"], 0.25), `M${(a.x + 15).toFixed(1)} ${a.y.toFixed(1)}L${(b.x - 15).toFixed(1)} ${b.y.toFixed(1)}`);
});

test("a sheet describes its grid", () => {
  const told = /** @type {Record<string, string>} */ ({ "data-zero": "5 90", "data-hex": "40", "data-rows": "01:1-3 02:2-2,4-5" });
  const sheet = /** @type {any} */ ({ getAttribute: (/** @type {string} */ name) => told[name] ?? null });
  const made = Grid.of(sheet);
  assert.deepEqual([...made.places], ["0101", "0102", "0103", "0202", "0204", "0205"]);
  assert.deepEqual(made.zero, { x: 5, y: 90 });
  assert.equal(made.size, 40);
});
