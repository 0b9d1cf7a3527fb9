// The map: the sheet with its counters, and what is laid over it. It knows no rule; whoever uses it tells it what to
// show, and is told what was pointed at and chosen.

import { el, svg } from "../dom.js";
import { addKeys } from "../keys.js";
import { Camera } from "./camera.js";
import { Counters } from "./counters.js";
import { Gestures } from "./gestures.js";
import { Grid } from "./geometry.js";
import { Holders } from "./holders.js";
import { Numbers } from "./numbers.js";
import { Overlay } from "./overlay.js";
import { Plans } from "./plans.js";
import { Playing } from "./playing.js";
import { Tip } from "./tip.js";
import { Walker } from "./walker.js";

/** @import * as T from "../../types" */
/** @import { Context, Light, MapView, Pointed } from "../context.js" */
/** @import { Point } from "./geometry.js" */
/** @import { Kind } from "./plans.js" */
/** @import { Arrow } from "./walker.js" */

const CLOSE_UP = 1.1; // scale at which a place is shown that one jumps to, at least
const PRINTED = 40; // px that a hex is wide on paper, about
const TIP_DELAY = 120; // ms of rest before the tooltip comes
const KEYS_HELP = "Arrow keys walk the hexes, Enter chooses one, Tab goes to the next of your stacks, plus and minus zoom, F shows the whole sheet, Escape leaves.";

/**
 * Makes the map in an element. Resolves when the sheet is there.
 * @param {HTMLElement} host
 * @param {Omit<Context, "map">} ctx
 * @returns {Promise<MapView>}
 */
export async function createMap(host, ctx) {
  const { ruleset, version } = ctx.store.setting;
  const answer = await fetch(`/map/${encodeURIComponent(ruleset)}.svg?v=${encodeURIComponent(version)}`);
  if (!answer.ok) throw new Error(`the sheet of the map did not come: ${answer.status}`);
  const sheet = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  sheet.querySelector("title")?.remove();
  sheet.setAttribute("aria-hidden", "true");
  return new SheetMap(host, /** @type {Context} */ (ctx), /** @type {any} */ (document.importNode(sheet, true)));
}

/** @implements {MapView} */
class SheetMap extends EventTarget {
  #hovered = "";
  #tipTimer = 0;

  /** @param {HTMLElement} host @param {Context} ctx @param {SVGSVGElement} sheet */
  constructor(host, ctx, sheet) {
    super();
    this.host = host;
    this.ctx = ctx;
    const size = { width: Number(sheet.getAttribute("width")), height: Number(sheet.getAttribute("height")) };
    const box = sheet.getAttribute("viewBox") ?? "";
    this.grid = Grid.of(sheet);
    this.world = el("div", { class: "map-world" });
    const help = el("p", { class: "visually-hidden", id: "map-help" }, KEYS_HELP);
    const keys = { role: "application", tabindex: "0", "aria-label": "Map", "aria-roledescription": "map", "aria-describedby": "map-help" };
    this.view = el("div", { class: "map-view", ...keys }, this.world);
    this.live = el("p", { class: "visually-hidden", "aria-live": "polite" });
    this.camera = new Camera(this.view, this.world, size, this.grid.size);
    const forts = fortsOn(sheet, this.grid);
    this.counters = new Counters(this.grid, ctx.store.setting.powers, forts);
    this.holders = new Holders(this.grid, forts);
    this.overlay = new Overlay(this.grid);
    this.plans = new Plans(this.grid);
    this.numbers = new Numbers(this.grid, this.camera);
    this.walker = new Walker(this.grid);
    this.playing = new Playing(this.grid, this.camera, this.counters, this.overlay);
    this.tip = new Tip(ctx, this.camera, this.overlay);
    const marks = svg("svg", { class: "map-marks", viewBox: box, "aria-hidden": true }, Overlay.definitions(), ...this.#layers());
    this.world.append(sheet, marks);
    host.replaceChildren(this.view, help, this.live, this.#tools());
    this.view.append(this.tip.node, this.playing.card);
    this.#bind();
    this.camera.measure();
    this.camera.fit();
    this.camera.rest();
  }

  /** What is drawn over the sheet, from the lowest up. */
  #layers() {
    const { overlay, holders, counters, plans, walker, numbers, playing } = this;
    return [numbers.node, overlay.under, holders.flags, counters.node, holders.markers, plans.node, overlay.over, walker.node, playing.node];
  }

  #tools() {
    const button = (/** @type {string} */ sign, /** @type {string} */ label, /** @type {() => void} */ run) => el("button", { type: "button", class: "icon", "aria-label": label, title: label, onclick: run }, sign);
    return el("div", { class: "map-tools", role: "group", "aria-label": "View of the map" }, button("+", "Zoom in", () => this.zoom(1.4)), button("−", "Zoom out", () => this.zoom(1 / 1.4)), button("⤢", "The whole sheet", () => this.fit()));
  }

