// The counters: each carries shape, letters and text besides its colour. A side has its own shape, a garrison that of
// a fort, so that no meaning hangs on colour alone.

import { svg } from "../dom.js";
import { moveTo, signAt } from "./sheet.js";

/** @import * as T from "../../types" */
/** @import { Grid, Point } from "./sheet.js" */

/** Size of a counter, in its own units. */
export const WIDTH = 48;
const HEIGHT = 36;
const LEFT = -WIDTH / 2;
const TOP = -HEIGHT / 2;
const FULL = 0.8; // scale from which on a counter fills its hex
const SHRINKING = 0.45; // how much less than the map it shrinks below that, as a power
const BAND = 13; // width of the band with the power's letters
const CUT = 6;
const NAME = 42; // width that a name may take
const LETTER = 5; // mean width of a letter
const MOST = 14; // letters of a name
/** The name beside a counter too small to contain it: height, width of a letter, and distance from the counter. */
const TAG = { high: 12, letter: 5.8, gap: 2 };

/** Outlines: square for side 0, cut corners for side 1, round for neutrals; bastions in a fort. */
const SHAPES = [
  `M${LEFT} ${TOP}H${-LEFT}V${-TOP}H${LEFT}Z`,
  `M${LEFT + CUT} ${TOP}H${-LEFT - CUT}L${-LEFT} ${TOP + CUT}V${-TOP - CUT}L${-LEFT - CUT} ${-TOP}H${LEFT + CUT}L${LEFT} ${-TOP - CUT}V${TOP + CUT}Z`,
  `M${LEFT + 16} ${TOP}H${-LEFT - 16}A16 18 0 0 1 ${-LEFT - 16} ${-TOP}H${LEFT + 16}A16 18 0 0 1 ${LEFT + 16} ${TOP}Z`,
];
const BASTIONS = `M${LEFT - 5} ${TOP - 5}l13 0 3 5H${-LEFT - 11}l3-5h13v13l-5 3V${-TOP - 11}l5 3v13h-13l-3-5H${LEFT + 11}l-3 5h-13v-13l5-3V${TOP + 11}l-5-3Z`;

/** Badges whose state the counter itself shows. */
const STANDING_OUT = new Set(["moving", "retreating", "planned", "demoralized", "marched"]);
/** Rotation of a counter that has moved, in degrees. */
const TURN = -7;

export class Counters {
  /** @type {Map<string, Seat[]>} */
  seats = new Map();
  /** @type {Map<string, {piece: T.Piece, seat: string, node: SVGGElement}>} */
  #drawn = new Map();
  /** Positions of leaders' names beside counters. @type {Box[]} */
  tags = [];
  /** Sheet pixels per unit of a counter. */
  scale = 1;

  /** @param {Grid} grid @param {readonly T.PowerCard[]} powers @param {ReadonlyMap<string, Point>} towns on the sheet, by hex */
  constructor(grid, powers, towns) {
    this.grid = grid;
    this.powers = powers;
    this.towns = towns;
    this.node = svg("g.counters");
  }

