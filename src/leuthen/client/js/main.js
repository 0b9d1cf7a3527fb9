// The table: puts the parts of the page together.

import { SeatApi, seatIn } from "./session/api.js";
import { byId, el, fill, format, reasonLine, sentence } from "./dom.js";
import { closeDialogs, hideMessage, showMessage } from "./dialog.js";
import { Bulletins } from "./story/pages.js";
import { Results, mountContest } from "./story/results.js";
import { Playback, mountNews, mountPlayback } from "./story/playback.js";
import { Composer } from "./order/composer.js";
import { Drawer } from "./panels/drawer.js";
import { Layers, openFinder, openTextBoard } from "./map/stage.js";
import { mountOrder } from "./order/view.js";
import { Sender } from "./session/sender.js";
import { Store } from "./session/store.js";
import { Stream } from "./session/stream.js";
import { Unread } from "./order/unread.js";
import { brief, hasBriefing, openBriefing, resumeChat } from "./panels/about.js";
import { addKeys, listenToKeys, showKeys } from "./keys.js";
import { mountOrderLine } from "./order/order-line.js";
import { createMap } from "./map/index.js";
import { loadPlans } from "./panels/notes.js";
import { mayEnd } from "./order/going-on.js";
import { markSign } from "./tab-mark.js";
import { mountPrompt, mountTrays } from "./order/prompt.js";
import { mountHead } from "./panels/head.js";
import { mountTimeline } from "./panels/turns.js";
import { askRematch, mountProposals, openMenu, redo, rematchLabel, undo, watchDevices, watchPace } from "./session/moves.js";
import { applySettings } from "./settings.js";
import { mountTools } from "./order/tools.js";
import { isVeiled, nextSeat, passScreen, playSince, rememberSeat, showLost, showFailure, veil } from "./session/since.js";
import { COMMON, GROUPS } from "./strings/common.js";
import { BRIEFING } from "./strings/panels.js";
import { PLAYBACK } from "./strings/pages.js";
import { TABLE } from "./strings/table.js";

/** @import * as T from "../types" */
/** @import { Pointed, SheetMap } from "./map/index.js" */
/** @import { Change } from "./session/store.js" */

/**
 * What the parts of a table share.
 * @typedef {object} Context
 * @property {Store} store the table as it stands, or as it is looked back at
 * @property {SeatApi} api the routes of this seat
 * @property {Sender} sender sends what the seat does
 * @property {SheetMap} map
 * @property {(number: string) => void} showRule opens a rule beside the map
 * @property {(spot: T.Spot) => void} showTable opens a table of the game with a cell lit
 * @property {() => void} showOrders closes what is open beside the map, which on a phone covers the orders
 * @property {(place: string) => void} jump shows a place in the middle of the map
 * @property {((pointed: Pointed) => void) | null} [picker] who gets what is chosen on the map, instead of the order in the making
 * @property {(text: string) => void} say tells something to screen readers, and briefly on the screen
 */

/** Time in ms for which a place stays highlighted after a jump. */
const SHOWN = 3000;
const seat = seatIn(location.pathname);

async function main() {
  applySettings();
  if (isVeiled(seat)) await veil(seat);
  const api = new SeatApi(seat);
  const store = await Store.open(api);
  rememberSeat(seat, store);
  await new Table(api, store).open();
}

class Table {
  #fading = 0;
  /** The hex that was selected last. */
  place = "";

  /** @param {SeatApi} api @param {Store} store */
  constructor(api, store) {
    this.store = store;
    this.api = api;
    this.stream = new Stream(api, store);
    this.sender = new Sender(api, store, this.stream, (problem) => this.showProblem(problem));
  }

