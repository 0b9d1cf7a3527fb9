// A battle that was fought, as a report: its name, both sides, a small map of the ground, the dice, what the war did there.

import { sentence } from "../bits.js";
import { el, svg } from "../dom.js";
import { die } from "../panels/parts.js";

/** @import * as T from "../../types" */
/** @import { Store } from "../session/store.js" */

const ROW = Math.sqrt(3) / 2;
/** So far, in hexes, the small map goes. */
const NEAR = 3.4;
const MOST_TOWNS = 7;

/** The centre of a hex, a hex being 1 wide; even rows stand half a hex to the east. @param {string} place */
export function centre(place) {
  const [row, column] = [Number(place.slice(0, 2)), Number(place.slice(2))];
  return { x: column + (row % 2 ? 0 : 0.5), y: -row * ROW };
}

/** The ground of a battle: fortresses and towns around, crossed swords where it was. @param {T.Setting} setting @param {T.BattleReport} report */
export function groundOf({ towns, fortresses }, { place, name }) {
  const here = centre(place);
  const forts = new Set(fortresses.map((fort) => fort.place));
  const seen = new Set([place]);
  const near = towns
    .map((town) => ({ town, at: centre(town.place) }))
    .filter(({ at }) => Math.hypot(at.x - here.x, at.y - here.y) <= NEAR)
    .toSorted((a, b) => Number(forts.has(b.town.place)) - Number(forts.has(a.town.place)))
    .filter(({ town }) => !seen.has(town.place) && seen.add(town.place))
    .slice(0, MOST_TOWNS);
  const dots = near.map(({ town, at }) =>
    svg(
      "g",
      { class: forts.has(town.place) ? "fort" : "town", transform: `translate(${at.x - here.x} ${at.y - here.y})` },
      forts.has(town.place) ? svg("path", { d: "M-.18-.18h.36v.36h-.36z" }) : svg("circle", { r: 0.1 }),
      svg("text", { y: 0.62 }, town.name),
    ),
  );
  return svg(
    "svg",
    {
      class: "ground",
      viewBox: "-4 -3.6 8 7.4",
      role: "img",
      "aria-label": `The ground of ${name}: ${near.map(({ town }) => town.name).join(", ")}`,
    },
    dots,
    svg("path", { class: "swords", d: "M-.45-.45.45.45M-.45.45.45-.45" }),
    svg("text", { class: "field", y: -0.65 }, name),
  );
}

/** A side of it. @param {Store} store @param {T.BattleReport} report @param {number} side */
function hostView(store, { sides, unit, winner, attacker }, side) {
  const host = /** @type {T.Host} */ (sides[side]);
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
 * @param {Store} store @param {T.LogEntry} told with a battle
 * @param {{date?: string, head?: Node | null}} [more] what stands beside the name
 */
export function battleCard(store, told, { date = "", head = null } = {}) {
  const report = /** @type {T.BattleReport} */ (told.battle);
  const dice = (told.dice ?? []).map(die);
  const steps = (told.steps ?? []).join(", ");
  return el(
    "article",
    { class: "battle-card", "aria-label": `Battle of ${report.name}` },
    el("header", {}, el("h3", {}, `Battle of ${report.name}`), date ? el("span", { class: "muted" }, date) : null, head),
    groundOf(store.setting, report),
    el("div", { class: "battle-hosts" }, hostView(store, report, 0), hostView(store, report, 1)),
    dice.length ? el("p", { class: "small" }, dice, " ", steps) : null,
    report.history ? el("p", { class: "small history" }, el("b", {}, "In the war itself: "), `${report.history}.`) : null,
  );
}
