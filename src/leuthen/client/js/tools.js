// The buttons under the order: undo, and advice where the table allows it.

import { Refused } from "./api.js";
import { el, fill } from "./dom.js";
import { say } from "./dialog.js";
import { undo } from "./moves.js";

/** @import { Context } from "./context.js" */
/** @import { Composer } from "./order/composer.js" */
/** @import { Sender } from "./sender.js" */

/** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender @param {Composer} composer */
export function mountTools(host, ctx, sender, composer) {
  const { store } = ctx;
  if (store.side > 1) return;
  const advice = el("div", { class: "advice", role: "status" });
  const back = el("button", { type: "button", class: "quiet", dataset: { do: "undo" }, onclick: () => undo(ctx, sender) }, "Undo ", el("kbd", { "aria-hidden": true }, "u"));
  const ask = el("button", { type: "button", class: "quiet", dataset: { do: "advice" }, onclick: () => void advise(advice, ctx, sender) }, "Advice");
  const draw = () => {
    if (store.table.can_undo) back.removeAttribute("aria-disabled");
    else back.setAttribute("aria-disabled", "true");
    ask.hidden = !store.asked;
    host.hidden = store.table.has_ended;
    fill(advice);
  };
  store.addEventListener("change", draw);
  composer.addEventListener("sent", () => fill(advice));
  fill(host, el("div", { class: "row" }, back, ask), advice);
  draw();
}

/** What the planner would order with what this side may know. @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
async function advise(host, ctx, sender) {
  const { n } = ctx.store.table;
  fill(host, el("p", { class: "muted" }, "The planner thinks…"));
  try {
    const { order, text } = await ctx.api.advice();
    if (ctx.store.table.n !== n) return;
    const follow = el("button", { type: "button", onclick: () => void sender.order(order), dataset: { do: "follow" } }, "Order that");
    const dismiss = el("button", { type: "button", class: "quiet", onclick: () => fill(host) }, "No");
    fill(host, el("div", { class: "note" }, el("p", {}, text || order), text && text !== order ? el("p", { class: "mono small" }, order) : null, el("div", { class: "row" }, follow, dismiss)));
  } catch (error) {
    fill(host);
    if (!(error instanceof Refused)) throw error;
    say(error.problem.detail);
  }
}
