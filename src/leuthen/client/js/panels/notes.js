// Private plans on the map and notes beside it, kept on the server for this seat alone.

import { placeLink, placeName } from "../bits.js";
import { el, fill } from "../dom.js";
import { debounced, messageOf } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** A seat's notes. Emits `change` after every change, and `kept` (detail: what went wrong, or "") after saving. */
class Notes extends EventTarget {
  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {Required<T.Notes>} */
    this.now = { text: "", arrows: [], pins: [] };
    this.save = debounced(600, () => void this.#save());
  }

  async load() {
    this.now = { ...this.now, ...(await this.ctx.api.notes()) };
    this.#show();
  }

  /** @param {Partial<T.Notes>} change */
  put(change) {
    this.now = { ...this.now, ...change };
    this.#show();
    this.save();
  }

  #show() {
    this.ctx.map.setPlans(this.now);
    this.dispatchEvent(new Event("change"));
  }

  async #save() {
    let detail = "";
    try {
      await this.ctx.api.saveNotes(this.now);
    } catch (error) {
      detail = messageOf(error);
    }
    this.dispatchEvent(new CustomEvent("kept", { detail }));
  }
}

/** @type {WeakMap<object, Notes>} */
const all = new WeakMap();

/** @param {Context} ctx */
function notesOf(ctx) {
  const notes = all.get(ctx.store) ?? new Notes(ctx);
  all.set(ctx.store, notes);
  return notes;
}

/** Whether a seat has notes: whoever watches has none that are kept. @param {Context} ctx */
export function isWanted({ store }) {
  return store.side < 2;
}

/** Puts the plans on the map as they were left. @param {Context} ctx */
export async function loadPlans(ctx) {
  await notesOf(ctx).load();
}

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  const notes = notesOf(ctx);
  const panel = new NotesPanel(host, ctx, notes);
  notes.load().then(
    () => panel.open(),
    (error) => fill(host, el("p", { class: "note bad" }, messageOf(error))),
  );
}

class NotesPanel {
  /** @param {HTMLElement} host @param {Context} ctx @param {Notes} notes */
  constructor(host, ctx, notes) {
    this.host = host;
    this.ctx = ctx;
    this.notes = notes;
    /** @type {"arrow" | "pin" | null} */
    this.tool = null;
    this.label = el("input", { maxlength: 60, "aria-label": "What the next pin says", placeholder: "words of the pin" });
    this.arrow = this.#toolButton("arrow", "Draw an arrow");
    this.pin = this.#toolButton("pin", "Set a pin");
    this.help = el("p", { class: "small muted", role: "status" });
    this.kept = el("span", { class: "small muted", role: "status" });
    this.list = el("ul", { class: "plain plans" });
    this.text = el("textarea", { rows: 12, maxlength: 20000, "aria-label": "Notes", oninput: () => this.#write() });
  }

  open() {
    fill(
      this.host,
      el("h3", {}, "Plans"),
      el("div", { class: "panel-tools" }, this.arrow, this.pin, this.label),
      this.help,
      this.list,
      el("h3", {}, "Notes ", this.kept),
      this.text,
      el("p", { class: "small muted" }, "Nobody else sees these."),
    );
    this.text.value = this.notes.now.text;
    this.notes.addEventListener("change", () => this.#draw());
    this.notes.addEventListener("kept", (event) => {
      const problem = /** @type {CustomEvent<string>} */ (event).detail;
      this.kept.textContent = problem ? `not kept: ${problem}` : "kept";
    });
    this.ctx.map.addEventListener("drawn", (event) =>
      this.#drawn(/** @type {CustomEvent<{places: string[], isDone: boolean}>} */ (event).detail),
    );
    this.host.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.tool) return;
      event.preventDefault();
      this.#take(null);
    });
    this.#draw();
  }

  #write() {
    this.kept.textContent = "";
    this.notes.put({ text: this.text.value });
  }

  /** @param {"arrow" | "pin"} tool @param {string} words */
  #toolButton(tool, words) {
    return el("button", { type: "button", "aria-pressed": false, onclick: () => this.#take(this.tool === tool ? null : tool) }, words);
  }

  /** @param {"arrow" | "pin" | null} tool */
  #take(tool) {
    this.tool = tool;
    this.arrow.setAttribute("aria-pressed", String(tool === "arrow"));
    this.pin.setAttribute("aria-pressed", String(tool === "pin"));
    this.help.textContent =
      tool === "arrow"
        ? "Choose its hexes on the map in turn; the last one twice, or Enter, ends it."
        : tool === "pin"
          ? "Choose its hex on the map."
          : "";
    this.ctx.map.draw(tool);
  }

  /** @param {{places: string[], isDone: boolean}} drawn */
  #drawn({ places, isDone }) {
    if (!isDone || !this.tool) return;
    const { arrows, pins } = this.notes.now;
    const [place] = places;
    if (this.tool === "arrow" && places.length > 1) this.notes.put({ arrows: [...arrows, places] });
    if (this.tool === "pin" && place) this.notes.put({ pins: [...pins, [place, this.label.value.trim()]] });
    this.label.value = "";
    this.#take(null);
  }

  #draw() {
    const { arrows, pins } = this.notes.now;
    if (this.text !== document.activeElement) this.text.value = this.notes.now.text;
    const nameOf = (/** @type {string} */ place) => placeName(this.ctx.store, place);
    fill(
      this.list,
      arrows.map((places, index) => {
        const [from = "", to = ""] = [places[0], places.at(-1)];
        const words = `↗ ${nameOf(from)} to ${nameOf(to)}`;
        return this.#item(from, words, () => this.notes.put({ arrows: arrows.toSpliced(index, 1) }));
      }),
      pins.map(([place, text], index) =>
        this.#item(place, `⚑ ${text || "pin"}, ${nameOf(place)}`, () => this.notes.put({ pins: pins.toSpliced(index, 1) })),
      ),
    );
  }

  /** @param {string} place @param {string} words @param {() => void} remove */
  #item(place, words, remove) {
    return el(
      "li",
      {},
      placeLink(this.ctx, place, words),
      el("button", { type: "button", class: "icon quiet", "aria-label": `Remove ${words}`, onclick: remove }, "✕"),
    );
  }
}
