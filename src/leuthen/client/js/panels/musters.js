// The order of battle: every power's leaders and troops, how strong, and where.

import { placeLink, sideMark } from "../bits.js";
import { el, fill } from "../dom.js";
import { whenChanged, withRules } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  /** @type {Set<number>} powers that were folded up */
  const folded = new Set();
  const body = el("div");
  const draw = () => {
    const query = field.value.trim().toLowerCase();
    fill(
      body,
      ctx.store.scene.musters.map((muster) => musterOf(ctx, muster, query, folded)),
    );
  };
  const field = el("input", { type: "search", placeholder: "Leader or place", "aria-label": "Search the order of battle", oninput: draw });
  fill(host, el("div", { class: "panel-tools" }, field), body);
  whenChanged(host, ctx, ["musters", "powers"], draw);
}

/** @param {Context} ctx @param {T.Muster} muster @param {string} query @param {Set<number>} folded */
function musterOf(ctx, { power, side, entries }, query, folded) {
  const { store } = ctx;
  const name = store.powerName(power);
  const found = entries.filter((entry) => `${name} ${entry.name} ${entry.text}`.toLowerCase().includes(query));
  if (!found.length) return null;
  const details = el(
    "details",
    { class: "muster", open: query !== "" || !folded.has(power) },
    el(
      "summary",
      { "data-keep": `power ${power}` },
      sideMark(store, side),
      el("h3", {}, name),
      el("span", { class: "visually-hidden" }, store.sideName(side)),
    ),
    el(
      "table",
      {},
      head(),
      el(
        "tbody",
        {},
        found.map((entry) => rowOf(ctx, entry)),
      ),
    ),
  );
  details.addEventListener("toggle", () => (details.open ? folded.delete(power) : folded.add(power)));
  return details;
}

function head() {
  const columns = ["Who", "Strength"];
  return el(
    "thead",
    {},
    el(
      "tr",
      {},
      columns.map((column) => el("th", { scope: "col" }, column)),
    ),
  );
}

/** @param {Context} ctx @param {T.MusterEntry} entry */
function rowOf(ctx, { name, text, place = "", strength = "" }) {
  return el(
    "tr",
    {},
    el("th", { scope: "row" }, place ? placeLink(ctx, place, name) : name, el("div", { class: "muted small" }, withRules(ctx, text))),
    el("td", { class: "number" }, strength),
  );
}
