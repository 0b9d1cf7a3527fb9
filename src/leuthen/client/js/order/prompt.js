// What is asked, of whom, by which rule; what the other side does meanwhile; and the news for screen readers: a sentence for
// each event, read when the news rest, and behind them what is asked now.

import { byId, el, fill, format, isNotable, placeLink, ruleLink, sentence, sideMark } from "../dom.js";
import { isMachine, waitsFor } from "../panels/head.js";
import { sinceView, waitView } from "../session/moves.js";
import { COMMON } from "../strings/common.js";
import { ORDER } from "../strings/order.js";
import { PACE, TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */

/** Time in seconds after which a thinking machine says so. */
const PATIENCE = 2;
/** Time in ms without news after which the news is announced. */
const REST = 600;
/** Maximum number of announced sentences; the rest is counted. */
const MOST = 5;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountPrompt(host, ctx) {
  const { store } = ctx;
  const announce = mountAnnouncer(ctx);
  let told = "";
  let since = 0;
  const count = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    if (seconds < PATIENCE) return;
    for (const node of host.querySelectorAll(".thinking"))
      fill(node, format(ORDER.isThinking, { seconds }), el("progress", { "aria-hidden": true }));
  };
  const draw = () => {
    const isWaiting = !store.asked && store.table.awaited.some(({ side }) => isMachine(store, side));
    if (!isWaiting) since = 0;
    else since ||= performance.now();
    const isWatching = store.side > 1 && !store.table.has_ended;
    fill(host, isWatching ? el("p.muted.small.watching", ORDER.watching) : null, ...questionOf(ctx));
    if (since) count();
    const text = spokenPrompt(ctx);
    if (text !== told && store.isLive) announce(text);
    told = text;
  };
  store.addEventListener("change", draw);
  store.seal.addEventListener("change", draw);
  setInterval(() => since && count(), 1000);
  draw();
}

/** @param {Context} ctx */
function questionOf(ctx) {
  const { asked, isLive, scene, seal, table } = ctx.store;
  if (!isLive) {
    const back = el("button.primary", { onclick: () => ctx.store.live() }, ORDER.backToNow);
    return [el("h2", TABLE.lookingBack), el("p", `${scene.title} ${scene.phase}`), back];
  }
  if (table.has_ended) return [el("h2", ORDER.warOver), el("p.prose", scene.result ?? "")];
  if (table.unplayable) return [el("h2", TABLE.unplayable), el("p.prose", table.unplayable)];
  if (asked) {
    const place = scene.place ? [" ", placeLink(ctx, scene.place)] : [];
    return [el("h2", sentence(asked.text), " ", ruleLink(ctx, asked.rule), ...place), ...othersOf(ctx)];
  }
  if (seal.waiting < 0) return [el("h2", ORDER.waiting), ...othersOf(ctx)];
  const undo = table.can_undo ? ` ${ORDER.undoRecorded}` : "";
  return [el("h2", waitsFor(ctx.store)), el("p.prose", `${ORDER.bothSeed}${undo}`), ...waitView(ctx)];
}

/** What the others are asked, and whether they are here. @param {Context} ctx */
function othersOf(ctx) {
  const { store } = ctx;
  const { awaited, seats, since } = store.table;
  return awaited
    .filter(({ is_yours: isYours }) => !isYours)
    .map(({ side, decision, rule }) => {
      const isBot = isMachine(store, side);
      const isPerson = seats.some((line) => line.side === side && line.who === "person" && !line.seat);
      const deciding = format(ORDER.isDeciding, { decision });
      const state = isOpen(ctx, side)
        ? [TABLE.notJoined]
        : [
            el("span", { class: isBot ? "thinking" : "" }, deciding, ruleLink(ctx, rule)),
            isPerson ? el("span.muted.small", store.present.includes(side) ? ORDER.online : ORDER.offline) : null,
            isBot ? null : el("span.muted.small", sinceView(since, PACE.since)),
          ];
      return el("p.other-side", sideMark(store, side), " ", el("bdi", store.called(side)), ...state);
    });
}

/** True if no player has taken the seat of a side yet. @param {Pick<Context, "store">} ctx @param {number} side */
const isOpen = ({ store }, side) => store.table.seats.some((line) => line.side === side && line.who === "open");

/** @param {Context} ctx */
function spokenPrompt({ store }) {
  if (store.seal.waiting >= 0) return waitsFor(store);
  if (store.asked) return format(ORDER.yours, { decision: COMMON.decision, text: store.asked.text });
  const [other] = store.table.awaited;
  if (other && isOpen({ store }, other.side)) return `${store.called(other.side)}${TABLE.notJoined}`;
  return store.scene.result || (other ? format(ORDER.theirs, { name: store.called(other.side), decision: other.decision }) : "");
}

/** Announce the news of a table, except entries taken back in time; and, behind it, the question or state that is returned to. @param {Context} ctx */
function mountAnnouncer({ store }) {
  /** @type {T.LogEntry[]} */
  let waiting = [];
  let question = "";
  let timer = 0;
  const soon = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      const lines = [...summary(waiting), question].filter(Boolean);
      [waiting, question] = [[], ""];
      if (lines.length) fill(byId("spoken"), ...lines.map((text) => el("p", text)));
    }, REST);
  };
  store.on("change", (/** @type {Change} */ { told, dropped, sections }) => {
    if (dropped || sections.has("fresh") || !store.isLive) waiting = [];
    if (!store.isLive || !told.some(isNotable)) return;
    waiting.push(...told.filter(isNotable));
    soon();
  });
  return (/** @type {string} */ text) => {
    question = text;
    soon();
  };
}

/** The sentences of the most important events in order, and the number of the others. @param {readonly T.LogEntry[]} told */
function summary(told) {
  const weight = (/** @type {T.LogEntry} */ { topic, gained, is_small: isSmall }) => (topic || gained ? 2 : isSmall ? 0 : 1);
  const first = new Set([...told].sort((a, b) => weight(b) - weight(a)).slice(0, MOST));
  const lines = told.filter((entry) => first.has(entry)).map(({ text }) => text);
  return told.length > MOST ? [...lines, format(COMMON.moreNews, { count: told.length - MOST })] : lines;
}

// Trays of tokens beside the map, such as a cup of chits: those that are out already, the one that is out now, those to come.

/** @param {HTMLElement} host @param {Context} ctx */
export function mountTrays(host, { store }) {
  const draw = () =>
    fill(
      host,
      ...(store.scene.trays ?? []).map(({ title, text, tokens }) => {
        const chits = [0, 1].map((side) => {
          const own = tokens.filter((token) => token.side === side).map(tokenView);
          return el("ul.plain.chits", { "aria-label": `${title}: ${store.sideName(side)}` }, ...own);
        });
        const left = el("span.cup-left.small.muted", { "aria-hidden": true }, text);
        return el("section.cup", { "aria-label": `${title}: ${text}` }, left, ...chits);
      }),
    );
  store.onChange(["fresh", "shown", "trays"], draw);
  draw();
}

/** @param {T.Token} token */
function tokenView({ side, mark, when, text }) {
  const dataset = { side: String(side), chit: mark, when };
  const props = { class: `chit is-${when}`, dataset, title: text, "aria-current": when === "now" ? "step" : null };
  return el("li", props, el("span", { "aria-hidden": true }, mark), el("span.visually-hidden", text));
}
