// The map: the sheet with its counters, and what is laid over it. It knows no rule; whoever uses it tells it what to
// show, and is told what was pointed at and chosen.

import { el, deviceStorage, svg } from "../dom.js";
import { addKeys } from "../keys.js";
import { Numbers, Overlay, Tip, gridOf } from "./overlay.js";
import { Arrows, Plans, Tracks } from "./plans.js";
import { Camera, Gestures } from "./camera.js";
import { Counters, Holders, Labels } from "./counters.js";
import { Keyboard, Walker } from "./keyboard.js";
import { Playing } from "./playing.js";
import { fetchSheetText, parsedSheet, printOf, townsOn } from "./sheet.js";
import { GROUPS } from "../strings/common.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context, Light, MapView, Pointed } from "../context.js" */
/** @import { Point } from "./geometry.js" */
/** @import { Kind, Track } from "./plans.js" */

const CLOSE_UP = 1.1; // scale at which a place is shown that one jumps to, at least, on a screen of 800 px
const CLOSEST_UP = 1.8; // the same on the largest
const READABLE = 36; // px that a hex is wide at least when a theatre is shown as a whole
const NEAR = 1.1; // scale at which a stack is shown that was tapped, at least
const LEGIBLE = 1.3; // scale from which on the numbers of hexes grow no more
const PRINTED = 40; // px that a hex is wide on paper, about
const TIP_DELAY = Number(deviceStorage.getItem("leuthen.tip") ?? 400); // ms of rest before the tooltip comes
const KEYS_HELP = MAP.help;

/**
 * Create the map in an element. Resolves when the sheet is loaded.
 * @param {HTMLElement} host
 * @param {Omit<Context, "map">} ctx
 * @returns {Promise<MapView>}
 */
export const createMap = async (host, ctx) => new SheetMap(host, /** @type {Context} */ (ctx), await fetchSheetText(ctx.store.setting));

/** @implements {MapView} */
export class SheetMap extends EventTarget {
  #hovered = "";
  #tipTimer = 0;
  /** The counter or hex that was clicked last, until the pointer leaves it. */
  #tappedId = "";
  /** What the numbers within reach are. */
  key = el("p.map-key.small", { hidden: true }, MAP.reachKey);

