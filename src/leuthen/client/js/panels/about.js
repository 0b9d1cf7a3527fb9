// This table: by which rules it is played, who sits at it, and what may be taken away from it.

import { el, fill, sentence, sideMark } from "../dom.js";
import { calledView, nameView } from "../players.js";
import { takebackWords } from "../session/moves.js";
import { withRules } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountAbout(host, ctx) {
  const seats = el("ul", { class: "plain seats" });
  const draw = () =>
    fill(
      seats,
      ctx.store.table.seats.map((seat) => seatOf(ctx, seat)),
    );
  fill(host, el("h3", {}, "At the table"), seats, ...playedBy(ctx), ...taken(ctx));
  ctx.store.addEventListener("presence", draw);
  ctx.store.addEventListener("change", draw);
  draw();
}

/** @param {Context} ctx @param {T.SeatLine} line */
function seatOf({ store }, line) {
  const { side, greeting } = line;
  const isHere = store.present.includes(side) ? el("span", { class: "here" }, " ● here now") : null;
  const words = greeting ? el("q", { class: "greeting" }, greeting) : null;
  const led = side === 2 ? "" : `${sentence(store.sideName(side))}: `;
  const names = side === 2 ? store.watchers.flatMap(({ name = "", colour }, at) => [at ? ", " : ": ", nameView(name, colour)]) : [];
  return el("li", {}, sideMark(store, side), el("span", {}, led, calledView(line), names, isHere, " ", words));
}

/** @param {Context} ctx */
function playedBy(ctx) {
  const { setting, table } = ctx.store;
  const scenario = setting.scenarios.find(({ name }) => name === table.scenario);
  const options = setting.options.map((option) => {
    const value = table.options[option.name] ?? option.values[0];
    const isUsual = value === option.values[0];
    return el(
      "div",
      {},
      el("dt", {}, option.name, ": ", el("b", {}, value), isUsual ? "" : " (not the usual)"),
      el("dd", { class: "small" }, withRules(ctx, option.text)),
    );
  });
  const rulings = setting.rulings ?? [];
  return [
    el("h3", {}, "Rules"),
    el(
      "p",
      {},
      `${setting.title}, version ${setting.version}. `,
      scenario ? `Scenario «${scenario.name}»: ${scenario.text}` : table.scenario,
    ),
    options.length ? [el("h3", {}, "Options"), el("dl", { class: "options" }, options)] : null,
    rulings.length
      ? el(
          "details",
          {},
          el("summary", {}, el("h3", {}, "Rulings")),
          el(
            "ul",
            {},
            rulings.map((ruling) => el("li", {}, withRules(ctx, ruling))),
          ),
        )
      : null,
    el("h3", {}, "Takebacks"),
    el("p", {}, takebackWords(table), " A die belongs to its place in the game; whoever has seen it may spend it on another order."),
    el("h3", {}, "Help allowed"),
    el(
      "p",
      {},
      `Layers, odds and reminders are open to both sides; the machine’s advice is ${table.helps ? "too" : "not"}. They rest on what the side that asks may know, and on nothing else.`,
    ),
  ];
}

/** @param {Context} ctx */
function taken({ api, store }) {
  const record = store.table.has_ended ? "The record of the game" : "The record so far, as far as you may know it";
  return [
    el("h3", {}, "To take away"),
    el(
      "ul",
      {},
      el("li", {}, el("a", { href: `/campaign/${encodeURIComponent(api.seat)}` }, "The campaign in pictures")),
      el("li", {}, el("a", { href: api.recordUrl, download: "" }, record)),
    ),
  ];
}
