// A mark in the tab of every page when it is your turn somewhere: in its title, and on its sign.

import { home } from "./session/api.js";
import { format, plural } from "./dom.js";
import { COMMON } from "./strings/common.js";

/** @import * as T from "../types" */

/** Interval in ms; the browser asks less often while the page is hidden. */
const EVERY = 30000;

/** Number of games that wait for this browser. @param {readonly T.GameLine[]} games */
export const waitingFor = (games) => games.filter((game) => game.is_your_turn && !game.result).length;

/** Add or remove the mark on the tab's icon. @param {boolean} isOn */
export function markSign(isOn) {
  const sign = document.querySelector("link[rel=icon]");
  const now = sign?.getAttribute("href") ?? "";
  const href = now.replace(/[^/]*$/, isOn ? "favicon-turn.svg" : "favicon.svg");
  if (href !== now) sign?.setAttribute("href", href);
}

/** Set title and icon of the tab. @param {number} waiting games @param {string} title of the page itself */
export function markTab(waiting, title) {
  document.title = waiting ? format(COMMON.waiting, { decisions: plural(waiting, COMMON.oneDecision), title }) : title;
  markSign(waiting > 0);
}

/** Check regularly whether a game waits, on pages without one. @param {() => string} title of the page itself */
export function watchTab(title) {
  const look = async () => {
    try {
      markTab(waitingFor((await home()).games), title());
    } catch {
      // The mark stays as it is until the table answers again.
    }
  };
  void look();
  setInterval(() => void look(), EVERY);
}
