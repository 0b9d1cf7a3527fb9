// What is left with an order is left only where it was ordered, and not behind a march that something has cut short.

import assert from "node:assert/strict";
import test from "node:test";
import { Sequel } from "../../../src/leuthen/client/js/order/going-on.js";

const WAY = ["2221", "2120", "2019"];
const FORM = /** @type {any} */ ({
  order: "march 0 2221-2120-2019",
  start: "2221",
  fields: WAY.slice(1).map((value, k) => ({ key: `path.${k}`, name: "path", kind: "path", value })),
});
const leg = (/** @type {string} */ to, more = {}) => /** @type {any} */ ({ side: 0, path: ["2221", to], ...more });

/** Orders a march and the end of its phase. @param {(sequel: Sequel, store: any) => void} happens what does then @returns {Promise<string[]>} what was left */
async function leftAfter(happens) {
  const scene = { title: "1757, turn 3", stages: [{ name: "March", when: "now" }], place: "2221", pieces: {} };
  const store = /** @type {any} */ ({ side: 0, asked: true, scene });
  const sender = /** @type {any} */ ({ isBusy: false, order: async () => true });
  /** @type {string[]} */
  const left = [];
  const back = { ask() {}, refresh() {}, fail: assert.fail, leave: (/** @type {string} */ until) => void left.push(until) };
  const sequel = new Sequel(store, /** @type {any} */ ({}), sender, back);
  await sequel.order(FORM, "", "phase");
  happens(sequel, store);
  sequel.proceed();
  return left;
}

test("the rest of the phase is skipped after the march", async () => {
  assert.deepEqual(await leftAfter((sequel) => sequel.onEntries([leg("2019")], false)), ["phase"]);
});

test("nothing is skipped after an interrupted march", async () => {
  const stopped = [leg("2120"), leg("1819", { side: 1 })];
  assert.deepEqual(await leftAfter((sequel) => sequel.onEntries(stopped, false)), []);
});

test("nothing is skipped if the phase has ended", async () => {
  /** @param {Sequel} sequel @param {any} store */
  const end = (sequel, store) => {
    sequel.onEntries([leg("2019")], false);
    store.scene = { ...store.scene, stages: [{ name: "Combat", when: "now" }] };
  };
  assert.deepEqual(await leftAfter(end), []);
});

test("nothing is skipped after a loss of the side", async () => {
  assert.deepEqual(await leftAfter((sequel) => sequel.onEntries([leg("2019", { hurts: 0 })], false)), []);
});
