// Every table of the game, with the row and the column in question lit.

import { ruleLink } from "../bits.js";
import { el, fill } from "../dom.js";
import { withRules } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  const cards = ctx.store.setting.tables.map((card) => ({ card, node: tableOf(ctx, card), words: wordsOf(card) }));
  const count = el("p", { role: "status", class: "muted small" });
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const { node, words: text } of cards) node.hidden = !words.every((word) => text.includes(word));
    const found = cards.filter(({ node }) => !node.hidden);
    count.textContent = field.value.trim() ? `${found.length} of ${cards.length} tables` : "";
    if (field.value.trim() && found.length <= 3) for (const { node } of found) node.open = true;
  };
  const field = el("input", { type: "search", placeholder: "Search the tables", "aria-label": "Search the tables", oninput: search });
  fill(
    host,
    el("div", { class: "panel-tools" }, field),
    count,
    cards.map(({ node }) => node),
  );
  /** @param {T.Spot} spot */
  const show = (spot) => light(cards, spot);
  return { show };
}

/** @param {T.TableCard} card */
function wordsOf({ title, rule, columns, rows, notes = [] }) {
  return [title, rule, ...columns, ...rows.flat(), ...notes].join(" ").toLowerCase();
}

/** @param {Context} ctx @param {T.TableCard} card */
function tableOf(ctx, { title, rule, columns, rows, notes = [] }) {
  const head = el(
    "tr",
    {},
    columns.map((column) => el("th", { scope: "col" }, column)),
  );
  const body = rows.map(([first, ...cells]) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, first),
      cells.map((cell) => el("td", {}, cell)),
    ),
  );
  return el(
    "details",
    { class: "game-table" },
    el("summary", {}, el("h3", {}, title)),
    el("p", {}, "Rule ", ruleLink(ctx, rule)),
    el(
      "div",
      { class: "scroll-x", tabindex: 0, role: "group", "aria-label": title },
      el("table", {}, el("thead", {}, head), el("tbody", {}, body)),
    ),
    notes.map((note) => el("p", { class: "small" }, withRules(ctx, note))),
  );
}

/**
 * @param {{card: T.TableCard, node: HTMLDetailsElement}[]} cards
 * @param {T.Spot} spot
 */
function light(cards, { table, row, column = "" }) {
  for (const { node } of cards) for (const lit of node.querySelectorAll(".lit, .cell")) lit.classList.remove("lit", "cell");
  const found = cards.find(({ card }) => card.id === table || card.title === table);
  if (!found) return;
  const { card, node } = found;
  node.hidden = false;
  node.open = true;
  const line = node.querySelectorAll("tbody tr")[card.rows.findIndex(([first]) => first === row)];
  const at = column ? card.columns.indexOf(column) : -1;
  line?.classList.add("lit");
  if (at >= 0) for (const one of node.querySelectorAll("tr")) one.children[at]?.classList.add(one === line ? "cell" : "lit");
  (line?.querySelector(".cell") ?? line ?? node).scrollIntoView({ block: "center", inline: "center" });
}
