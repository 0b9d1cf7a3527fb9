// The keys, in one list: what is bound here is what "?" shows.

import { el } from "./dom.js";
import { openDialog } from "./dialog.js";
import { isUnread } from "./order/unread.js";
import { COMMON, GROUPS } from "./strings/common.js";

/**
 * A key and what it does. `keys` are what `keyOf` gives, and so is what the handler gets. `when` tells whether it does
 * something now. With `shown` the list shows that in place of `keys`; with `anywhere` it works inside text fields and on
 * buttons too; with `repeats` it does it again and again while it is held: so does only what harms nothing. A key for
 * orders that could harm does nothing while the question is new.
 * @typedef {object} Binding
 * @property {string[]} keys
 * @property {string} label
 * @property {string} group
 * @property {(key: string, event: KeyboardEvent) => void} run
 * @property {() => boolean} [when]
 * @property {string} [shown]
 * @property {boolean} [anywhere]
 * @property {boolean} [repeats]
 */

/** @type {Binding[]} */
const bindings = [];

/** Binds a key; the first binding of a key that does something now goes first. @param {...Binding} added */
export function addKeys(...added) {
  bindings.push(...added);
}

/** Binds keys that go before all that were bound. @param {...Binding} added */
export function addKeysFirst(...added) {
  bindings.unshift(...added);
}

const TYPED_IN = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true]";
const MOVED_IN = "input, #drawer, dialog, [role=group][tabindex='0']";
const PRESSED = "button, a[href], summary, input, [role=tab], [role=option]";

/** Whether the key belongs to the element that has the focus. @param {KeyboardEvent} event @param {Binding} binding */
function isTaken(event, binding) {
  const target = event.target;
  if (binding.anywhere || !(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement && target.inputMode === "numeric") return !/^(Enter|[^\d])$/.test(event.key);
  if (target.closest(TYPED_IN)) return true;
  if (/^(Arrow|Home|End|Page)/.test(event.key) && target.closest(MOVED_IN)) return true;
  return (event.key === "Enter" || event.key === " ") && target.closest(PRESSED) !== null;
}

/**
 * The key that was pressed: a letter as the Shift key says, whatever Caps Lock does. Where the layout has no Latin
 * letters, or digits of its own, the letter or digit is that of the key's place.
 * @param {Pick<KeyboardEvent, "key" | "code" | "shiftKey">} event
 */
export function keyOf({ key, code, shiftKey }) {
  const [, place = ""] = /^(?:Key|Digit)([A-Z0-9])$/.exec(code) ?? [];
  const isForeign = /^[\p{L}\p{Nd}]$/u.test(key) && !/^[\p{Script=Latin}0-9]$/u.test(key);
  const said = isForeign && place ? place : key;
  if (!/^\p{L}$/u.test(said)) return said;
  return shiftKey ? said.toUpperCase() : said.toLowerCase();
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog:modal")) return;
  const key = keyOf(event);
  const found = bindings.find((binding) => binding.keys.includes(key) && (binding.when?.() ?? true) && !isTaken(event, binding));
  if (!found) return;
  event.preventDefault();
  const isTooSoon = found.group === GROUPS.orders && !found.repeats && !found.anywhere && isUnread();
  if ((!event.repeat || found.repeats) && !isTooSoon) found.run(key, event);
}

/** A held Enter or Space presses a button once, and sends what was typed once. @param {KeyboardEvent} event */
function pressOnce(event) {
  if (!event.repeat || !["Enter", " "].includes(event.key) || !(event.target instanceof Element)) return;
  if (event.target.closest(PRESSED) && !(event.key === " " && event.target.closest(TYPED_IN))) event.preventDefault();
}

/** Listens to the keyboard. */
export function listenToKeys() {
  document.addEventListener("keydown", pressOnce, { capture: true });
  document.addEventListener("keydown", onKey);
}

/** @type {Record<string, string>} */
const NAMES = { " ": "Space", Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** @param {Binding} binding */
function keyCaps(binding) {
  const caps = binding.shown ? [binding.shown] : binding.keys.map((key) => NAMES[key] ?? key);
  return caps.map((cap) => el("kbd", {}, cap));
}

/** Shows all the keys. */
export function showKeys() {
  const groups = [...new Set(bindings.map((binding) => binding.group))];
  const body = groups.map((group) =>
    el(
      "section",
      {},
      el("h3", {}, group),
      el(
        "dl",
        { class: "keys" },
        ...bindings
          .filter((binding) => binding.group === group)
          .map((binding) => el("div", {}, el("dt", {}, ...keyCaps(binding)), el("dd", {}, binding.label))),
      ),
    ),
  );
  return openDialog({ title: COMMON.keys, body: el("div", { class: "key-groups" }, ...body), wide: true });
}
