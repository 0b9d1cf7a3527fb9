// Dragging, the wheel, two fingers, and taps. What was meant is told to the camera, and to whoever awaits taps.

/** @import { Camera } from "./camera.js" */
/** @import { Point } from "./geometry.js" */

const SLACK = 6; // pixels that a pointer may stray in a tap
const MEMORY = 80; // ms of a drag from which its speed is taken

/** @typedef {{tap: (at: Point, how: {isTouch: boolean}) => void, hover: (at: Point | null) => void, begin: () => void}} Hands */

export class Gestures {
  /** Where each pointer is that is down, in the view. @type {Map<number, Point>} */
  #down = new Map();
  /** @type {Point} where the first pointer went down */
  #start = { x: 0, y: 0 };
  #isDrag = false;
  /** @type {{at: Point, when: number}[]} the last steps of a drag */
  #trail = [];

  /** @param {HTMLElement} view @param {Camera} camera @param {Hands} hands */
  constructor(view, camera, hands) {
    this.view = view;
    this.camera = camera;
    this.hands = hands;
    view.addEventListener("pointerdown", (event) => this.#press(event));
    view.addEventListener("pointermove", (event) => this.#move(event));
    view.addEventListener("pointerup", (event) => this.#lift(event));
    view.addEventListener("pointercancel", (event) => this.#forget(event));
    view.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.hands.hover(null));
    view.addEventListener("wheel", (event) => this.#turn(event), { passive: false });
  }

  /** @param {MouseEvent} event @returns {Point} */
  #at(event) {
    const frame = this.view.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0 || isControl(event.target)) return;
    this.camera.stop();
    this.#down.set(event.pointerId, this.#at(event));
    if (this.#down.size === 1) {
      this.#start = this.#at(event);
      this.#isDrag = false;
      this.#trail = [];
    } else this.#isDrag = true;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#down.get(event.pointerId);
    const at = this.#at(event);
    if (!before) {
      if (event.pointerType !== "touch") this.hands.hover(isControl(event.target) ? null : at);
      return;
    }
    if (!this.#isDrag && Math.hypot(at.x - this.#start.x, at.y - this.#start.y) > SLACK) this.#beginDrag(event);
    if (!this.#isDrag) return;
    if (this.#down.size === 1) this.camera.pan(at.x - before.x, at.y - before.y);
    else this.#pinch(event.pointerId, before, at);
    this.#down.set(event.pointerId, at);
    this.#trail.push({ at, when: event.timeStamp });
    if (this.#trail.length > 8) this.#trail.shift();
  }

  /** @param {PointerEvent} event */
  #beginDrag(event) {
    this.#isDrag = true;
    this.view.setPointerCapture(event.pointerId);
    this.view.classList.add("is-dragged");
    this.hands.begin();
  }

  /** @param {number} id @param {Point} before @param {Point} at */
  #pinch(id, before, at) {
    const other = [...this.#down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(at.x - other.x, at.y - other.y);
    this.camera.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    if (was > 10) this.camera.zoom(is / was, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  }

  /** @param {PointerEvent} event */
  #lift(event) {
    if (!this.#down.has(event.pointerId)) return;
    const isLast = this.#down.size === 1;
    if (isLast && this.#isDrag) this.#glide(event.timeStamp);
    else if (isLast) this.#tap(event);
    this.#forget(event);
  }

  /** @param {PointerEvent} event */
  #tap(event) {
    this.hands.tap(this.#at(event), { isTouch: event.pointerType === "touch" });
  }

  /** @param {number} now */
  #glide(now) {
    const trail = this.#trail.filter((step) => now - step.when < MEMORY);
    const [first, last] = [trail[0], trail.at(-1)];
    if (!first || !last || last.when - first.when < 10 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const time = last.when - first.when;
    this.camera.glide((last.at.x - first.at.x) / time, (last.at.y - first.at.y) / time);
  }

  /** @param {PointerEvent} event */
  #forget(event) {
    this.#down.delete(event.pointerId);
    this.#trail = [];
    if (!this.#down.size) this.view.classList.remove("is-dragged");
  }

  /** @param {WheelEvent} event */
  #turn(event) {
    if (isControl(event.target)) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
    const by = Math.max(-200, Math.min(200, event.deltaY * lines));
    this.camera.stop();
    this.camera.zoom(Math.exp(-by * (event.ctrlKey ? 0.01 : 0.0016)), this.#at(event));
  }
}

/** @param {EventTarget | null} target */
function isControl(target) {
  return target instanceof Element && target.closest("button, .map-tip, .map-card") !== null;
}
