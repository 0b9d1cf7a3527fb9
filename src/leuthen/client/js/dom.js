// Makes elements. Text goes in as text, never as markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/**
 * Attributes by name; `class`, `dataset` and `style` (an object) as they are; `onclick` and the like listen; true and
 * false set and leave out an attribute (of `aria-…` the words); `value`, `checked` and `htmlFor` are properties.
 * @typedef {Record<string, any>} Props
 */

const PROPERTIES = new Set(["value", "checked", "htmlFor", "indeterminate", "selected"]);

/** @param {Element} element @param {string} name @param {any} value */
function setProp(element, name, value) {
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
  else if (name === "style") setStyle(/** @type {HTMLElement} */ (element), value);
  else if (PROPERTIES.has(name)) Object.assign(element, { [name]: value });
  else if (name.startsWith("aria-")) element.setAttribute(name, String(value));
  else if (value === true) element.setAttribute(name, "");
  else if (value !== false) element.setAttribute(name, String(value));
}

/** @param {HTMLElement | SVGElement} element @param {Record<string, string | number>} style */
function setStyle(element, style) {
  for (const [name, value] of Object.entries(style)) element.style.setProperty(name, String(value));
}

/** @template {Element} E @param {E} element @param {Props} props @param {readonly (Child | readonly Child[])[]} children @returns {E} */
function dressed(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value !== undefined && value !== null) setProp(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

/** @param {readonly (Child | readonly Child[])[]} children @returns {(Node | string)[]} */
function nodes(children) {
  /** @type {Child[]} */
  const flat = children.flat();
  return flat.flatMap((child) =>
    child === null || child === undefined || child === false ? [] : [child instanceof Node ? child : String(child)],
  );
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, props = {}, ...children) {
  return dressed(document.createElement(tag), props, children);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Props} [props]
 * @param {...(Child | readonly Child[])} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props = {}, ...children) {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), props, children);
}

/**
 * Puts other children into an element; the focus stays on what has the same `data-keep`.
 * @param {Element} host
 * @param {...(Child | readonly Child[])} children
 */
export function fill(host, ...children) {
  const active = document.activeElement;
  const keep = active instanceof HTMLElement && host.contains(active) ? active.dataset.keep : undefined;
  host.replaceChildren(...nodes(children));
  if (keep !== undefined)
    /** @type {HTMLElement | null} */ (host.querySelector(`[data-keep="${CSS.escape(keep)}"]`))?.focus({ preventScroll: true });
}

/**
 * Runs an action at a press, one at a time: a press while it runs does nothing.
 * @template {unknown[]} A
 * @param {(...args: A) => Promise<unknown>} run
 * @returns {(...args: A) => Promise<void>}
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

/**
 * The element with this id. Throws if the page has none.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}
