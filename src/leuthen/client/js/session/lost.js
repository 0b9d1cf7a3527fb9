// What stands where the table would be, if it cannot be shown.

import { Refused } from "./api.js";
import { el, fill } from "../dom.js";

/** Shows why the table is not there. Throws what it does not know. @param {unknown} error */
export function tellFailure(error) {
  if (!(error instanceof Refused)) throw error;
  if (!navigator.cookieEnabled)
    return showLost(
      "Cookies are blocked",
      "A seat is kept by a cookie of this browser, and it refuses cookies from this page. Allow them for this address, and open your link again.",
    );
  if (error.problem.status === 404)
    return showLost("No seat here", "This seat is not this browser's. If you kept the way back to it, open that.");
  const again = el("button", { type: "button", onclick: () => location.reload() }, "Try again");
  return showLost("The table cannot be shown", error.problem.detail, again);
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
      el("div", { class: "row" }, el("a", { class: "button primary", href: "/" }, "All games"), more),
    ),
  );
}