  /** @param {Pick<T.Scene, "pieces" | "holdings">} scene */
  show({ pieces, holdings }) {
    const fort = (/** @type {string} */ place) => (holdings[place] ? this.towns.get(place) : undefined);
    this.seats = placeCounters(pieces, (place) => this.grid.centre(place), fort);
    const old = this.#drawn;
    this.#drawn = new Map();
    // From the top of the sheet down, so that who stands nearer hides who stands behind.
    const places = [...this.seats.keys()].toSorted((a, b) => b.localeCompare(a));
    for (const seat of places.flatMap((place) => this.seats.get(place) ?? [])) {
      const before = old.get(seat.key);
      const stands = `${seat.x} ${seat.y} ${seat.size}`;
      const isSame = before?.seat === stands && JSON.stringify(before.piece) === JSON.stringify(seat.piece);
      this.#drawn.set(seat.key, isSame ? before : { piece: seat.piece, seat: stands, node: this.draw(seat) });
    }
    this.node.replaceChildren(...[...this.#drawn.values()].map((entry) => entry.node));
  }

  /** Draw a counter in its place. @param {Seat} seat */
  draw(seat) {
    const turn = seat.piece.badges?.some(({ code }) => code === "marched") ? ` rotate(${TURN})` : "";
    const stand = svg("g", { transform: `translate(${seat.x} ${seat.y}) scale(${seat.size})${turn}` }, ...this.#drawFace(seat.piece));
    const { piece, key } = seat;
    const states = (piece.badges ?? []).map(({ code }) => code).filter((code) => STANDING_OUT.has(code));
    const looks = ["counter", `side-${piece.side}`, ...(piece.inside ? ["is-inside"] : []), ...states.map((code) => `is-${code}`)];
    return signAt(seat.at, { class: looks.join(" "), dataset: { piece: key, place: piece.place } }, stand);
  }

  /** Write the commander's name below or above a small counter, clear of other counters and names. @param {boolean} isSmall */
  tag(isSmall) {
    const seats = [...this.seats.values()].flat();
    const boxes = new Map(seats.map((seat) => [seat.key, counterBox(seat, this.scale)]));
    this.tags = [];
    for (const { key, piece, at, x, y, size } of seats) {
      const node = this.#drawn.get(key)?.node.firstElementChild;
      node?.querySelector(".c-tag")?.remove();
      if (!isSmall || !piece.leaders?.length) continue;
      const name = shortened(piece.title);
      const half = (name.length * TAG.letter) / 2;
      const out = (HEIGHT / 2) * size + TAG.gap;
      for (const top of [y + out, y - out - TAG.high]) {
        const box = boxAt(at, { left: x - half, right: x + half, top, bottom: top + TAG.high }, this.scale);
        const others = [...boxes].flatMap(([other, taken]) => (other === key ? [] : taken));
        if ([...this.tags, ...others].some((other) => overlaps(box, other))) continue;
        node?.append(words(name, x, top + 0.8 * TAG.high, "c-tag"));
        this.tags.push(box);
        break;
      }
    }
  }

  /** @param {T.Piece} piece */
  #drawFace(piece) {
    const shape = piece.inside ? BASTIONS : SHAPES[piece.side];
    const leaders = piece.leaders?.length ?? 0;
    const isLed = leaders > 0;
    return [
      svg("path.c-rim", { d: shape }),
      svg("path.c-face", { d: shape }),
      svg("path.c-band", { d: `M${LEFT + 1.5} ${TOP + 11}v${HEIGHT - 17}h${BAND - 2}v${17 - HEIGHT}Z` }),
      words(this.powers[piece.power]?.letters ?? "", LEFT + 0.5 + BAND / 2, leaders > 1 ? 2.6 : 6, "c-power"),
      isLed ? fitted(shortened(piece.title), 0, TOP + 8.6, "c-name") : null,
      words(piece.strength, BAND / 2, 7.2, `c-strength is-${Math.min(5, piece.strength.length)}${isLed ? "" : " is-alone"}`),
      piece.ratings ? fitted(piece.ratings, BAND / 2, -TOP - 2.4, "c-ratings", WIDTH - BAND - 3) : null,
      leaders > 1 ? words(`+${leaders - 1}`, LEFT + 0.5 + BAND / 2, -TOP - 8, "c-more") : null,
      piece.load ? load(piece.load) : null,
      piece.since ? svg("path.c-since", { d: "M-3.5 9.6h20" }) : null,
      ...(piece.badges ?? []).map(badge),
    ];
  }

  /** A plain counter of a side, for a hidden force. @param {number} side @param {Point} at */
  token(side, at) {
    return signAt(at, { class: `counter side-${side}` }, svg("path.c-face", { d: SHAPES[side], transform: "scale(0.6)" }));
  }

  /** Hide a counter while it is animated elsewhere, or show all again. @param {string} [key] */
  hide(key) {
    if (key) this.#drawn.get(key)?.node.classList.add("is-away");
    else for (const { node } of this.#drawn.values()) node.classList.remove("is-away");
  }

  // --- where they are on the screen ---

  /**
   * Scale counters with the hexes; on a small map they shrink less than the hexes.
   * @param {number} scale pixels of the screen per pixel of the sheet @returns {number} pixels of the sheet per unit of a counter
   */
  rescale(scale) {
    this.scale = Math.max(1, (scale / FULL) ** -SHRINKING) * (this.grid.size / 60);
    return this.scale;
  }

  /** The topmost counter at a point of the sheet. @param {Point} point @param {Iterable<string>} places that may hold it */
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

/** @param {string} text @param {number} x @param {number} y @param {string} name */
const words = (text, x, y, name) => svg("text", { x, y, class: name }, text);

/** A text, condensed if it is too long. @param {string} text @param {number} x @param {number} y @param {string} name @param {number} most */
function fitted(text, x, y, name, most = NAME) {
  const node = words(text, x, y, name);
  if (text.length * LETTER > most) {
    node.setAttribute("textLength", String(most));
    node.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  return node;
}

const shortened = (/** @type {string} */ title) => (title.length > MOST ? `${title.slice(0, MOST - 1)}…` : title);

/** Supply carried, as a sack at the lower left. @param {string} points */
const load = (points) =>
  svg(
    "g.c-load",
    { transform: `translate(${LEFT + 2} ${-TOP - 1})` },
    svg("path", { d: "M-3-7h6l-1.5 2.5A6 6 0 1 1-1.5-4.5Z" }),
    svg("text", { y: 4.4 }, points),
  );

/** @param {T.Badge} badge @param {number} k */
function badge({ code, mark }, k) {
  const x = -LEFT - 5 - 12 * k;
  return svg(
    "g.badge",
    { dataset: { badge: code }, transform: `translate(${x} ${TOP - 1})` },
    svg("rect", { x: -6, y: -6, width: 12, height: 12, rx: 2 }),
    svg("text", { y: 3.2 }, mark),
  );
}

// How counters stand in one hex: field stacks side by side, a garrison above them in the fort.

/**
 * Position of a counter: the point of its stack, its offset and its size, in units of a counter.
 * @typedef {{key: string, piece: T.Piece, at: Point, x: number, y: number, size: number}} Seat
 */

const PAIR = 0.74;
const FORT = 0.68;
const APART = 13; // from a fort to the field stack beside it

/**
 * Positions of all counters, by hex.
 * @param {Readonly<Record<string, T.Piece>>} pieces @param {(place: string) => Point} centre of a hex
 * @param {(place: string) => Point | undefined} fort where the sheet shows the fort of a hex @returns {Map<string, Seat[]>}
 */
export function placeCounters(pieces, centre, fort) {
  return new Map([...byPlaceOf(pieces)].map(([place, found]) => [place, placeStack(found, centre(place), fort(place))]));
}

/** Items of each hex, with their keys. @template {{place: string}} P @param {Readonly<Record<string, P>>} things */
function byPlaceOf(things) {
  /** @type {Map<string, [string, P][]>} */
  const found = new Map();
  for (const entry of Object.entries(things)) found.set(entry[1].place, [...(found.get(entry[1].place) ?? []), entry]);
  return found;
}

/** @param {[string, T.Piece][]} found @param {Point} middle @param {Point | undefined} fort @returns {Seat[]} */
function placeStack(found, middle, fort) {
  const sorted = found.toSorted(([a, one], [b, other]) => one.side - other.side || a.localeCompare(b));
  const inside = sorted.filter(([, piece]) => piece.inside);
  const field = sorted.filter(([, piece]) => !piece.inside);
  const away = fort ? (fort.y > middle.y ? -APART : APART) : 0;
  return [...row(inside, fort ?? middle, 0, FORT, FORT), ...row(field, middle, away, inside.length ? 0.9 : 1, PAIR)];
}

/**
 * Counters in a row.
 * @param {[string, T.Piece][]} found @param {Point} at @param {number} y from there @param {number} alone size of one @param {number} paired size of each of several
 * @returns {Seat[]}
 */
function row(found, at, y, alone, paired) {
  const size = found.length > 2 ? (paired * 2.2) / found.length : found.length === 2 ? paired : alone;
  const step = WIDTH * size * 1.02;
  return found.map(([key, piece], k) => ({ key, piece, at, x: (k - (found.length - 1) / 2) * step, y, size }));
}

// What stands on the map besides the counters: whose each fortress is, the tracks of sieges, depots and the like.

/** Flags by side: square, swallow-tailed, bare pole. */
const FLAGS = ["M0 0h17v12H0Z", "M0 0h19l-5 6 5 6H0Z", "M0 0h5v12H0Z"];
/** Markers by side: square, house, round. */
const BOXES = ["M-7-7H7V7H-7Z", "M-7-3L0-9 7-3V7H-7Z", "M-7 0A7 7 0 0 1 7 0 7 7 0 0 1-7 0Z"];

/** Distance between markers, and their minimum distance below the centre of the hex. */
const STEP = 15;
const LOW = 28;

export class Holders {
  /** @param {Grid} grid @param {ReadonlyMap<string, Point>} towns where they stand on the sheet, by hex */
  constructor(grid, towns) {
    this.grid = grid;
    this.towns = towns;
    this.flags = svg("g.flags");
    this.markers = svg("g.markers");
  }

  /** Places of fortresses that fly a flag. @type {Point[]} */
  spots = [];
  /** Positions of markers: hex and offset in units of a counter. @type {{at: Point, x: number, y: number}[]} */
  boxes = [];

  /** @param {T.Scene} scene @param {ReadonlyMap<string, readonly Seat[]>} seats the counters, by hex */
  show(scene, seats) {
    this.spots = Object.keys(scene.holdings).map((place) => this.#townPoint(place));
    this.flags.replaceChildren(...Object.entries(scene.holdings).map(([place, holding]) => this.#flag(place, holding)));
    this.boxes = [];
    const markers = [...byPlaceOf(scene.markers)].flatMap(([place, found]) => {
      const [at, y] = [this.grid.centre(place), below(seats.get(place) ?? [])];
      return found.map(([key, { side, kind, mark }], k) => {
        const from = { x: STEP * (k - (found.length - 1) / 2), y };
        this.boxes.push({ at, ...from });
        const sign = svg("g", { transform: moveTo(from) }, svg("path", { d: BOXES[side] }), svg("text", { y: 4 }, mark));
        return signAt(at, { class: `marker side-${side}`, dataset: { marker: key, kind } }, sign);
      });
    });
    const meters = new Map((scene.meters ?? []).map((meter) => [meter.place, meter]));
    const sieges = Object.entries(scene.holdings).flatMap(([place, { siege }]) => (siege ? this.#siege(place, meters.get(place)) : []));
    this.markers.replaceChildren(...markers, ...sieges);
  }

  /** Progress of a siege: steps in a row if the last is known, else their number. @param {string} place @param {T.Meter | undefined} meter */
  #siege(place, meter) {
    const { value = 0, most = 0 } = meter ?? {};
    const step = { y: -23, width: 3.6, height: 5.5 }; // a breach in the wall, open or closed
    const breach = (/** @type {number} */ k) => svg("rect", { x: 10.2 + 5 * k, ...step, class: k < value ? "breach is-open" : "breach" });
    const shown = most ? Array.from({ length: most }, (_, k) => breach(k)) : [svg("text", { x: 17, y: -18 }, String(value))];
    const props = { class: "siege", dataset: { siege: place, breaches: String(value) } };
    return signAt(this.#townPoint(place), props, svg("path", { d: "M9-29v3h4v-3h4v3h4v-3h4v13H9Z" }), ...shown);
  }

  /** Position of the town in a hex. @param {string} place */
  #townPoint(place) {
    return this.towns.get(place) ?? this.grid.centre(place);
  }

  /** @param {string} place @param {T.HeldFortress} holding */
  #flag(place, { side, points, siege, is_held: isHeld }) {
    return signAt(
      this.#townPoint(place),
      { class: `flag side-${side}${isHeld ? " is-held" : ""}`, dataset: { holding: place } },
      svg("path.pole", { d: "M-13-28V-9" }),
      svg("path.cloth", { d: FLAGS[side], transform: "translate(-13 -28)" }),
      points ? svg("text.points", { x: -5.2, y: -19 }, String(points)) : null,
      siege ? svg("circle.trench", { r: 21 }) : null,
    );
  }
}

/** The row below the field counters of a hex, which covers none of them. @param {readonly Seat[]} seats */
function below(seats) {
  const field = seats.filter(({ piece }) => !piece.inside);
  return Math.max(LOW, ...field.map(({ y, size }) => y + (HEIGHT / 2) * size + 7));
}

// The names of towns keep out of the way of the pieces: where one stands on a name, the name is set beside it.

/** @typedef {{left: number, top: number, right: number, bottom: number}} Box on the sheet */
/** @typedef {{node: SVGTextElement, kind: string, text: string, anchor: string, at: Point, moved: string}} Label */

/** Kinds of names by importance; the size of each, and on a map that shows all of it. */
const KINDS = /** @type {const} */ ([
  ["great", 19, 34],
  ["fortress", 16.5, 27],
  ["walls", 14, 0],
  ["town", 13.5, 0],
  ["battle", 12, 0],
  ["pass", 9.5, 0],
]);
const LABEL_LETTER = 0.5; // mean width of a letter, in sizes
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
   * Move every name that a counter would cover, and move it back when the place is free.
   * @param {Pick<Counters, "seats" | "scale" | "tags">} counters @param {Pick<Holders, "spots" | "boxes">} holders
   * @param {boolean} isFar whether only the great names are written, and large
   */
  place({ seats, scale: unit, tags }, { spots, boxes }, isFar) {
    const pieces = [
      ...tags,
      ...[...seats.values()].flat().map((seat) => counterBox(seat, unit)),
      ...spots.map((at) => boxAt(at, FLAG, unit)),
      ...boxes.map(({ at, x, y }) => boxAt({ x: at.x + x * unit, y: at.y + y * unit }, MARKER, unit)),
    ];
    /** @type {Box[]} */
    const names = [];
    for (const label of this.#labels) {
      const home = boxOf(label, isFar);
      if (!home) continue;
      const { x, y } = pieces.some((piece) => overlaps(home, piece)) ? wayOut(home, pieces, names) : { x: 0, y: 0 };
      names.push(boxAt({ x, y }, home));
      const transform = x || y ? `translate(${x.toFixed(1)} ${y.toFixed(1)})` : "";
      if (transform === label.moved) continue;
      label.moved = transform;
      if (transform) label.node.setAttribute("transform", transform);
      else label.node.removeAttribute("transform");
    }
  }
}

/** Box of a name on the sheet, or null if it is not written. @param {Label} label @param {boolean} isFar @returns {Box | null} */
function boxOf({ kind, text, anchor, at }, isFar) {
  const [, near = 0, far = 0] = KINDS.find(([name]) => name === kind) ?? [];
  const size = isFar ? far : near;
  if (!size) return null;
  const wide = text.length * size * LABEL_LETTER;
  const left = at.x - (anchor === "start" ? 0 : anchor === "end" ? wide : wide / 2);
  return { left, top: at.y - 0.74 * size, right: left + wide, bottom: at.y + 0.22 * size };
}

/**
 * Shortest displacement that uncovers a name, or null if there is none nearby.
 * @param {Box} home @param {readonly Box[]} pieces @param {readonly Box[]} names that are set already @returns {Point}
 */
function wayOut(home, pieces, names) {
  const { left, top, right, bottom } = home;
  const near = { left: left - FARTHEST, top: top - FARTHEST, right: right + FARTHEST, bottom: bottom + FARTHEST };
  const taken = [...pieces, ...names].filter((box) => overlaps(near, box));
  /** @type {Point[]} */
  let tried = [{ x: 0, y: 0 }];
  for (let round = 0; round < ROUNDS; round += 1) {
    tried = tried.flatMap((from) => steps(boxAt(from, home), from, taken)).filter(({ x, y }) => Math.hypot(x, y) <= FARTHEST);
    const free = tried.filter((by) => !taken.some((box) => overlaps(boxAt(by, home), box)));
    const [nearest] = free.toSorted((a, b) => Math.hypot(a.x, a.y) - Math.hypot(b.x, b.y));
    if (nearest) return nearest;
  }
  return { x: 0, y: 0 };
}

/** Displacements past a covering box, to each of its four sides. @param {Box} box @param {Point} from @param {readonly Box[]} taken */
const steps = (box, { x, y }, taken) =>
  taken
    .filter((other) => overlaps(box, other))
    .flatMap((other) => [
      { x: x + other.right + GAP - box.left, y },
      { x: x + other.left - GAP - box.right, y },
      { x, y: y + other.bottom + GAP - box.top },
      { x, y: y + other.top - GAP - box.bottom },
    ]);

/** @param {Seat} seat @param {number} unit @returns {Box} */
function counterBox({ at, x, y, size, piece }, unit) {
  const out = piece.inside ? 5 : 1; // the bastions of a garrison
  const [wide, high] = [(WIDTH / 2 + out) * size * unit, (HEIGHT / 2 + out) * size * unit];
  const middle = { x: at.x + x * unit, y: at.y + y * unit };
  return { left: middle.x - wide, top: middle.y - high, right: middle.x + wide, bottom: middle.y + high };
}

/** @param {Point} at @param {Box} box around it, in units of a counter @param {number} [unit] @returns {Box} */
const boxAt = ({ x, y }, { left, top, right, bottom }, unit = 1) => ({
  left: x + left * unit,
  top: y + top * unit,
  right: x + right * unit,
  bottom: y + bottom * unit,
});

/** @param {Box} one @param {Box} other */
const overlaps = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
