// The names of towns keep out of the way of the pieces: where one stands on a name, the name is set beside it.

import { HEIGHT, WIDTH } from "./stacking.js";

/** @import { Holders } from "./holders.js" */
/** @import { Seat } from "./stacking.js" */
/** @import { Point } from "./geometry.js" */

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box on the sheet */
/** @typedef {{node: SVGTextElement, kind: string, text: string, anchor: string, at: Point, moved: string}} Label */

/** The kinds of names, from those that matter most; how large each is written, and on a map that shows all of it. */
const KINDS = /** @type {const} */ ([
  ["great", 19, 34],
  ["fortress", 16.5, 27],
  ["walls", 14, 0],
  ["town", 13.5, 0],
  ["battle", 12, 0],
  ["pass", 9.5, 0],
]);
const LETTER = 0.5; // mean width of a letter, in sizes
const GAP = 2; // px of the sheet between a name and what it keeps away from
const FARTHEST = 90; // px of the sheet that a name may be moved
const ROUNDS = 2; // so often a name may be moved on because something else stands there
const FLAG = { left: -14, top: -30, right: 7, bottom: -8 }; // of a fortress, in units of a counter
const MARKER = { left: -8, top: -9, right: 8, bottom: 8 };

export class Labels {
  /** @type {Label[]} */
  #labels = [];

  /** @param {Element} sheet */
  constructor(sheet) {
    for (const [kind] of KINDS) {
      for (const node of /** @type {NodeListOf<SVGTextElement>} */ (sheet.querySelectorAll(`.names-${kind} text`))) {
        const at = { x: Number(node.getAttribute("x")), y: Number(node.getAttribute("y")) };
        const anchor = node.getAttribute("text-anchor") ?? "start";
        this.#labels.push({ node, kind, text: node.textContent ?? "", anchor, at, moved: "" });
      }
    }
  }

  /**
   * Sets every name anew that a piece would cover, and back where nothing stands any more.
   * @param {Iterable<readonly Seat[]>} seats of the counters @param {Pick<Holders, "spots" | "boxes">} holders
   * @param {number} unit pixels of the sheet per unit of a counter @param {boolean} isFar whether only the great names are written, and large
   */
  place(seats, { spots, boxes }, unit, isFar) {
    const pieces = [
      ...[...seats].flat().map((seat) => counterBox(seat, unit)),
      ...spots.map((at) => boxAt(at, FLAG, unit)),
      ...boxes.map(({ at, x, y }) => boxAt({ x: at.x + x * unit, y: at.y + y * unit }, MARKER, unit)),
    ];
    /** @type {Box[]} */
    const names = [];
    for (const label of this.#labels) {
      const home = boxOf(label, isFar);
      if (!home) continue;
      const { x, y } = pieces.some((piece) => overlaps(home, piece)) ? wayOut(home, pieces, names) : { x: 0, y: 0 };
      names.push(moved(home, x, y));
      const transform = x || y ? `translate(${x.toFixed(1)} ${y.toFixed(1)})` : "";
      if (transform === label.moved) continue;
      label.moved = transform;
      if (transform) label.node.setAttribute("transform", transform);
      else label.node.removeAttribute("transform");
    }
  }
}

/** Where a name stands on the sheet, null where it is not written. @param {Label} label @param {boolean} isFar @returns {Box | null} */
function boxOf({ kind, text, anchor, at }, isFar) {
  const [, near = 0, far = 0] = KINDS.find(([name]) => name === kind) ?? [];
  const size = isFar ? far : near;
  if (!size) return null;
  const wide = text.length * size * LETTER;
  const left = at.x - (anchor === "start" ? 0 : anchor === "end" ? wide : wide / 2);
  return { left, top: at.y - 0.74 * size, right: left + wide, bottom: at.y + 0.22 * size };
}

/**
 * The shortest way from where a name is covered to where nothing covers it; none if there is none near.
 * @param {Box} home @param {readonly Box[]} pieces @param {readonly Box[]} names that are set already
 * @returns {Point}
 */
function wayOut(home, pieces, names) {
  const near = around(home, FARTHEST);
  const taken = [...pieces, ...names].filter((box) => overlaps(near, box));
  /** @type {Point[]} */
  let tried = [{ x: 0, y: 0 }];
  for (let round = 0; round < ROUNDS; round += 1) {
    tried = tried.flatMap((from) => steps(moved(home, from.x, from.y), from, taken)).filter(({ x, y }) => Math.hypot(x, y) <= FARTHEST);
    const free = tried.filter(({ x, y }) => !taken.some((box) => overlaps(moved(home, x, y), box)));
    const [nearest] = free.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
    if (nearest) return nearest;
  }
  return { x: 0, y: 0 };
}

/** A box with so much room on all sides. @param {Box} box @param {number} room @returns {Box} */
function around({ left, top, right, bottom }, room) {
  return { left: left - room, top: top - room, right: right + room, bottom: bottom + room };
}

/** The ways past what covers a box: to each of its four sides. @param {Box} box @param {Point} from @param {readonly Box[]} taken @returns {Point[]} */
function steps(box, { x, y }, taken) {
  return taken
    .filter((other) => overlaps(box, other))
    .flatMap((other) => [
      { x: x + other.right + GAP - box.left, y },
      { x: x + other.left - GAP - box.right, y },
      { x, y: y + other.bottom + GAP - box.top },
      { x, y: y + other.top - GAP - box.bottom },
    ]);
}

/** @param {Seat} seat @param {number} unit @returns {Box} */
function counterBox({ at, x, y, size, piece }, unit) {
  const out = piece.inside ? 5 : 1; // the bastions of a garrison
  const [wide, high] = [(WIDTH / 2 + out) * size * unit, (HEIGHT / 2 + out) * size * unit];
  const middle = { x: at.x + x * unit, y: at.y + y * unit };
  return { left: middle.x - wide, top: middle.y - high, right: middle.x + wide, bottom: middle.y + high };
}

/** @param {Point} at @param {Box} box around it, in units of a counter @param {number} unit @returns {Box} */
function boxAt({ x, y }, { left, top, right, bottom }, unit) {
  return { left: x + left * unit, top: y + top * unit, right: x + right * unit, bottom: y + bottom * unit };
}

/** @param {Box} box @param {number} x @param {number} y @returns {Box} */
function moved({ left, top, right, bottom }, x, y) {
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

/** @param {Box} one @param {Box} other */
function overlaps(one, other) {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
