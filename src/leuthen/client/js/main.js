// The table: puts the parts of the page together.

import { SeatApi, seatIn } from "./session/api.js";
import { button, byId, el, fill, format, reasonLine, sentence } from "./dom.js";
import { closeDialogs, hideMessage, showMessage, tryRequest } from "./dialog.js";
import { mountBulletins } from "./story/pages.js";
import { mountContest, mountResults } from "./story/results.js";
import { Playback, mountNews, mountPlayback } from "./story/playback.js";
import { Composer } from "./order/composer.js";
import { Drawer } from "./panels/drawer.js";
import { mountLayers, openFinder, openTextBoard } from "./map/stage.js";
import { mountOrder } from "./order/view.js";
import { Outbox, Sender } from "./session/sender.js";
import { Store } from "./session/store.js";
import { Stream } from "./session/stream.js";
import { guardAnswers } from "./order/unread.js";
import { brief, hasBriefing, openBriefing } from "./panels/about.js";
import { addKeys, listenToKeys, showKeys } from "./keys.js";
import { mountOrderLine } from "./order/order-line.js";
import { SheetMap } from "./map/index.js";
import { fetchSheetText } from "./map/sheet.js";
import { Notes } from "./panels/notes.js";
import { mayEnd } from "./order/going-on.js";
import { markSign } from "./players.js";
import { mountPrompt, mountTrays } from "./order/prompt.js";
import { mountHead } from "./panels/head.js";
import { TurnList, mountTimeline } from "./panels/turns.js";
import { askRematch, mountProposals, openMenu, redo, rematchLabel, undo, watchDevices, watchPace } from "./session/moves.js";
import { applySettings } from "./settings.js";
import { mountTools } from "./order/tools.js";
import { isVeiled, nextSeat, passScreen, playSince, rememberSeat, showLost, showFailure, veil } from "./session/since.js";
import { COMMON, GROUPS } from "./strings/common.js";
import { BRIEFING } from "./strings/panels.js";
import { PLAYBACK } from "./strings/pages.js";
import { AWAY, MAP, TABLE } from "./strings/table.js";

/** @import * as T from "../types" */
/** @import { Pointed } from "./map/index.js" */
/** @import { Change } from "./session/store.js" */

