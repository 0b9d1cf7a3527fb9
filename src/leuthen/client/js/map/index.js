// The map: the sheet with its counters, and what is laid over it. It knows no rule; whoever uses it tells it what to
// show, and is told what was pointed at and chosen.

import { Emitter, deviceStorage, el, format, placeName, reasonLine, svg } from "../dom.js";
import { addKeys } from "../keys.js";
import { Arrows, Overlay, Plans, numbersOf } from "./overlay.js";
import { Camera, bindGestures } from "./camera.js";
import { Counters, Holders, Labels } from "./counters.js";
import { Playing } from "./playing.js";
import { EAST, WEST, gridOf, parsedSheet, sizeOf, townsOn } from "./sheet.js";
import { GROUPS } from "../strings/common.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Grid, Point } from "./sheet.js" */
/** @import { Kind } from "./overlay.js" */

/**
 * Kinds of hex highlights: `choice` and `barred` hexes may or may not be chosen, `told` is mentioned in the text, `picked` is chosen,
 * `asked` belongs to the pending decision, `clause` is a choice for a standing instruction, `lesson` is what a lesson points at.
 * @typedef {"choice" | "barred" | "told" | "picked" | "asked" | "clause" | "lesson"} Light
 */

/** @typedef {{place: string, key?: string}} Pointed detail of the map's events */

const CLOSE_UP = 1.1; // scale at which a place is shown that one jumps to, at least, on a screen of 800 px
const CLOSEST_UP = 1.8; // the same on the largest
const READABLE = 36; // px that a hex is wide at least when a theatre is shown as a whole
const NEAR = 1.1; // scale at which a stack is shown that was tapped, at least
const LEGIBLE = 1.3; // scale from which on the numbers of hexes grow no more
const PRINTED = 40; // px that a hex is wide on paper, about
const TIP_DELAY = Number(deviceStorage.getItem("leuthen.tip") ?? 400); // ms of rest before the tooltip comes

/**
 * The map. Its parts show things: `overlay` hexes, reach, paths and layers, and the last marches, `plans` and `arrows` what is
 * planned. It dispatches `place` (a hex was clicked or entered), `piece` (a counter was clicked), `point` (the hex under the pointer or
 * cursor, "" when it leaves), `dropped` (the hex to which an own counter was dragged), all with detail Pointed, and `skipped`.
 */
export class SheetMap extends Emitter {
  #hovered = "";
  #tipTimer = 0;
  /** The counter or hex that was clicked last, until the pointer leaves it. */
  #tappedId = "";

  /** @param {HTMLElement} host @param {Context} ctx @param {string} text of the sheet */
  constructor(host, ctx, text) {
    super();
    const sheet = parsedSheet(text);
    this.ctx = ctx;
    this.grid = gridOf(sheet);
    this.world = el("div.map-world");
    const help = el("p.visually-hidden", { id: "map-help" }, MAP.help);
    const says = { "aria-label": GROUPS.map, "aria-roledescription": "map", "aria-describedby": "map-help" };
    this.view = el("div.map-view", { role: "application", tabindex: "0", ...says }, this.world);
    this.live = el("p.visually-hidden", { "aria-live": "polite" });
    this.camera = new Camera(this.view, this.world, sizeOf(sheet), this.grid.size);
    /** The button that shows the legend of the sheet, if it has one. */
    const showLegend = () => this.legend?.setAttribute("aria-pressed", String(host.classList.toggle("has-legend")));
    const legend = { "aria-pressed": false, dataset: { do: "legend" }, onclick: showLegend };
    this.legend = sheet.querySelector(".legend") ? el("button.quiet", legend, MAP.legend) : null;
    const towns = townsOn(sheet, this.grid);
    this.labels = new Labels(sheet);
    this.counters = new Counters(this.grid, ctx.store.setting.powers, towns);
    this.holders = new Holders(this.grid, towns);
    this.overlay = new Overlay(this.grid);
    this.plans = new Plans(this.grid);
    this.arrows = new Arrows(this.grid, ({ clientX, clientY }) => {
      const { left, top } = this.view.getBoundingClientRect();
      return this.grid.placeAt(this.camera.toSheet({ x: clientX - left, y: clientY - top }));
    });
    this.numbers = numbersOf(this.grid, this.camera);
    this.walker = new Walker(this.grid);
    this.playing = new Playing(this.grid, this.camera, this.counters, this.overlay);
    this.tip = new Tip(ctx, this.camera, this.overlay);
    const { overlay, holders, counters, plans, arrows, walker, numbers, playing } = this;
    // From the lowest up.
    const lower = [numbers.node, overlay.under, holders.flags, counters.node, holders.markers];
    const upper = [overlay.tracks, plans.node, overlay.over, arrows.node, walker.node, playing.node];
    const box = sheet.getAttribute("viewBox") ?? "";
    const marks = svg("svg.map-marks", { viewBox: box, "aria-hidden": true }, Overlay.definitions(), ...lower, ...upper);
    host.replaceChildren(this.view, help, this.live, this.#tools());
    this.view.append(this.tip.node, playing.card, overlay.key);
    this.#bind();
    bindKeyboard(this);
    this.camera.measure();
    this.camera.fit();
    this.camera.rest();
    // Its size is known now, so it is laid out once. Counters are painted first, because the sheet takes longer.
    this.world.append(marks);
    requestAnimationFrame(() => setTimeout(() => marks.before(sheet)));
  }

  #tools() {
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      el("button.icon", { "aria-label": label, title: label, onclick: run }, sign);
    return el(
      "div.map-tools",
      { role: "group", "aria-label": MAP.view },
      button("+", MAP.zoomIn, () => this.camera.zoom(1.4)),
      button("−", MAP.zoomOut, () => this.camera.zoom(1 / 1.4)),
      button("⤢", MAP.whole, () => this.camera.fit()),
    );
  }

