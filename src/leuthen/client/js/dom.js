// Elements in one expression. Text always goes in as text, so that no name can become markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Attributes by their names; a function is a listener of the event it is named after («onclick»); `true` sets an empty
 * attribute, and false, null and undefined none.
 * @typedef {Record<string, unknown>} Attributes
 */

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...shown(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function shown(children) {
  return children
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(tag, attributes = {}, ...children) {
  return dressed(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, attributes = {}, ...children) {
  return dressed(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Puts new children in the place of all there are. @param {Element} host @param {...Child} children */
export function fill(host, ...children) {
  host.replaceChildren(...shown(children));
}
