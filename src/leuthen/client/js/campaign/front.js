// Small maps of who held what: every hex near a fortress is tinted after the one that is nearest.

import { svg } from "../dom.js";
import { centre } from "../story/battle.js";

/** @import * as T from "../../types" */
/** @import { Ground } from "./ground.js" */

/** So far, in hexes, a fortress tints. */
const NEAR = 4.2;

let sheets = 0;
const ROW = Math.sqrt(3) / 2;

/** A square, a circle, and for neutrals a lozenge. @param {number} side @param {number} x @param {number} y @param {number} size */
function shapeOf(side, x, y, size) {
  if (side === 1) return svg("circle", { cx: x, cy: y, r: size });
  const d =
    side === 0
      ? `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`
      : `M${x} ${y - size}l${size} ${size} ${-size} ${size} ${-size} ${-size}z`;
  return svg("path", { d });
}

/** A hexagon as a path. @param {{x: number, y: number}} at */
function hexagon({ x, y }) {
  return `M${x.toFixed(1)} ${(y - 0.58).toFixed(2)}l.5.29v.58l-.5.29-.5-.29v-.58z`;
}

/** The sheet of a rule set: made once, drawn for every year. */
export class FrontSheet {
  /**
   * @param {T.Setting} setting @param {T.Scene} scene whose fortresses are drawn: of a part of the map, if that is played
   * @param {Ground | null} ground on which it is drawn
   * @param {boolean} [isStill] whether its drawings stand beside each other: then each has the ground as an image
   */
  constructor(setting, scene, ground, isStill = false) {
    this.setting = setting;
    this.forts = setting.fortresses
      .filter(({ place }) => scene.holdings[place])
      .map((fortress) => ({ fortress, ...(ground?.townAt(fortress.place) ?? centre(fortress.place)) }));
    const [xs, ys] = [this.forts.map(({ x }) => x), this.forts.map(({ y }) => y)];
    this.box = { left: Math.min(...xs) - 2, top: Math.min(...ys) - 2, right: Math.max(...xs) + 2, bottom: Math.max(...ys) + 2 };
    /** @type {Map<string, string[]>} the hexes that each fortress tints, as paths */
    this.tinted = new Map();
    this.#tint();
    this.ground = ground;
    this.isStill = isStill;
    this.layer = /** @type {SVGElement | null} */ (null);
  }

  #tint() {
    const { left, top, right, bottom } = this.box;
    for (let row = Math.floor(-bottom / ROW); row <= -top / ROW; row += 1)
      for (let column = Math.floor(left); column <= right; column += 1) {
        const at = centre(String(row).padStart(2, "0") + String(column).padStart(2, "0"));
        const [nearest] = this.forts
          .map((fort) => ({ fort, far: Math.hypot(fort.x - at.x, fort.y - at.y) }))
          .toSorted((a, b) => a.far - b.far);
        if (!nearest || nearest.far > NEAR) continue;
        const { place } = nearest.fort.fortress;
        this.tinted.set(place, [...(this.tinted.get(place) ?? []), hexagon(at)]);
      }
  }

  /** How big things are drawn: 1 on the whole map, less on a part of it. */
  get size() {
    return Math.max(0.5, Math.min(1, (this.box.right - this.box.left) / 44));
  }

  /** The map of a scene. @param {T.Scene} scene @param {string} title */
  draw(scene, title) {
    const { left, top, right, bottom } = this.box;
    const map = svg(
      "svg",
      {
        class: this.ground ? "front map" : "front",
        "data-level": this.ground?.level(this.box),
        viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
        style: { "--wide": right - left },
        role: "img",
      },
      svg(
        "pattern",
        { id: `front-${(sheets += 1)}`, width: 1, height: 1, patternUnits: "userSpaceOnUse" },
        svg("path", { d: "M0 0 1 1M-.5 .5 .5 1.5M.5-.5 1.5 .5" }),
      ),
      this.#layer(),
    );
    return this.show(map, scene, title);
  }

  /** Shows another scene on a map: the ground, which is long, stays where it is. @param {SVGElement} map @param {T.Scene} scene @param {string} title */
  show(map, scene, title) {
    const sideOf = (/** @type {string} */ place) => scene.holdings[place]?.side ?? 2;
    const hatch = map.querySelector("pattern")?.id;
    const tints = [0, 1, 2].map((side) => {
      const d = [...this.tinted].flatMap(([place, paths]) => (sideOf(place) === side ? paths : [])).join("");
      return [svg("path", { class: "tint", "data-side": side, d }), side === 1 ? svg("path", { d, fill: `url(#${hatch})` }) : null];
    });
    const marks = this.forts.map((fort) => this.#mark(fort, sideOf(fort.fortress.place), scene.holdings[fort.fortress.place]));
    map.setAttribute("aria-label", `${title}: ${this.#inWords(sideOf)}`);
    map.querySelector(":scope > .front-marks")?.remove();
    map.append(svg("g", { class: "front-marks" }, tints.flat(), marks));
    return map;
  }

  /** The ground: one for all drawings, since it is long, where only one of them is shown. */
  #layer() {
    if (this.isStill) return this.ground?.still(this.box) ?? null;
    this.layer ??= this.ground?.view(this.box) ?? null;
    return this.layer;
  }

  /** @param {{fortress: T.FortressCard, x: number, y: number}} fort @param {number} side @param {T.HeldFortress | undefined} holding */
  #mark({ fortress, x, y }, side, holding) {
    const size = (fortress.is_great ? 0.55 : 0.32) * (this.ground ? 0.7 * this.size : 1);
    return svg(
      "g",
      { class: holding?.is_held ? "fort held" : "fort", "data-side": side },
      shapeOf(side, x, y, size),
      fortress.is_great && !this.ground ? svg("text", { x, y: y - 0.9 }, fortress.name) : null,
      svg("title", {}, holding?.text ?? fortress.name),
    );
  }

  /** @param {(place: string) => number} sideOf */
  #inWords(sideOf) {
    const counts = [0, 1, 2].map((side) => this.forts.filter(({ fortress }) => sideOf(fortress.place) === side).length);
    return `${counts[0]} fortresses ${this.setting.sides[0]}, ${counts[1]} ${this.setting.sides[1]}, ${counts[2]} neutral`;
  }
}
