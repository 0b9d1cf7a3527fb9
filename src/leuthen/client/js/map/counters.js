// The counters: each carries shape, letters and text besides its colour. A side has its own shape, a garrison that of
// a fort, so that no meaning hangs on colour alone.

import { svg } from "../dom.js";
import { HEIGHT, WIDTH, seated } from "./stacking.js";

/** @import * as T from "../../types" */
/** @import { Grid, Point } from "./geometry.js" */
/** @import { Seat } from "./stacking.js" */

const LEFT = -WIDTH / 2;
const TOP = -HEIGHT / 2;
const FULL = 0.8; // scale from which on a counter fills its hex
const SHRINKING = 0.45; // how much less than the map it shrinks below that, as a power
const BAND = 13; // width of the band with the power's letters
const CUT = 6;
const NAME = 42; // width that a name may take
const LETTER = 5; // mean width of a letter
const MOST = 14; // letters of a name

/** The outlines: side 0 square, side 1 with its corners cut, neutrals round; in a fort with bastions. */
const SHAPES = {
  0: `M${LEFT} ${TOP}H${-LEFT}V${-TOP}H${LEFT}Z`,
  1: `M${LEFT + CUT} ${TOP}H${-LEFT - CUT}L${-LEFT} ${TOP + CUT}V${-TOP - CUT}L${-LEFT - CUT} ${-TOP}H${LEFT + CUT}L${LEFT} ${-TOP - CUT}V${TOP + CUT}Z`,
  2: `M${LEFT + 16} ${TOP}H${-LEFT - 16}A16 18 0 0 1 ${-LEFT - 16} ${-TOP}H${LEFT + 16}A16 18 0 0 1 ${LEFT + 16} ${TOP}Z`,
};
const BASTIONS = `M${LEFT - 5} ${TOP - 5}l13 0 3 5H${-LEFT - 11}l3-5h13v13l-5 3V${-TOP - 11}l5 3v13h-13l-3-5H${LEFT + 11}l-3 5h-13v-13l5-3V${TOP + 11}l-5-3Z`;

/** Badges whose state stands out on the counter itself. */
const STANDING_OUT = new Set(["moving", "retreating", "planned", "demoralized", "marched"]);
/** By how much a counter is turned that has moved, in degrees. */
const TURN = -7;

export class Counters {
  /** @type {Map<string, Seat[]>} */
  seats = new Map();
  /** @type {Map<string, {piece: T.Piece, seat: string, node: SVGGElement}>} */
  #drawn = new Map();
  /** How large a counter is, in pixels of the sheet per unit of its own. */
  scale = 1;

  /**
   * @param {Grid} grid
   * @param {readonly T.PowerCard[]} powers
   * @param {ReadonlyMap<string, Point>} towns where they stand on the sheet, by hex
   */
  constructor(grid, powers, towns) {
    this.grid = grid;
    this.powers = powers;
    this.towns = towns;
    this.node = svg("g", { class: "counters" });
  }

