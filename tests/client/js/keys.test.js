// Which shortcut a press means: by its letter, whatever Caps Lock says and whatever the layout is.

import assert from "node:assert/strict";
import test from "node:test";

import { keyOf } from "../../../src/leuthen/client/js/keys.js";

const press = (key, code, shiftKey = false) => keyOf({ key, code, shiftKey });

test("Caps Lock changes nothing, and Shift is the Shift key", () => {
  assert.equal(press("u", "KeyU"), "u");
  assert.equal(press("U", "KeyU"), "u");
  assert.equal(press("U", "KeyU", true), "U");
  assert.equal(press("u", "KeyU", true), "U");
});

test("a Latin layout has its own letters", () => {
  assert.equal(press("a", "KeyQ"), "a");
  assert.equal(press("z", "KeyY", true), "Z");
  assert.equal(press("ü", "BracketLeft"), "ü");
  assert.equal(press("'", "KeyQ"), "'");
});

test("without Latin letters the key's place counts", () => {
  assert.equal(press("г", "KeyU"), "u");
  assert.equal(press("Г", "KeyU", true), "U");
  assert.equal(press("Г", "KeyU"), "u");
  assert.equal(press("θ", "KeyU"), "u");
  assert.equal(press("١", "Digit1"), "1");
});

test("a key without a letter is unchanged", () => {
  assert.equal(press("?", "Slash", true), "?");
  assert.equal(press("?", "Minus", true), "?");
  assert.equal(press("Enter", "Enter", true), "Enter");
  assert.equal(press("ArrowUp", "ArrowUp"), "ArrowUp");
});
