// What is laid over the sheet: layers, reach, the way, and hexes that are lit. Levels and kinds differ in their
// hatching and outline as well as in colour.

import { el, format, placeName, reasonLine, svg } from "../dom.js";
import { Grid } from "./geometry.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context, Light } from "../context.js" */
/** @import { Camera } from "./camera.js" */
/** @import { Point } from "./geometry.js" */

const SIDES = [0, 1, 2];
/** For each level of a layer: distance of the hatching lines, and true if they cross. */
const HATCHES = /** @type {const} */ ([
  [14, false],
  [9, false],
  [9, true],
  [5, true],
]);
/** Offsets of a line's text below the centre of its first hex; its height, and the mean width of a letter. */
const DROPS = [30, -24, 43, -37, 56, -50, 69];
const HIGH = 12;
const MANY = 60; // lit hexes; more are shaded, and not each framed
const LETTER = 5.9;
/** Inset of each kind of highlight from the edge of a hex. @type {Record<Light, number>} */
const INSETS = { choice: 3, barred: 3, told: 5, picked: 1.5, asked: -3, clause: 3, lesson: -1 };

export class Overlay {
  /** @type {T.Form | null} */
  #form = null;
  /** @type {T.Layer | null} */
  #layer = null;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.shades = svg("g.layer");
    this.lines = svg("g.layer-lines");
    this.reach = svg("g.reach");
    this.way = svg("g.way");
    /** @type {Record<Light, SVGGElement>} */
    this.lights = { choice: light(), barred: light(), told: light(), picked: light(), asked: light(), clause: light(), lesson: light() };
    this.under = svg(
      "g",
      this.shades,
      this.reach,
      this.lights.barred,
      this.lights.choice,
      this.lights.picked,
      this.lights.clause,
      this.lights.asked,
      this.lights.lesson,
    );
    this.over = svg("g", this.lines, this.way, this.lights.told);
  }

  /** Patterns and arrowheads of the overlay. */
  static definitions() {
    const hatches = SIDES.flatMap((side) => HATCHES.map(([step, crosses], k) => hatch(side, k + 1, step, crosses)));
    const barred = svg(
      "pattern",
      { id: "map-barred", width: 8, height: 8, patternUnits: "userSpaceOnUse" },
      svg("path", { d: "M-1 -1L9 9M9 -1L-1 9", class: "hatch-barred" }),
    );
    const heads = ["way", "plan", "staff", "yours", "line-0", "line-1", "line-2"].map((name) => arrowhead(name));
    return svg("defs", ...hatches, barred, ...heads);
  }

  // --- layers ---

  /** @param {T.Layer | null} layer */
  setLayer(layer) {
    this.#layer = layer;
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const [place, shade] of Object.entries(layer?.shades ?? {})) {
      const kind = `${shade.side ?? 2}-${Math.max(1, Math.min(4, shade.level))}`;
      groups.set(kind, [...(groups.get(kind) ?? []), place]);
    }
    this.shades.replaceChildren(...[...groups].flatMap(([kind, places]) => this.#shade(kind, places)));
    const lines = layer?.lines ?? [];
    this.lines.replaceChildren(...lines.flatMap((line) => this.#line(line)), ...this.#labels(lines));
    this.under.classList.toggle("has-layer", layer !== null);
  }

  /** @param {string} kind @param {string[]} places */
  #shade(kind, places) {
    const known = places.filter((place) => this.grid.has(place));
    const [side, level] = kind.split("-");
    const d = this.grid.outline(known);
    return [
      svg("path", { d, class: `shade side-${side} level-${level}`, fill: `url(#map-hatch-${kind})` }),
      svg("path", { d: this.grid.border(new Set(known)), class: `shade-edge side-${side} level-${level}` }),
    ];
  }

  /** @param {T.Trace} line */
  #line({ path, side = 2 }) {
    const d = this.grid.way(
      path.filter((place) => this.grid.has(place)),
      0.2,
    );
    if (!d) return [];
    return [
      svg("path", { d, class: "line-case" }),
      svg("path", { d, class: `line side-${side}`, "marker-end": `url(#map-head-line-${side})` }),
    ];
  }

  /** Texts of lines, each at the start of its line, without overlaps. @param {readonly T.Trace[]} lines */
  #labels(lines) {
    /** @type {{x: number, y: number, half: number}[]} */
    const placed = [];
    return lines.flatMap(({ path, text }) => {
      const start = path[0] ?? "";
      if (!text || !this.grid.has(start)) return [];
      const { x, y } = this.grid.centre(start);
      const half = (text.length * LETTER) / 2;
      const isFree = (/** @type {number} */ drop) =>
        placed.every((other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y - drop) > HIGH);
      const drop = DROPS.find(isFree) ?? 0;
      placed.push({ x, y: y + drop, half });
      return [svg("g", { transform: `translate(${x} ${y})` }, svg("g.scaled", svg("text", { y: drop, class: "line-text" }, text)))];
    });
  }

  /** The layer's text for a hex. @param {string} place */
  layerText(place) {
    return this.#layer?.shades[place]?.text ?? "";
  }

  // --- a march ---

  /** @param {T.Form | null} form */
  setReach(form) {
    if (form?.reach === this.#form?.reach && form?.start === this.#form?.start) {
      this.#form = form;
      return;
    }
    this.#form = form;
    const reached = Object.entries(form?.reach ?? {}).filter(([place]) => this.grid.has(place));
    const places = new Set(reached.map(([place]) => place));
    const parts = reached.length
      ? [
          svg("path", { d: this.grid.outline(places), class: "reach-area" }),
          svg("path", { d: this.grid.border(places), class: "reach-edge" }),
        ]
      : [];
    this.reach.replaceChildren(...parts, ...reached.map(([place, step]) => this.#remainingMp(place, step)));
  }

  /** @param {string} place @param {T.Reached} step */
  #remainingMp(place, step) {
    const { x, y } = this.grid.centre(place);
    const stop = step.stops ? svg("path", { d: "M-7 4.5H7", class: "reach-stop" }) : null;
    return svg(
      "g",
      { transform: `translate(${x} ${y + 21})`, class: "reach-left" },
      svg("g.scaled", svg("text", { y: 2 }, String(step.left)), stop),
    );
  }

  /** Centres of the reachable hexes and of the march's first hex. @returns {Point[]} */
  get centres() {
    const { start = "", reach = {} } = this.#form ?? {};
    return [start, ...Object.keys(reach)].filter((place) => this.grid.has(place)).map((place) => this.grid.centre(place));
  }

  /** @param {string} place @returns {T.Reached | undefined} */
  reached(place) {
    return this.#form?.reach?.[place];
  }

  /** The reason why a hex is barred now. @param {string} place @returns {T.Objection | undefined} */
  barred(place) {
    for (const field of this.#form?.fields.toReversed() ?? []) {
      const found = field.barred?.find((barred) => barred.place === place || barred.reason.place === place);
      if (found) return found.reason;
    }
    return undefined;
  }

  /** Show the path of a march with the cost of each step. @param {readonly string[]} places */
  setPath(places) {
    const known = places.filter((place) => this.grid.has(place));
    if (known.length < 2) {
      this.way.replaceChildren();
      return;
    }
    const d = this.grid.way(known, 0.3);
    const steps = known.slice(1).flatMap((place) => this.#step(place));
    this.way.replaceChildren(
      svg("path", { d, class: "way-case" }),
      svg("path", { d, class: "way-line", "marker-end": "url(#map-head-way)" }),
      ...steps,
    );
  }

  /** @param {string} place */
  #step(place) {
    const { x, y } = this.grid.centre(place);
    const price = this.reached(place)?.price ?? "";
    if (!price) return [];
    const short = /^\S+/.exec(price)?.[0] ?? price;
    return [
      svg(
        "g",
        { transform: `translate(${x} ${y})`, class: "way-step" },
        svg("g.scaled", svg("circle", { r: 8 }), svg("text", { y: 3.6 }, short)),
      ),
    ];
  }

  // --- lights ---

  /** @param {Iterable<string>} places @param {Light} kind */
  highlight(places, kind) {
    const known = [...new Set(places)].filter((place) => this.grid.has(place));
    const drawn = known.map((place) =>
      svg("path", { d: this.grid.outline([place], INSETS[kind]), class: `light-${kind}`, dataset: { place, light: kind } }),
    );
    this.lights[kind].classList.toggle("is-many", known.length > MANY);
    this.lights[kind].replaceChildren(...drawn);
  }
}

