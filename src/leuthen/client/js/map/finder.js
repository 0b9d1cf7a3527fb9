// Jumps to a place by typing its name, of then or of now, or the number of its hex; and to leaders whose place is known.

import { el, fill } from "../dom.js";

/** @import { Context } from "../context.js" */

/** @typedef {{label: string, words: string, place: string}} Found */

const MOST = 8;

/** A text without accents and capitals, so that «Konigsberg» finds Königsberg. @param {string} text */
export function simplified(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").toLowerCase();
}

/** All that can be found now. @param {Context} ctx @returns {Found[]} */
function places({ store }) {
  const towns = [...store.setting.towns, ...store.setting.fortresses].map((town) => ({
    label: `${town.name} ${town.place}`,
    place: town.place,
  }));
  const leaders = Object.values(store.scene.pieces).flatMap((piece) =>
    (piece.leaders ?? []).map((leader) => ({
      label: `${leader.name}, at ${store.namesByPlace.get(piece.place) ?? ""} ${piece.place}`,
      place: piece.place,
    })),
  );
  const unique = new Map([...towns, ...leaders].map((found) => [found.label, { ...found, words: simplified(found.label) }]));
  return [...unique.values()];
}

/**
 * The best hits first: those that begin with what is typed, then those with a word that does.
 * @param {readonly Found[]} all @param {string} typed
 */
export function matches(all, typed) {
  const query = simplified(typed.trim());
  if (!query) return [];
  const rank = (/** @type {Found} */ found) =>
    found.words.startsWith(query) ? 0 : found.words.includes(` ${query}`) ? 1 : found.words.includes(query) ? 2 : 9;
  return all
    .map((found) => ({ found, at: rank(found) }))
    .filter(({ at }) => at < 9)
    .sort((a, b) => a.at - b.at || a.found.label.localeCompare(b.found.label))
    .slice(0, MOST)
    .map(({ found }) => found);
}

/** @param {Context} ctx */
export function openFinder(ctx) {
  const all = places(ctx);
  const list = el("ul", { class: "plain finder-list", id: "finder-list", role: "listbox", "aria-label": "Places" });
  const input = el("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-expanded": true,
    "aria-controls": "finder-list",
    "aria-label": "Name of a place or leader, or number of a hex",
    autofocus: true,
  });
  const dialog = el("dialog", { class: "finder", "aria-label": "Jump to a place" }, input, list);
  let hits = /** @type {Found[]} */ ([]);
  let at = 0;
  const go = (/** @type {string} */ place) => {
    dialog.close();
    ctx.jump(place);
  };
  const draw = () => {
    const items = hits.map((hit, index) =>
      el("li", { id: `finder-${index}`, role: "option", "aria-selected": index === at, onclick: () => go(hit.place) }, hit.label),
    );
    fill(list, ...items);
    input.setAttribute("aria-activedescendant", hits.length ? `finder-${at}` : "");
  };
  input.addEventListener("input", () => {
    hits = matches(all, input.value);
    at = 0;
    draw();
  });
  input.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) {
      event.preventDefault();
      at = Math.min(Math.max(0, hits.length - 1), Math.max(0, at + by));
      draw();
    } else if (event.key === "Enter") {
      event.preventDefault();
      const place = hits[at]?.place ?? (/^\d{4}$/.test(input.value.trim()) ? input.value.trim() : "");
      if (place) go(place);
    }
  });
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}
