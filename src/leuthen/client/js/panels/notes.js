// Private plans on the map and notes beside it, kept on the server for this seat alone.

import { el, fill, format, kept, placeLink, placeName } from "../dom.js";
import { attempt } from "../dialog.js";
import { Refused } from "../session/api.js";
import { mergedNotes } from "../session/store.js";
import { messageOf } from "./parts.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** ms of quiet after which notes are saved. */
const QUIET = 600;
const NONE = { text: "", arrows: [], pins: [], version: 0 };

/**
 * A seat's notes. What is not saved yet is also kept in this browser, so that it is saved when the line or the page is
 * back; what was saved elsewhere meanwhile is put together with it. Emits `change`, and `kept` (detail: how it stands).
 */
class Notes extends EventTarget {
  /** As they were saved last. @type {Required<T.Notes>} */
  #saved = NONE;
  #isSaving = false;
  /** Whether the server has not yet said what was saved. */
  #isMissing = false;
  #timer = 0;

  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {Required<T.Notes>} */
    this.now = NONE;
    this.#takeUp();
    window.addEventListener("pagehide", () => void this.#save());
    document.addEventListener("visibilitychange", () => document.hidden && void this.#save());
    ctx.store.addEventListener("connection", (event) => {
      if (/** @type {CustomEvent<string>} */ (event).detail !== "live") return;
      void (this.#isMissing ? attempt(() => this.load()) : this.#save());
    });
  }

  get #isDirty() {
    return JSON.stringify({ ...this.now, version: 0 }) !== JSON.stringify({ ...this.#saved, version: 0 });
  }

  get #keptAs() {
    return `leuthen.notes.${this.ctx.api.seat}`;
  }

  /** What could not be saved when the page was left. */
  #takeUp() {
    const { now = NONE, saved = NONE } = JSON.parse(kept.getItem(this.#keptAs) ?? "{}");
    [this.now, this.#saved] = [now, saved];
  }

  async load() {
    this.#isMissing = true;
    const saved = { ...NONE, ...(await this.ctx.api.notes()) };
    this.#isMissing = false;
    this.now = mergedNotes(this.#saved, this.now, saved);
    this.#saved = saved;
    this.#show();
    if (this.#isDirty) void this.#save();
  }

  /** @param {Partial<T.Notes>} change */
  put(change) {
    this.now = { ...this.now, ...change };
    this.#show();
    kept.setItem(this.#keptAs, JSON.stringify({ now: this.now, saved: this.#saved }));
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#save(), QUIET);
  }

  #show() {
    this.ctx.map.setPlans(this.now);
    this.dispatchEvent(new Event("change"));
  }

  /** Saves what is not saved yet, one request at a time. */
  async #save() {
    clearTimeout(this.#timer);
    if (this.#isSaving || !this.#isDirty) return;
    this.#isSaving = true;
    try {
      while (this.#isDirty) await this.#saveOnce();
      kept.removeItem(this.#keptAs);
      this.#tell(PANELS.saved);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#tell(error.isOffline ? PANELS.notSavedOffline : format(PANELS.notSaved, { reason: error.message }));
    } finally {
      this.#isSaving = false;
    }
  }

  /** Where others were saved meanwhile, both are put together. */
  async #saveOnce() {
    const sent = { ...this.now, version: this.#saved.version };
    try {
      await this.ctx.api.saveNotes(sent);
      this.#saved = { ...sent, version: sent.version + 1 };
    } catch (error) {
      if (!(error instanceof Refused) || error.problem.status !== 409) throw error;
      const saved = { ...NONE, ...(await this.ctx.api.notes()) };
      this.now = mergedNotes(this.#saved, this.now, saved);
      this.#saved = saved;
      this.#show();
    }
  }

  /** @param {string} detail */
  #tell(detail) {
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
export function isNotesWanted({ store }) {
  return store.side < 2;
}

/** Puts the plans on the map as they were left. @param {Context} ctx */
export async function loadPlans(ctx) {
  await attempt(() => notesOf(ctx).load());
}

/** @param {HTMLElement} host @param {Context} ctx */
export function mountNotes(host, ctx) {
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
    this.label = el("input", { maxlength: 60, "aria-label": PANELS.pinText, placeholder: PANELS.pinHint });
    this.arrow = this.#toolButton("arrow", PANELS.drawArrow);
    this.pin = this.#toolButton("pin", PANELS.setPin);
    this.help = el("p", { class: "small muted", role: "status" });
    this.kept = el("span", { class: "small muted", role: "status" });
    this.list = el("ul", { class: "plain plans" });
    this.text = el("textarea", { rows: 12, maxlength: 20000, "aria-label": PANELS.notesTitle, oninput: () => this.#write() });
  }

  open() {
    fill(
      this.host,
      el("h3", {}, PANELS.plans),
      el("div", { class: "panel-tools" }, this.arrow, this.pin, this.label),
      this.help,
      this.list,
      el("h3", {}, `${PANELS.notesTitle} `, this.kept),
      this.text,
      el("p", { class: "small muted" }, PANELS.onlyYou),
    );
    this.notes.addEventListener("change", () => this.#draw());
    this.notes.addEventListener("kept", (event) => {
      this.kept.textContent = /** @type {CustomEvent<string>} */ (event).detail;
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
    return el("button", { "aria-pressed": false, onclick: () => this.#take(this.tool === tool ? null : tool) }, words);
  }

  /** @param {"arrow" | "pin" | null} tool */
  #take(tool) {
    this.tool = tool;
    this.arrow.setAttribute("aria-pressed", String(tool === "arrow"));
    this.pin.setAttribute("aria-pressed", String(tool === "pin"));
    this.help.textContent = tool === "arrow" ? PANELS.howArrow : tool === "pin" ? PANELS.howPin : "";
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
    this.#showText(this.notes.now.text);
    const nameOf = (/** @type {string} */ place) => placeName(this.ctx.store, place);
    fill(
      this.list,
      arrows.map((places, index) => {
        const [from = "", to = ""] = [places[0], places.at(-1)];
        const words = format(PANELS.arrow, { from: nameOf(from), to: nameOf(to) });
        return this.#item(from, words, () => this.notes.put({ arrows: arrows.toSpliced(index, 1) }));
      }),
      pins.map(([place, text], index) =>
        this.#item(place, format(PANELS.pin, { text: text || PANELS.aPin, place: nameOf(place) }), () =>
          this.notes.put({ pins: pins.toSpliced(index, 1) }),
        ),
      ),
    );
  }

  /** The text, with the cursor where it was. @param {string} text */
  #showText(text) {
    if (this.text.value === text) return;
    const { selectionStart, selectionEnd } = this.text;
    this.text.value = text;
    this.text.setSelectionRange(selectionStart, selectionEnd);
  }

  /** @param {string} place @param {string} words @param {() => void} remove */
  #item(place, words, remove) {
    return el(
      "li",
      {},
      placeLink(this.ctx, place, words),
      el("button", { class: "icon quiet", "aria-label": format(PANELS.remove, { item: words }), onclick: remove }, "✕"),
    );
  }
}