const light = () => svg("g.light");

/** @param {number} side @param {number} level @param {number} step @param {boolean} crosses */
function hatch(side, level, step, crosses) {
  const turn = side === 1 ? -45 : 45;
  const d = crosses ? `M0 0V${step}M0 ${step / 2}H${step}` : `M0 0V${step}`;
  return svg(
    "pattern",
    { id: `map-hatch-${side}-${level}`, width: step, height: step, patternUnits: "userSpaceOnUse", patternTransform: `rotate(${turn})` },
    svg("rect", { width: step, height: step, class: `hatch-ground side-${side} level-${level}` }),
    svg("path", { d, class: `hatch side-${side}` }),
  );
}

/** @param {string} name */
const arrowhead = (name) =>
  svg(
    "marker",
    { id: `map-head-${name}`, viewBox: "-8 -5 10 10", markerWidth: 4, markerHeight: 4, refX: -1, orient: "auto" },
    svg("path", { d: "M-8-5L2 0-8 5Z", class: `head-${name}` }),
  );

// Where the areas of a map without hexes lie: each has a name, a middle, and those that it is next to.

/** @typedef {{middle: Point, near: string[]}} Area */

class Areas extends Grid {
  /** @param {number} size the width of an area @param {Map<string, Area>} areas */
  constructor(size, areas) {
    super(size, { x: 0, y: 0 }, new Set(areas.keys()));
    this.areas = areas;
  }

