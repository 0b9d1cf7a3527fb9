// JSON merge patches (RFC 7396), without changing what they are applied to.

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
