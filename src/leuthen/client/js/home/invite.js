// A game that was made: the links to pass on, and the way to the own seat.

import { el, sentence } from "../dom.js";
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

const NEAR_ONLY =
  "This link works in your own network only: it names an address that nobody outside can reach. For a player elsewhere, open this page under a name that the world knows (docs: running a server).";

/** From where an address cannot be reached, as a sentence; "" if it can, as far as it shows. @param {string} url */
export function reachOf(url) {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || host === "::1" || host.startsWith("127.") || host.endsWith(".localhost")) return HERE_ONLY;
  const isNear =
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(host) ||
    /^(f[cd]|fe[89ab])[0-9a-f]*:/.test(host) ||
    /\.(local|lan|home|internal|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host);
  return isNear ? NEAR_ONLY : "";
}

/** Puts a text on the clipboard. @param {string} text @returns {Promise<boolean>} whether the browser let it */
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text); // a page that did not come over https has no clipboard
    return true;
  } catch {
    return false;
  }
}

/** A link with a button that copies it. @param {string} label @param {string} link */
export function linkView(label, link) {
  const url = new URL(link, location.href).href;
  const reach = reachOf(url);
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
    copied.textContent = (await isCopied(url)) ? "Copied" : "Your browser refused. The link is selected: copy it with Ctrl+C.";
  };
  return el(
    "div",
    { class: "link" },
    el("strong", {}, label),
    el("div", { class: "row" }, input, el("button", { type: "button", onclick: () => void copy() }, "Copy"), copied),
    reach ? el("p", { class: "note gold small" }, reach) : null,
  );
}
