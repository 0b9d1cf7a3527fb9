// Private plans on the map and notes beside it, kept on the server for this seat alone.

import { el, fill, format, deviceStorage, placeLink, placeName } from "../dom.js";
import { tryRequest } from "../dialog.js";
import { Refused } from "../session/api.js";
import { mergedNotes } from "../session/store.js";
import { messageOf } from "./parts.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** Time in ms without changes after which notes are saved. */
const QUIET = 600;
const NONE = { text: "", arrows: [], pins: [], version: 0 };

/**
 * A seat's notes. Unsaved notes are also stored in this browser and saved when the connection or page is back;
 * concurrent changes are merged. Dispatches `change`, and `kept` (detail: the status).
 */
class Notes extends EventTarget {
  /** The notes as saved last. @type {Required<T.Notes>} */
  #saved = NONE;
  #isSaving = false;
  /** True until the server has sent the saved notes. */
  #isMissing = false;
  #timer = 0;

  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {Required<T.Notes>} */
    this.now = NONE;
    this.#restoreUnsaved();
    window.addEventListener("pagehide", () => void this.#save());
    document.addEventListener("visibilitychange", () => document.hidden && void this.#save());
    ctx.store.addEventListener("connection", (event) => {
      if (/** @type {CustomEvent<string>} */ (event).detail !== "live") return;
      void (this.#isMissing ? tryRequest(() => this.load()) : this.#save());
    });
  }

  get #isDirty() {
    return JSON.stringify({ ...this.now, version: 0 }) !== JSON.stringify({ ...this.#saved, version: 0 });
  }

  get #storageKey() {
    return `leuthen.notes.${this.ctx.api.seat}`;
  }

  /** Restore notes that could not be saved when the page was left. */
  #restoreUnsaved() {
    const { now = NONE, saved = NONE } = JSON.parse(deviceStorage.getItem(this.#storageKey) ?? "{}");
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
    deviceStorage.setItem(this.#storageKey, JSON.stringify({ now: this.now, saved: this.#saved }));
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#save(), QUIET);
  }

  #show() {
    this.ctx.map.plans.show(this.now);
    this.dispatchEvent(new Event("change"));
  }

  /** Save unsaved notes, one request at a time. */
  async #save() {
    clearTimeout(this.#timer);
    if (this.#isSaving || !this.#isDirty) return;
    this.#isSaving = true;
    try {
      while (this.#isDirty) await this.#saveOnce();
      deviceStorage.removeItem(this.#storageKey);
      this.#dispatchKept(PANELS.saved);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#dispatchKept(error.isOffline ? PANELS.notSavedOffline : format(PANELS.notSaved, { reason: error.message }));
    } finally {
      this.#isSaving = false;
    }
  }

  /** Save once; merge the notes if others were saved meanwhile. */
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
  #dispatchKept(detail) {
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

/** True if a seat has notes: a spectator's are not saved. @param {Context} ctx */
export const isNotesWanted = ({ store }) => store.side < 2;

/** Show the saved plans on the map. @param {Context} ctx */
export async function loadPlans(ctx) {
  await tryRequest(() => notesOf(ctx).load());
}

/** @param {HTMLElement} host @param {Context} ctx */
export function mountNotes(host, ctx) {
  const notes = notesOf(ctx);
  const panel = new NotesPanel(host, ctx, notes);
  notes.load().then(
    () => panel.open(),
    (error) => fill(host, el("p.note.bad", messageOf(error))),
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
    this.help = el("p.small.muted", { role: "status" });
    this.kept = el("span.small.muted", { role: "status" });
    this.list = el("ul.plain.plans");
    this.text = el("textarea", { rows: 12, maxlength: 20000, "aria-label": PANELS.notesTitle, oninput: () => this.#onInput() });
  }

  open() {
    fill(
      this.host,
      el("h3", PANELS.plans),
      el("div.panel-tools", this.arrow, this.pin, this.label),
      this.help,
      this.list,
      el("h3", `${PANELS.notesTitle} `, this.kept),
      this.text,
      el("p.small.muted", PANELS.onlyYou),
    );
    this.notes.addEventListener("change", () => this.#draw());
    this.notes.addEventListener("kept", (event) => {
      this.kept.textContent = /** @type {CustomEvent<string>} */ (event).detail;
    });
    this.ctx.map.plans.addEventListener("drawn", (event) =>
      this.#drawn(/** @type {CustomEvent<{places: string[], isDone: boolean}>} */ (event).detail),
    );
    this.host.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.tool) return;
      event.preventDefault();
      this.#selectTool(null);
    });
    this.#draw();
  }

  #onInput() {
    this.kept.textContent = "";
    this.notes.put({ text: this.text.value });
  }

  /** @param {"arrow" | "pin"} tool @param {string} words */
  #toolButton(tool, words) {
    return el("button", { "aria-pressed": false, onclick: () => this.#selectTool(this.tool === tool ? null : tool) }, words);
  }

  /** @param {"arrow" | "pin" | null} tool */
  #selectTool(tool) {
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
    this.#selectTool(null);
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

  /** Show the text and keep the cursor in place. @param {string} text */
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
      placeLink(this.ctx, place, words),
      el("button.icon.quiet", { "aria-label": format(PANELS.remove, { item: words }), onclick: remove }, "✕"),
    );
  }
}
