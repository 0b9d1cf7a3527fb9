// The head of the table: what day it is in the war, which phase, who is asked, how the score stands, and the line.

import { el, fill } from "../dom.js";
import { sideMark } from "../bits.js";
import { sealButton, waitsFor } from "./seal.js";

/** @import { Store } from "../session/store.js" */

const CONNECTIONS = { connecting: "connecting…", live: "live", offline: "no connection", resting: "resting", gone: "this seat is gone" };

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @param {HTMLElement} menu the button of the game's menu
 */
export function mountHead(host, store, menu) {
  const date = el("h1", { class: "head-date" });
  const turn = el("p", { class: "head-turn" });
  const score = el("p", { class: "head-score" });
  const line = el("p", { class: "head-line small" });
  fill(
    host,
    el("a", { class: "wordmark", href: "/", "aria-label": "Leuthen: all games" }, "Leuthen"),
    date,
    turn,
    score,
    line,
    sealButton(store),
    menu,
  );
  const draw = () => {
    const { scene } = store;
    fill(date, el("strong", {}, scene.title), scene.phase ? el("span", { class: "muted" }, ` ${scene.phase}`) : null);
    fill(turn, ...turnOf(store));
    fill(score, ...scoreOf(store));
  };
  store.addEventListener("change", draw);
  store.seal.addEventListener("change", draw);
  store.addEventListener("connection", () => drawLine(line, store));
  draw();
  drawLine(line, store);
}

/** @param {Store} store */
function turnOf(store) {
  const { table } = store;
  if (!store.isLive) return [el("em", {}, "Looking back")];
  if (table.has_ended) return [el("strong", {}, "The game has ended")];
  if (table.stranded) return [el("strong", {}, "The game cannot go on here")];
  if (store.asked) return [el("strong", { class: "your-turn" }, "Your decision")];
  if (store.seal.waiting >= 0) return [el("strong", {}, waitsFor(store))];
  const [other] = table.awaited;
  return other ? [sideMark(store, other.side), " ", el("bdi", {}, store.called(other.side)), " decides"] : [];
}

/** The first score of the rule set, with its ratio if that counts. @param {Store} store */
function scoreOf(store) {
  const score = store.scene.scores[0];
  if (!score) return [];
  const [a, b] = score.values;
  const more = Math.max(a, b);
  const less = Math.min(a, b);
  const ratio = score.is_ratio && less ? `${(more / less).toFixed(1)} : 1` : "";
  const spoken = `${score.label}: ${store.sideName(0)} ${a}, ${store.sideName(1)} ${b}. ${score.text}`;
  return [
    el("span", { class: "visually-hidden" }, spoken),
    el(
      "span",
      { class: "score-pair number", "aria-hidden": true, title: score.text },
      sideMark(store, 0),
      ` ${a} `,
      el("abbr", { title: score.text }, score.label),
      el("span", { class: "colon" }, ":"),
      ` ${b} `,
      sideMark(store, 1),
    ),
    ratio ? el("span", { class: "muted small number", "aria-hidden": true }, ` ${ratio}`) : null,
  ];
}

/** @param {HTMLElement} host @param {Store} store */
function drawLine(host, store) {
  host.dataset.line = store.connection;
  fill(host, el("span", { class: "dot", "aria-hidden": true }), el("span", {}, CONNECTIONS[store.connection]));
}
