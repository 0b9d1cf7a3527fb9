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

/**
 * Guard what can be answered. Returns a function that tells if a hex may be selected: after an own order at once if the same question
 * follows, but not the same hex.
 * @param {HTMLElement} host of all that can be answered @param {Context} ctx @param {Composer} composer
 */
export function guardAnswers(host, { sender, store }, composer) {
  let timer = 0;
  /** The current question and its choices. */
  const questionNow = () => {
    const { asked, scene, table } = store;
    const question = asked && [asked.decision, asked.text, scene.place];
    return JSON.stringify([question, table.proposals.map(({ text }) => text), table.staff?.asks]);
  };
  /** The question, and the number of the news, at the last update. */
  let [question, n] = [questionNow(), store.table.n];
  /** True if the question differs from the last one. */
  let isOther = false;
  /** True if the form of the question has not arrived yet. */
  let isAwaited = false;
  /** The hex that was selected last. */
  let lastPlace = "";

  /** Ignore input for a moment, when the question appears and when its form does. */
  const ignoreInput = () => {
    if (!PAUSE) return;
    clearTimeout(timer);
    document.body.classList.add("is-unread");
    timer = window.setTimeout(() => document.body.classList.remove("is-unread"), PAUSE);
  };
  store.addEventListener("change", () => {
    const now = questionNow();
    const isOwn = store.table.n !== n && sender.isBusy;
    const isNew = now !== question;
    if (isNew || isOwn) {
      isOther = isNew;
      isAwaited = true;
      if (isNew) host.scrollTop = 0;
      ignoreInput();
    }
    [question, n] = [now, store.table.n];
  });
  composer.addEventListener("change", () => {
    if (!isAwaited || composer.isStale) return;
    isAwaited = false;
    ignoreInput();
  });
  composer.addEventListener("cancelled", ignoreInput);

  // --- what is under the pointer ---

  /** Position of the resting pointer and the control under it. @type {{x: number, y: number, id: string} | null} */
  let at = null;
  /** Time of the last press. */
  let pressed = -Infinity;
  /** Time until which clicks at the resting pointer are ignored. */
  let slid = -Infinity;
  const isNear = (/** @type {MouseEvent} */ { clientX, clientY }) => at !== null && Math.hypot(clientX - at.x, clientY - at.y) < STRAY;
  /** The control at a point, even if it ignores clicks now. @param {number} x @param {number} y */
  const controlAt = (x, y) => {
    const found = [...host.querySelectorAll(CONTROLS)].findLast((control) => {
      const { left, right, top, bottom } = control.getBoundingClientRect();
      return left <= x && x < right && top <= y && y < bottom && control.getClientRects().length > 0;
    });
    return found instanceof HTMLElement ? `${found.dataset.keep ?? found.dataset.do ?? ""} ${found.textContent}` : "";
  };
  const onClick = (/** @type {MouseEvent} */ event) => {
    if (isUnread() || (isNear(event) && event.detail > 0 && performance.now() < slid)) ignoreEvent(event);
  };
  host.addEventListener("click", onClick, { capture: true });
  host.addEventListener("pointerdown", () => (pressed = performance.now()), { capture: true });
  host.addEventListener("pointermove", (event) => {
    const { clientX: x, clientY: y } = event;
    if (event.pointerType !== "touch" && !isNear(event)) at = { x, y, id: controlAt(x, y) };
  });
  host.addEventListener("pointerleave", () => (at = null));
  // Clicks on a control that has just come under the resting pointer are ignored.
  const onMoved = () => {
    if (!at || !PAUSE) return;
    const id = controlAt(at.x, at.y);
    if (id === at.id) return;
    const isOwn = !isUnread() && performance.now() - pressed < OWN;
    if (!isOwn) slid = performance.now() + PAUSE;
    at.id = id;
  };
  new MutationObserver(onMoved).observe(host, { childList: true, subtree: true, attributeFilter: ["hidden", "open"] });

  return (/** @type {string} */ place) => {
    const may = !isUnread() || (!isOther && place !== lastPlace);
    lastPlace = place;
    return may;
  };
}
