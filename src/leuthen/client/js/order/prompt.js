// What is asked, of whom, by which rule; and what the other side does meanwhile.

import { el, fill } from "../dom.js";
import { placeLink, ruleLink, sentence, sideMark } from "../bits.js";
import { announce } from "../dialog.js";
import { waitsFor } from "../panels/seal.js";

/** @import { Context } from "../context.js" */

const WAITS = "Both browsers help to seed this roll.";
const UNDO = "Undo takes the order back; the proof of the game will say so.";

/** @param {HTMLElement} host @param {Context} ctx */
export function mountPrompt(host, ctx) {
  const { store } = ctx;
  let told = "";
  const draw = () => {
    fill(host, ...promptOf(ctx));
    const text = spokenPrompt(ctx);
    if (text !== told && store.isLive) announce(text);
    told = text;
  };
  store.addEventListener("change", draw);
  store.seal.addEventListener("change", draw);
  draw();
}

/** @param {Context} ctx */
function promptOf(ctx) {
  const { store } = ctx;
  if (!store.isLive) return pastPrompt(ctx);
  if (store.table.has_ended) return [el("h2", {}, "The war is over"), el("p", { class: "prose" }, store.scene.result ?? "")];
  const { stranded } = store.table;
  if (stranded) return [el("h2", {}, "The game cannot go on here"), el("p", { class: "prose" }, stranded)];
  const asked = store.asked;
  if (asked) return [el("h2", {}, sentence(asked.text), " ", ruleLink(ctx, asked.rule), ...placeOf(ctx)), ...othersOf(ctx)];
  if (store.seal.waiting >= 0)
    return [el("h2", {}, waitsFor(store)), el("p", { class: "prose" }, `${WAITS}${store.table.can_undo ? ` ${UNDO}` : ""}`)];
  return [el("h2", {}, "Waiting"), ...othersOf(ctx)];
}

/** Where on the map the decision belongs. @param {Context} ctx */
function placeOf(ctx) {
  const { place } = ctx.store.scene;
  return place ? [" ", placeLink(ctx, place)] : [];
}

/** @param {Context} ctx */
function pastPrompt(ctx) {
  const back = el("button", { type: "button", class: "primary", onclick: () => ctx.store.live() }, "Back to now");
  return [el("h2", {}, "Looking back"), el("p", {}, `${ctx.store.scene.title} ${ctx.store.scene.phase}`), back];
}

/** @param {Context} ctx */
function othersOf(ctx) {
  const { store } = ctx;
  return store.table.awaited
    .filter((awaited) => !awaited.is_yours)
    .map((awaited) =>
      el(
        "p",
        { class: "other-side" },
        sideMark(store, awaited.side),
        " ",
        el("bdi", {}, store.called(awaited.side)),
        ` is deciding: ${awaited.decision} `,
        ruleLink(ctx, awaited.rule),
        presence(ctx, awaited.side),
      ),
    );
}

/** Whether the other player is there. @param {Context} ctx @param {number} side */
function presence({ store }, side) {
  const isPerson = store.table.seats.some((line) => line.side === side && line.who === "person" && !line.seat);
  if (!isPerson) return null;
  return el("span", { class: "muted small" }, store.present.includes(side) ? " is at the table" : " is away");
}

/** @param {Context} ctx */
function spokenPrompt({ store }) {
  if (store.seal.waiting >= 0) return waitsFor(store);
  if (store.asked) return `Your decision: ${store.asked.text}`;
  const [other] = store.table.awaited;
  return store.scene.result || (other ? `${store.called(other.side)} is deciding: ${other.decision}` : "");
}
