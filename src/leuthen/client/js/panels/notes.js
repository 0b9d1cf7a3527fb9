// Private plans on the map and notes beside it, kept on the server for this seat alone.

import { Emitter, deviceStorage, el, fill, format, placeLink, placeName } from "../dom.js";
import { tryRequest } from "../dialog.js";
import { Refused, refusal } from "../session/api.js";
import { mergedNotes } from "../session/store.js";
import { messageOf } from "./parts.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Kind } from "../map/overlay.js" */

/** Time in ms without changes after which notes are saved. */
const QUIET = 600;
const NONE = { text: "", arrows: [], pins: [], version: 0 };

/**
 * A seat's notes. Unsaved notes are also stored in this browser and saved when the connection or page is back;
 * concurrent changes are merged. Dispatches `change`, and `kept` (detail: the status).
 */
export class Notes extends Emitter {
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
    this.keptAs = `leuthen.notes.${ctx.api.seat}`;
    /** Those that could not be saved when the page was left. */
    const { now = NONE, saved = NONE } = JSON.parse(deviceStorage.getItem(this.keptAs) ?? "{}");
    /** @type {Required<T.Notes>} */
    this.now = now;
    this.#saved = saved;
    window.addEventListener("pagehide", () => void this.#save());
    document.addEventListener("visibilitychange", () => document.hidden && void this.#save());
    ctx.store.on("connection", (connection) => {
      if (connection === "live") void (this.#isMissing ? tryRequest(() => this.load()) : this.#save());
    });
  }

  get #isDirty() {
    return JSON.stringify({ ...this.now, version: 0 }) !== JSON.stringify({ ...this.#saved, version: 0 });
  }

  async load() {
    this.#isMissing = true;
    await this.#merge();
    this.#isMissing = false;
    if (this.#isDirty) void this.#save();
  }

  async #merge() {
    const saved = { ...NONE, ...(await this.ctx.api.notes()) };
    this.now = mergedNotes(this.#saved, this.now, saved);
    this.#saved = saved;
    this.#show();
  }

  /** @param {Partial<T.Notes>} change */
  put(change) {
    this.now = { ...this.now, ...change };
    this.#show();
    deviceStorage.setItem(this.keptAs, JSON.stringify({ now: this.now, saved: this.#saved }));
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#save(), QUIET);
  }

  #show() {
    this.ctx.map.plans.show(this.now);
    this.tell("change");
  }

  /** Save unsaved notes, one request at a time; merge them if others were saved meanwhile. */
  async #save() {
    clearTimeout(this.#timer);
    if (this.#isSaving || !this.#isDirty) return;
    this.#isSaving = true;
    let detail = PANELS.saved;
    try {
      while (this.#isDirty) {
        const sent = { ...this.now, version: this.#saved.version };
        const refused = await this.ctx.api.saveNotes(sent).catch(refusal);
        if (!(refused instanceof Refused)) this.#saved = { ...sent, version: sent.version + 1 };
        else if (refused.problem.status === 409) await this.#merge();
        else throw refused;
      }
      deviceStorage.removeItem(this.keptAs);
    } catch (error) {
      const { isOffline, message } = refusal(error);
      detail = isOffline ? PANELS.notSavedOffline : format(PANELS.notSaved, { reason: message });
    } finally {
      this.#isSaving = false;
    }
    this.tell("kept", detail);
  }
}

/** True if a seat has notes: a spectator's are not saved. @param {Context} ctx */
export const isNotesWanted = ({ store }) => store.side < 2;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountNotes(host, ctx) {
  ctx.notes.load().then(
    () => openNotes(host, ctx),
    (error) => fill(host, el("p.note.bad", messageOf(error))),
  );
}

/** @param {HTMLElement} host @param {Context} ctx */
function openNotes(host, ctx) {
  const { notes } = ctx;
  /** @type {Kind | null} */
  let tool = null;
  const label = el("input", { maxlength: 60, "aria-label": PANELS.pinText, placeholder: PANELS.pinHint });
  const toolButton = (/** @type {Kind} */ kind, /** @type {string} */ words) =>
    el("button", { "aria-pressed": false, onclick: () => select(tool === kind ? null : kind) }, words);
  const tools = { arrow: toolButton("arrow", PANELS.drawArrow), pin: toolButton("pin", PANELS.setPin) };
  const help = el("p.small.muted", { role: "status" });
  const kept = el("span.small.muted", { role: "status" });
  const list = el("ul.plain.plans");
  const oninput = () => {
    kept.textContent = "";
    notes.put({ text: text.value });
  };
  const text = el("textarea", { rows: 12, maxlength: 20000, "aria-label": PANELS.notesTitle, oninput });

  const select = (/** @type {Kind | null} */ kind) => {
    tool = kind;
    for (const [name, one] of Object.entries(tools)) one.setAttribute("aria-pressed", String(name === kind));
    help.textContent = kind === "arrow" ? PANELS.howArrow : kind === "pin" ? PANELS.howPin : "";
    ctx.map.draw(kind);
  };
  ctx.map.plans.on("drawn", (/** @type {{places: string[], isDone: boolean}} */ { places, isDone }) => {
    if (!isDone || !tool) return;
    const { arrows, pins } = notes.now;
    const [place] = places;
    if (tool === "arrow" && places.length > 1) notes.put({ arrows: [...arrows, places] });
    if (tool === "pin" && place) notes.put({ pins: [...pins, [place, label.value.trim()]] });
    label.value = "";
    select(null);
  });
  const item = (/** @type {string} */ place, /** @type {string} */ words, /** @type {() => void} */ remove) => {
    const out = el("button.icon.quiet", { "aria-label": format(PANELS.remove, { item: words }), onclick: remove }, "✕");
    return el("li", placeLink(ctx, place, words), out);
  };
  const draw = () => {
    const { arrows, pins, text: written } = notes.now;
    if (text.value !== written) {
      const { selectionStart, selectionEnd } = text; // the cursor stays in place
      text.value = written;
      text.setSelectionRange(selectionStart, selectionEnd);
    }
    const nameOf = (/** @type {string} */ place) => placeName(ctx.store, place);
    const ways = arrows.map((places, index) => {
      const [from = "", to = ""] = [places[0], places.at(-1)];
      const words = format(PANELS.arrow, { from: nameOf(from), to: nameOf(to) });
      return item(from, words, () => notes.put({ arrows: arrows.toSpliced(index, 1) }));
    });
    const spots = pins.map(([place, word], index) => {
      const words = format(PANELS.pin, { text: word || PANELS.aPin, place: nameOf(place) });
      return item(place, words, () => notes.put({ pins: pins.toSpliced(index, 1) }));
    });
    fill(list, ways, spots);
  };

  fill(
    host,
    el("h3", PANELS.plans),
    el("div.panel-tools", tools.arrow, tools.pin, label),
    help,
    list,
    el("h3", `${PANELS.notesTitle} `, kept),
    text,
    el("p.small.muted", PANELS.onlyYou),
  );
  notes.on("change", draw);
  notes.on("kept", (status) => (kept.textContent = status));
  host.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tool) return;
    event.preventDefault();
    select(null);
  });
  draw();
}
