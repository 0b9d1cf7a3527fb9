// A game that was made: the links to pass on, and the way to the own seat.

import { el } from "../dom.js";
import { sentence } from "../bits.js";
import { openDialog } from "../dialog.js";

/** @import * as T from "../../types" */

/** Shows the links to pass on, if there are any, and goes to the own seat. @param {T.Made} made */
export async function invite(made) {
  const links = made.seats.filter((seat) => seat.link && !seat.seat);
  const own = made.seats.find((seat) => seat.seat);
  if (links.length)
    await openDialog({
      title: "Pass the link on",
      body: invitation(made),
      answers: [{ label: own ? "To the table" : "Done", value: "", kind: "primary" }],
    });
  location.assign(own ? tablePage(made, own) : "/");
}

/** The page of an own seat; where two are this browser's, behind the veil. @param {T.Made} made @param {T.MadeSeat} own */
function tablePage(made, own) {
  const shared = made.seats.filter((seat) => seat.seat).length > 1;
  return `/table/${own.seat}${shared ? "#veil" : ""}`;
}

/** @param {T.Made} made */
export function invitation(made) {
  const links = made.seats.filter((seat) => seat.link && !seat.seat);
  return el(
    "div",
    { class: "stack" },
    el(
      "p",
      {},
      "A link opens its seat once, to whoever comes first; from then on the seat is theirs, and you see nothing of it. It is shown only now, so copy it before you go on.",
    ),
    ...links.map((seat) => linkView(`${sentence(seat.name)}'s seat`, seat.link ?? "")),
    made.watch ? linkView("Watching: sees only what both sides may know", made.watch) : null,
  );
}

const HERE_ONLY =
  "This link works on this computer only: it names the computer as it calls itself. For a player elsewhere, start the server so that it lets other machines in (ARGS='--host 0.0.0.0'), and open this page under its name in your network.";

/** Whether an address means whatever computer it is opened on. @param {string} url */
function isHereOnly(url) {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.") || hostname.endsWith(".localhost");
}

/** A link with a button that copies it. @param {string} label @param {string} link */
export function linkView(label, link) {
  const url = new URL(link, location.href).href;
  const input = el("input", {
    readonly: true,
    value: url,
    class: "mono",
    "aria-label": label,
    onfocus: (/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
  });
  const copied = el("span", { role: "status", class: "small" });
  const copy = async () => {
    input.select();
    if ("clipboard" in navigator) await navigator.clipboard.writeText(url);
    copied.textContent = "clipboard" in navigator ? "copied" : "selected: copy it now";
  };
  return el(
    "div",
    { class: "link" },
    el("strong", {}, label),
    el("div", { class: "row" }, input, el("button", { type: "button", onclick: () => void copy() }, "Copy"), copied),
    isHereOnly(url) ? el("p", { class: "note gold small" }, HERE_ONLY) : null,
  );
}