  // --- what is shown ---

  /** @param {T.Scene} scene */
  show(scene) {
    this.playing.skip();
    this.counters.show(scene.pieces);
    this.holders.show(scene);
    if (this.tip.place) this.tip.hide();
  }

  /** @param {string} place */
  jump(place) {
    if (!this.grid.has(place)) return;
    this.camera.centre(this.grid.centre(place), Math.max(this.camera.scale, CLOSE_UP));
    this.walker.go(place);
  }

  fit() {
    this.camera.fit();
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
  }

  /** @param {readonly string[]} places */
  setPath(places) {
    this.overlay.setPath(places);
  }

  /** @param {T.Layer | null} layer */
  setLayer(layer) {
    this.overlay.setLayer(layer);
  }

  /** @param {T.Papers} papers */
  setPlans(papers) {
    this.plans.show(papers);
  }

  /** Begins or ends the drawing of plans; tells of them by `drawn`. @param {Kind | null} kind */
  draw(kind) {
    this.plans.draw(kind);
    this.tip.hide();
    this.view.classList.toggle("is-drawing", kind !== null);
  }

  /** @param {readonly T.Told[]} told */
  play(told) {
    this.tip.hide();
    return this.playing.play(told);
  }

  // --- what is done with it ---

  #bind() {
    this.camera.addEventListener("rested", () => this.#rescale());
    this.camera.addEventListener("moved", () => this.#moved());
    new Gestures(this.view, this.camera, { tap: (at, how) => this.#tap(at, how), hover: (at) => this.#hover(at), begin: () => this.tip.hide() });
    this.view.addEventListener("keydown", (event) => this.#onKey(event));
    this.view.addEventListener("focus", () => this.#focus());
    this.view.addEventListener("blur", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.tip.node.contains(relatedTarget))) this.tip.hide();
    });
    this.plans.addEventListener("drawn", (event) => this.dispatchEvent(new CustomEvent("drawn", { detail: /** @type {CustomEvent} */ (event).detail })));
    addEventListener("beforeprint", () => this.camera.level(PRINTED));
    addEventListener("afterprint", () => this.camera.level(this.grid.size * this.camera.scale));
    new ResizeObserver(() => this.camera.measure()).observe(this.view);
    addKeys(
      { keys: ["+", "="], shown: "+", label: "Zoom in", group: "Map", run: () => this.zoom(1.3) },
      { keys: ["-", "−", "_"], shown: "−", label: "Zoom out", group: "Map", run: () => this.zoom(1 / 1.3) },
      { keys: ["f"], label: "The whole sheet", group: "Map", run: () => this.fit() },
      { keys: ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"], label: "On the map: walk the hexes", group: "Map", run: () => this.view.focus() },
      { keys: ["Tab"], label: "On the map: the next of your stacks", group: "Map", run: () => {}, when: () => false },
    );
  }

  #rescale() {
    this.world.style.setProperty("--k", String(this.counters.rescale(this.camera.scale)));
  }

  #moved() {
    this.numbers.draw();
    if (this.tip.place) this.tip.hide();
  }

  /** @param {string} type @param {Pointed} detail */
  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** The hex at a point of the view, and the counter there. @param {Point} at */
  #pointed(at) {
    const point = this.camera.toSheet(at);
    const place = this.grid.placeAt(point);
    if (!place) return { place: "" };
    const around = [place, ...this.grid.neighbours(place).filter(Boolean)];
    const seat = this.counters.at(point, around);
    return seat ? { place: seat.piece.place, key: seat.key } : { place };
  }