  async open() {
    const ctx = (this.ctx = await this.#context());
    const playback = (this.playback = new Playback(ctx));
    this.composer = new Composer(this.store, this.api, this.sender, () => mayEnd(ctx));
    this.#bindKeys();
    this.drawer = new Drawer(byId("tabs"), byId("drawer"), ctx);
    this.layers = new Layers(byId("layers"), ctx);
    const menu = el(
      "button.quiet.icon",
      { "aria-label": TABLE.menu, dataset: { do: "menu" }, onclick: () => this.openMenu() },
      "☰",
      el("span.head-word", { "aria-hidden": true }, ` ${TABLE.menuWord}`),
    );
    mountHead(byId("head"), this.store, menu);
    mountTrays(byId("cup"), ctx);
    mountPrompt(byId("prompt"), ctx);
    mountContest(byId("contest"), ctx);
    this.results = new Results(byId("results"), ctx, playback);
    new Bulletins(byId("ending"), ctx, playback);
    mountPlayback(byId("playback"), playback);
    mountNews(byId("news"), ctx, playback);
    mountProposals(byId("proposals"), ctx);
    mountOrder(byId("order"), this.composer, ctx, (reason) => this.bar(reason));
    mountTools(byId("tools"), byId("helpers"), ctx, this.composer, () => this.drawer?.open("staff"));
    mountTimeline(byId("timeline"), ctx, playback);
    bindFold(byId("fold"));
    this.#bindMap();
    this.#bindStore();
    void this.#loadSchool(ctx);
    this.composer.addEventListener("sending", () => playback.end());
    for (const part of ["order", "tools", "helpers"]) byId(part).addEventListener("click", () => playback.end(), { capture: true });
    this.composer.addEventListener("change", () => requestAnimationFrame(() => this.#frameDecision()), { once: true });
    this.composer.refresh();
    void this.store.seal.start();
    this.stream.start();
    watchDevices(ctx);
    watchPace(ctx);
    void loadPlans(ctx);
    resumeChat(ctx);
    await brief(ctx);
    playSince(ctx, playback);
    const past = /^#at=(\d+)$/.exec(location.hash); // a moment of the staff's report
    if (past) await this.store.scrub(Number(past[1]));
  }

  /** Load the school's code in lessons and drills only. @param {Context} ctx */
  async #loadSchool(ctx) {
    const [kind] = this.store.table.scenario.split(":");
    const composer = /** @type {Composer} */ (this.composer);
    if (kind === "lesson") await (await import("./school/guide.js")).mountLesson(byId("lesson"), ctx, this.sender, composer);
    if (kind === "drill") await (await import("./school/guide.js")).mountDrill(byId("lesson"), ctx, this.sender);
  }

  /** Frame the pending decision, or the whole theatre if its counters stay legible, or the area around the largest own stack, or the own fortresses. */
  #frameDecision() {
    const { scene, asked, theatres } = this.store;
    const [stack] = ownStacks(this.store);
    const places = Object.values(scene.pieces).map(({ place }) => place);
    const near = places.filter((place) => theatres.get(place) === theatres.get(stack ?? ""));
    if (asked && scene.place) this.ctx?.map.jump(scene.place);
    else if (stack) this.ctx?.map.frameFirst(stack, [places, near]);
    else this.#frameFortresses();
  }

  /** Before any counter is on the map, frame the own fortresses. */
  #frameFortresses() {
    const { scene, side } = this.store;
    const own = Object.entries(scene.holdings).filter(([, holding]) => holding.side === side || (side > 1 && holding.side < 2));
    if (own.length) this.ctx?.map.frame(own.map(([place]) => place));
    else this.ctx?.map.camera.fit();
  }

