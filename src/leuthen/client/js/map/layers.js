// Layers over the map: one key each. A layer about one hex follows the hex that was chosen last.

import { Refused } from "../session/api.js";
import { el, fill } from "../dom.js";
import { addKeys } from "../keys.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

export class Layers {
  /** The layer that is on, "" if none. */
  current = "";
  /** The hex that a layer about one hex is about. */
  place = "";
  #isAsking = false;
  /** What is to be asked for next. @type {T.LayerCard | null} */
  #wish = null;

  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, ctx) {
    this.ctx = ctx;
    this.notes = el("div", { class: "layer-notes small", role: "status" });
    const cards = ctx.store.setting.layers;
    this.buttons = new Map(cards.map((card) => [card.id, this.#button(card)]));
    const list = el("div", { class: "layer-list" }, ...this.buttons.values(), ctx.map.legend);
    this.menu = el("details", { class: "layers" }, el("summary", {}, "Layers"), list);
    fill(host, this.menu, this.notes);
    addKeys(
      ...cards
        .filter((card) => card.key)
        .map((card) => ({ keys: [card.key], label: card.title, group: "Layers", run: () => this.toggle(card.id) })),
    );
    ctx.store.addEventListener("change", () => void this.#ask());
  }

  /** @param {T.LayerCard} card */
  #button(card) {
    const props = {
      type: "button",
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
    void this.#ask();
  }

  /** Takes the layer away. @returns {boolean} whether there was one */
  clear() {
    if (!this.current) return false;
    this.toggle(this.current);
    return true;
  }

  /** The hex that was chosen last. @param {string} place */
  at(place) {
    this.place = place;
    if (this.#card?.needs_place) void this.#ask();
  }

  get #card() {
    return this.ctx.store.setting.layers.find((card) => card.id === this.current);
  }

  #mark() {
    for (const [id, button] of this.buttons) button.setAttribute("aria-pressed", String(id === this.current));
  }

  /** Asks for the layer as it is now. While one is on its way, the table may change: it is asked for once more then. */
  async #ask() {
    const card = this.#card;
    this.#wish = card && this.ctx.store.isLive && (!card.needs_place || this.place) ? card : null;
    if (!this.#wish) return this.#show(null, card?.needs_place && this.ctx.store.isLive ? [`${card.title}: choose a hex on the map.`] : []);
    if (this.#isAsking) return undefined;
    this.#isAsking = true;
    while (this.#wish) await this.#askFor(this.#wish);
    this.#isAsking = false;
    return undefined;
  }

  /** @param {T.LayerCard} card */
  async #askFor(card) {
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
    this.ctx.map.setLayer(layer);
    const [title, ...rest] = notes;
    const close = el(
      "button",
      { type: "button", class: "quiet icon", "aria-label": "Take the layer away", onclick: () => this.clear() },
      "×",
    );
    fill(
      this.notes,
      ...(title
        ? [el("div", { class: "layer-card" }, el("div", {}, el("strong", {}, title), ...rest.map((note) => el("p", {}, note))), close)]
        : []),
    );
  }
}
