// A battle that was fought, as a report: its name, both sides, a small map of the ground, the dice, what the war did there.

import { sentence } from "../bits.js";
import { el, svg } from "../dom.js";
import { die } from "../panels/parts.js";

/** @import * as T from "../../types" */
/** @import { Print } from "../map/sheet.js" */
/** @import { Store } from "../session/store.js" */

const ROW = Math.sqrt(3) / 2;
/** So large is the small map, in hexes. */
const [WIDE, HIGH] = [7, 4];
/** The swords, and under them the paper that keeps them clear of the ground. */
const SWORDS = ["M-.2-.2.2.2M-.2.2.2-.2", "M-.2-.2.2.2M-.2.2.2-.2M-.22.06-.06.22M.22.06.06.22"];

/** The centre of a hex, a hex being 1 wide; even rows stand half a hex to the east. @param {string} place */
export function centre(place) {
  const [row, column] = [Number(place.slice(0, 2)), Number(place.slice(2))];
  return { x: column + (row % 2 ? 0 : 0.5), y: -row * ROW };
}

/** The ground of a battle: a part of the sheet, crossed swords where it was. @param {T.Setting} setting @param {T.BattleReport} report @param {Print} print */
function groundOf({ towns }, { place, name }, { grid, drawing, width, height }) {
  const { x, y } = grid.centre(place);
  const box = [x - (WIDE / 2) * grid.size, y - (HIGH / 2) * grid.size, WIDE * grid.size, HIGH * grid.size];
  const near = towns.filter((town) => {
    const at = grid.centre(town.place);
    return Math.abs(at.x - x) < (WIDE / 2) * grid.size && Math.abs(at.y - y) < (HIGH / 2) * grid.size;
  });
  return svg(
    "svg",
    {
      class: "ground",
      viewBox: box.join(" "),
      preserveAspectRatio: "xMidYMid slice",
      role: "img",
      "aria-label": `The ground of ${name}: ${near.map((town) => town.name).join(", ")}`,
    },
    drawing.image({ width, height }),
    svg("path", { class: "around", d: grid.outline([place]) }),
    svg(
      "g",
      { class: "swords", transform: `translate(${x} ${y - grid.radius}) scale(${grid.size})` },
      SWORDS.map((d) => svg("path", { d })),
    ),
  );
}

/** A side of it. @param {Store} store @param {T.BattleReport} report @param {number} side */
function hostView(store, { sides, unit, winner, attacker }, side) {
  const host = /** @type {T.BattleSide} */ (sides[side]);
  const { commander, strength, lost, taken = 0 } = host;
  const outcome = winner > 1 ? "no victor" : winner === side ? "victor" : "beaten";
  const prisoners = taken ? `, ${taken} taken` : "";
  return el(
    "div",
    { class: "battle-host", dataset: { side: String(side), outcome } },
    el(
      "h4",
      {},
      el("span", { class: "side", dataset: { side: String(side) }, "aria-hidden": true }, store.sideName(side).charAt(0).toUpperCase()),
      ` ${commander}`,
    ),
    el("p", { class: "small" }, `${sentence(store.sideName(side))}, ${attacker === side ? "attacks" : "defends"}: ${outcome}`),
    el("p", { class: "number" }, `${strength < 0 ? "?" : strength} ${unit}, ${lost} lost${prisoners}`),
  );
}

/**
 * The report of a battle.
 * @param {Store} store @param {T.LogEntry} told with a battle @param {Print | null} print where the map is drawn on a sheet with hexes
 * @param {{date?: string, head?: Node | null}} [more] what stands beside the name
 */
export function battleCard(store, told, print, { date = "", head = null } = {}) {
  const report = /** @type {T.BattleReport} */ (told.battle);
  const dice = (told.dice ?? []).map(die);
  const steps = (told.steps ?? []).join(", ");
  return el(
    "article",
    { class: "battle-card", "aria-label": `Battle of ${report.name}` },
    el("header", {}, el("h3", {}, `Battle of ${report.name}`), date ? el("span", { class: "muted" }, date) : null, head),
    print && groundOf(store.setting, report, print),
    el("div", { class: "battle-hosts" }, hostView(store, report, 0), hostView(store, report, 1)),
    dice.length ? el("p", { class: "small" }, dice, " ", steps) : null,
    report.history ? el("p", { class: "small history" }, el("b", {}, "In the war itself: "), `${report.history}.`) : null,
  );
}