  // --- what is shown ---

  /** @param {T.Scene} scene */
  show(scene) {
    if (!this.playing.isHeld) this.playing.restoreView();
    this.playing.skip();
    this.counters.show(scene);
    this.holders.show(scene, this.counters.seats);
    this.#placeLabels();
    if (this.tip.place) this.tip.hide();
  }

  /** @param {string} place */
  jump(place) {
    if (!this.grid.has(place)) return;
    this.camera.centre(this.grid.centre(place), Math.max(this.camera.scale, this.#closeUp));
    this.walker.go(place);
  }

  /** The scale at which counters are easy to read: larger where there is room. */
  get #closeUp() {
    return Math.min(CLOSEST_UP, Math.max(CLOSE_UP, (CLOSE_UP * this.view.clientHeight) / 800));
  }

  /** Tell screen readers what is known of a place. @param {string} place */
  announcePlace(place) {
    if (this.grid.has(place)) this.live.textContent = this.tip.spoken(place);
  }

  /** Show the first of some places, unless one of them can be seen. @param {...string} places */
  reveal(...places) {
    const points = this.grid.centres(places);
    if (points[0] && !points.some((point) => this.camera.sees(point, 0))) this.camera.reveal(points[0], 0);
  }

  /** The hex at the centre of the view, or "" off the board. */
  get middle() {
    return this.grid.placeAt(this.camera.middle);
  }

  /** Frame most of some places. @param {Iterable<string>} places */
  frame(places) {
    this.camera.frame(this.grid.centres(places), this.#closeUp);
  }

  /** Frame the first group of places whose counters stay legible; otherwise a single place. @param {string} place @param {readonly Iterable<string>[]} groups */
  frameFirst(place, groups) {
    const isSeen = groups.some((places) => this.camera.frame(this.grid.centres(places), this.#closeUp, 1, READABLE / this.grid.size));
    if (isSeen) this.walker.go(place);
    else this.jump(place);
  }

  /** Start or end drawing plans; they are dispatched by `drawn`. @param {Kind | null} kind */
  draw(kind) {
    this.plans.draw(kind);
    this.tip.hide();
    this.view.classList.toggle("is-drawing", kind !== null);
  }

  /** Let a playback control the map, or end its control. @param {boolean} isHeld */
  setPlayback(isHeld) {
    this.playing.isHeld = isHeld;
    this.view.classList.toggle("is-playback", isHeld);
    this.#hideTip();
  }

  /** Stop the animation and everything queued. */
  skip() {
    this.tell("skipped");
    this.playing.skip();
  }

  // --- what is done with it ---

  #bind() {
    this.camera.addEventListener("rested", () => {
      this.world.style.setProperty("--k", String(this.counters.rescale(this.camera.scale)));
      this.#placeLabels();
      this.world.style.setProperty("--number", String(Math.min(1, LEGIBLE / this.camera.scale)));
    });
    this.camera.addEventListener("moved", () => {
      this.numbers.draw();
      this.#hideTip();
    });
    bindGestures(this.view, this.camera, {
      tap: (at, how) => this.#tap(at, how),
      hover: (at) => this.#hover(at),
      begin: () => {
        this.tip.hide();
        this.playing.keepView();
      },
      grab: (at) => {
        const { key = "" } = this.#pointedAt(at);
        const { scene, side } = this.ctx.store;
        return !this.plans.kind && scene.pieces[key]?.side === side;
      },
      lift: (at) => {
        this.#hideTip();
        this.#tap(at, { isTouch: false });
      },
      drop: (at) => {
        const pointed = this.#pointedAt(at);
        if (pointed.place) this.walker.go(pointed.place);
        this.tell("dropped", pointed);
      },
    });
    addEventListener("beforeprint", () => this.camera.level(PRINTED));
    addEventListener("afterprint", () => this.camera.level(this.grid.size * this.camera.scale));
    new ResizeObserver(() => this.camera.measure()).observe(this.view);
    const group = GROUPS.map;
    addKeys(
      { keys: ["+", "="], shown: "+", label: MAP.zoomIn, group, run: () => this.camera.zoom(1.3), repeats: true },
      { keys: ["-", "−", "_"], shown: "−", label: MAP.zoomOut, group, run: () => this.camera.zoom(1 / 1.3), repeats: true },
      { keys: ["f"], label: MAP.whole, group, run: () => this.camera.fit() },
      { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], label: MAP.walk, group, run: () => this.view.focus(), repeats: true },
      { keys: ["Tab"], label: MAP.nextStack, group, run: () => {}, when: () => false },
    );
  }

  #placeLabels() {
    const { labels, counters, holders, view } = this;
    const level = view.dataset.level ?? "";
    counters.tag(["far", "middle"].includes(level));
    labels.place(counters, holders, level === "far");
  }

  #hideTip() {
    clearTimeout(this.#tipTimer);
    if (this.tip.place) this.tip.hide();
  }

  /** Dispatch the selected hex. @param {Pointed} pointed */
  choose(pointed) {
    this.tell(pointed.key ? "piece" : "place", pointed);
  }

  /** The hex and counter at a point of the view. @param {Point} at */
  #pointedAt(at) {
    const point = this.camera.toSheet(at);
    const place = this.grid.placeAt(point);
    if (!place) return { place: "" };
    const seat = this.counters.at(point, this.grid.around(point, place));
    return seat ? { place: seat.piece.place, key: seat.key } : { place };
  }