  /** @param {Pick<T.Scene, "pieces" | "holdings">} scene */
  show({ pieces, holdings }) {
    const fort = (/** @type {string} */ place) => (holdings[place] ? this.towns.get(place) : undefined);
    this.seats = seated(pieces, (place) => this.grid.centre(place), fort);
    const old = this.#drawn;
    this.#drawn = new Map();
    // From the top of the sheet down, so that who stands nearer hides who stands behind.
    const places = [...this.seats.keys()].toSorted((a, b) => b.localeCompare(a));
    for (const place of places) for (const seat of this.seats.get(place) ?? []) this.#keep(seat, old.get(seat.key));
    this.node.replaceChildren(...[...this.#drawn.values()].map((entry) => entry.node));
  }

  /** @param {Seat} seat @param {{piece: T.Piece, seat: string, node: SVGGElement} | undefined} old */
  #keep(seat, old) {
    const stands = `${seat.x} ${seat.y} ${seat.size}`;
    const isSame = old && old.seat === stands && JSON.stringify(old.piece) === JSON.stringify(seat.piece);
    this.#drawn.set(seat.key, isSame ? old : { piece: seat.piece, seat: stands, node: this.draw(seat) });
  }

  /** A counter in its place. @param {Seat} seat */
  draw(seat) {
    const { x, y } = seat.at;
    const turn = seat.piece.badges?.some(({ code }) => code === "marched") ? ` rotate(${TURN})` : "";
    const stand = svg("g", { transform: `translate(${seat.x} ${seat.y}) scale(${seat.size})${turn}` }, ...this.#face(seat.piece));
    const scaled = svg("g", { class: "scaled" }, stand);
    return svg(
      "g",
      { transform: `translate(${x} ${y})`, class: classes(seat.piece), dataset: { piece: seat.key, place: seat.piece.place } },
      scaled,
    );
  }

  /** @param {T.Piece} piece */
  #face(piece) {
    const shape = piece.inside ? BASTIONS : SHAPES[/** @type {0 | 1 | 2} */ (piece.side)];
    const leaders = (piece.leaders ?? []).length;
    const isLed = leaders > 0;
    return [
      svg("path", { d: shape, class: "c-rim" }),
      svg("path", { d: shape, class: "c-face" }),
      svg("path", { d: `M${LEFT + 1.5} ${TOP + 11}v${HEIGHT - 17}h${BAND - 2}v${17 - HEIGHT}Z`, class: "c-band" }),
      words(this.powers[piece.power]?.letters ?? "", LEFT + 0.5 + BAND / 2, leaders > 1 ? 2.6 : 6, "c-power"),
      isLed ? fitted(shortened(piece.title), 0, TOP + 8.6, "c-name") : null,
      words(piece.strength, BAND / 2, 7.2, `c-strength is-${Math.min(5, piece.strength.length)}${isLed ? "" : " is-alone"}`),
      piece.ratings ? fitted(piece.ratings, BAND / 2, -TOP - 2.4, "c-ratings", WIDTH - BAND - 3) : null,
      leaders > 1 ? words(`+${leaders - 1}`, LEFT + 0.5 + BAND / 2, -TOP - 8, "c-more") : null,
      piece.load ? load(piece.load) : null,
      piece.since ? svg("path", { d: "M-3.5 9.6h20", class: "c-since" }) : null,
      ...(piece.badges ?? []).map(badge),
    ];
  }

  /** A mere token of a side, for what is not seen. @param {number} side @param {Point} at */
  token(side, { x, y }) {
    const shape = svg("path", { d: SHAPES[/** @type {0 | 1 | 2} */ (side)], class: "c-face", transform: "scale(0.6)" });
    return svg("g", { transform: `translate(${x} ${y})`, class: `counter side-${side}` }, svg("g", { class: "scaled" }, shape));
  }

  /** Takes a counter out of sight while it is played elsewhere, or all back. @param {string} [key] */
  hide(key) {
    if (key) this.#drawn.get(key)?.node.classList.add("is-away");
    else for (const { node } of this.#drawn.values()) node.classList.remove("is-away");
  }

  // --- where they are on the screen ---

  /**
   * The counters grow with the hexes once they fill one; on a smaller map they shrink less than it does.
   * @param {number} scale pixels of the screen per pixel of the sheet
   * @returns {number} pixels of the sheet per unit of a counter
   */
  rescale(scale) {
    this.scale = Math.max(1, (scale / FULL) ** -SHRINKING) * (this.grid.size / 60);
    return this.scale;
  }

  /** The counter at a point of the sheet, the uppermost. @param {Point} point @param {Iterable<string>} places that may hold it */
  at(point, places) {
    for (const place of places) {
      const found = this.seats.get(place)?.findLast((seat) => {
        const [dx, dy] = [(point.x - seat.at.x) / this.scale - seat.x, (point.y - seat.at.y) / this.scale - seat.y];
        return Math.abs(dx) <= (WIDTH / 2) * seat.size && Math.abs(dy) <= (HEIGHT / 2) * seat.size;
      });
      if (found) return found;
    }
    return undefined;
  }
}

/** @param {T.Piece} piece */
function classes(piece) {
  const states = (piece.badges ?? []).map(({ code }) => code).filter((code) => STANDING_OUT.has(code));
  return ["counter", `side-${piece.side}`, ...(piece.inside ? ["is-inside"] : []), ...states.map((code) => `is-${code}`)].join(" ");
}

/** @param {string} text @param {number} x @param {number} y @param {string} name */
function words(text, x, y, name) {
  return svg("text", { x, y, class: name }, text);
}

/** A text that is squeezed if it is too long. @param {string} text @param {number} x @param {number} y @param {string} name @param {number} most */
function fitted(text, x, y, name, most = NAME) {
  const node = words(text, x, y, name);
  if (text.length * LETTER > most) {
    node.setAttribute("textLength", String(most));
    node.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return node;
}

/** @param {string} title */
function shortened(title) {
  return title.length > MOST ? `${title.slice(0, MOST - 1)}…` : title;
}

/** The supply that is carried, as a sack at the lower left. @param {string} points */
function load(points) {
  return svg(
    "g",
    { class: "c-load", transform: `translate(${LEFT + 2} ${-TOP - 1})` },
    svg("path", { d: "M-3-7h6l-1.5 2.5A6 6 0 1 1-1.5-4.5Z" }),
    svg("text", { y: 4.4 }, points),
  );
}

/** @param {T.Badge} badge @param {number} k */
function badge({ code, mark }, k) {
  const x = -LEFT - 5 - 12 * k;
  return svg(
    "g",
    { class: "badge", dataset: { badge: code }, transform: `translate(${x} ${TOP - 1})` },
    svg("rect", { x: -6, y: -6, width: 12, height: 12, rx: 2 }),
    svg("text", { y: 3.2 }, mark),
  );
}
