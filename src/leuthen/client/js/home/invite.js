// A game that was made: the links to pass on, and the way to the own seat.

import { el, format, sentence } from "../dom.js";
import { openDialog } from "../dialog.js";
import { HOME } from "../strings/home.js";

/** @import * as T from "../../types" */

/** Show the invitation links, if any, and open the own seat. @param {T.CreatedGame} made */
export async function invite(made) {
  const links = made.seats.filter((seat) => seat.link && !seat.seat);
  const own = made.seats.find((seat) => seat.seat);
  if (links.length)
    await openDialog({
      title: HOME.share,
      body: invitation(made),
      answers: [{ label: own ? HOME.toGame : HOME.done, value: "", kind: "primary" }],
    });
  location.assign(own ? tablePage(made, own) : "/");
}

/**
 * The page of the own seat; behind a veil where two seats belong to this browser.
 * @param {T.CreatedGame} made @param {T.CreatedSeat} own
 */
function tablePage(made, own) {
  const shared = made.seats.filter((seat) => seat.seat).length > 1;
  return `/table/${own.seat}${shared ? "#veil" : ""}`;
}

/** @param {T.CreatedGame} made */
export function invitation(made) {
  const links = made.seats.filter((seat) => seat.link && !seat.seat);
  return el(
    "div.stack",
    el("p", HOME.aboutLinks),
    ...links.map((seat) => linkView(format(HOME.playerLink, { side: sentence(seat.name) }), seat.link ?? "")),
    made.watch ? linkView(HOME.spectatorLink, made.watch) : null,
  );
}

const HERE_ONLY = HOME.linkHere;

const NEAR_ONLY = HOME.linkNear;

/** A warning about where an address cannot be reached, or "". @param {string} url */
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

/** Copy a text to the clipboard. @param {string} text @returns {Promise<boolean>} whether the browser let it */
async function isCopied(text) {
  try {
    await navigator.clipboard.writeText(text); // a page that did not come over https has no clipboard
    return true;
  } catch {
    return false;
  }
}

/** A link with a button to copy it. @param {string} label @param {string} link */
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
  const copied = el("span.small", { role: "status" });
  const copy = async () => {
    input.select();
    copied.textContent = (await isCopied(url)) ? HOME.copied : HOME.notCopied;
  };
  return el(
    "div.link",
    el("strong", label),
    el("div.row", input, el("button", { onclick: () => void copy() }, HOME.copy), copied),
    reach ? el("p.note.gold.small", reach) : null,
  );
}
