// A question that has just come takes no answer yet: a second click or Enter was meant for the one before. The same holds
// for a button that has come under a resting pointer.

import { kept } from "../dom.js";

/** @import { Context } from "../context.js" */
/** @import { Composer } from "./composer.js" */

/** ms for which a new question takes no answer; whoever needs longer keeps another number in the browser. */
export const PAUSE = Number(kept.getItem("leuthen.pause") ?? 500);
/** ms after a press in which what changes is what was pressed for. */
const OWN = 1500;
/** px that a resting pointer may stray. */
const STRAY = 4;
const CONTROLS = "button, a[href], summary, input, select, label";

/** Whether the question has just changed, so that what is pressed was not meant for it. */
export function isUnread() {
  return document.body.classList.contains("is-unread");
}

/** Ignores what is pressed in an element for a moment. @param {HTMLElement} host */
export function pauseIn(host) {
  const until = performance.now() + PAUSE;
  const hold = (/** @type {Event} */ event) => {
    if (performance.now() < until) swallow(event);
  };
  host.addEventListener("click", hold, { capture: true });
}

/** @param {Event} event */
function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}

export class Unread {
  #timer = 0;
  /** What is asked, as it was when it was looked at last. */
  #question;
  /** The number of the news then. */
  #n;
  /** Whether something else is asked than before, and not the same once more. */
  #isOther = false;
  /** Whether the form of the question has not come yet. */
  #isAwaited = false;
  /** The hex that was chosen last. */
  #place = "";
  /** Where the pointer rests, and what is under it. @type {{x: number, y: number, id: string} | null} */
  #at = null;
  /** When something was pressed last. */
  #pressed = -Infinity;
  /** Until when a click where the pointer rests is not meant for what is there now. */
  #slid = -Infinity;

  /** @param {HTMLElement} host of all that can be answered @param {Context} ctx @param {Composer} composer */
  constructor(host, ctx, composer) {
    this.host = host;
    this.ctx = ctx;
    this.composer = composer;
    this.#question = this.#now;
    this.#n = ctx.store.table.n;
    ctx.store.addEventListener("change", () => this.#look());
    composer.addEventListener("change", () => this.#onForm());
    composer.addEventListener("cancelled", () => this.#hold());
    host.addEventListener("click", (event) => this.#onClick(event), { capture: true });
    host.addEventListener("pointerdown", () => (this.#pressed = performance.now()), { capture: true });
    host.addEventListener("pointermove", (event) => this.#onMove(event));
    host.addEventListener("pointerleave", () => (this.#at = null));
    new MutationObserver(() => this.#clear()).observe(host, { childList: true, subtree: true, attributeFilter: ["hidden", "open"] });
  }

  /** Whether a hex may be chosen: after an own order at once where the same is asked once more, but not the same hex. @param {string} place */
  mayPick(place) {
    const may = !isUnread() || (!this.#isOther && place !== this.#place);
    this.#place = place;
    return may;
  }

  /** What the player is asked, and what he is offered. */
  get #now() {
    const { asked, scene, table } = this.ctx.store;
    const question = asked && [asked.decision, asked.text, scene.place];
    return JSON.stringify([question, table.proposals.map(({ text }) => text), table.staff?.asks]);
  }

  #look() {
    const now = this.#now;
    const { n } = this.ctx.store.table;
    const isOwn = n !== this.#n && this.ctx.sender.isBusy;
    const isOther = now !== this.#question;
    if (isOther || isOwn) {
      this.#isOther = isOther;
      this.#isAwaited = true;
      if (isOther) this.host.scrollTop = 0;
      this.#hold();
    }
    [this.#question, this.#n] = [now, n];
  }

  #onForm() {
    if (!this.#isAwaited || this.composer.isStale) return;
    this.#isAwaited = false;
    this.#hold();
  }

  /** Takes no answer for a moment: when the question comes, and when its form does. */
  #hold() {
    if (!PAUSE) return;
    clearTimeout(this.#timer);
    document.body.classList.add("is-unread");
    this.#timer = window.setTimeout(() => document.body.classList.remove("is-unread"), PAUSE);
  }

  /** @param {MouseEvent} event */
  #onClick(event) {
    const isResting = this.#at && Math.hypot(event.clientX - this.#at.x, event.clientY - this.#at.y) < STRAY;
    if (isUnread() || (isResting && event.detail > 0 && performance.now() < this.#slid)) swallow(event);
  }

  // --- what is under the pointer ---

  /** @param {PointerEvent} event */
  #onMove({ pointerType, clientX: x, clientY: y }) {
    if (pointerType === "touch" || (this.#at && Math.hypot(x - this.#at.x, y - this.#at.y) < STRAY)) return;
    this.#at = { x, y, id: idOf(this.#under({ x, y })) };
  }

  /** The control at a point, though it takes no click now. @param {{x: number, y: number}} point @returns {Element | undefined} */
  #under({ x, y }) {
    return [...this.host.querySelectorAll(CONTROLS)].findLast((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return left <= x && x < right && top <= y && y < bottom && control.checkVisibility();
    });
  }

  /** Another control has come under the resting pointer: a click that comes too soon for it is ignored. */
  #clear() {
    if (!this.#at || !PAUSE) return;
    const id = idOf(this.#under(this.#at));
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
