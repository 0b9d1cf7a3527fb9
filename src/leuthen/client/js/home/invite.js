// A game that was made: the links to pass on, and the way to the own seat.

import { el, format, sentence } from "../dom.js";
import { openDialog } from "../dialog.js";
import { HOME } from "../strings/home.js";

/** @import * as T from "../../types" */

/** The page of a seat; behind a veil where two seats of the game belong to this browser. @param {string} seat @param {boolean} isShared */
export const tablePage = (seat, isShared) => `/table/${seat}${isShared ? "#veil" : ""}`;

/** Show the invitation links, if any, and open the own seat. @param {T.CreatedGame} made */
export async function invite({ seats, watch }) {
  const links = seats.flatMap(({ name, link, seat }) =>
    link && !seat ? { label: format(HOME.playerLink, { side: sentence(name) }), link } : [],
  );
  const own = seats.filter((seat) => seat.seat);
  const [first] = own;
  if (watch) links.push({ label: HOME.spectatorLink, link: watch });
  const body = el("div.stack", el("p", HOME.aboutLinks), ...links.map(({ label, link }) => linkView(label, link)));
  const answers = /** @type {const} */ ([{ label: first ? HOME.toGame : HOME.done, value: "", kind: "primary" }]);
  if (seats.some(({ link, seat }) => link && !seat)) await openDialog({ title: HOME.share, body, answers });
  location.assign(first ? tablePage(first.seat, own.length > 1) : "/");
}

/** A warning about where an address cannot be reached, or "". @param {string} url */
export function reachOf(url) {
  const { hostname } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  if (host === "localhost" || host === "::1" || host.startsWith("127.") || host.endsWith(".localhost")) return HOME.linkHere;
  const isNear =
    /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.)/.test(host) ||
    /^(f[cd]|fe[89ab])[0-9a-f]*:/.test(host) ||
    /\.(local|lan|home|internal|home\.arpa)$/.test(host) ||
    !/[.:]/.test(host);
  return isNear ? HOME.linkNear : "";
}

/** A link with a button to copy it. @param {string} label @param {string} link */
export function linkView(label, link) {
  const url = new URL(link, location.href).href;
  const reach = reachOf(url);
  const input = el("input.mono", { readonly: true, value: url, "aria-label": label, onfocus: () => input.select() });
  const copied = el("span.small", { role: "status" });
  const copy = async () => {
    input.select();
    try {
      await navigator.clipboard.writeText(url); // a page that did not come over https has no clipboard
      copied.textContent = HOME.copied;
    } catch {
      copied.textContent = HOME.notCopied;
    }
  };
  return el(
    "div.link",
    el("strong", label),
    el("div.row", input, el("button", { onclick: () => void copy() }, HOME.copy), copied),
    reach ? el("p.note.gold.small", reach) : null,
  );
}
