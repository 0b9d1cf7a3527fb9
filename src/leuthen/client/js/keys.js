// The keys, in one list: what is bound here is what «?» shows.

import { el } from "./dom.js";
import { openDialog } from "./dialog.js";

/**
 * A key and what it does. `keys` are values of `KeyboardEvent.key`; a digit's handler gets the event. `when` tells
 * whether it does something now. With `shown` the list shows that in place of `keys`; with `anywhere` it works inside
 * text fields and on buttons too.
 * @typedef {object} Binding
 * @property {string[]} keys
 * @property {string} label
 * @property {string} group
 * @property {(event: KeyboardEvent) => void} run
 * @property {() => boolean} [when]
 * @property {string} [shown]
 * @property {boolean} [anywhere]
 */

/** @type {Binding[]} */
const bindings = [];

/** Binds a key; the first binding of a key that does something now goes first. @param {...Binding} added */
export function addKeys(...added) {
  bindings.push(...added);
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

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog:modal")) return;
  const found = bindings.find((binding) => binding.keys.includes(event.key) && (binding.when?.() ?? true) && !isTaken(event, binding));
  if (!found) return;
  event.preventDefault();
  found.run(event);
}

/** Listens to the keyboard. */
export function listenToKeys() {
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
  return openDialog({ title: "Keys", body: el("div", { class: "key-groups" }, ...body), wide: true });
}
