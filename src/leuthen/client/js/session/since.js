// Since you left: what happened meanwhile, what was done to oneself first, shown on the map line by line. Only the
// number of the news last seen is kept, in the browser.

import { attempt } from "../dialog.js";
import { button, el, fill, format, isNotable, kept, keptHere, ruleLink, sentence } from "../dom.js";
import { pauseIn } from "../order/unread.js";
import { Refused, home } from "./api.js";
import { AWAY, MOVES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Store } from "./store.js" */

const PAGES = 5;

/** The number of the news that was seen last; null on a first visit. @param {string} seat */
function seenBy(seat) {
  const text = kept.getItem(`leuthen.seen.${seat}`);
  return text === null ? null : Number(text);
}

/** Keeps the number of what was seen, as long as the page can be seen. @param {Context} ctx */
export function keepSeen({ store, api }) {
  const keep = () => {
    if (!document.hidden && store.isLive) kept.setItem(`leuthen.seen.${api.seat}`, String(store.table.n));
  };
  store.addEventListener("change", keep);
  document.addEventListener("visibilitychange", keep);
  keep();
}

/** Lines about what others did, since news number `n`; what hurt this side first. @param {Context} ctx @param {number} n */
async function missed({ api, store }, n) {
  /** @type {T.ChronicleLine[]} */
  let lines = [];
  for (let page = 0; page < PAGES; page += 1) {
    const first = lines[0];
    const chunk = await api.chronicle({ count: 100, ...(first ? { before: first.n } : {}) });
    lines = [...chunk.lines, ...lines];
    if (!chunk.more || (chunk.lines[0]?.n ?? 0) <= n) break;
  }
  const told = lines.filter((line) => line.n > n).map((line) => line.entry);
  const others = told.filter((event) => isNotable(event) && (event.side ?? 2) !== store.side);
  const hurts = (/** @type {T.LogEntry} */ event) => (event.hurts ?? 2) === store.side && store.side < 2;
  return { told, hurting: others.filter(hurts), rest: others.filter((event) => !hurts(event)) };
}

/**
 * Shows what happened since the last visit, if anything did.
 * @param {HTMLElement} host @param {Context} ctx @param {(told: readonly T.LogEntry[]) => void} recall remembers all that was told meanwhile
 */
export async function showSince(host, ctx, recall) {
  const seen = seenBy(ctx.api.seat);
  if (seen === null || seen >= ctx.store.table.n) return;
  const found = await attempt(() => missed(ctx, seen));
  if (!found) return;
  const { told: everything, hurting, rest } = found;
  recall(everything);
  const all = [...hurting, ...rest];
  if (!all.length) return;
  const items = new Map(all.map((told) => [told, lineView(ctx, told)]));
  const list = (/** @type {string} */ title, /** @type {readonly T.LogEntry[]} */ told) =>
    told.length
      ? [el("h3", {}, title), el("ol", { class: "since-list" }, ...told.map((event) => /** @type {Node} */ (items.get(event))))]
      : [];
  let isOver = false;
  const end = () => {
    isOver = true;
    host.hidden = true;
    fill(host);
    void ctx.map.play([]);
  };
  const before = ctx.store.table.n;
  ctx.store.addEventListener("change", () => !isOver && ctx.store.table.n > before && end());
  const skip = button(AWAY.goOn, "skip", end, "primary");
  fill(
    host,
    el(
      "section",
      { class: "since", "aria-label": AWAY.title },
      el("h2", {}, AWAY.title),
      ...list(AWAY.hurting, hurting),
      ...list(hurting.length ? AWAY.rest : AWAY.events, rest),
      skip,
    ),
  );
  host.hidden = false;
  for (const told of all) {
    if (isOver || document.hidden) break;
    const item = items.get(told);
    item?.setAttribute("aria-current", "true");
    item?.scrollIntoView({ block: "nearest" });
    await ctx.map.play([told]);
    if (!isOver) void ctx.map.play([]); // the map shows already what came of all of it
    item?.removeAttribute("aria-current");
  }
}

