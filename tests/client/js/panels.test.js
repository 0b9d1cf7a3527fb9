// What the panels say: what comes next, the share of a score, who has which fortress, sieges without a roll.

import assert from "node:assert/strict";
import test from "node:test";
import { noRolls } from "../../../src/leuthen/client/js/campaign/report.js";
import { comesNext } from "../../../src/leuthen/client/js/panels/turns.js";
import { fortressesOf, shareOf } from "../../../src/leuthen/client/js/panels/victory.js";

const TURNS = ["late April", "early May", "late May", "early June", "late June", "early July"];
const SETTING = /** @type {any} */ ({
  years: [1756, 1762],
  turns: TURNS,
  winter: [4, 5],
  scenarios: [
    { name: "short", kind: "evening", ends: [1757, 4] },
    { name: "whole", kind: "year", ends: [1757, 6] },
    { name: "war", kind: "war", ends: [1762, 6] },
  ],
  fortresses: [
    { place: "1125", name: "Prague" },
    { place: "2524", name: "Berlin" },
    { place: "1811", name: "Cassel" },
  ],
});
const next = (/** @type {string} */ scenario, /** @type {number} */ turn, year = 1757) => comesNext(SETTING, { year, turn }, scenario);

test("winter is announced if it begins before the end", () => {
  assert.equal(next("whole", 1), "Next: early May 1757. Winter begins in 4 turns.");
  assert.equal(next("whole", 4), "Next: late June 1757. Winter begins then.");
  assert.equal(next("short", 1), "Next: early May 1757.");
  assert.equal(next("whole", 5), "Next: early July 1757.", "winter has begun");
});

test("the turn after the last is announced", () => {
  assert.equal(next("short", 4), "Next: the end of the scenario.");
  assert.equal(next("war", 6), "Next: the year 1758.");
  assert.equal(next("war", 6, 1762), "Next: the end of the war.");
});

test("0 to 0 and unknown values have no shares", () => {
  assert.deepEqual([shareOf(0, 0), shareOf(-1, 5), shareOf(3, 1), shareOf(0, 2)], [null, null, 0.75, 0]);
});

test("a fortress off the scenario's map is not listed", () => {
  const scene = /** @type {any} */ ({ holdings: { 1125: { side: 1 }, 1811: { side: 2 } } });
  const names = [0, 1, 2].map((side) => fortressesOf(SETTING, scene, side).map(({ name }) => name));
  assert.deepEqual(names, [[], ["Prague"], ["Cassel"]]);
});

test("a besieged place is named before any roll", () => {
  const scene = /** @type {any} */ ({ holdings: { 1125: { side: 1, siege: "besieged, no roll yet" }, 1811: { side: 2 } } });
  assert.equal(noRolls(SETTING, scene), "No siege roll yet. Under siege: Prague.");
  assert.equal(noRolls(SETTING, /** @type {any} */ ({ holdings: {} })), "No siege yet.");
});
