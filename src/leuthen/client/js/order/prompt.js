// What is asked, of whom, by which rule; and what the other side does meanwhile.

import { el, fill, format, placeLink, ruleLink, sentence, sideMark } from "../dom.js";
import { announce } from "../news.js";
import { isMachine, waitsFor } from "../panels/head.js";
import { COMMON } from "../strings/common.js";
import { ORDER } from "../strings/order.js";
import { sinceView, waitView } from "../session/moves.js";
import { PACE, TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

const WAITS = ORDER.bothSeed;
const UNDO = ORDER.undoRecorded;
/** Time in seconds after which a thinking machine says so. */
const PATIENCE = 2;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountPrompt(host, ctx) {
  const { store } = ctx;
  let told = "";
  let since = 0;
  const count = () => {
    const seconds = Math.floor((performance.now() - since) / 1000);
    if (seconds >= PATIENCE) for (const node of host.querySelectorAll(".thinking")) fill(node, thinkingView(seconds));
  };
  const draw = () => {
    const isWaiting = !store.asked && store.table.awaited.some(({ side }) => isMachine(store, side));
    if (!isWaiting) since = 0;
    else since ||= performance.now();
    fill(host, ...promptOf(ctx));
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

/** Notice that a machine is still thinking. @param {number} seconds */
const thinkingView = (seconds) => [format(ORDER.isThinking, { seconds }), el("progress", { "aria-hidden": true })];

/** @param {Context} ctx */
function promptOf(ctx) {
  const watching = ctx.store.side > 1 && !ctx.store.table.has_ended ? [el("p.muted.small.watching", ORDER.watching)] : [];
  return [...watching, ...questionOf(ctx)];
}

/** @param {Context} ctx */
function questionOf(ctx) {
  const { store } = ctx;
  if (!store.isLive) return pastPrompt(ctx);
  if (store.table.has_ended) return [el("h2", ORDER.warOver), el("p.prose", store.scene.result ?? "")];
  const { unplayable } = store.table;
  if (unplayable) return [el("h2", ORDER.unplayable), el("p.prose", unplayable)];
  const asked = store.asked;
  if (asked) return [el("h2", sentence(asked.text), " ", ruleLink(ctx, asked.rule), ...placeOf(ctx)), ...othersOf(ctx)];
  if (store.seal.waiting >= 0)
    return [el("h2", waitsFor(store)), el("p.prose", `${WAITS}${store.table.can_undo ? ` ${UNDO}` : ""}`), ...waitView(ctx)];
  return [el("h2", ORDER.waiting), ...othersOf(ctx)];
}

/** The place on the map of the pending decision. @param {Context} ctx */
function placeOf(ctx) {
  const { place } = ctx.store.scene;
  return place ? [" ", placeLink(ctx, place)] : [];
}

/** @param {Context} ctx */
function pastPrompt(ctx) {
  const back = el("button.primary", { onclick: () => ctx.store.live() }, ORDER.backToNow);
  return [el("h2", TABLE.lookingBack), el("p", `${ctx.store.scene.title} ${ctx.store.scene.phase}`), back];
}

/** @param {Context} ctx */
function othersOf(ctx) {
  const { store } = ctx;
  return store.table.awaited
    .filter((awaited) => !awaited.is_yours)
    .map((awaited) =>
      el(
        "p.other-side",
        sideMark(store, awaited.side),
        " ",
        el("bdi", store.called(awaited.side)),
        ...(isOpen(ctx, awaited.side)
          ? [TABLE.notJoined]
          : [
              el(
                "span",
                { class: isMachine(store, awaited.side) ? "thinking" : "" },
                format(ORDER.isDeciding, { decision: awaited.decision }),
                ruleLink(ctx, awaited.rule),
              ),
              presence(ctx, awaited.side),
              isMachine(store, awaited.side) ? null : el("span.muted.small", sinceView(store.table.since, PACE.since)),
            ]),
      ),
    );
}

/** True if no player has taken the seat of a side yet. @param {Pick<Context, "store">} ctx @param {number} side */
const isOpen = ({ store }, side) => store.table.seats.some((line) => line.side === side && line.who === "open");

/** Presence of the other player. @param {Context} ctx @param {number} side */
function presence({ store }, side) {
  const isPerson = store.table.seats.some((line) => line.side === side && line.who === "person" && !line.seat);
  if (!isPerson) return null;
  return el("span.muted.small", store.present.includes(side) ? ORDER.online : ORDER.offline);
}

/** @param {Context} ctx */
function spokenPrompt({ store }) {
  if (store.seal.waiting >= 0) return waitsFor(store);
  if (store.asked) return format(ORDER.yours, { decision: COMMON.decision, text: store.asked.text });
  const [other] = store.table.awaited;
  if (other && isOpen({ store }, other.side)) return `${store.called(other.side)}${TABLE.notJoined}`;
  return store.scene.result || (other ? format(ORDER.theirs, { name: store.called(other.side), decision: other.decision }) : "");
}

// Trays of tokens beside the map, such as a cup of chits: those that are out already, the one that is out now, those to come.

/** @param {HTMLElement} host @param {Context} ctx */
export function mountTrays(host, ctx) {
  const { store } = ctx;
  const draw = () => fill(host, ...(store.scene.trays ?? []).map((tray) => trayView(tray, [store.sideName(0), store.sideName(1)])));
  store.onChange(["fresh", "shown", "trays"], draw);
  draw();
}

/** @param {T.Tray} tray @param {string[]} names of the sides */
const trayView = ({ title, text, tokens }, names) =>
  el(
    "section.cup",
    { "aria-label": `${title}: ${text}` },
    el("span.cup-left.small.muted", { "aria-hidden": true }, text),
    ...names.map((name, side) => {
      const own = tokens.filter((token) => token.side === side);
      return el("ul.plain.chits", { "aria-label": `${title}: ${name}` }, ...own.map(tokenView));
    }),
  );

/** @param {T.Token} token */
const tokenView = ({ side, mark, when, text }) =>
  el(
    "li",
    {
      class: `chit is-${when}`,
      dataset: { side: String(side), chit: mark, when },
      title: text,
      "aria-current": when === "now" ? "step" : null,
    },
    el("span", { "aria-hidden": true }, mark),
    el("span.visually-hidden", text),
  );
