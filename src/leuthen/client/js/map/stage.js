// Layers over the map: one key each. A layer about one hex follows the hex that was chosen last.

import { openDialog } from "../dialog.js";
import { el, fill, format, listOf, optionsOf, placeLink, placeName, plural, sentence } from "../dom.js";
import { addKeys } from "../keys.js";
import { Refused, refusal } from "../session/api.js";
import { COMMON, GROUPS } from "../strings/common.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** Minimum time in ms between two layer requests, which keeps a page with a working staff within its limits. */
const LAYER_REST = 500;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountLayers(host, ctx) {
  const { api, map, store } = ctx;
  const cards = store.setting.layers;
  /** The active layer, or "". */
  let current = "";
  /** The hex of a layer that concerns one hex. */
  let place = "";
  let isAsking = false;
  /** The next layer to request. @type {T.LayerCard | null} */
  let wish = null;
  const cardNow = () => cards.find((card) => card.id === current);
  const notes = el("div.layer-notes.small", { role: "status" });
  const buttons = new Map(
    cards.map(({ id, key, text, title }) => {
      const props = { title: text, "aria-pressed": false, dataset: { layer: id }, onclick: () => toggle(id) };
      return [id, el("button.quiet", props, key ? el("kbd", { "aria-hidden": true }, key) : null, title)];
    }),
  );

  const toggle = (/** @type {string} */ id) => {
    current = current === id ? "" : id;
    for (const [one, button] of buttons) button.setAttribute("aria-pressed", String(one === current));
    void request();
  };
  /** Request the current layer; if the table changes meanwhile, request it once more. */
  const request = async () => {
    const card = cardNow();
    wish = card && store.isLive && (!card.needs_place || place) ? card : null;
    if (!wish) return show(null, card?.needs_place && store.isLive ? [format(MAP.chooseHex, { layer: card.title })] : []);
    if (isAsking) return undefined;
    isAsking = true;
    while (wish) {
      await requestLayer(wish);
      await new Promise((resolve) => setTimeout(resolve, LAYER_REST));
    }
    isAsking = false;
  };
  const requestLayer = async (/** @type {T.LayerCard} */ { id, needs_place: needsPlace }) => {
    wish = null;
    const layer = await api.layer(id, needsPlace ? place : "").catch(refusal);
    if (current !== id || !store.isLive) return;
    if (layer instanceof Refused) show(null, [layer.problem.detail]);
    else show(layer, [layer.title, ...(layer.notes ?? [])]);
  };
  /** Remove the layer; false if there was none. */
  const clear = () => {
    if (!current) return false;
    toggle(current);
    return true;
  };
  const show = (/** @type {T.Layer | null} */ layer, /** @type {readonly string[]} */ [title, ...rest]) => {
    map.overlay.setLayer(layer);
    const close = el("button.quiet.icon", { "aria-label": MAP.removeLayer, onclick: clear }, "×");
    const text = el("div", el("strong", title), ...rest.map((note) => el("p", note)));
    fill(notes, title ? el("div.layer-card", text, close) : null);
  };
  /** Tell which hex was selected last. @param {string} hex */
  const at = (hex) => {
    place = hex;
    if (cardNow()?.needs_place) void request();
  };

  const list = el("div.layer-list", ...buttons.values(), map.legend);
  fill(host, el("details.layers", el("summary", MAP.layers), list), notes);
  const keyed = cards.filter(({ key }) => key);
  addKeys(...keyed.map(({ id, key, title }) => ({ keys: [key], label: title, group: GROUPS.layers, run: () => toggle(id) })));
  store.addEventListener("change", () => void request());
  return { at, clear };
}

// Jumps to a place by typing its name, of then or of now, or the number of its hex; and to leaders whose place is known.

/** @typedef {{label: string, words: string, place: string}} Found */

const MOST_FOUND = 8;

/** A text without accents and capitals, so that "Konigsberg" finds Königsberg. @param {string} text */
export const simplified = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").toLowerCase();

/** All places that can be found. @param {Context} ctx @returns {Found[]} */
function places({ store }) {
  const towns = [...store.setting.towns, ...store.setting.fortresses].map((town) => ({
    label: `${town.name} ${town.place}`,
    place: town.place,
  }));
  const leaders = Object.values(store.scene.pieces).flatMap((piece) =>
    (piece.leaders ?? []).map((leader) => ({
      label: format(MAP.leaderAt, { leader: leader.name, name: store.namesByPlace.get(piece.place) ?? "", place: piece.place }),
      place: piece.place,
    })),
  );
  const unique = new Map([...towns, ...leaders].map((found) => [found.label, { ...found, words: simplified(found.label) }]));
  return [...unique.values()];
}