  /** @param {HTMLElement} host @param {Context} ctx @param {string} text of the sheet */
  constructor(host, ctx, text) {
    super();
    const sheet = parsedSheet(text);
    this.host = host;
    this.ctx = ctx;
    const box = sheet.getAttribute("viewBox") ?? "";
    this.grid = gridOf(sheet);
    this.print = printOf(text, sheet, this.grid);
    this.world = el("div.map-world");
    const help = el("p.visually-hidden", { id: "map-help" }, KEYS_HELP);
    const keys = {
      role: "application",
      tabindex: "0",
      "aria-label": GROUPS.map,
      "aria-roledescription": "map",
      "aria-describedby": "map-help",
    };
    this.view = el("div.map-view", { ...keys }, this.world);
    this.live = el("p.visually-hidden", { "aria-live": "polite" });
    this.camera = new Camera(this.view, this.world, this.print, this.grid.size);
    this.legend = sheet.querySelector(".legend") ? this.#legendButton() : null;
    const towns = townsOn(sheet, this.grid);
    this.labels = new Labels(sheet);
    this.counters = new Counters(this.grid, ctx.store.setting.powers, towns);
    this.holders = new Holders(this.grid, towns);
    this.overlay = new Overlay(this.grid);
    this.tracks = new Tracks(this.grid);
    this.plans = new Plans(this.grid);
    this.arrows = new Arrows(this.grid, (event) => this.#placeUnder(event));
    this.numbers = new Numbers(this.grid, this.camera);
    this.walker = new Walker(this.grid);
    this.playing = new Playing(this.grid, this.camera, this.counters, this.overlay);
    this.tip = new Tip(ctx, this.camera, this.overlay);
    const marks = svg("svg.map-marks", { viewBox: box, "aria-hidden": true }, Overlay.definitions(), ...this.#layers());
    host.replaceChildren(this.view, help, this.live, this.#tools());
    this.view.append(this.tip.node, this.playing.card, this.key);
    this.#bind();
    this.camera.measure();
    this.camera.fit();
    this.camera.rest();
    // Now its size is known: so much is laid out only once.
    this.world.append(sheet, marks);
  }

  /** Layers over the sheet, from the lowest up. */
  #layers() {
    const { overlay, holders, counters, tracks, plans, arrows, walker, numbers, playing } = this;
    return [
      numbers.node,
      overlay.under,
      holders.flags,
      counters.node,
      holders.markers,
      tracks.node,
      plans.node,
      overlay.over,
      arrows.node,
      walker.node,
      playing.node,
    ];
  }

  #legendButton() {
    const press = () => button.setAttribute("aria-pressed", String(this.host.classList.toggle("has-legend")));
    const button = el("button.quiet", { "aria-pressed": false, dataset: { do: "legend" }, onclick: press }, MAP.legend);
    return button;
  }

  #tools() {
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) =>
      el("button.icon", { "aria-label": label, title: label, onclick: run }, sign);
    return el(
      "div.map-tools",
      { role: "group", "aria-label": MAP.view },
      button("+", MAP.zoomIn, () => this.zoom(1.4)),
      button("−", MAP.zoomOut, () => this.zoom(1 / 1.4)),
      button("⤢", MAP.whole, () => this.fit()),
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

  /** @param {string} place */
  announcePlace(place) {
    if (this.grid.has(place)) this.live.textContent = this.tip.spoken(place);
  }

  /** @param {...string} places */
  reveal(...places) {
    const points = places.filter((place) => this.grid.has(place)).map((place) => this.grid.centre(place));
    if (points[0] && !points.some((point) => this.camera.sees(point, 0))) this.camera.reveal(points[0], 0);
  }

  /** The hex at the centre of the view, or "" off the board. */
  get middle() {
    return this.grid.placeAt(this.camera.middle);
  }

  fit() {
    this.camera.fit();
  }

  /** Frame most of some places. @param {Iterable<string>} places */
  frame(places) {
    this.camera.frame(this.#centres(places), this.#closeUp);
  }

  /** Frame the first group of places whose counters stay legible; otherwise a single place. @param {string} place @param {readonly Iterable<string>[]} groups */
  frameFirst(place, groups) {
    const isSeen = groups.some((places) => this.camera.frame(this.#centres(places), this.#closeUp, 1, READABLE / this.grid.size));
    if (isSeen) this.walker.go(place);
    else this.jump(place);
  }

  /** @param {Iterable<string>} places */
  #centres(places) {
    return [...places].filter((place) => this.grid.has(place)).map((place) => this.grid.centre(place));
  }

  /** @param {number} factor */
  zoom(factor) {
    this.camera.zoom(factor);
  }

  /** @param {Iterable<string>} places @param {Light} kind */
  highlight(places, kind) {
    this.overlay.highlight(places, kind);
  }

  /** @param {T.Form | null} form */
  setReach(form) {
    this.overlay.setReach(form);
    this.key.hidden = !Object.keys(form?.reach ?? {}).length;
  }

  /** @param {readonly string[]} places */
  setPath(places) {
    this.overlay.setPath(places);
  }

  /** @param {T.Layer | null} layer */
  setLayer(layer) {
    this.overlay.setLayer(layer);
  }

  /** Show the latest marches. @param {readonly Track[]} tracks */
  setTracks(tracks) {
    this.tracks.show(tracks);
  }

  /** @param {T.Notes} notes */
  setPlans(notes) {
    this.plans.show(notes);
  }

  /** @param {readonly T.StaffMission[]} missions */
  setStaff(missions) {
    this.arrows.show(missions);
  }

  /** Start or end drawing plans; they are dispatched by `drawn`. @param {Kind | null} kind */
  draw(kind) {
    this.plans.draw(kind);
    this.tip.hide();
    this.view.classList.toggle("is-drawing", kind !== null);
  }

  get isPlayback() {
    return this.playing.isHeld;
  }

  /** Let a playback control the map, or end its control. @param {boolean} isHeld */
  setPlayback(isHeld) {
    this.playing.isHeld = isHeld;
    this.view.classList.toggle("is-playback", isHeld);
    this.#hideTip();
  }

  /**
   * Play log entries; resolves when they have ended.
   * @param {readonly T.LogEntry[]} told @param {T.Scene} [after] the position that comes of them
   */
  async play(told, after = this.ctx.store.scene) {
    this.#hideTip();
    return this.playing.play(told, after);
  }

  /** Finish the current entries at once. */
  hurry() {
    this.playing.hurry();
  }

  /** Show log entries without motion. @param {readonly T.LogEntry[]} told */
  hold(told) {
    this.playing.hold(told);
  }

  /** @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** Stop the animation and everything queued. */
  skip() {
    this.dispatchEvent(new Event("skipped"));
    this.playing.skip();
  }

  // --- what is done with it ---

  #bind() {
    this.camera.addEventListener("rested", () => this.#rescale());
    this.camera.addEventListener("moved", () => this.#onMoved());
    new Gestures(this.view, this.camera, {
      tap: (at, how) => this.#tap(at, how),
      hover: (at) => this.#hover(at),
      begin: () => {
        this.tip.hide();
        this.playing.keepView();
      },
      grab: (at) => this.#isOwn(this.#pointedAt(at)),
      lift: (at) => {
        this.#hideTip();
        this.#tap(at, { isTouch: false });
      },
      drop: (at) => {
        const pointed = this.#pointedAt(at);
        if (pointed.place) this.walker.go(pointed.place);
        this.dispatchEvent(new CustomEvent("dropped", { detail: pointed }));
      },
    });
    new Keyboard(this);
    this.plans.addEventListener("drawn", (event) =>
      this.dispatchEvent(new CustomEvent("drawn", { detail: /** @type {CustomEvent} */ (event).detail })),
    );
    this.arrows.addEventListener("aimed", (event) =>
      this.dispatchEvent(new CustomEvent("aimed", { detail: /** @type {CustomEvent} */ (event).detail })),
    );
    addEventListener("beforeprint", () => this.camera.level(PRINTED));
    addEventListener("afterprint", () => this.camera.level(this.grid.size * this.camera.scale));
    new ResizeObserver(() => this.camera.measure()).observe(this.view);
    addKeys(
      { keys: ["+", "="], shown: "+", label: MAP.zoomIn, group: GROUPS.map, run: () => this.zoom(1.3), repeats: true },
      { keys: ["-", "−", "_"], shown: "−", label: MAP.zoomOut, group: GROUPS.map, run: () => this.zoom(1 / 1.3), repeats: true },
      { keys: ["f"], label: MAP.whole, group: GROUPS.map, run: () => this.fit() },
      {
        keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"],
        label: MAP.walk,
        group: GROUPS.map,
        run: () => this.view.focus(),
        repeats: true,
      },
      { keys: ["Tab"], label: MAP.nextStack, group: GROUPS.map, run: () => {}, when: () => false },
    );
  }

  #rescale() {
    this.world.style.setProperty("--k", String(this.counters.rescale(this.camera.scale)));
    this.#placeLabels();
    this.world.style.setProperty("--number", String(Math.min(1, LEGIBLE / this.camera.scale)));
  }

  #placeLabels() {
    const { labels, counters, holders, view } = this;
    const level = view.dataset.level ?? "";
    counters.tag(["far", "middle"].includes(level));
    labels.place(counters, holders, level === "far");
  }

  #onMoved() {
    this.numbers.draw();
    this.#hideTip();
  }

  /** Hide the tooltip and cancel a pending one. */
  #hideTip() {
    clearTimeout(this.#tipTimer);
    if (this.tip.place) this.tip.hide();
  }

  /** True if the pointer is over a counter of this side, which can be dragged. @param {Pointed} pointed */
  #isOwn({ key = "" }) {
    const { scene, side } = this.ctx.store;
    return !this.plans.kind && scene.pieces[key]?.side === side;
  }

  /** Dispatch the hex under the pointer. @param {Pointed} pointed */
  point(pointed) {
    this.dispatchEvent(new CustomEvent("point", { detail: pointed }));
  }

  /** Dispatch the selected hex. @param {Pointed} pointed */
  choose(pointed) {
    this.dispatchEvent(new CustomEvent(pointed.key ? "piece" : "place", { detail: pointed }));
  }

  /** The hex under a pointer, or "". @param {PointerEvent} event */
  #placeUnder({ clientX, clientY }) {
    const { left, top } = this.view.getBoundingClientRect();
    return this.grid.placeAt(this.camera.toSheet({ x: clientX - left, y: clientY - top })) ?? "";
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
    this.point(pointed);
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
    if (isTouch) this.point(pointed);
    this.choose(pointed);
    if (isTouch) this.tip.show(pointed.place, at, { isPinned: true, key: pointed.key });
    return undefined;
  }
}