/** @param {Context} ctx @param {T.LogEntry} told */
function lineView(ctx, told) {
  const place = told.places?.[0] ?? told.path?.at(-1);
  return el("li", { onclick: () => place && ctx.jump(place) }, told.text, " ", ruleLink(ctx, told.rule));
}

// One screen for two: a veil between the seats. The page of the one is left altogether before that of the other is
// loaded, and nothing is asked of the server until whoever sits down lifts the veil.

/** Where the tab keeps that the other seat of a game was shown in it after this one. @param {string} seat */
const veiled = (seat) => `leuthen.veiled.${seat}`;

/** Whether the page has to stay veiled: another seat of this browser at the same game was shown last. @param {string} seat */
export function isVeiled(seat) {
  return location.hash === "#veil" || keptHere.getItem(veiled(seat)) !== null;
}

/** Hides everything until somebody says that he is the one. @param {string} seat @returns {Promise<void>} */
export async function veil(seat) {
  const host = el("div", { class: "veil" });
  const hidden = [...document.body.children].filter((child) => child instanceof HTMLElement);
  for (const child of hidden) child.toggleAttribute("inert", true);
  document.body.append(host);
  const name = await nameOf(seat);
  await new Promise((resolve) => {
    const lift = button(format(AWAY.lift, { name }), "lift", () => resolve(undefined), "primary");
    fill(host, el("main", { class: "plate" }, el("h1", {}, format(AWAY.pass, { name })), el("p", { class: "prose" }, AWAY.covered), lift));
    pauseIn(host); // who passes the screen on with a double click lifts nothing
    lift.focus();
  });
  for (const child of hidden) child.toggleAttribute("inert", false);
  host.remove();
  history.replaceState(null, "", location.pathname);
}

/** Notes who sits at the screen, if two seats of a game are this browser's. @param {string} seat @param {Store} store */
export function settle(seat, store) {
  keptHere.removeItem(veiled(seat));
  const others = otherSeats(seat, store.table.seats);
  for (const other of others) keptHere.setItem(veiled(other.seat), "yes");
  if (others.length) window.addEventListener("pagehide", () => document.body.replaceChildren());
}

/** The other playing seats of this browser. @param {string} seat @param {readonly T.SeatLine[]} seats */
function otherSeats(seat, seats) {
  return seats.filter((line) => line.seat && line.seat !== seat && line.side < 2);
}

/** The seat of this browser that is asked now, if this one is not. @param {string} seat @param {Store} store */
export function nextSeat(seat, store) {
  if (store.asked || store.table.has_ended) return undefined;
  const sides = store.table.awaited.map((awaited) => awaited.side);
  return otherSeats(seat, store.table.seats).find((line) => sides.includes(line.side));
}

/** Leaves this page for the other seat's, with nothing to go back to. @param {T.SeatLine} line */
export function passScreen(line) {
  location.replace(`/table/${line.seat}#veil`);
}

/** @param {string} seat */
async function nameOf(seat) {
  try {
    const line = (await home()).games.flatMap((game) => game.seats).find((one) => one.seat === seat);
    return line?.player || sentence(line?.name ?? AWAY.otherSide);
  } catch {
    return AWAY.otherSide;
  }
}

// What stands where the table would be, if it cannot be shown.

/** Shows why the table is not there. Throws what it does not know. @param {unknown} error */
export function tellFailure(error) {
  if (!(error instanceof Refused)) throw error;
  if (!navigator.cookieEnabled) return showLost(AWAY.noCookies, AWAY.aboutCookies);
  if (error.problem.status === 404) return showLost(AWAY.noSeat, AWAY.aboutNoSeat);
  const again = el("button", { onclick: () => location.reload() }, AWAY.tryAgain);
  return showLost(AWAY.cannotShow, error.problem.detail, again);
}

/** Instead of the table. @param {string} title @param {string} text @param {HTMLElement | null} [more] */
export function showLost(title, text, more = null) {
  document.title = `${title} – Leuthen`;
  fill(
    document.body,
    el(
      "main",
      { class: "plate lost" },
      el("h1", {}, title),
      el("p", {}, text),
      el("div", { class: "row" }, el("a", { class: "button primary", href: "/" }, MOVES.games), more),
    ),
  );
}
