// What this browser keeps for a page. Where it may keep nothing, the page goes on without.

/** @param {() => Storage} storage the browser's, which may refuse to be asked */
function keeper(storage) {
  return {
    /** @param {string} key @returns {string | null} */
    getItem(key) {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    /** @param {string} key @param {string} value */
    setItem(key, value) {
      try {
        storage().setItem(key, value);
      } catch {
        // Nothing is kept: what depends on it begins anew next time.
      }
    },
    /** @param {string} key */
    removeItem(key) {
      try {
        storage().removeItem(key);
      } catch {
        // Nothing was kept.
      }
    },
  };
}

/** For good. */
export const kept = keeper(() => localStorage);
/** As long as the tab is open. */
export const keptHere = keeper(() => sessionStorage);
