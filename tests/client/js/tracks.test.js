// The ways that stay on the map: those of the others, in the last turn in which they went anywhere.

import assert from "node:assert/strict";
import test from "node:test";
import { joined, tracksOf } from "../../../src/leuthen/client/js/map/playing.js";

const went = (/** @type {number} */ side, /** @type {string[]} */ ...path) => /** @type {any} */ ({ event: "marched", side, path });
const TURN = /** @type {any} */ ({ event: "turn-began", side: 2, topic: "turn" });
const HALTED = /** @type {any} */ ({ event: "halted", side: 1 });

test("the legs of a march form one path", () => {
  const told = [went(1, "1010", "1011"), HALTED, went(1, "2020", "2021"), went(1, "1011", "1012", "1013")];
  assert.deepEqual(tracksOf(told, 0), [
    { side: 1, path: ["1010", "1011", "1012", "1013"] },
    { side: 1, path: ["2020", "2021"] },
  ]);
});

test("a path of two forces is drawn once", () => {
  assert.equal(tracksOf([went(1, "1010", "1011"), went(1, "1010", "1011")], 0).length, 1);
});

test("paths stay through the next turn", () => {
  const told = [went(1, "1010", "1011"), TURN];
  assert.equal(tracksOf(told, 0).length, 1);
  assert.deepEqual(tracksOf([...told, went(1, "3030", "3031")], 0), [{ side: 1, path: ["3030", "3031"] }]);
});

test("an own march removes the paths", () => {
  assert.deepEqual(tracksOf([went(1, "1010", "1011"), went(0, "2020", "2021")], 0), []);
});

test("a spectator sees the paths of both sides", () => {
  assert.equal(tracksOf([went(0, "1010", "1011"), went(1, "2020", "2021")], 2).length, 2);
});

test("consecutive legs are played as one", () => {
  const [one, ...rest] = joined([went(1, "1010", "1011"), went(1, "1011", "1012"), HALTED]);
  assert.deepEqual(one?.path, ["1010", "1011", "1012"]);
  assert.deepEqual(rest, [HALTED]);
});