/**
 * What the parts of a table share.
 * @typedef {object} Context
 * @property {Store} store the table as it stands, or as it is looked back at
 * @property {SeatApi} api the routes of this seat
 * @property {Sender} sender sends what the seat does
 * @property {Outbox} outbox sends what it says
 * @property {Notes} notes its plans and notes
 * @property {TurnList} turns so far
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
  const stream = new Stream(api, store);
  const sender = new Sender(api, store, stream, (problem) => showProblem(problem));
  let fading = 0;
  const jump = (/** @type {string} */ place) => {
    closeDialogs();
    ctx.map.jump(place);
    ctx.map.overlay.highlight([place], "told");
    clearTimeout(fading);
    fading = window.setTimeout(() => ctx.map.overlay.highlight([], "told"), SHOWN);
  };
  const ctx = /** @type {Context} */ ({
    store,
    api,
    sender,
    showRule: (number) => drawer.open("rules", number),
    showTable: (spot) => drawer.open("tables", spot),
    showOrders: () => void drawer.close(),
    jump,
    say: (text) => showMessage(text),
  });
  const map = (ctx.map = new SheetMap(byId("map"), ctx, await fetchSheetText(store.setting.ruleset)));
  const playback = new Playback(ctx);
  const composer = new Composer(store, api, sender, () => mayEnd(ctx));
  bindKeys();
  const drawer = new Drawer(byId("tabs"), byId("drawer"), ctx);
  const layers = mountLayers(byId("layers"), ctx);

  // --- what the player is told ---

  /** Show why a choice is barred. @param {T.Objection} reason */
  const bar = (reason) => showMessage(reasonLine(ctx, reason), { stays: true });
  /** Show an error and what to do next. @param {T.Problem} problem */
  const showProblem = (problem) => {
    const isStale = problem.status === 409 && problem.n >= 0;
    bar({ rule: problem.rule, text: isStale ? TABLE.stale : problem.detail || problem.title, place: problem.place });
  };
  const showChat = (/** @type {T.ChatLine} */ { side, text }) => {
    if (side === store.side || drawer.current === "chat") return;
    drawer.mark("chat");
    showMessage([el("strong", el("bdi", side < 2 ? store.called(side) : TABLE.spectator), ": "), text]);
  };
  /** Report that the standing instructions are no longer in force. @param {string} reason */
  const showStopped = (reason) => {
    drawer.mark("standing");
    const open = el("button", { onclick: () => drawer.open("standing") }, TABLE.showStanding);
    showMessage([el("strong", TABLE.standingStopped), reason, " ", open], { stays: true });
  };

  const menu = el(
    "button.quiet.icon",
    { "aria-label": TABLE.menu, dataset: { do: "menu" }, onclick: () => showMenu() },
    "☰",
    el("span.head-word", { "aria-hidden": true }, ` ${TABLE.menuWord}`),
  );
  mountHead(byId("head"), store, menu);
  mountTrays(byId("cup"), ctx);
  mountPrompt(byId("prompt"), ctx);
  mountContest(byId("contest"), ctx);
  const closeResult = mountResults(byId("results"), ctx, playback);
  mountBulletins(byId("ending"), ctx, playback);
  mountPlayback(byId("playback"), playback);
  mountNews(byId("news"), ctx, playback);
  mountProposals(byId("proposals"), ctx);
  mountOrder(byId("order"), composer, ctx, bar);
  mountTools(byId("tools"), byId("helpers"), ctx, composer, () => drawer.open("staff"));
  ctx.turns = new TurnList(ctx);
  mountTimeline(byId("timeline"), ctx, playback);
  const fold = byId("fold");
  fold.addEventListener("click", () => {
    const isOpen = fold.getAttribute("aria-expanded") !== "true";
    fold.setAttribute("aria-expanded", String(isOpen));
    fold.textContent = isOpen ? "▾" : "▴";
  });

  // --- the map: what is chosen on it goes to the order in the making ---

  const canPick = guardAnswers(byId("orders"), ctx, composer);
  mountOrderLine(byId("order-line"), ctx, composer);
  /** The hex that was selected last. */
  let lastPlace = "";
  let isVia = false;
  const onDown = (/** @type {PointerEvent} */ event) => {
    isVia = event.shiftKey;
    composer.isTouched = event.pointerType !== "mouse";
  };
  byId("map").addEventListener("pointerdown", onDown, { capture: true });
  byId("map").addEventListener("keydown", () => (composer.isTouched = false), { capture: true });
  const pick = (/** @type {Pointed} */ pointed) => {
    lastPlace = pointed.place;
    layers.at(pointed.place);
    hideMessage();
    if (ctx.picker) ctx.picker(pointed);
    else if (store.isLive && canPick(pointed.place)) void composer.pick(pointed, { isVia });
  };
  map.on("place", pick);
  map.on("piece", pick);
  map.on("dropped", (/** @type {Pointed} */ { place }) => place && !ctx.picker && store.isLive && void composer.drop(place));
  map.on("point", (/** @type {Pointed} */ { place }) => composer.point(place));
  composer.on("sent", hideMessage);
  composer.on("recovered", hideMessage);
  composer.on("refused", bar);

  // --- the state of the table ---

  const drawTitle = (/** @type {boolean} */ isAsked) => {
    const { title } = store.table;
    document.title = [isAsked ? `● ${COMMON.decision}` : store.scene.title, title, "Leuthen"].filter(Boolean).join(" – ");
    markSign(isAsked);
  };
  const drawHandover = () => {
    const next = nextSeat(seat, store);
    const pass = format(AWAY.pass, { name: next ? next.player || sentence(next.name) : "" });
    const isOver = store.table.has_ended && store.side < 2;
    fill(
      byId("handover"),
      next && button(pass, "pass", () => passScreen(next), "primary"),
      isOver ? button(rematchLabel(store), "rematch", () => askRematch(ctx), "primary") : null,
    );
  };
  const drawState = () => {
    document.body.dataset.n = String(store.table.n);
    document.body.dataset.line = store.connection;
    document.body.classList.toggle("is-past", !store.isLive);
    drawTitle(Boolean(store.asked));
    if (store.connection === "gone") {
      stream.close(); // this device has lost the seat
      closeDialogs();
      return showLost(TABLE.signedOut, TABLE.aboutSignedOut);
    }
    byId("offline").hidden = store.connection !== "offline";
    byId("offline").textContent = sender.isHeld ? TABLE.heldOffline : TABLE.offline;
    const { standing } = store.table;
    drawer.note("standing", standing?.stopped ? "stopped" : standing?.is_armed ? String(standing.clauses.length) : "");
    return drawHandover();
  };
  store.on("change", (/** @type {Change} */ { sections, told, dropped }) => {
    if (dropped) hideMessage(); // what was said may be about what is undone
    composer.onEntries(told, dropped > 0 || sections.has("fresh"));
    if (["fresh", "shown", "awaited"].some((section) => sections.has(section))) composer.refresh();
    drawState();
  });
  store.on("chat", showChat);
  store.on("problem", showProblem);
  store.on("stopped", showStopped);
  store.on("turn", drawTitle);
  store.on("connection", drawState);
  window.addEventListener("beforeunload", (event) => sender.isHeld && event.preventDefault());
  drawState();

  // --- keys and menu ---

  function bindKeys() {
    const { orders, navigation } = GROUPS;
    addKeys(
      { keys: ["Escape"], label: TABLE.escape, group: orders, run: closeTop, anywhere: true },
      {
        keys: ["Enter"],
        label: TABLE.sendOrder,
        group: orders,
        run: (_, { shiftKey }) => void composer.send(shiftKey ? "phase" : ""),
        when: () => Boolean(composer.form?.order) && !byId("map").contains(document.activeElement),
      },
      {
        keys: [..."0123456789"],
        shown: "0–9",
        label: TABLE.enterNumber,
        group: orders,
        run: typeNumber,
        when: () => document.querySelector("[data-count]") !== null,
      },
      { keys: ["u"], label: TABLE.undo, group: orders, run: () => undo(ctx) },
      { keys: ["U"], label: TABLE.redo, group: orders, run: () => redo(ctx) },
      { keys: ["x"], label: TABLE.endPhase, group: orders, run: () => void composer.end() },
      { keys: ["n", "N"], label: TABLE.nextPlace, group: orders, run: (key) => cycle(key === "N" ? -1 : 1), repeats: true },
      { keys: ["o"], label: TABLE.toOrders, group: navigation, run: () => byId("orders").focus() },
      { keys: ["m"], label: TABLE.toMap, group: navigation, run: () => map.view.focus() },
      { keys: ["/"], label: MAP.find, group: navigation, run: () => openFinder(ctx) },
      { keys: ["b"], label: MAP.textBoard, group: navigation, run: () => void openTextBoard(ctx, lastPlace) },
      { keys: ["?"], label: COMMON.keys, group: navigation, run: () => void showKeys() },
    );
    listenToKeys();
  }
  /** Close the topmost item: message, playback, order in progress, result, layer, drawer or past scene. */
  function closeTop() {
    if (byId("toast").childElementCount) return hideMessage();
    const hasClosed = playback.end() || composer.cancel() || closeResult() || layers.clear() || drawer.close();
    return hasClosed ? undefined : store.live();
  }
  /** Move through the places where an action is possible. @param {number} by */
  function cycle(by) {
    const places = [...composer.guide.places].sort();
    if (!places.length) return showMessage(TABLE.nothingHere);
    lastPlace = places[(places.indexOf(lastPlace) + by + places.length) % places.length] ?? "";
    jump(lastPlace);
    return map.announcePlace(lastPlace);
  }
  const showMenu = () =>
    void openMenu(ctx, [
      { label: BRIEFING.menu, do: "briefing", when: hasBriefing(store), run: () => openBriefing(ctx) },
      { label: COMMON.keys, do: "keys", when: true, run: showKeys },
      { label: PLAYBACK.replayMenu, do: "replay", when: true, run: () => playback.replay() },
      { label: MAP.find, do: "find", when: true, run: () => openFinder(ctx) },
      { label: MAP.textBoard, do: "text", when: true, run: () => openTextBoard(ctx, lastPlace) },
    ]);

  // --- the beginning ---

  void loadSchool(ctx, composer);
  composer.addEventListener("sending", () => playback.end());
  for (const part of ["order", "tools", "helpers"]) byId(part).addEventListener("click", () => playback.end(), { capture: true });
  composer.addEventListener("change", () => requestAnimationFrame(() => frameDecision(ctx)), { once: true });
  composer.refresh();
  void store.seal.start();
  stream.start();
  watchDevices(ctx);
  watchPace(ctx);
  ctx.notes = new Notes(ctx);
  void tryRequest(() => ctx.notes.load());
  ctx.outbox = new Outbox(api, store);
  void ctx.outbox.send();
  await brief(ctx);
  playSince(ctx, playback);
  const past = /^#at=(\d+)$/.exec(location.hash); // a moment of the staff's report
  if (past) await store.scrub(Number(past[1]));
}

