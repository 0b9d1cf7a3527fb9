// This table: by which rules it is played, who sits at it, and what may be taken away from it.

import { el, fill, format, listOf, sentence, sideMark } from "../dom.js";
import { calledView, nameView } from "../players.js";
import { takebackWords } from "../session/moves.js";
import { withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { PANELS } from "../strings/panels.js";
import { MOVES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountAbout(host, ctx) {
  const seats = el("ul.plain.seats");
  const draw = () =>
    fill(
      seats,
      ctx.store.table.seats.map((seat) => seatOf(ctx, seat)),
    );
  fill(host, el("h3", PANELS.players), seats, ...playedBy(ctx), ...taken(ctx));
  ctx.store.addEventListener("presence", draw);
  ctx.store.addEventListener("change", draw);
  draw();
}

/** @param {Context} ctx @param {T.SeatLine} line */
function seatOf({ store }, line) {
  const { side, greeting } = line;
  const isHere = store.present.includes(side) ? el("span.here", PANELS.online) : null;
  const words = greeting ? el("q.greeting", greeting) : null;
  const led = side === 2 ? "" : `${sentence(store.sideName(side))}: `;
  const names = side === 2 ? store.watchers.flatMap(({ name = "", colour }, at) => [at ? ", " : ": ", nameView(name, colour)]) : [];
  return el("li", sideMark(store, side), el("span", led, calledView(line), names, isHere, " ", words));
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
      el("dt", option.name, ": ", el("b", value), isUsual ? "" : PANELS.notDefault),
      el("dd.small", withRules(ctx, option.text)),
    );
  });
  const rulings = setting.rulings ?? [];
  return [
    el("h3", PANELS.rules),
    el(
      "p",
      format(PANELS.version, { title: setting.title, version: setting.version }),
      scenario ? format(PANELS.scenario, { text: scenario.text }) : table.scenario,
    ),
    options.length ? [el("h3", PANELS.options), el("dl.options", options)] : null,
    rulings.length ? el("details", el("summary", el("h3", PANELS.rulings)), listOf(rulings.map((ruling) => withRules(ctx, ruling)))) : null,
    el("h3", PANELS.takebacks),
    el("p", takebackWords(table), PANELS.aboutRolls),
    el("h3", PANELS.help),
    el("p", format(PANELS.aboutHelp, { advice: table.helps ? COMMON.allowed : COMMON.notAllowed })),
  ];
}

/** @param {Context} ctx */
function taken({ api, store }) {
  const record = store.table.has_ended ? PANELS.record : PANELS.recordSoFar;
  return [
    el("h3", PANELS.downloads),
    el(
      "ul",
      el("li", el("a", { href: `/campaign/${encodeURIComponent(api.seat)}` }, MOVES.campaignMenu)),
      el("li", el("a", { href: api.recordUrl, download: "" }, record)),
    ),
  ];
}
