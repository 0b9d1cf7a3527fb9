// What is known of a hex, beside the pointer or the cursor; and, of a hex that may not be entered, the rule.

import { el } from "../dom.js";
import { placeName, reasonLine } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Point } from "./geometry.js" */
/** @import { Overlay } from "./overlay.js" */

const GAP = 14;
const EDGE = 4;

export class Tip {
  /** The hex that it is about, "" while it is hidden. */
  place = "";
  isPinned = false;

  /** @param {Context} ctx @param {Camera} camera @param {Overlay} overlay */
  constructor(ctx, camera, overlay) {
    this.ctx = ctx;
    this.camera = camera;
    this.overlay = overlay;
    this.node = el("div", { class: "map-tip", hidden: true });
  }

  /**
   * Shows all that is known of a hex.
   * @param {string} place @param {Point} at in the view
   * @param {{isPinned?: boolean, key?: string | undefined}} [how] pinned, it can be pressed; the counter of `key` stands first
   */
  show(place, at, { isPinned = false, key } = {}) {
    this.place = place;
    this.isPinned = isPinned;
    this.node.replaceChildren(...this.#content(place, key));
    this.node.classList.toggle("is-pinned", isPinned);
    this.node.hidden = false;
    this.#put(at);
  }

  hide() {
    this.place = "";
    this.isPinned = false;
    this.node.hidden = true;
  }

  /** Beside a point, on the side where it hides no way to there. @param {Point} at */
  #put(at) {
    const { clientWidth: width, clientHeight: height } = this.camera.view;
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const start = this.overlay.start && this.camera.toView(this.overlay.start);
    const x = beside(at.x, wide, width, start !== null && start.x > at.x);
    const y = beside(at.y, high, height, start !== null && start.y > at.y);
    this.node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** @param {string} place @param {string | undefined} key */
  *#content(place, key) {
    const scene = this.ctx.store.scene;
    yield el("h4", {}, placeName(this.ctx.store, place));
    const holding = scene.holdings[place];
    if (holding) yield el("p", {}, holding.text);
    for (const [, piece] of this.#pieces(place, key)) yield pieceView(piece);
    for (const marker of Object.values(scene.markers)) if (marker.place === place) yield el("p", {}, marker.text);
    const layer = this.overlay.layerText(place);
    if (layer) yield el("p", { class: "tip-layer" }, layer);
    yield* this.#march(place);
  }

  /** @param {string} place @param {string | undefined} key */
  #pieces(place, key) {
    const found = Object.entries(this.ctx.store.scene.pieces).filter(([, piece]) => piece.place === place);
    return found.toSorted(([a], [b]) => Number(b === key) - Number(a === key));
  }

  /** @param {string} place */
  *#march(place) {
    const step = this.overlay.reached(place);
    if (step)
      yield el(
        "p",
        { class: "tip-reach" },
        `${step.left} left there; the last step costs ${step.price}${step.stops ? "; it stops there" : ""}`,
      );
    const reason = this.overlay.barred(place);
    if (reason && !step) yield el("p", { class: "tip-barred" }, reasonLine(this.ctx, reason));
  }

  /** What a screen reader says of a hex. @param {string} place */
  spoken(place) {
    const scene = this.ctx.store.scene;
    const step = this.overlay.reached(place);
    const reason = this.overlay.barred(place);
    const words = [
      placeName(this.ctx.store, place),
      scene.holdings[place]?.text,
      ...this.#pieces(place, undefined).map(([, piece]) => piece.spoken),
      ...Object.values(scene.markers)
        .filter((marker) => marker.place === place)
        .map((marker) => marker.text),
      this.overlay.layerText(place),
      step ? `can be reached, ${step.left} left there` : reason && `cannot be entered: ${reason.text}, ${reason.rule}`,
    ];
    return `${words.filter(Boolean).join(". ")}.`;
  }
}

/**
 * Where a box begins that stands beside a point, before it if it shall and can.
 * @param {number} at @param {number} size @param {number} room @param {boolean} isBefore
 */
function beside(at, size, room, isBefore) {
  const [before, after] = [at - GAP - size, at + GAP];
  const fits = after + size < room;
  if (before >= EDGE && (isBefore || !fits)) return before;
  return fits ? after : Math.max(EDGE, room - size - EDGE);
}

/** @param {T.Piece} piece */
function pieceView(piece) {
  const ratings = piece.ratings ? el("span", { class: "number" }, ` ${piece.ratings}`) : null;
  const title = el("strong", {}, piece.title, ratings, el("span", { class: "tip-strength number" }, piece.strength));
  return el("div", { class: `tip-piece side-${piece.side}` }, title, ...(piece.lines ?? []).map((line) => el("p", {}, line)));
}
