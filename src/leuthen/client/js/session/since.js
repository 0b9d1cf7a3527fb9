// One screen for two: a veil between the seats. The page of the one is left altogether before that of the other is
// loaded, and nothing is asked of the server until whoever sits down lifts the veil.

import { button, el, fill, format, deviceStorage, tabStorage, sentence } from "../dom.js";
import { pauseInput } from "../order/unread.js";
import { home, refusal } from "./api.js";
import { AWAY, MOVES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Playback } from "../story/playback.js" */
/** @import { Store } from "./store.js" */

/** Play the news since the last visit, and store the number of the last news seen. @param {Context} ctx @param {Playback} playback */
export function playSince({ store, api }, playback) {
  const key = `leuthen.seen.${api.seat}`;
  const seen = deviceStorage.getItem(key);
  const keep = () => {
    if (!document.hidden && store.isLive) deviceStorage.setItem(key, String(playback.seen));
  };
  if (seen !== null && Number(seen) < store.table.n) void playback.since(Number(seen));
  playback.addEventListener("change", keep);
  playback.addEventListener("reached", keep);
  store.addEventListener("change", keep);
  document.addEventListener("visibilitychange", keep);
  keep();
}

/** Storage key of the tab's note that the game's other seat was shown after this one. @param {string} seat */
const veiled = (seat) => `leuthen.veiled.${seat}`;

/** True if the page must stay veiled: this browser last showed another seat of the game. @param {string} seat */
export const isVeiled = (seat) => location.hash === "#veil" || tabStorage.getItem(veiled(seat)) !== null;

/** Hide everything until the player confirms. @param {string} seat @returns {Promise<void>} */
export async function veil(seat) {
  const host = el("div.veil");
  const hidden = [...document.body.children].filter((child) => child instanceof HTMLElement);
  for (const child of hidden) child.toggleAttribute("inert", true);
  document.body.append(host);
  const name = await nameOf(seat);
  await new Promise((resolve) => {
    const lift = button(format(AWAY.lift, { name }), "lift", () => resolve(undefined), "primary");
    fill(host, el("main.plate", el("h1", format(AWAY.pass, { name })), el("p.prose", AWAY.covered), lift));
    pauseInput(host); // who passes the screen on with a double click lifts nothing
    lift.focus();
  });
  for (const child of hidden) child.toggleAttribute("inert", false);
  host.remove();
  history.replaceState(null, "", location.pathname);
}

/** Remember which of two seats of a game this screen shows. @param {string} seat @param {Store} store */
export function rememberSeat(seat, store) {
  tabStorage.removeItem(veiled(seat));
  const others = otherSeats(seat, store.table.seats);
  for (const other of others) tabStorage.setItem(veiled(other.seat), "yes");
  if (others.length) window.addEventListener("pagehide", () => document.body.replaceChildren());
}

/** The other playing seats of this browser. @param {string} seat @param {readonly T.SeatLine[]} seats */
const otherSeats = (seat, seats) => seats.filter((line) => line.seat && line.seat !== seat && line.side < 2);

/** This browser's seat that is asked now, if this one is not. @param {string} seat @param {Store} store */
export function nextSeat(seat, store) {
  if (store.asked || store.table.has_ended) return undefined;
  const sides = store.table.awaited.map((awaited) => awaited.side);
  return otherSeats(seat, store.table.seats).find((line) => sides.includes(line.side));
}

/** Replace this page with the other seat's, without a way back. @param {T.SeatLine} line */
export const passScreen = ({ seat }) => location.replace(`/table/${seat}#veil`);

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

/** Show why the table cannot be loaded. Throws unknown errors. @param {unknown} error */
export function showFailure(error) {
  const { detail, status } = refusal(error).problem;
  if (!navigator.cookieEnabled) return showLost(AWAY.noCookies, AWAY.aboutCookies);
  if (status === 404) return showLost(AWAY.noSeat, AWAY.aboutNoSeat);
  const again = el("button", { onclick: () => location.reload() }, AWAY.tryAgain);
  return showLost(AWAY.cannotShow, detail, again);
}

/** Show an error page in place of the table. @param {string} title @param {string} text @param {HTMLElement | null} [more] */
export function showLost(title, text, more = null) {
  document.title = `${title} – Leuthen`;
  fill(
    document.body,
    el("main.plate.lost", el("h1", title), el("p", text), el("div.row", el("a.button.primary", { href: "/" }, MOVES.games), more)),
  );
}
