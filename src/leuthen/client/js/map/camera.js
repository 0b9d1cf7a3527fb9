// What part of the sheet is seen. The world is one layer that a transform moves; when zooming has come to rest it is
// laid out anew at its size, so that it is sharp.

import { Emitter } from "../dom.js";

/** @import { Point } from "./sheet.js" */

const REST = 180; // ms without zooming until the sheet is drawn sharp
const CLOSEST = 5;
const MOST_OF = 0.75; // of the places that are to be seen; who lies far off is left out
const MARGIN = 120; // px of the room that may stay empty beside the sheet
const WELL = 160; // px from the edge of the view at which a place is seen well
const SLOWING = 0.994; // of the speed that is left after each ms of gliding
const SLOWEST = 0.02; // px per ms

/** Zoom levels for the style sheet, by the minimum width of a hex in px. */
const LEVELS = /** @type {const} */ ([
  ["far", 0],
  ["middle", 34],
  ["near", 66],
  ["close", 116],
]);

/** Dispatches `moved` after each change of the visible area, and `rested` when a new scale has been drawn. */
export class Camera extends Emitter {
  /** Screen pixels per pixel of the sheet. */
  scale = 1;
  /** Position of the sheet's upper left corner in the view. */
  x = 0;
  y = 0;

  room = { left: 0, top: 0, width: 1, height: 1 };

  /** The scale at which the world is laid out. */
  #laid = 0;
  #restTimer = 0;
  #frame = 0;
  #gliding = 0;

  /**
   * @param {HTMLElement} view @param {HTMLElement} world @param {{width: number, height: number}} size of the sheet
   * @param {number} hex the width of a hex
   */
  constructor(view, world, size, hex) {
    super();
    this.view = view;
    this.world = world;
    this.size = size;
    this.hex = hex;
  }

  /** Measure the view again; its centre stays in place. */
  measure() {
    const before = this.toSheet(this.#middle());
    const wasWhole = this.scale === this.whole;
    this.#room();
    if (wasWhole) this.fit();
    else this.centre(before);
  }

  /** The unobstructed part of the view, from its `scroll-padding`, which overlays set. */
  #room() {
    const style = getComputedStyle(this.view);
    const inset = (/** @type {string} */ value) => Number.parseFloat(value) || 0;
    const left = inset(style.scrollPaddingLeft);
    const top = inset(style.scrollPaddingTop);
    const right = this.view.clientWidth - inset(style.scrollPaddingRight);
    const bottom = this.view.clientHeight - inset(style.scrollPaddingBottom);
    this.room = { left, top, width: Math.max(1, right - left), height: Math.max(1, bottom - top) };
  }

  /** The scale at which the whole sheet is visible. */
  get whole() {
    const { width, height } = this.room;
    return Math.min(width / this.size.width, height / this.size.height);
  }

  /** Convert a point of the view to the sheet. @param {Point} point @returns {Point} */
  toSheet(point) {
    return { x: (point.x - this.x) / this.scale, y: (point.y - this.y) / this.scale };
  }

