// Words and numbers: times, counts, chances, luck, what is found by typing, what the sides may agree on.

import assert from "node:assert/strict";
import test from "node:test";
import { ago, diceOf, isNotable, plural, sentence } from "../../../src/leuthen/client/js/dom.js";
import { expected, luckOf } from "../../../src/leuthen/client/js/campaign/report.js";
import { fitSentences } from "../../../src/leuthen/client/js/campaign/picture.js";
import { clampOrigin } from "../../../src/leuthen/client/js/map/camera.js";
import { reachOf } from "../../../src/leuthen/client/js/home/invite.js";
import { lengthOf } from "../../../src/leuthen/client/js/home/maker.js";
import { parOf } from "../../../src/leuthen/client/js/players.js";
import { matches, simplified } from "../../../src/leuthen/client/js/map/stage.js";
import { percent } from "../../../src/leuthen/client/js/order/view.js";
import { dateOf } from "../../../src/leuthen/client/js/panels/parts.js";
import { takebackWords } from "../../../src/leuthen/client/js/session/moves.js";

const NOW = Date.parse("2026-01-10T12:00:00Z");

test("elapsed time is given in words", () => {
  assert.equal(ago("2026-01-10T11:59:50Z", NOW), "just now");
  assert.equal(ago("2026-01-10T11:59:00Z", NOW), "1 minute ago");
  assert.equal(ago("2026-01-10T10:00:00Z", NOW), "2 hours ago");
  assert.equal(ago("2026-01-07T12:00:00Z", NOW), "3 days ago");
  assert.equal(ago("2026-01-10T12:05:00Z", NOW), "just now", "a clock that is ahead");
  assert.equal(ago("", NOW), "");
});

test("numbers have their nouns, sentences their capitals", () => {
  assert.deepEqual([plural(1, "day"), plural(0, "day"), plural(2, "hex", "hexes")], ["1 day", "0 days", "2 hexes"]);
  assert.deepEqual([sentence("the end"), sentence("")], ["The end", ""]);
});

test("chances near 0 % and 100 % are marked as such", () => {
  assert.deepEqual([0, 0.001, 0.5, 0.999, 1].map(percent), ["0 %", "< 1 %", "50 %", "> 99 %", "100 %"]);
});

test("known dice are drawn one by one; minor events need dice", () => {
  const told = /** @type {any} */ ({ text: "", dice: [3, 4] });
  assert.deepEqual(diceOf(told), [3, 4]);
  assert.deepEqual(diceOf({ ...told, is_sum: true }), []);
  assert.deepEqual(diceOf(/** @type {any} */ ({ text: "" })), []);
  assert.ok(isNotable({ ...told, is_small: true }));
  assert.ok(!isNotable({ ...told, is_small: true, dice: [] }));
  assert.ok(isNotable({ ...told, is_small: true, dice: [], path: ["2019"] }));
});

test("luck adds up by turn, including the current one", () => {
  const line = (/** @type {number} */ n, /** @type {number} */ side, /** @type {number} */ value) =>
    /** @type {any} */ ({ n, turn: 0, entry: { luck: [{ side, value }] } });
  const marks = /** @type {any} */ ([{ n: 5 }, { n: 10 }, { n: 12 }]);
  const luck = luckOf([line(1, 0, 1), line(7, 1, 0), line(12, 0, 0.75)], marks);
  assert.deepEqual(
    luck.map(({ sums }) => sums),
    [
      [0.5, 0],
      [0.5, -0.5],
      [0.75, -0.5],
    ],
  );
  assert.deepEqual(luck.at(-1)?.rolls, [2, 1]);
  assert.ok(Math.abs(expected(12) - 1.96) < 1e-9, "12 rolls have the variance 1");
});

test("places are found without accents, best matches first", () => {
  assert.equal(simplified("Königgrätz Straße"), "koniggratz strasse");
  const all = ["Alt Breslau 1", "Breslau 1733", "Obreslau 2", "Glatz 3"].map((label) => ({
    label,
    words: simplified(label),
    place: label,
  }));
  assert.deepEqual(
    matches(all, " BRES").map(({ label }) => label),
    ["Breslau 1733", "Alt Breslau 1", "Obreslau 2"],
  );
  assert.deepEqual(matches(all, ""), []);
});

