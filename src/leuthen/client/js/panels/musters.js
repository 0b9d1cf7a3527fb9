// The order of battle: every power's leaders and troops, how strong, and where.

import { el, fill } from "../dom.js";
import { placeLink, sideMark, townAt, whenChanged } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  /** @type {Set<number>} powers that were folded up */
  const folded = new Set();
  const body = el("div");
  const draw = () => {
    const query = field.value.trim().toLowerCase();
    fill(body, ctx.store.scene.musters.map((muster) => musterOf(ctx, muster, query, folded)));
  };
  const field = el("input", { type: "search", placeholder: "Leader or place", "aria-label": "Search the order of battle", oninput: draw });
  fill(host, el("div", { class: "tools" }, field), body);
  whenChanged(host, ctx, ["musters", "powers"], draw);
}

/** @param {Context} ctx @param {T.Muster} muster @param {string} query @param {Set<number>} folded */
function musterOf(ctx, { power, side, entries }, query, folded) {
  const { store } = ctx;
  const name = store.powerName(power);
  const found = entries.filter((entry) => !query || `${name} ${entry.name} ${entry.text} ${whereOf(ctx, entry)}`.toLowerCase().includes(query));
  if (!found.length) return null;
  const keep = () => (details.open ? folded.delete(power) : folded.add(power));
  const details = el(
    "details",
    { class: "muster", open: query !== "" || !folded.has(power) },
    el("summary", { "data-keep": `power ${power}` }, el("h3", {}, name), sideMark(store, side)),
    el("table", {}, head(), el("tbody", {}, found.map((entry) => rowOf(ctx, entry)))),
  );
  details.addEventListener("toggle", keep);
  return details;
}

function head() {
  const columns = ["Who", "SP", "Where"];
  return el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col" }, column))));
}

/** @param {Context} ctx @param {T.Entry} entry */
function whereOf({ store }, { place = "" }) {
  return /^\d{4}$/.test(place) ? townAt(store.setting, place) : place;
}

/** @param {Context} ctx @param {T.Entry} entry */
function rowOf(ctx, entry) {
  const { name, text, place = "", strength = "" } = entry;
  const isHex = /^\d{4}$/.test(place);
  const words = whereOf(ctx, entry);
  const where = isHex ? placeLink(ctx, place, words) : words;
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, name, text ? el("span", { class: "muted small" }, ` ${text}`) : null),
    el("td", { class: "number" }, strength),
    el("td", {}, where, isHex && words !== place ? el("span", { class: "muted small" }, ` ${place}`) : null),
  );
}