  /** @param {Point | null} at */
  #hover(at) {
    const pointed = at ? this.#pointedAt(at) : { place: "" };
    const id = pointed.key ?? pointed.place;
    if (id === this.#tappedId) return; // what was chosen needs no telling
    this.#tappedId = "";
    clearTimeout(this.#tipTimer);
    if (this.playing.isHeld) return;
    if (this.tip.place && id !== this.#hovered) this.tip.hide();
    if (at && pointed.place && !this.plans.kind)
      this.#tipTimer = window.setTimeout(() => this.tip.show(pointed.place, at, pointed), TIP_DELAY);
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.tell("point", pointed);
  }

  /** @param {Point} at @param {{isTouch: boolean}} how */
  #tap(at, how) {
    if (!this.playing.isOn) return this.#tapped(at, how);
    this.playing.keepView(); // the hex under the pointer is the one that is meant
    this.skip();
    // What came of it is shown first, so that the tap is about that.
    return void requestAnimationFrame(() => this.#tapped(at, how));
  }

  /** @param {Point} at @param {{isTouch: boolean}} how */
  #tapped(at, { isTouch }) {
    const pointed = this.#pointedAt(at);
    if (!pointed.place) return undefined;
    this.#hideTip();
    this.#tappedId = isTouch ? "" : (pointed.key ?? pointed.place);
    this.walker.go(pointed.place);
    if (isTouch && pointed.key && this.camera.scale < NEAR) this.camera.centre(this.grid.centre(pointed.place), NEAR);
    if (this.plans.kind) return this.plans.add(pointed.place);
    if (isTouch) this.tell("point", pointed);
    this.choose(pointed);
    if (isTouch) this.tip.show(pointed.place, at, { isPinned: true, key: pointed.key });
  }
}

// The keyboard on the map: arrows walk the hexes, Tab goes from stack to stack, Enter chooses, Escape leaves. Where the
// cursor stands is shown, and said to screen readers.

/** @param {SheetMap} map */
function bindKeyboard(map) {
  const { view, camera, grid, walker, plans, counters, playing, tip, ctx } = map;
  /** Hexes of this side's stacks; of all stacks for a spectator. */
  const stacks = () => {
    const { scene, side } = ctx.store;
    return Object.values(scene.pieces).flatMap((piece) => (piece.side === side || side > 1 ? piece.place : []));
  };
  const middle = () => grid.placeAt(camera.toSheet({ x: view.clientWidth / 2, y: view.clientHeight / 2 })) || stacks()[0] || "";
  const show = () => {
    const { place } = walker;
    const at = grid.centre(place);
    camera.reveal(at);
    const key = counters.seats.get(place)?.find(({ piece }) => piece.side === ctx.store.side)?.key;
    map.tell("point", key ? { place, key } : { place });
    map.announcePlace(place);
    const below = { x: at.x + 0.33 * grid.size, y: at.y + 0.33 * grid.size };
    requestAnimationFrame(() => tip.show(place, camera.toView(below)));
    return true;
  };
  const walkTo = (/** @type {string} */ place) => {
    if (!place) return false;
    walker.go(place);
    return show();
  };
  const walk = (/** @type {Arrow} */ arrow) => {
    if (!walker.place) walker.go(middle());
    else walker.step(arrow);
    return show();
  };
  const enter = () => {
    const { place } = walker;
    if (!place) return false;
    if (plans.kind) plans.add(place);
    else {
      const own = (counters.seats.get(place) ?? []).filter(({ piece }) => piece.side === ctx.store.side);
      const key = (own.find(({ piece }) => !piece.inside) ?? own[0])?.key;
      map.choose(key ? { place, key } : { place });
    }
    return true;
  };
  const leave = () => {
    const { isPinned } = tip;
    tip.hide();
    if (playing.isOn) map.skip();
    else if (plans.kind) plans.leave();
    else return isPinned;
    return true;
  };
  /** Run a key; false if it did nothing. @param {string} key @param {boolean} isShift */
  const run = (key, isShift) => {
    if (key.startsWith("Arrow")) return walk(/** @type {Arrow} */ (key));
    if (key === "Tab") return walkTo(walker.next(stacks(), isShift ? -1 : 1));
    if (key === "Enter" || key === " ") return enter();
    return key === "Escape" && leave();
  };
  view.addEventListener("keydown", (event) => {
    if (event.target !== view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (playing.isHeld && [" ", "ArrowLeft", "ArrowRight"].includes(event.key)) return; // keys of the playback
    const isChoice = event.key === "Enter" || event.key === " " || event.key === "Escape";
    if ((event.repeat && isChoice) || run(event.key, event.shiftKey)) event.preventDefault();
  });
  view.addEventListener("focus", () => view.matches(":focus-visible") && walkTo(walker.place || middle()));
  view.addEventListener("blur", ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && tip.node.contains(relatedTarget))) tip.hide();
  });
}

