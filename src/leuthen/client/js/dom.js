// Makes elements. Text goes in as text, never as markup.

import { COMMON } from "./strings/common.js";

/** @import * as T from "../types" */
/** @import { Context } from "./main.js" */
/** @import { Store } from "./session/store.js" */

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * Attributes by name. `class`, `dataset` and `style` (an object) are set as such; `onclick` and the like add listeners;
 * true sets and false omits an attribute (`aria-…` gets the word); `value`, `checked` and `htmlFor` are properties.
 * @typedef {Record<string, any>} Props
 */

const PROPERTIES = new Set(["value", "checked", "htmlFor", "indeterminate", "selected"]);

/** @param {Element} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
  else if (name === "style") {
    const { style } = /** @type {HTMLElement} */ (element);
    for (const [property, set] of Object.entries(value)) style.setProperty(property, String(set));
  } else if (PROPERTIES.has(name)) Object.assign(element, { [name]: value });
  else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false) element.setAttribute(name, String(value));
}

/** @param {(name: string) => Element} create @returns {any} a maker */
const makerOf =
  (create) =>
  (/** @type {string} */ tag, /** @type {any[]} */ ...parts) => {
    const [name, ...classes] = tag.split(".");
    const element = create(name);
    const [first] = parts; // properties, if it is a plain object
    const hasProps = first && typeof first === "object" && !(first instanceof Node) && !Array.isArray(first);
    if (classes.length) element.classList.add(...classes);
    for (const [name, value] of Object.entries(hasProps ? first : {})) {
      if (value !== undefined && value !== null) setProp(element, name, value);
    }
    element.append(...nodes(hasProps ? parts.slice(1) : parts));
    return element;
  };

/** @param {readonly (Child | readonly Child[])[]} children */
function nodes(children) {
  const present = /** @type {Child[]} */ (children.flat()).filter((child) => child !== null && child !== undefined && child !== false);
  return present.map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * What makes elements with classes, `el("p.note.bad", { id }, text)`; properties may be left out.
 * @template {Record<keyof Tags & string, Element>} Tags elements by tag
 * @typedef {{
 *   <K extends keyof Tags & string>(tag: K | `${K}.${string}`, ...children: (Child | readonly Child[])[]): Tags[K],
 *   <K extends keyof Tags & string>(tag: K | `${K}.${string}`, props: Props, ...children: (Child | readonly Child[])[]): Tags[K],
 * }} Maker
 */

/** Create an element. A button does not submit its form unless its type says so. @type {Maker<HTMLElementTagNameMap>} */
export const el = makerOf((name) => Object.assign(document.createElement(name), name === "button" ? { type: "button" } : {}));

/** Create an element of a drawing. @type {Maker<SVGElementTagNameMap>} */
export const svg = makerOf((name) => document.createElementNS("http://www.w3.org/2000/svg", name));

/**
 * A button with an action; tests and focus find it by its name.
 * @param {string} label @param {string} what @param {() => unknown} run @param {string} [look] @param {boolean} [isBarred]
 */
export function button(label, what, run, look = "", isBarred = false) {
  const props = { class: look, dataset: { do: what, keep: what }, "aria-disabled": isBarred || null };
  return el("button", { ...props, onclick: () => isBarred || run() }, label);
}

/** A button with a sign. @param {string} sign @param {string} label @param {() => unknown} run @param {Record<string, string>} [dataset] */
export const icon = (sign, label, run, dataset = {}) =>
  el("button.quiet.icon", { "aria-label": label, title: label, dataset, onclick: run }, sign);

/** A list with an item for each line. @param {string} look its classes, "small.muted" @param {...(Child | readonly Child[])} lines */
export const listOf = (look, ...lines) => el(/** @type {"ul"} */ (look ? `ul.${look}` : "ul"), ...lines.map((line) => el("li", line)));

/** Options of a select, each a value with its words. @param {Iterable<readonly any[]>} lines @param {string | number} [chosen] */
export const optionsOf = (lines, chosen) =>
  Array.from(lines, ([value, words]) => el("option", value === chosen ? { value, selected: true } : { value }, words));

/** A table with a row of column heads. @param {readonly Child[]} heads @param {readonly (Node | null)[]} rows @param {Props} [props] */
export function tableOf(heads, rows, props = {}) {
  const head = heads.map((text) => el("th", { scope: "col" }, text));
  return el("table", props, el("thead", el("tr", ...head)), el("tbody", ...rows));
}

/** A row of a table, with its head. @param {Child | readonly Child[]} head @param {...(Child | readonly Child[])} cells */
export const rowOf = (head, ...cells) => el("tr", el("th", { scope: "row" }, head), ...cells);

/** A table that may be wider than the page. @param {string} label @param {HTMLTableElement} table */
export const wideTable = (label, table) => el("div.scroll-x", { tabindex: 0, role: "group", "aria-label": label }, table);

/**
 * Replace the children of an element; the focus stays on the element with the same `data-keep`, or else in its region.
 * @param {Element} host @param {...(Child | readonly Child[])} children
 */
export function fill(host, ...children) {
  const active = document.activeElement;
  const isInside = active instanceof HTMLElement && host.contains(active);
  const keep = isInside ? active.dataset.keep : undefined;
  host.replaceChildren(...nodes(children));
  if (!isInside) return;
  const same = keep === undefined ? null : host.querySelector(`[data-keep="${CSS.escape(keep)}"]`);
  const next = /** @type {HTMLElement | null} */ (same ?? host.closest("[tabindex='-1']"));
  if (!host.contains(document.activeElement)) next?.focus({ preventScroll: true });
}

/**
 * Run an action once at a time: a press while it runs does nothing.
 * @template {unknown[]} A @param {(...args: A) => Promise<unknown>} run @returns {(...args: A) => Promise<void>}
 */
export function once(run) {
  let isRunning = false;
  return async (...args) => {
    if (isRunning) return;
    isRunning = true;
    try {
      await run(...args);
    } finally {
      isRunning = false;
    }
  };
}

/** Make a function that runs tasks one after the other; one that fails keeps nobody waiting. */
export function inTurn() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template A @param {() => Promise<A>} task @returns {Promise<A>} */
  return (task) => {
    const turn = last.then(task);
    last = turn.catch(() => {});
    return turn;
  };
}