  /** @param {Point | null} at */
  #hover(at) {
    clearTimeout(this.#tipTimer);
    const pointed = at ? this.#pointed(at) : { place: "" };
    const id = pointed.key ?? pointed.place;
    if (this.tip.place && id !== this.#hovered) this.tip.hide();
    if (at && pointed.place && !this.plans.kind) this.#tipTimer = window.setTimeout(() => this.tip.show(pointed.place, at, pointed), TIP_DELAY);
    if (id === this.#hovered) return;
    this.#hovered = id;
    this.#emit("point", pointed);
  }

  /** @param {Point} at @param {{isTouch: boolean}} how */
  #tap(at, { isTouch }) {
    if (this.playing.isOn) this.playing.skip();
    const pointed = this.#pointed(at);
    if (!pointed.place) return;
    this.walker.go(pointed.place);
    if (this.plans.kind) return this.plans.add(pointed.place);
    if (isTouch) this.#emit("point", pointed);
    this.#choose(pointed);
    if (isTouch) this.tip.show(pointed.place, at, { isPinned: true, key: pointed.key });
  }

  /** @param {Pointed} pointed */
  #choose(pointed) {
    this.#emit(pointed.key ? "piece" : "place", pointed);
  }

  // --- the keyboard ---

  #focus() {
    if (!this.view.matches(":focus-visible")) return;
    this.#walkTo(this.walker.place || this.#firstPlace());
  }

  #firstPlace() {
    const middle = this.camera.toSheet({ x: this.view.clientWidth / 2, y: this.view.clientHeight / 2 });
    return this.grid.placeAt(middle) || this.#ownPlaces()[0] || "";
  }

  /** The stacks of this side; a watcher's are all. */
  #ownPieces() {
    const { scene, side } = this.ctx.store;
    return Object.values(scene.pieces).filter((piece) => piece.side === side || side > 1);
  }

  #ownPlaces() {
    return this.#ownPieces().map((piece) => piece.place);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.target !== this.view || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) this.#walk(/** @type {Arrow} */ (event.key));
    else if (event.key === "Tab") {
      if (!this.#tab(event.shiftKey ? -1 : 1)) return;
    } else if (event.key === "Enter" || event.key === " ") this.#enter();
    else if (event.key !== "Escape" || !this.#escape()) return;
    event.preventDefault();
  }

  /** @param {Arrow} arrow */
  #walk(arrow) {
    if (this.walker.place) this.walker.step(arrow);
    this.#walkTo(this.walker.place || this.#firstPlace(), { isStep: true });
  }

  /** @param {number} by @returns {boolean} whether there was another stack */
  #tab(by) {
    const next = this.walker.next(this.#ownPlaces(), by);
    if (next) this.#walkTo(next);
    return next !== "";
  }

  #enter() {
    const place = this.walker.place;
    if (!place) return;
    if (this.plans.kind) {
      this.plans.add(place);
      return;
    }
    const seats = this.counters.seats.get(place) ?? [];
    const own = seats.filter(({ piece }) => piece.side === this.ctx.store.side);
    const key = (own.find(({ piece }) => !piece.inside) ?? own[0])?.key;
    this.#choose(key ? { place, key } : { place });
  }

  /** @returns {boolean} whether there was something to leave */
  #escape() {
    if (this.playing.isOn) this.playing.skip();
    else if (this.plans.kind) this.plans.places.length ? this.plans.draw(this.plans.kind) : this.draw(null);
    else if (this.tip.place) this.tip.hide();
    else return false;
    return true;
  }

  /** @param {string} place @param {{isStep?: boolean}} [how] */
  #walkTo(place, { isStep = false } = {}) {
    if (!place) return;
    if (!isStep) this.walker.go(place);
    const middle = this.grid.centre(place);
    this.camera.reveal(middle);
    const { x, y } = this.camera.toView(middle);
    const key = this.counters.seats.get(place)?.find(({ piece }) => piece.side === this.ctx.store.side)?.key;
    this.#emit("point", key ? { place, key } : { place });
    this.live.textContent = this.tip.spoken(place);
    requestAnimationFrame(() => this.tip.show(place, { x: x + 20 * this.camera.scale, y: y + 20 * this.camera.scale }));
  }
}

/** Where the sheet shows forts, by hex. @param {SVGSVGElement} sheet @param {Grid} grid @returns {Map<string, Point>} */
function fortsOn(sheet, grid) {
  const signs = sheet.querySelectorAll("[href='#sheet-sign-great'], [href='#sheet-sign-fortress']");
  const points = [...signs].map((sign) => ({ x: Number(sign.getAttribute("x")), y: Number(sign.getAttribute("y")) }));
  return new Map(points.flatMap((point) => (grid.placeAt(point) ? [[grid.placeAt(point), point]] : [])));
}
