// A long march goes on by itself, and stops where its owner should look; what is left with an order is left only where it was ordered, and
// not behind a march that something has cut short.

import assert from "node:assert/strict";
import test from "node:test";
import { LongMarch, Sequel } from "../../../src/leuthen/client/js/order/going-on.js";

const WAY = ["2221", "2120", "2019"];
const FORM = /** @type {any} */ ({
  order: "march 0 2221-2120-2019",
  start: "2221",
  fields: WAY.slice(1).map((value, k) => ({ key: `path.${k}`, name: "path", kind: "path", value })),
});
const leg = (/** @type {string} */ to, side = 0, more = {}) => /** @type {any} */ ({ event: "Marched", side, path: ["2221", to], ...more });

/** A march of the first side that was ordered, and its table. @param {string} [halt] */
function ordered(halt) {
  const enemy = { side: 1, place: "1818", strength: "4", leaders: [] };
  const store = /** @type {any} */ ({ side: 0, scene: { place: "2221", pieces: { e: enemy } } });
  const march = new LongMarch(store);
  march.begin(FORM, halt);
  return { march, store, enemy };
}

test("the rest of an interrupted march is ordered", () => {
  const { march, store } = ordered();
  assert.deepEqual(march.rest, []);
  march.onEntries([leg("2120")], false);
  store.scene = { ...store.scene, place: "2120" };
  assert.deepEqual(march.rest, ["2019"]);
});

test("a march ends at its goal", () => {
  const { march } = ordered();
  march.onEntries([leg("2019")], false);
  assert.deepEqual(march.way, []);
});

test("an action of the other side stops a march", () => {
  const { march } = ordered();
  march.onEntries([leg("2120"), leg("1819", 1)], false);
  assert.deepEqual(march.way, []);
});

test("an enemy who lets a march pass does not stop it", () => {
  const { march, store } = ordered();
  const declined = /** @type {any} */ ({ event: "reaction-declined", side: 1, topic: "declined", places: ["2120"] });
  march.onEntries([leg("2120")], false);
  store.scene = { ...store.scene, place: "2120" };
  march.onEntries([declined], false);
  assert.deepEqual(march.rest, ["2019"]);
});

test("a takeback stops a march", () => {
  const { march } = ordered();
  march.onEntries([leg("2120")], true);
  assert.deepEqual(march.way, []);
});

test("a change of the visible enemy strength stops a march", () => {
  const { march, store, enemy } = ordered();
  march.onEntries([leg("2120")], false);
  store.scene = { place: "2120", pieces: { e: { ...enemy, strength: "9" } } };
  assert.deepEqual(march.rest, []);
  assert.deepEqual(march.way, []);
});

test("a march halts at its goal if that was ordered", () => {
  const { march, store } = ordered("halt");
  assert.equal(march.ending, "");
  march.onEntries([leg("2019")], false);
  store.scene = { ...store.scene, place: "2019" };
  assert.equal(march.ending, "halt");
  assert.deepEqual(march.rest, []);
});

test("a march whose halt is not asked has ended", () => {
  const { march } = ordered("halt");
  march.onEntries([leg("2019")], false);
  assert.equal(march.ending, "");
  assert.deepEqual(march.way, []);
  assert.equal(march.isCut, false);
});

test("a stronger enemy at the goal returns the march to its owner", () => {
  const { march, store, enemy } = ordered("halt");
  march.onEntries([leg("2019")], false);
  store.scene = { place: "2019", pieces: { e: { ...enemy, strength: "9" } } };
  assert.equal(march.ending, "");
  assert.equal(march.isCut, true);
});

test("a single step is no long march", () => {
  const { march } = ordered();
  march.stop();
  march.begin({ ...FORM, fields: FORM.fields.slice(0, 1) });
  assert.deepEqual(march.way, []);
});

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
  const stopped = [leg("2120"), leg("1819", 1)];
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
  assert.deepEqual(await leftAfter((sequel) => sequel.onEntries([leg("2019", 0, { hurts: 0 })], false)), []);
});
