// A question that has just come takes no answer yet: a second click or Enter was meant for the one before. The same holds
// for a button that has come under a resting pointer.

import { deviceStorage } from "../dom.js";

/** @import { Context } from "../main.js" */
/** @import { Composer } from "./composer.js" */

/** Time in ms for which a new question ignores input; players who need longer can store another number in the browser. */
export const PAUSE = Number(deviceStorage.getItem("leuthen.pause") ?? 500);
/** Time in ms after a press in which changes are its expected result. */
const OWN = 1500;
/** Distance in px within which a pointer counts as resting. */
const STRAY = 4;
const CONTROLS = "button, a[href], summary, input, select, label";

/** True if the question has just changed, so that a press was not meant for it. */
export const isUnread = () => document.body.classList.contains("is-unread");

/** Ignore presses in an element for a moment. @param {HTMLElement} host */
export function pauseInput(host) {
  const until = performance.now() + PAUSE;
  const hold = (/** @type {Event} */ event) => {
    if (performance.now() < until) ignoreEvent(event);
  };
  host.addEventListener("click", hold, { capture: true });
}

/** @param {Event} event */
function ignoreEvent(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

export class Unread {
  #timer = 0;
  /** The question at the last update. */
  #question;
  /** Number of the news at the last update. */
  #n;
  /** True if the question differs from the last one. */
  #isOther = false;
  /** True if the form of the question has not arrived yet. */
  #isAwaited = false;
  /** The hex that was selected last. */
  #place = "";
  /** Position of the resting pointer and the control under it. @type {{x: number, y: number, id: string} | null} */
  #at = null;
  /** Time of the last press. */
  #pressed = -Infinity;
  /** Time until which clicks at the resting pointer are ignored. */
  #slid = -Infinity;

  /** @param {HTMLElement} host of all that can be answered @param {Context} ctx @param {Composer} composer */
  constructor(host, ctx, composer) {
    this.host = host;
    this.ctx = ctx;
    this.composer = composer;
    this.#question = this.#asked;
    this.#n = ctx.store.table.n;
    ctx.store.addEventListener("change", () => this.#update());
    composer.addEventListener("change", () => this.#onForm());
    composer.addEventListener("cancelled", () => this.#ignoreInput());
    host.addEventListener("click", (event) => this.#onClick(event), { capture: true });
    host.addEventListener("pointerdown", () => (this.#pressed = performance.now()), { capture: true });
    host.addEventListener("pointermove", (event) => this.#onMove(event));
    host.addEventListener("pointerleave", () => (this.#at = null));
    new MutationObserver(() => this.#guardMovedControl()).observe(host, {
      childList: true,
      subtree: true,
      attributeFilter: ["hidden", "open"],
    });
  }

  /** True if a hex may be selected: after an own order at once if the same question follows, but not the same hex. @param {string} place */
  canPick(place) {
    const may = !isUnread() || (!this.#isOther && place !== this.#place);
    this.#place = place;
    return may;
  }

  /** The current question and its choices. */
  get #asked() {
    const { asked, scene, table } = this.ctx.store;
    const question = asked && [asked.decision, asked.text, scene.place];
    return JSON.stringify([question, table.proposals.map(({ text }) => text), table.staff?.asks]);
  }

  #update() {
    const now = this.#asked;
    const { n } = this.ctx.store.table;
    const isOwn = n !== this.#n && this.ctx.sender.isBusy;
    const isOther = now !== this.#question;
    if (isOther || isOwn) {
      this.#isOther = isOther;
      this.#isAwaited = true;
      if (isOther) this.host.scrollTop = 0;
      this.#ignoreInput();
    }
    [this.#question, this.#n] = [now, n];
  }

  #onForm() {
    if (!this.#isAwaited || this.composer.isStale) return;
    this.#isAwaited = false;
    this.#ignoreInput();
  }

  /** Ignore input for a moment, when the question appears and when its form does. */
  #ignoreInput() {
    if (!PAUSE) return;
    clearTimeout(this.#timer);
    document.body.classList.add("is-unread");
    this.#timer = window.setTimeout(() => document.body.classList.remove("is-unread"), PAUSE);
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const isResting = this.#at && Math.hypot(event.clientX - this.#at.x, event.clientY - this.#at.y) < STRAY;
    if (isUnread() || (isResting && event.detail > 0 && performance.now() < this.#slid)) ignoreEvent(event);
  }

  // --- what is under the pointer ---

  /** @param {PointerEvent} event */
  #onMove({ pointerType, clientX: x, clientY: y }) {
    if (pointerType === "touch" || (this.#at && Math.hypot(x - this.#at.x, y - this.#at.y) < STRAY)) return;
    this.#at = { x, y, id: idOf(this.#controlAt({ x, y })) };
  }

  /** The control at a point, even if it ignores clicks now. @param {{x: number, y: number}} point @returns {Element | undefined} */
  #controlAt({ x, y }) {
    return [...this.host.querySelectorAll(CONTROLS)].findLast((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return left <= x && x < right && top <= y && y < bottom && control.checkVisibility();
    });
  }

  /** Ignore clicks on a control that has just come under the resting pointer. */
  #guardMovedControl() {
    if (!this.#at || !PAUSE) return;
    const id = idOf(this.#controlAt(this.#at));
    if (id === this.#at.id) return;
    const isOwn = !isUnread() && performance.now() - this.#pressed < OWN;
    if (!isOwn) this.#slid = performance.now() + PAUSE;
    this.#at.id = id;
  }
}

/** @param {Element | undefined} control */
function idOf(control) {
  if (!(control instanceof HTMLElement)) return "";
  return `${control.dataset.keep ?? control.dataset.do ?? ""} ${control.textContent}`;
}
