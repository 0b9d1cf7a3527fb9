// The keys, in one list: what is bound here is what "?" shows.

import { el } from "./dom.js";
import { openDialog } from "./dialog.js";
import { isUnread } from "./order/unread.js";
import { COMMON, GROUPS } from "./strings/common.js";

/**
 * A key binding. `keys` are values of `keyOf`, which the handler receives too. `when` is true while the binding applies.
 * `shown` replaces `keys` in the list; `anywhere` makes it work inside text fields and on buttons; `repeats` lets it
 * repeat while the key is held, for harmless actions only. A key for orders that could do harm is ignored while the
 * question is new.
 * @typedef {{
 *   keys: string[], label: string, group: string, run: (key: string, event: KeyboardEvent) => void,
 *   when?: () => boolean, shown?: string, anywhere?: boolean, repeats?: boolean,
 * }} Binding
 */

/** @type {Binding[]} */
const bindings = [];

/** Add key bindings; the earliest binding that applies wins. @param {...Binding} added */
export function addKeys(...added) {
  bindings.push(...added);
}

/** Add key bindings before all others. @param {...Binding} added */
export function addKeysFirst(...added) {
  bindings.unshift(...added);
}

const TYPED_IN = "input:not([type=checkbox], [type=radio], [type=range]), textarea, select, [contenteditable=true]";
const MOVED_IN = "input, #drawer, dialog, [role=group][tabindex='0']";
const PRESSED = "button, a[href], summary, input, [role=tab], [role=option]";

/** True if the key belongs to the focused element. @param {KeyboardEvent} event @param {Binding} binding */
function isTaken(event, binding) {
  const target = event.target;
  if (binding.anywhere || !(target instanceof Element)) return false;
  if (target instanceof HTMLInputElement && target.inputMode === "numeric") return !/^(Enter|[^\d])$/.test(event.key);
  if (target.closest(TYPED_IN)) return true;
  if (/^(Arrow|Home|End|Page)/.test(event.key) && target.closest(MOVED_IN)) return true;
  return (event.key === "Enter" || event.key === " ") && target.closest(PRESSED) !== null;
}

/**
 * The pressed key: a letter follows Shift, whatever Caps Lock says. On layouts without Latin letters or digits, the key's position decides.
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

/** Let a held Enter or Space press a button, or send a text, only once. @param {KeyboardEvent} event */
function pressOnce(event) {
  if (!event.repeat || !["Enter", " "].includes(event.key) || !(event.target instanceof Element)) return;
  if (event.target.closest(PRESSED) && !(event.key === " " && event.target.closest(TYPED_IN))) event.preventDefault();
}

/** Start listening to the keyboard. */
export function listenToKeys() {
  document.addEventListener("keydown", pressOnce, { capture: true });
  document.addEventListener("keydown", onKey);
}

/** @type {Record<string, string>} */
const NAMES = { " ": "Space", Escape: "Esc", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** Show the list of keys. */
export function showKeys() {
  const groups = [...new Set(bindings.map((binding) => binding.group))];
  const body = groups.map((group) => {
    const own = bindings.filter((binding) => binding.group === group);
    const lines = own.map(({ keys, label, shown }) => {
      const caps = shown ? [shown] : keys.map((key) => NAMES[key] ?? key);
      return el("div", el("dt", ...caps.map((cap) => el("kbd", cap))), el("dd", label));
    });
    return el("section", el("h3", group), el("dl.keys", ...lines));
  });
  return openDialog({ title: COMMON.keys, body: el("div.key-groups", ...body), wide: true });
}