/** Load the school's code in lessons and drills only. @param {Context} ctx @param {Composer} composer */
async function loadSchool(ctx, composer) {
  const [kind] = ctx.store.table.scenario.split(":");
  if (kind === "lesson") await (await import("./school/guide.js")).mountLesson(byId("lesson"), ctx, composer);
  if (kind === "drill") await (await import("./school/guide.js")).mountDrill(byId("lesson"), ctx);
}

/**
 * Frame the pending decision, or the whole theatre if its counters stay legible, or the area around the largest own stack; before any
 * counter is on the map, the own fortresses. A spectator owns what either side has.
 * @param {Context} ctx
 */
function frameDecision({ map, store }) {
  const { scene, asked, theatres, side } = store;
  const pieces = Object.values(scene.pieces);
  const own = pieces.filter((piece) => (side > 1 ? piece.side < 2 : piece.side === side && piece.is_known));
  const [stack] = own.toSorted((a, b) => b.low - a.low).map(({ place }) => place);
  const places = pieces.map(({ place }) => place);
  const near = places.filter((place) => theatres.get(place) === theatres.get(stack ?? ""));
  if (asked && scene.place) return map.jump(scene.place);
  if (stack) return map.frameFirst(stack, [places, near]);
  const held = Object.entries(scene.holdings).filter(([, holding]) => holding.side === side || (side > 1 && holding.side < 2));
  return held.length ? map.frame(held.map(([place]) => place)) : map.camera.fit();
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