  /** @returns {Promise<Context>} */
  async #context() {
    /** @type {Omit<Context, "map">} */
    const parts = {
      store: this.store,
      api: this.api,
      sender: this.sender,
      showRule: (number) => this.drawer?.open("rules", number),
      showTable: (spot) => this.drawer?.open("tables", spot),
      showOrders: () => void this.drawer?.close(),
      jump: (place) => this.jump(place),
      say: (text) => showMessage(text),
    };
    const ctx = /** @type {Context} */ (parts);
    ctx.map = await createMap(byId("map"), ctx);
    return ctx;
  }

  // --- what the player is told ---

  /** Show why a choice is barred. @param {T.Objection} reason */
  bar(reason) {
    showMessage(reasonLine(/** @type {Context} */ (this.ctx), reason), { stays: true });
  }

  /** Show an error and what to do next. @param {T.Problem} problem */
  showProblem(problem) {
    const isStale = problem.status === 409 && problem.n >= 0;
    const text = isStale ? TABLE.stale : problem.detail || problem.title;
    this.bar({ rule: problem.rule, text, place: problem.place });
  }

  /** Show a chat message. @param {T.ChatLine} line */
  showChat({ side, text }) {
    if (side === this.store.side || this.drawer?.current === "chat") return;
    this.drawer?.mark("chat");
    const name = side < 2 ? this.store.called(side) : TABLE.spectator;
    showMessage([el("strong", el("bdi", name), ": "), text]);
  }

  /** Report that the standing instructions are no longer in force. @param {string} reason */
  showStopped(reason) {
    this.drawer?.mark("standing");
    const open = el("button", { onclick: () => this.drawer?.open("standing") }, TABLE.showStanding);
    showMessage([el("strong", TABLE.standingStopped), reason, " ", open], { stays: true });
  }

  /** @param {string} place */
  jump(place) {
    closeDialogs();
    this.ctx?.map.jump(place);
    this.ctx?.map.overlay.highlight([place], "told");
    clearTimeout(this.#fading);
    this.#fading = window.setTimeout(() => this.ctx?.map.overlay.highlight([], "told"), SHOWN);
  }

  // --- what is bound to what ---

  #bindMap() {
    const map = /** @type {Context} */ (this.ctx).map;
    const composer = /** @type {Composer} */ (this.composer);
    const unread = new Unread(byId("orders"), /** @type {Context} */ (this.ctx), composer);
    mountOrderLine(byId("order-line"), /** @type {Context} */ (this.ctx), composer);
    let isVia = false;
    byId("map").addEventListener(
      "pointerdown",
      (event) => {
        isVia = event.shiftKey;
        composer.isTouched = event.pointerType !== "mouse";
      },
      { capture: true },
    );
    byId("map").addEventListener("keydown", () => (composer.isTouched = false), { capture: true });
    const pick = (/** @type {Event} */ event) => {
      const pointed = /** @type {CustomEvent<Pointed>} */ (event).detail;
      this.place = pointed.place;
      this.layers?.at(pointed.place);
      hideMessage();
      if (this.ctx?.picker) this.ctx.picker(pointed);
      else if (this.store.isLive && unread.canPick(pointed.place)) void composer.pick(pointed, { isVia });
    };
    map.addEventListener("place", pick);
    map.addEventListener("piece", pick);
    map.addEventListener("dropped", (event) => {
      const { place } = /** @type {CustomEvent<Pointed>} */ (event).detail;
      if (place && !this.ctx?.picker && this.store.isLive) void composer.drop(place);
    });
    map.addEventListener("point", (event) => composer.point(/** @type {CustomEvent<Pointed>} */ (event).detail.place));
    composer.addEventListener("sent", hideMessage);
    composer.addEventListener("recovered", hideMessage);
    composer.addEventListener("refused", (event) => this.bar(/** @type {CustomEvent<T.Objection>} */ (event).detail));
  }

  #bindStore() {
    this.store.addEventListener("change", (event) => {
      const { sections, told, dropped } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (dropped) hideMessage(); // what was said may be about what is undone
      this.composer?.onEntries(told, dropped > 0 || sections.has("fresh"));
      if (["fresh", "shown", "awaited"].some((section) => sections.has(section))) this.composer?.refresh();
      this.#drawState();
    });
    this.store.addEventListener("chat", (event) => this.showChat(/** @type {CustomEvent<T.ChatLine>} */ (event).detail));
    this.store.addEventListener("problem", (event) => this.showProblem(/** @type {CustomEvent<T.Problem>} */ (event).detail));
    this.store.addEventListener("stopped", (event) => this.showStopped(/** @type {CustomEvent<string>} */ (event).detail));
    this.store.addEventListener("turn", (event) => this.#drawTitle(/** @type {CustomEvent<boolean>} */ (event).detail));
    this.store.addEventListener("connection", () => this.#drawState());
    window.addEventListener("beforeunload", (event) => this.sender.isHeld && event.preventDefault());
    this.#drawState();
  }

  #drawState() {
    const { store } = this;
    document.body.dataset.n = String(store.table.n);
    document.body.dataset.line = store.connection;
    document.body.classList.toggle("is-past", !store.isLive);
    this.#drawTitle(Boolean(store.asked));
    if (store.connection === "gone") return this.#clearScreen();
    byId("offline").hidden = store.connection !== "offline";
    byId("offline").textContent = this.sender.isHeld ? TABLE.heldOffline : TABLE.offline;
    const { standing } = store.table;
    this.drawer?.note("standing", standing?.stopped ? "stopped" : standing?.is_armed ? String(standing.clauses.length) : "");
    return this.#drawHandover();
  }

  /** Clear the screen after this device has lost the seat. */
  #clearScreen() {
    this.stream.close();
    closeDialogs();
    showLost(TABLE.signedOut, TABLE.aboutSignedOut);
  }

  /** @param {boolean} isAsked */
  #drawTitle(isAsked) {
    const { title } = this.store.table;
    document.title = [isAsked ? `● ${COMMON.decision}` : this.store.scene.title, title, "Leuthen"].filter(Boolean).join(" – ");
    markSign(isAsked);
  }

  #drawHandover() {
    const next = nextSeat(seat, this.store);
    const name = next ? next.player || sentence(next.name) : "";
    const pass =
      next &&
      el("button.primary", { dataset: { do: "pass", keep: "pass" }, onclick: () => passScreen(next) }, format(TABLE.passScreen, { name }));
    const again =
      this.store.table.has_ended && this.store.side < 2
        ? el(
            "button.primary",
            { dataset: { do: "rematch", keep: "rematch" }, onclick: () => this.ctx && askRematch(this.ctx) },
            rematchLabel(this.store),
          )
        : null;
    fill(byId("handover"), pass, again);
  }

  #bindKeys() {
    const ctx = /** @type {Context} */ (this.ctx);
    const composer = /** @type {Composer} */ (this.composer);
    addKeys(
      { keys: ["Escape"], label: TABLE.escape, group: GROUPS.orders, run: () => this.escape(), anywhere: true },
      {
        keys: ["Enter"],
        label: TABLE.sendOrder,
        group: GROUPS.orders,
        run: (_, { shiftKey }) => void composer.send(shiftKey ? "phase" : ""),
        when: () => Boolean(composer.form?.order) && !byId("map").contains(document.activeElement),
      },
      {
        keys: [..."0123456789"],
        shown: "0–9",
        label: TABLE.enterNumber,
        group: GROUPS.orders,
        run: (key) => typeNumber(key),
        when: () => document.querySelector("[data-count]") !== null,
      },
      { keys: ["u"], label: TABLE.undo, group: GROUPS.orders, run: () => undo(ctx) },
      { keys: ["U"], label: TABLE.redo, group: GROUPS.orders, run: () => redo(ctx) },
      { keys: ["x"], label: TABLE.endPhase, group: GROUPS.orders, run: () => void composer.end() },
      { keys: ["n", "N"], label: TABLE.nextPlace, group: GROUPS.orders, run: (key) => this.cycle(key === "N" ? -1 : 1), repeats: true },
      { keys: ["o"], label: TABLE.toOrders, group: GROUPS.navigation, run: () => byId("orders").focus() },
      { keys: ["m"], label: TABLE.toMap, group: GROUPS.navigation, run: focusMap },
      { keys: ["/"], label: TABLE.find, group: GROUPS.navigation, run: () => openFinder(ctx) },
      { keys: ["b"], label: TABLE.textBoard, group: GROUPS.navigation, run: () => void openTextBoard(ctx, this.place) },
      { keys: ["?"], label: COMMON.keys, group: GROUPS.navigation, run: () => void showKeys() },
    );
    listenToKeys();
  }

  /** Close the topmost item: message, playback, order in progress, result, layer, drawer or past scene. */
  escape() {
    if (byId("toast").childElementCount) return hideMessage();
    if (this.playback?.end()) return undefined;
    if (this.composer?.cancel() || this.results?.close()) return undefined;
    if (this.layers?.clear() || this.drawer?.close()) return undefined;
    return this.store.live();
  }

  /** Move through the places where an action is possible. @param {number} by */
  cycle(by) {
    const places = [...(this.composer?.guide.places ?? [])].sort();
    if (!places.length) return showMessage(TABLE.nothingHere);
    const at = places.indexOf(this.place);
    this.place = places[(at + by + places.length) % places.length] ?? "";
    this.jump(this.place);
    return this.ctx?.map.announcePlace(this.place);
  }

  openMenu() {
    const ctx = /** @type {Context} */ (this.ctx);
    void openMenu(ctx, [
      { label: BRIEFING.menu, do: "briefing", when: hasBriefing(this.store), run: () => void openBriefing(ctx) },
      { label: COMMON.keys, do: "keys", when: true, run: () => void showKeys() },
      { label: PLAYBACK.replayMenu, do: "replay", when: true, run: () => void this.playback?.replay() },
      { label: TABLE.find, do: "find", when: true, run: () => openFinder(ctx) },
      { label: TABLE.textBoard, do: "text", when: true, run: () => void openTextBoard(ctx, this.place) },
    ]);
  }
}

/** Hexes of the own stacks, the largest first; of both sides for a spectator. @param {Store} store */
function ownStacks({ scene, side }) {
  const own = Object.values(scene.pieces).filter((piece) => (side > 1 ? piece.side < 2 : piece.side === side && piece.is_known));
  return own.toSorted((a, b) => b.low - a.low).map(({ place }) => place);
}

/** Let the orders be folded away from the map. @param {HTMLElement} button */
function bindFold(button) {
  button.addEventListener("click", () => {
    const isOpen = button.getAttribute("aria-expanded") !== "true";
    button.setAttribute("aria-expanded", String(isOpen));
    button.textContent = isOpen ? "▾" : "▴";
  });
}

function focusMap() {
  const map = byId("map").querySelector("[tabindex='0']");
  if (map instanceof HTMLElement || map instanceof SVGElement) map.focus();
}

/** Type a digit into the pending number field. @param {string} digit */
function typeNumber(digit) {
  const input = document.querySelector("[data-count]");
  if (!(input instanceof HTMLInputElement)) return;
  input.focus();
  input.value = digit;
  input.dispatchEvent(new Event("input"));
}

window.addEventListener("pageshow", (event) => event.persisted && location.reload());
main().catch(showFailure);
