// Puts changes together: JSON merge patches (RFC 7396), without changing what they are applied to, and notes.

/** @import * as T from "../../types" */

/** @param {unknown} value @returns {value is Record<string, unknown>} */
function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * @template V
 * @param {V} target
 * @param {unknown} patch
 * @returns {V}
 */
export function merged(target, patch) {
  if (!isObject(patch)) return /** @type {V} */ (patch);
  /** @type {Record<string, unknown>} */
  const result = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return /** @type {V} */ (result);
}

/**
 * Notes that were changed in two places, put together: nothing that was written in either is lost.
 * @param {Required<T.Notes>} base what both were made from @param {Required<T.Notes>} own @param {Required<T.Notes>} saved the others, which are on the server
 * @returns {Required<T.Notes>}
 */
export function mergedNotes(base, own, saved) {
  return {
    text: mergedText(base.text, own.text, saved.text),
    arrows: mergedList(base.arrows, own.arrows, saved.arrows),
    pins: mergedList(base.pins, own.pins, saved.pins),
    version: saved.version,
  };
}

/** @param {string} base @param {string} own @param {string} saved */
function mergedText(base, own, saved) {
  if (own === base || own === saved) return saved;
  if (saved === base) return own;
  if (own.startsWith(base) && saved.startsWith(base)) return saved + own.slice(base.length);
  return `${saved}\n\n(Written at the same time:)\n${own}`;
}

/**
 * @template V
 * @param {readonly V[]} base @param {readonly V[]} own @param {readonly V[]} saved @returns {V[]}
 */
function mergedList(base, own, saved) {
  const isSame = (/** @type {readonly V[]} */ one, /** @type {readonly V[]} */ other) => JSON.stringify(one) === JSON.stringify(other);
  if (isSame(own, base)) return [...saved];
  if (isSame(saved, base)) return [...own];
  const among = (/** @type {readonly V[]} */ list) => {
    const known = new Set(list.map((each) => JSON.stringify(each)));
    return (/** @type {V} */ each) => known.has(JSON.stringify(each));
  };
  const [inBase, inOwn, inSaved] = [among(base), among(own), among(saved)];
  return [...saved.filter((each) => inOwn(each) || !inBase(each)), ...own.filter((each) => !inBase(each) && !inSaved(each))];
}
