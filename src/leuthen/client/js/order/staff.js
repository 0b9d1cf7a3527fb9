// The staff beside the order: one button carries out its plan, and one lets it do what it asks about. What it is at comes
// with the news; an order by hand stops it.

import { el, fill } from "../dom.js";
import { addKeys } from "../keys.js";
import { withRules } from "../panels/parts.js";

/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

/** @param {HTMLElement} host @param {Context} ctx @param {() => void} open shows the plan */
export function mountStaff(host, ctx, open) {
  const { store, sender } = ctx;
  const sign = () => void sender.sign();
  const button = (/** @type {string} */ label, /** @type {string} */ what, /** @type {() => void} */ run, look = "") =>
    el("button", { type: "button", class: look, dataset: { do: what, keep: what }, onclick: run }, label);
  const draw = () => {
    const staff = store.table.staff;
    const isOff = !staff || store.table.has_ended || !store.isLive || (!store.asked && !staff.is_at_work);
    fill(host, ...(isOff ? [] : staff.is_at_work ? atWork() : staff.asks ? asking() : ready()));
  };
  const atWork = () => [
    el(
      "div",
      { class: "note row" },
      el("span", {}, "Your staff carries out the plan…"),
      button("Stop the staff", "stop-staff", () => void sender.stopStaff()),
    ),
  ];
  const ready = () => [
    el(
      "div",
      { class: "row staff-row" },
      button("Carry out the staff’s plan", "sign", sign),
      button("Show it", "show-plan", open, "quiet"),
    ),
  ];
  const asking = () => {
    const { asks = "", affair = "", text = "", order = "" } = store.table.staff ?? {};
    const leave = affair ? `Leave ${affair} to it` : "Let it do so";
    return [
      el(
        "div",
        { class: "note staff-asks" },
        el("p", {}, el("strong", {}, "Your staff asks: "), withRules(ctx, `${asks}.`)),
        order ? el("p", {}, "It would: ", withRules(ctx, text || order)) : null,
        el("div", { class: "row" }, button(leave, "sign", sign, "primary"), button("Show its plan", "show-plan", open, "quiet")),
      ),
    ];
  };
  store.addEventListener("change", (event) => {
    const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
    if (["fresh", "shown", "awaited", "staff"].some((section) => sections.has(section))) draw();
  });
  addKeys({
    keys: ["c"],
    label: "Let the staff carry on",
    group: "Orders",
    run: sign,
    when: () => Boolean(store.table.staff && store.asked && !store.table.staff.is_at_work),
  });
  draw();
}