  /** The centre of the view. */
  get middle() {
    return this.toSheet(this.#middle());
  }

  /** Convert a point of the sheet to the view. @param {Point} point @returns {Point} */
  toView(point) {
    return { x: point.x * this.scale + this.x, y: point.y * this.scale + this.y };
  }

  /** True if a point of the sheet is well within the view. @param {Point} point @param {number} [margin] px from its edge */
  sees(point, margin = 60) {
    const { left, top, width, height } = this.room;
    const { x, y } = this.toView(point);
    const edge = Math.min(margin, width / 5, height / 5);
    return x > left + edge && x < left + width - edge && y > top + edge && y < top + height - edge;
  }

  // --- moving ---

  /** @param {number} dx @param {number} dy in pixels of the screen */
  pan(dx, dy) {
    this.#moveTo(this.scale, this.x + dx, this.y + dy);
  }

  /** Zoom about a point of the view, or about its centre. @param {number} factor @param {Point} [about] */
  zoom(factor, about = this.#middle()) {
    const scale = Math.min(CLOSEST, Math.max(Math.min(this.whole, 1), this.scale * factor));
    const by = scale / this.scale;
    this.#moveTo(scale, about.x - (about.x - this.x) * by, about.y - (about.y - this.y) * by);
  }

  /** Show the whole sheet. */
  fit() {
    this.stop();
    this.#room();
    const { left, top, width, height } = this.room;
    const scale = this.whole;
    this.#moveTo(scale, left + (width - this.size.width * scale) / 2, top + (height - this.size.height * scale) / 2);
  }

  /** Centre a point of the sheet. @param {Point} point @param {number} [scale] */
  centre(point, scale = this.scale) {
    this.stop();
    this.#room();
    const middle = this.#middle();
    this.#moveTo(scale, middle.x - point.x * scale, middle.y - point.y * scale);
  }

  /**
   * Frame a share of some points as large as possible, up to a maximum scale. Returns false, without moving, if they would be smaller than a
   * minimum scale.
   * @param {readonly Point[]} all @param {number} most @param {number} [share] @param {number} [least]
   */
  frame(all, most, share = MOST_OF, least = 0) {
    if (!all.length) return false;
    const middle = { x: median(all.map(({ x }) => x)), y: median(all.map(({ y }) => y)) };
    const away = (/** @type {Point} */ { x, y }) => Math.hypot(x - middle.x, y - middle.y);
    const points = all.toSorted((a, b) => away(a) - away(b)).slice(0, Math.ceil(share * all.length));
    const [left, right] = span(points.map(({ x }) => x));
    const [top, bottom] = span(points.map(({ y }) => y));
    this.#room();
    const wide = this.room.width / (right - left + 3 * this.hex);
    const high = this.room.height / (bottom - top + 3 * this.hex);
    const scale = Math.max(this.whole, Math.min(most, wide, high));
    if (scale < least) return false;
    this.centre({ x: (left + right) / 2, y: (top + bottom) / 2 }, scale);
    return true;
  }

  /** Move as little as brings a point of the sheet well into view. @param {Point} point @param {number} [margin] px from the view's edge */
  reveal(point, margin) {
    if (this.sees(point, margin)) return;
    this.stop();
    this.#room();
    const { left, top, width, height } = this.room;
    const { x, y } = this.toView(point);
    const inset = Math.min(WELL, width / 4, height / 4);
    const into = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ size) =>
      Math.min(low + size - inset, Math.max(low + inset, at)) - at;
    this.pan(into(x, left, width), into(y, top, height));
  }

  /** Continue moving with decreasing speed. @param {number} vx @param {number} vy in pixels per ms */
  glide(vx, vy) {
    let last = performance.now();
    const step = (/** @type {number} */ now) => {
      const passed = Math.max(0, now - last);
      last = now;
      this.pan(vx * passed, vy * passed);
      vx *= SLOWING ** passed;
      vy *= SLOWING ** passed;
      this.#gliding = Math.hypot(vx, vy) > SLOWEST ? requestAnimationFrame(step) : 0;
    };
    this.#gliding = requestAnimationFrame(step);
  }

  /** Stop gliding. */
  stop() {
    cancelAnimationFrame(this.#gliding);
  }

  #middle() {
    const { left, top, width, height } = this.room;
    return { x: left + width / 2, y: top + height / 2 };
  }

  /** @param {number} scale @param {number} x @param {number} y */
  #moveTo(scale, x, y) {
    this.scale = scale;
    const { left, top, width, height } = this.room;
    this.x = clampOrigin(x, left, width, this.size.width * scale);
    this.y = clampOrigin(y, top, height, this.size.height * scale);
    this.#frame ||= requestAnimationFrame(() => this.#draw());
    if (scale !== this.#laid) {
      clearTimeout(this.#restTimer);
      this.#restTimer = window.setTimeout(() => this.rest(), this.#laid ? REST : 0);
    }
  }

  /** Level of detail of the map. @param {number} wide a hex, in pixels */
  level(wide) {
    this.view.dataset.level = LEVELS.findLast(([, least]) => wide >= least)?.[0] ?? "far";
  }

