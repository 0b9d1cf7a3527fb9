// Layers over the map: one key each. A layer about one hex follows the hex that was chosen last.

import { openDialog } from "../dialog.js";
import { el, fill, format, listOf, placeLink, placeName, plural, sentence } from "../dom.js";
import { addKeys } from "../keys.js";
import { Refused } from "../session/api.js";
import { COMMON, GROUPS } from "../strings/common.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** Minimum time in ms between two layer requests, which keeps a page with a working staff within its limits. */
const LAYER_REST = 500;

export class Layers {
  /** The active layer, or "". */
  current = "";
  /** The hex of a layer that concerns one hex. */
  place = "";
  #isAsking = false;
  /** The next layer to request. @type {T.LayerCard | null} */
  #wish = null;

  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, ctx) {
    this.ctx = ctx;
    this.notes = el("div.layer-notes.small", { role: "status" });
    const cards = ctx.store.setting.layers;
    this.buttons = new Map(cards.map((card) => [card.id, this.#button(card)]));
    const list = el("div.layer-list", ...this.buttons.values(), ctx.map.legend);
    this.menu = el("details.layers", el("summary", MAP.layers), list);
    fill(host, this.menu, this.notes);
    addKeys(
      ...cards
        .filter((card) => card.key)
        .map((card) => ({ keys: [card.key], label: card.title, group: GROUPS.layers, run: () => this.toggle(card.id) })),
    );
    ctx.store.addEventListener("change", () => void this.#request());
  }

  /** @param {T.LayerCard} card */
  #button(card) {
    const props = {
      class: "quiet",
      title: card.text,
      "aria-pressed": false,
      dataset: { layer: card.id },
      onclick: () => this.toggle(card.id),
    };
    return el("button", props, card.key ? el("kbd", { "aria-hidden": true }, card.key) : null, card.title);
  }

  /** @param {string} id */
  toggle(id) {
    this.current = this.current === id ? "" : id;
    this.#mark();
    void this.#request();
  }

  /** Remove the layer. @returns {boolean} whether there was one */
  clear() {
    if (!this.current) return false;
    this.toggle(this.current);
    return true;
  }

  /** The hex that was selected last. @param {string} place */
  at(place) {
    this.place = place;
    if (this.#card?.needs_place) void this.#request();
  }

  get #card() {
    return this.ctx.store.setting.layers.find((card) => card.id === this.current);
  }

  #mark() {
    for (const [id, button] of this.buttons) button.setAttribute("aria-pressed", String(id === this.current));
  }

  /** Request the current layer; if the table changes meanwhile, request it once more. */
  async #request() {
    const card = this.#card;
    this.#wish = card && this.ctx.store.isLive && (!card.needs_place || this.place) ? card : null;
    if (!this.#wish)
      return this.#show(null, card?.needs_place && this.ctx.store.isLive ? [format(MAP.chooseHex, { layer: card.title })] : []);
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    while (this.#wish) {
      await this.#requestLayer(this.#wish);
      await new Promise((resolve) => setTimeout(resolve, LAYER_REST));
    }
    this.#isAsking = false;
    return undefined;
  }

  /** @param {T.LayerCard} card */
  async #requestLayer(card) {
    this.#wish = null;
    const isWanted = () => this.current === card.id && this.ctx.store.isLive;
    try {
      const layer = await this.ctx.api.layer(card.id, card.needs_place ? this.place : "");
      if (isWanted()) this.#show(layer, [layer.title, ...(layer.notes ?? [])]);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (isWanted()) this.#show(null, [error.problem.detail]);
    }
  }

  /** @param {T.Layer | null} layer @param {readonly string[]} notes */
  #show(layer, notes) {
    this.ctx.map.overlay.setLayer(layer);
    const [title, ...rest] = notes;
    const close = el("button.quiet.icon", { "aria-label": MAP.removeLayer, onclick: () => this.clear() }, "×");
    fill(this.notes, ...(title ? [el("div.layer-card", el("div", el("strong", title), ...rest.map((note) => el("p", note))), close)] : []));
  }
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

/**
 * Matches in order: those that begin with the typed text, then those with a word that does.
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
  const from = el("select", { "aria-label": MAP.distances, onchange: () => draw() }, ...startOptions(ctx, here));
  const filter = el(
    "select",
    { "aria-label": MAP.show, onchange: () => draw() },
    ...[MAP.bothSides, ...ctx.store.setting.sides, COMMON.neutral].map((name, index) => el("option", { value: index - 1 }, sentence(name))),
  );
  const list = el("div.text-board");
  const draw = () => fill(list, ...placesView(ctx, from.value, Number(filter.value)));
  draw();
  const head = el("div.row", el("label", `${MAP.distances} `, from), el("label", `${MAP.show} `, filter));
  const front = el("p", { id: "front", role: "status" }, MAP.loading);
  const told = ctx.api.front().then(({ text }) => text);
  void told.catch(() => COMMON.unreachable).then((text) => (front.textContent = text));
  return openDialog({ title: MAP.textBoard, body: [front, head, list], wide: true });
}

/** @param {Context} ctx @param {string} here */
function startOptions({ store }, here) {
  const own = Object.values(store.scene.pieces).filter((piece) => piece.side === store.side);
  const places = [...new Set([here, ...own.map((piece) => piece.place)])].filter(Boolean);
  return [
    el("option", { value: "" }, MAP.nowhere),
    ...places.map((place) => el("option", { value: place, selected: place === here }, placeName(store, place))),
  ];
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