/** Matches: those that begin with the typed text, then those with a word that does. @param {readonly Found[]} all @param {string} typed */
export function matches(all, typed) {
  const query = simplified(typed.trim());
  if (!query) return [];
  const rank = (/** @type {Found} */ found) =>
    found.words.startsWith(query) ? 0 : found.words.includes(` ${query}`) ? 1 : found.words.includes(query) ? 2 : 9;
  return all
    .map((found) => ({ found, at: rank(found) }))
    .filter(({ at }) => at < 9)
    .sort((a, b) => a.at - b.at || a.found.label.localeCompare(b.found.label))
    .slice(0, MOST_FOUND)
    .map(({ found }) => found);
}

/** @param {Context} ctx */
export function openFinder(ctx) {
  const all = places(ctx);
  const list = el("ul.plain.finder-list", { id: "finder-list", role: "listbox", "aria-label": MAP.places });
  const input = el("input", {
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    role: "combobox",
    "aria-expanded": true,
    "aria-controls": "finder-list",
    "aria-label": MAP.findHint,
    autofocus: true,
  });
  const dialog = el("dialog.finder", { "aria-label": MAP.find }, input, list);
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

// The board as text: every counter in one sentence, by place, with distances from the place one stands at.

/** Hex RRCC in axial coordinates; even rows are shifted right by half a hex. @param {string} place */
function axes(place) {
  const row = Number(place.slice(0, 2));
  return { q: Number(place.slice(2)) - (row + (row & 1)) / 2, r: row };
}

/** Distance between two places, in hexes. @param {string} from @param {string} to */
function distance(from, to) {
  const [a, b] = [axes(from), axes(to)];
  const [dq, dr] = [a.q - b.q, a.r - b.r];
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** @param {Context} ctx @param {string} here the place that distances count from, "" for none */
export function openTextBoard(ctx, here) {
  const { scene, setting, side } = ctx.store;
  const own = Object.values(scene.pieces).filter((piece) => piece.side === side);
  const places = [...new Set([here, ...own.map((piece) => piece.place)])].filter(Boolean);
  const starts = optionsOf([["", MAP.nowhere], ...places.map((place) => [place, placeName(ctx.store, place)])], here);
  const from = el("select", { "aria-label": MAP.distances, onchange: () => draw() }, ...starts);
  const sides = [MAP.bothSides, ...setting.sides, COMMON.neutral].map((name, index) => [index - 1, sentence(name)]);
  const filter = el("select", { "aria-label": MAP.show, onchange: () => draw() }, ...optionsOf(sides));
  const list = el("div.text-board");
  const draw = () => fill(list, ...placesView(ctx, from.value, Number(filter.value)));
  draw();
  const head = el("div.row", el("label", `${MAP.distances} `, from), el("label", `${MAP.show} `, filter));
  const front = el("p", { id: "front", role: "status" }, MAP.loading);
  const told = ctx.api.front().then(({ text }) => text);
  void told.catch(() => COMMON.unreachable).then((text) => (front.textContent = text));
  return openDialog({ title: MAP.textBoard, body: [front, head, list], wide: true });
}

/** @param {Context} ctx @param {string} from @param {number} side -1 for all */
function placesView(ctx, from, side) {
  const { pieces, markers, holdings } = ctx.store.scene;
  /** @type {Map<string, string[]>} */
  const byPlace = new Map();
  const add = (/** @type {string} */ place, /** @type {string} */ text) => byPlace.set(place, [...(byPlace.get(place) ?? []), text]);
  for (const piece of Object.values(pieces)) if (side < 0 || piece.side === side) add(piece.place, piece.spoken);
  for (const marker of Object.values(markers)) if (side < 0 || marker.side === side) add(marker.place, marker.text);
  for (const [place, lines] of byPlace) if (holdings[place]) lines.push(holdings[place].text);
  const order = [...byPlace.keys()].sort((a, b) => (from ? distance(from, a) - distance(from, b) : 0) || a.localeCompare(b));
  if (!order.length) return [el("p", MAP.empty)];
  return order.map((place) => {
    const away = from && from !== place ? format(MAP.away, { hexes: plural(distance(from, place), MAP.hex, MAP.hexes) }) : "";
    return el(
      "section",
      el("h3", placeLink(ctx, place, placeName(ctx.store, place)), away),
      listOf("", ...(byPlace.get(place) ?? []).map((text) => sentence(text))),
    );
  });
}