  #draw() {
    this.#frame = 0;
    const [x, y] = this.scale === this.#laid ? [Math.round(this.x), Math.round(this.y)] : [this.x, this.y];
    this.world.style.transform = `translate3d(${x}px, ${y}px, 0) scale(${this.scale / (this.#laid || this.scale)})`;
    this.tell("moved");
  }

  /** Lay the world out at the current scale. */
  rest() {
    clearTimeout(this.#restTimer);
    if (this.#laid === this.scale) return;
    this.#laid = this.scale;
    this.world.style.setProperty("--width", `${this.size.width * this.scale}px`);
    this.world.style.setProperty("--height", `${this.size.height * this.scale}px`);
    this.level(this.hex * this.scale);
    this.tell("rested");
    this.#draw();
  }
}

const median = (/** @type {readonly number[]} */ numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0;

/** Minimum and maximum of some numbers. @param {readonly number[]} numbers @returns {[number, number]} */
const span = (numbers) => [Math.min(...numbers), Math.max(...numbers)];

/**
 * Clamp a coordinate so that the sheet fills the room up to a margin; a small sheet stays inside.
 * @param {number} at @param {number} low where the room begins @param {number} room @param {number} size of the sheet
 */
export function clampOrigin(at, low, room, size) {
  const margin = Math.min(MARGIN, room / 4);
  const [least, most] = size > room ? [low + room - size - margin, low + margin] : [low, low + room - size];
  return Math.min(most, Math.max(least, at));
}

// Dragging, the wheel, two fingers, and taps. What was meant is told to the camera, and to whoever awaits taps.

const SLACK = 6; // pixels that a pointer may stray in a tap
const MEMORY = 80; // ms of a drag from which its speed is taken

/**
 * Pointer gestures: `grab` says if the counter at a point can be dragged, and `drop` ends the drag.
 * @typedef {{
 *   tap: (at: Point, how: {isTouch: boolean}) => void, hover: (at: Point | null) => void, begin: () => void,
 *   grab: (at: Point) => boolean, lift: (at: Point) => void, drop: (at: Point) => void,
 * }} Hands
 */

/** @param {HTMLElement} view @param {Camera} camera @param {Hands} hands */
export function bindGestures(view, camera, hands) {
  /** Positions in the view of the pointers that are down. @type {Map<number, Point>} */
  const down = new Map();
  /** Where the first pointer went down. @type {Point} */
  let start = { x: 0, y: 0 };
  let isDrag = false;
  /** True if the first pointer went down on a draggable counter. */
  let isGrab = false;
  /** The last steps of a drag. @type {{at: Point, when: number}[]} */
  let trail = [];

  /** @param {MouseEvent} event @returns {Point} */
  const pointOf = ({ clientX, clientY }) => {
    const { left, top } = view.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  /** @param {number} id @param {Point} before @param {Point} at */
  const pinch = (id, before, at) => {
    const other = [...down].find(([key]) => key !== id)?.[1];
    if (!other) return;
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(at.x - other.x, at.y - other.y);
    camera.pan((at.x - before.x) / 2, (at.y - before.y) / 2);
    if (was > 10) camera.zoom(is / was, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
  };
  const glide = (/** @type {number} */ now) => {
    const recent = trail.filter((step) => now - step.when < MEMORY);
    const [first, last] = [recent[0], recent.at(-1)];
    if (!first || !last || last.when - first.when < 10 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const time = last.when - first.when;
    camera.glide((last.at.x - first.at.x) / time, (last.at.y - first.at.y) / time);
  };
  const release = (/** @type {PointerEvent} */ event) => {
    down.delete(event.pointerId);
    trail = [];
    if (!down.size) view.classList.remove("is-dragged");
  };

  view.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || isControl(event.target)) return;
    camera.stop();
    const at = pointOf(event);
    down.set(event.pointerId, at);
    isDrag = down.size > 1;
    if (isDrag) return;
    start = at;
    isGrab = event.pointerType !== "touch" && hands.grab(at);
    trail = [];
  });
  view.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    const at = pointOf(event);
    if (!before) {
      if (event.pointerType !== "touch") hands.hover(isControl(event.target) ? null : at);
      return;
    }
    if (!isDrag && Math.hypot(at.x - start.x, at.y - start.y) > SLACK) {
      isDrag = true;
      view.setPointerCapture(event.pointerId);
      view.classList.add("is-dragged");
      if (isGrab) hands.lift(start);
      else hands.begin();
    }
    if (!isDrag) return;
    if (isGrab) return hands.hover(at);
    if (down.size === 1) camera.pan(at.x - before.x, at.y - before.y);
    else pinch(event.pointerId, before, at);
    down.set(event.pointerId, at);
    trail = [...trail, { at, when: event.timeStamp }].slice(-8);
  });
  view.addEventListener("pointerup", (event) => {
    if (!down.has(event.pointerId)) return;
    const isLast = down.size === 1;
    if (isLast && isDrag && isGrab) hands.drop(pointOf(event));
    else if (isLast && isDrag) glide(event.timeStamp);
    else if (isLast) hands.tap(pointOf(event), { isTouch: event.pointerType === "touch" });
    release(event);
  });
  view.addEventListener("pointercancel", release);
  view.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && hands.hover(null));
  const onWheel = (/** @type {WheelEvent} */ event) => {
    if (isControl(event.target)) return;
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 24 : 1;
    const by = Math.max(-200, Math.min(200, event.deltaY * lines));
    camera.stop();
    camera.zoom(Math.exp(-by * (event.ctrlKey ? 0.01 : 0.0016)), pointOf(event));
  };
  view.addEventListener("wheel", onWheel, { passive: false });
}

/** @param {EventTarget | null} target */
const isControl = (target) => target instanceof Element && target.closest("button, .map-tip, .map-card") !== null;