test("the sheet stays within its room and margin", () => {
  assert.equal(clampOrigin(50, 0, 100, 40), 50);
  assert.equal(clampOrigin(80, 0, 100, 40), 60, "a small sheet stays within");
  assert.equal(clampOrigin(-20, 0, 100, 40), 0);
  assert.equal(clampOrigin(500, 0, 100, 1000), 25, "a large one covers the room");
  assert.equal(clampOrigin(-5000, 0, 100, 1000), -925);
});

test("the granting side of a takeback is named", () => {
  const table = (/** @type {string} */ takebacks, /** @type {string} */ who) =>
    /** @type {any} */ ({ takebacks, seats: [{ who: "person" }, { who }] });
  assert.match(takebackWords(table("free", "person")), /Each side may take back freely/);
  assert.match(takebackWords(table("consent", "planner")), /The machine agrees unless/);
  assert.match(takebackWords(table("never", "person")), /never undo a roll/);
  assert.match(takebackWords(table("consent", "open")), /does not change the roll/);
});

test("a link warns where it cannot be reached", () => {
  const here = ["http://127.0.0.1:8756/", "http://localhost/", "http://[::1]:80/", "http://a.localhost/"];
  const near = [
    "http://192.168.1.7/",
    "http://10.0.0.2:8756/",
    "http://172.20.1.1/",
    "http://100.100.0.1/",
    "http://[fe80::1]/",
    "http://[fd00::1]/",
    "http://fritz.local/",
    "http://potsdam/",
  ];
  const far = ["https://play.example.org/", "http://172.32.0.1/", "http://100.128.0.1/", "http://[2001:db8::1]/", "http://11.0.0.1/"];
  for (const url of here) assert.match(reachOf(url), /this computer only/, url);
  for (const url of near) assert.match(reachOf(url), /your own network only/, url);
  for (const url of far) assert.equal(reachOf(url), "", url);
});

test("the January that ends a year belongs to the next", () => {
  const setting = /** @type {import("../../../src/leuthen/client/types").Setting} */ ({ turns: ["late April", "early January"] });
  assert.equal(dateOf(setting, { year: 1756, turn: 1 }), "1756, late April");
  assert.equal(dateOf(setting, { year: 1756, turn: 2 }), "1756, early January 1757");
  assert.equal(dateOf(setting, { year: 1756, turn: 0 }), "1756");
});

test("a scenario says how long it lasts and which end is even", () => {
  const sides = ["prussia", "austria"];
  assert.equal(lengthOf({ name: "bohemia", text: "", turns: 5 }), "5 turns.");
  assert.equal(lengthOf({ name: "1757", text: "", turns: 9, minutes: 36 }), "9 turns, about 40 minutes against the machine.");
  const war = { name: "campaign", text: "", kind: "war", years: 7, turns: 118, minutes: 472 };
  assert.equal(lengthOf(war), "Up to 7 years, 118 turns, about 8 hours against the machine.");
  assert.equal(lengthOf(war, false), "Up to 7 years, 118 turns.", "how long a person thinks is not known");
  assert.equal(lengthOf({ name: "fords", text: "" }), "");
  assert.equal(parOf({ name: "", text: "", par: 30 }, sides), "Par: Prussia +30 VP.");
  assert.equal(parOf({ name: "", text: "", par: -1 }, sides), "Par: Austria +1 VP.");
  assert.equal(parOf({ name: "", text: "", par: 0 }, sides), "Par: equal victory points.");
  const names = ["Prussian side", "Coalition"];
  assert.equal(parOf({ name: "", text: "", par: 30 }, names), "Par: Prussian side +30 VP.");
  assert.equal(parOf({ name: "", text: "", par: -2 }, names), "Par: Coalition +2 VP.");
  assert.equal(parOf({ name: "", text: "" }, sides), "");
});

test("the picture to share shows as many whole sentences as fit", () => {
  const [long, short] = [`${"word ".repeat(30).trim()}.`, "Glatz fell."];
  assert.deepEqual(fitSentences([short, long], 2), [short]);
  assert.deepEqual(fitSentences([long, short], 2), [short]);
  assert.equal(fitSentences([short, long], 9).join(" "), `${short} ${long}`);
});