/** @typedef {"ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown"} Arrow */

/** The cursor of the keyboard. */
class Walker {
  /** The hex of the cursor, or "" before the first step. */
  place = "";
  /** Column to which the cursor returns when it moves straight up or down. */
  #x = 0;

  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    this.node = svg("path.cursor");
  }

  /** @param {string} place */
  go(place) {
    this.#x = this.grid.centre(place).x;
    this.#put(place);
  }

  /** @param {string} place */
  #put(place) {
    this.place = place;
    this.node.setAttribute("d", place ? this.grid.outline([place], 1) : "");
  }

  /** The next hex in a direction, or the same one at the edge. @param {Arrow} arrow */
  step(arrow) {
    const around = this.grid.neighbours(this.place);
    if (arrow === "ArrowLeft" || arrow === "ArrowRight") return this.go(around[arrow === "ArrowLeft" ? WEST : EAST] || this.place);
    const pair = (arrow === "ArrowUp" ? [around[1], around[2]] : [around[4], around[5]]).filter(Boolean);
    const off = (/** @type {string | undefined} */ place) => Math.abs(this.grid.centre(place ?? "").x - this.#x);
    return this.#put(pair.toSorted((a, b) => off(a) - off(b))[0] ?? this.place);
  }

  /** The stack after the cursor's in reading order, or "" after the last. @param {Iterable<string>} places @param {number} by 1 or -1 */
  next(places, by) {
    const sorted = [...new Set(places)].toSorted((a, b) => b.localeCompare(a));
    const at = sorted.indexOf(this.place);
    if (at < 0) return sorted.at(by > 0 ? 0 : -1) ?? "";
    return sorted[at + by] ?? "";
  }
}

// What is known of a hex, beside the pointer or the cursor; and, of a hex that may not be entered, the rule.

const GAP = 14;
const EDGE = 4;

class Tip {
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
    for (const [, { lines = [], ratings, side, strength, title }] of pieces) {
      const rated = ratings ? el("span.number", ` ${ratings}`) : null;
      const head = el("strong", title, rated, el("span.tip-strength.number", strength));
      yield el("div", { class: `tip-piece side-${side}` }, head, ...lines.map((line) => el("p", line)));
    }
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