/** Dispatches events with their details. */
export class Emitter extends EventTarget {
  /** Dispatch an event. @param {string} event @param {unknown} [detail] */
  tell(event, detail) {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }

  /** Run a function with the detail of each event of this name. @param {string} event @param {(detail: any) => unknown} run */
  on(event, run) {
    this.addEventListener(event, (told) => run(/** @type {CustomEvent} */ (told).detail));
  }
}

/** The element with this id. Throws if the page has none. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

// Small things that many parts of the page show.

/** A rule's number as a button that opens the rule. @param {Pick<Context, "showRule">} ctx @param {string} rule */
export function ruleLink(ctx, rule) {
  if (!rule) return null;
  return el("button.rule", { "aria-label": format(COMMON.rule, { rule }), dataset: { rule }, onclick: () => ctx.showRule(rule) }, rule);
}

/** A place as a button that shows it on the map. @param {Pick<Context, "jump">} ctx @param {string} place @param {string} [label] */
export const placeLink = (ctx, place, label = place) =>
  el("button.rule", { "aria-label": format(COMMON.showOnMap, { label }), onclick: () => ctx.jump(place) }, label);

/** The reason why something is not allowed, with its rule. @param {Context} ctx @param {T.Objection} reason */
export const reasonLine = (ctx, reason) => el("span.reason", sentence(reason.text), " ", reason.rule && ruleLink(ctx, reason.rule));

/** Capitalise the first letter of a text. @param {string} text */
export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A side's initial on its colours. @param {Store} store @param {number} side */
export const sideMark = (store, side) =>
  el("span.side", { dataset: { side: String(side) }, "aria-hidden": true }, sentence(store.sideName(side)).charAt(0));

/** A place name with its hex number, if it has one. @param {Store} store @param {string} place */
export function placeName(store, place) {
  const name = store.namesByPlace.get(place);
  return name ? `${name} ${place}` : place;
}

/** Elapsed time in words, or "" if no time is given. @param {string} iso @param {number} [now] in ms */
export function ago(iso, now = Date.now()) {
  const minutes = Math.max(0, Math.round((now - Date.parse(iso)) / 60000));
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return COMMON.justNow;
  if (minutes < 60) return format(COMMON.ago, { time: plural(minutes, COMMON.minute) });
  if (minutes < 48 * 60) return format(COMMON.ago, { time: plural(Math.round(minutes / 60), COMMON.hour) });
  return format(COMMON.ago, { time: plural(Math.round(minutes / 1440), COMMON.day) });
}

/** Replace the `{names}` of a text by values. @param {string} text @param {Record<string, unknown>} values */
export const format = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/** A number with its noun. @param {number} count @param {string} noun @param {string} [many] the noun of any number but 1 */
export const plural = (count, noun, many = `${noun}s`) => `${count} ${count === 1 ? noun : many}`;

/** The dice of an event that can be drawn one by one; of two dice thrown together only the sum is known. @param {T.LogEntry} told */
export const diceOf = ({ dice = [], is_sum: isSum = false }) => (isSum ? [] : dice);

/** True if an event is worth a line beside the map: not minor, or a movement or a roll. @param {T.LogEntry} told */
export const isNotable = (told) => !told.is_small || Boolean(told.path?.length || told.dice?.length);

// What this browser keeps for a page. Where it may keep nothing, the page goes on without.

/** @param {() => Storage} storage the browser's, which may refuse to be asked */
function safeStorage(storage) {
  /** Run what needs the storage; null where nothing is kept: what depends on it begins anew next time. @template R @param {(kept: Storage) => R} run */
  const attempt = (run) => {
    try {
      return run(storage());
    } catch {
      return null;
    }
  };
  return {
    getItem: (/** @type {string} */ key) => attempt((kept) => kept.getItem(key)),
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => void attempt((kept) => kept.setItem(key, value)),
    removeItem: (/** @type {string} */ key) => void attempt((kept) => kept.removeItem(key)),
  };
}

/** Persistent storage of this browser. */
export const deviceStorage = safeStorage(() => localStorage);
/** Storage until the tab is closed. */
export const tabStorage = safeStorage(() => sessionStorage);