  /** The sheet names its areas itself. @override */
  get isNumbered() {
    return false;
  }

  /** @override @param {string} place @returns {Point} */
  centre(place) {
    return this.areas.get(place)?.middle ?? { x: 0, y: 0 };
  }

  /** The area with the nearest centre, or "" if none is near. @override @param {Point} point */
  placeAt(point) {
    const away = (/** @type {string} */ place) => Math.hypot(this.centre(place).x - point.x, this.centre(place).y - point.y);
    const [nearest = ""] = [...this.places].toSorted((a, b) => away(a) - away(b));
    return nearest && away(nearest) <= this.size / 2 ? nearest : "";
  }

  /** Neighbours of an area in six directions, counterclockwise from the right; "" where there is none. @override @param {string} place */
  neighbours(place) {
    const { x, y } = this.centre(place);
    const ways = Array.from({ length: 6 }, () => "");
    for (const there of this.areas.get(place)?.near ?? []) {
      const at = this.centre(there);
      const way = (Math.round((Math.atan2(y - at.y, at.x - x) * 3) / Math.PI) + 6) % 6;
      const free = [way, (way + 1) % 6, (way + 5) % 6].find((each) => !ways[each]);
      if (free !== undefined) ways[free] = there;
    }
    return ways;
  }

  /** Path text around each of some areas. @override @param {ReadonlySet<string>} places */
  border(places) {
    return this.outline(places);
  }
}

/** The areas that a sheet names: "Garth:220,90:Fell,Holm Fell:…". @param {string} named @returns {Map<string, Area>} */
const areasIn = (named) =>
  new Map(
    named.split(" ").map((part) => {
      const [name = "", middle = "", near = ""] = part.split(":");
      const [x = 0, y = 0] = middle.split(",").map(Number);
      return [name, { middle: { x, y }, near: near.split(",").filter(Boolean) }];
    }),
  );

/** The places of a sheet: areas or hexes. @param {Element} sheet */
export function gridOf(sheet) {
  const areas = sheet.getAttribute("data-areas");
  return areas === null ? Grid.of(sheet) : new Areas(Number(sheet.getAttribute("data-hex")), areasIn(areas));
}

// The numbers of the hexes that are seen, while they can be read.

const LEAST = 66; // px that a hex is wide

export class Numbers {
  /** @type {Map<string, SVGTextElement>} */
  #drawn = new Map();
  /** Centre of the view and scale at the last drawing. */
  last = { x: Infinity, y: Infinity, scale: 0 };

  /** @param {Grid} grid @param {Camera} camera */
  constructor(grid, camera) {
    this.grid = grid;
    this.camera = camera;
    this.node = svg("g.numbers");
  }

  /** Draw the numbers in and around the view; nothing while those present suffice. */
  draw() {
    const { camera, grid, last } = this;
    const { clientWidth: width, clientHeight: height } = camera.view;
    if (camera.scale === last.scale && Math.abs(camera.x - last.x) < width / 3 && Math.abs(camera.y - last.y) < height / 3) return;
    this.last = { x: camera.x, y: camera.y, scale: camera.scale };
    const seen = grid.isNumbered && camera.scale * grid.size >= LEAST ? this.#visibleBox() : new Set();
    for (const [place, node] of this.#drawn) {
      if (seen.has(place)) continue;
      node.remove();
      this.#drawn.delete(place);
    }
    const added = [...seen].filter((place) => !this.#drawn.has(place)).map((place) => this.#number(place));
    this.node.append(...added);
  }

  /** @returns {Set<string>} */
  #visibleBox() {
    const { camera, grid } = this;
    const { clientWidth: width, clientHeight: height } = camera.view;
    const from = camera.toSheet({ x: -width / 2, y: -height / 2 });
    const to = camera.toSheet({ x: 1.5 * width, y: 1.5 * height });
    return new Set([...grid.places].filter((place) => isWithin(grid.centre(place), from, to)));
  }

  /** @param {string} place */
  #number(place) {
    const { x, y } = this.grid.centre(place);
    const node = svg("text", { x, y: y - this.grid.size * 0.36 }, place);
    this.#drawn.set(place, node);
    return node;
  }
}

/** @param {Point} point @param {Point} from @param {Point} to */
const isWithin = (point, from, to) => point.x >= from.x && point.x <= to.x && point.y >= from.y && point.y <= to.y;

