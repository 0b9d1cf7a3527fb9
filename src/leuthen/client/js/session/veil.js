// One screen for two: a veil between the seats. The page of the one is left altogether before that of the other is
// loaded, and nothing is asked of the server until whoever sits down lifts the veil.

import { keptHere } from "../keep.js";
import { home } from "./api.js";
import { el, fill } from "../dom.js";
import { sentence } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Store } from "./store.js" */

const PRESENT = "leuthen.present";

/** Whether the page has to stay veiled: another seat of this browser was shown last. @param {string} seat */
export function isVeiled(seat) {
  const present = keptHere.getItem(PRESENT);
  return location.hash === "#veil" || (present !== null && present !== seat);
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
    lift.focus();
  });
  for (const child of hidden) child.toggleAttribute("inert", false);
  host.remove();
  history.replaceState(null, "", location.pathname);
}

/** Notes who sits at the screen, if two seats of a game are this browser's. @param {string} seat @param {Store} store */
export function settle(seat, store) {
  if (!otherSeats(seat, store.table.seats).length) return void keptHere.removeItem(PRESENT);
  keptHere.setItem(PRESENT, seat);
  window.addEventListener("pagehide", () => document.body.replaceChildren());
  return undefined;
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
