// One screen for two: a veil between the seats. The page of the one is left altogether before that of the other is
// loaded, and nothing is asked of the server until whoever sits down lifts the veil.

import { keptHere } from "../keep.js";
import { home } from "./api.js";
import { el, fill } from "../dom.js";
import { sentence } from "../bits.js";
import { pauseIn } from "../order/unread.js";

/** @import * as T from "../../types" */
/** @import { Store } from "./store.js" */

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
    const lift = el(
      "button",
      { type: "button", class: "primary", dataset: { do: "lift" }, onclick: resolve },
      `I am ${name}: show the table`,
    );
    fill(
      host,
      el(
        "main",
        { class: "plate" },
        el("h1", {}, `Pass the screen to ${name}`),
        el("p", { class: "prose" }, "The table is covered. Nothing of the other side is left on this page."),
        lift,
      ),
    );
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
export function otherSeats(seat, seats) {
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
    return line?.player || sentence(line?.name ?? "the other side");
  } catch {
    return "the other side";
  }
}