// What is known of a hex, beside the pointer or the cursor; and, of a hex that may not be entered, the rule.

const GAP = 14;
const EDGE = 4;

export class Tip {
  /** The hex of the tooltip, or "" while it is hidden. */
  place = "";
  isPinned = false;

  /** @param {Context} ctx @param {Camera} camera @param {Overlay} overlay */
  constructor(ctx, camera, overlay) {
    this.ctx = ctx;
    this.camera = camera;
    this.overlay = overlay;
    this.node = el("div.map-tip", { hidden: true });
  }

  /**
   * Show all known facts about a hex.
   * @param {string} place @param {Point} at in the view
   * @param {{isPinned?: boolean, key?: string | undefined}} [how] pinned, it can be pressed; the counter of `key` stands first
   */
  show(place, at, { isPinned = false, key } = {}) {
    this.place = place;
    this.isPinned = isPinned;
    this.node.replaceChildren(...this.#content(place, key));
    this.node.classList.toggle("is-pinned", isPinned);
    this.node.hidden = false;
    this.#placeAt(at);
  }

  hide() {
    this.place = "";
    this.isPinned = false;
    this.node.hidden = true;
  }

  /** Place the tooltip beside a point or in a corner, where it covers the fewest reachable hexes and never the point. @param {Point} at */
  #placeAt(at) {
    const { left, top, width, height } = this.camera.room;
    const { offsetWidth: wide, offsetHeight: high } = this.node;
    const [right, bottom] = [left + width - wide - EDGE, top + height - high - EDGE];
    const within = (/** @type {number} */ x, /** @type {number} */ y) => ({
      x: Math.max(left + EDGE, Math.min(right, x)),
      y: Math.max(top + EDGE, Math.min(bottom, y)),
    });
    const spots = [
      within(at.x + GAP, at.y + GAP),
      within(at.x + GAP, at.y - GAP - high),
      within(at.x - GAP - wide, at.y + GAP),
      within(at.x - GAP - wide, at.y - GAP - high),
      within(right, top),
      within(left, bottom),
      within(left, top),
    ];
    const marks = this.overlay.centres.map((centre) => this.camera.toView(centre));
    const hidden = (/** @type {Point} */ { x, y }, /** @type {Point} */ point, /** @type {number} */ room) =>
      point.x > x - room && point.x < x + wide + room && point.y > y - room && point.y < y + high + room;
    const cost = (/** @type {Point} */ spot) =>
      marks.filter((mark) => hidden(spot, mark, EDGE)).length + (hidden(spot, at, EDGE) ? 1000 : 0);
    const { x, y } = spots.toSorted((one, other) => cost(one) - cost(other))[0] ?? at;
    this.node.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** @param {string} place @param {string | undefined} key */
  *#content(place, key) {
    const scene = this.ctx.store.scene;
    const pieces = this.#pieces(place, key);
    const step = this.overlay.reached(place);
    const name = placeName(this.ctx.store, place);
    const reach = step && format(MAP.reach, { left: step.left, price: step.price, stops: step.stops ? MAP.stops : "" });
    if (reach && !pieces.length) {
      yield el("p", el("strong", name), ": ", reach);
      return;
    }
    yield el("h4", name);
    const holding = scene.holdings[place];
    if (holding) yield el("p", holding.text);
    for (const [, piece] of pieces) yield pieceView(piece);
    for (const marker of Object.values(scene.markers)) if (marker.place === place) yield el("p", marker.text);
    const layer = this.overlay.layerText(place);
    if (layer) yield el("p.tip-layer", layer);
    if (reach) yield el("p.tip-reach", reach);
    const reason = this.overlay.barred(place);
    if (reason && !step) yield el("p.tip-barred", reasonLine(this.ctx, reason));
  }

  /** @param {string} place @param {string | undefined} key */
  #pieces(place, key) {
    const found = Object.entries(this.ctx.store.scene.pieces).filter(([, piece]) => piece.place === place);
    return found.toSorted(([a], [b]) => Number(b === key) - Number(a === key));
  }

  /** A hex in words, for screen readers. @param {string} place */
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
      step ? format(MAP.canReach, { left: step.left }) : reason && format(MAP.cannotEnter, { reason: reason.text, rule: reason.rule }),
    ];
    return `${words.filter(Boolean).join(". ")}.`;
  }
}

/** @param {T.Piece} piece */
function pieceView(piece) {
  const ratings = piece.ratings ? el("span.number", ` ${piece.ratings}`) : null;
  const title = el("strong", piece.title, ratings, el("span.tip-strength.number", piece.strength));
  return el("div", { class: `tip-piece side-${piece.side}` }, title, ...(piece.lines ?? []).map((line) => el("p", line)));
}
