// The sieges of a campaign, roll by roll.

import { el } from "../dom.js";
import { die, sideBadge } from "../panels/parts.js";

/** @import * as T from "../../types" */
/** @import { Store } from "../session/store.js" */

/**
 * A table of sieges, and of forces that were overrun.
 * @param {{dates: readonly string[], scene: T.Scene, store: Store}} campaign @param {readonly T.ChronicleLine[]} lines
 */
export function sieges({ dates, scene, store }, lines) {
  const rows = lines
    .filter(({ entry }) => !entry.battle && (entry.topic === "battle" || entry.topic === "siege"))
    .map(({ turn, entry }) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, dates[turn] ?? ""),
        el("td", {}, sideBadge(store, entry.side ?? 2)),
        el("td", {}, entry.text),
        el("td", {}, (entry.dice ?? []).map(die)),
      ),
    );
  if (!rows.length) return el("p", {}, noRolls(store.setting, scene));
  const head = ["When", "Whose", "What", "Dice"].map((column) => el("th", { scope: "col" }, column));
  const table = el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows));
  return el("div", { class: "scroll-x fights", tabindex: 0, role: "group", "aria-label": "Sieges" }, table);
}

/** What is said of sieges before any roll. @param {T.Setting} setting @param {T.Scene} scene */
export function noRolls({ fortresses }, { holdings }) {
  const besieged = fortresses.filter(({ place }) => holdings[place]?.siege).map(({ name }) => name);
  return besieged.length ? `No siege roll yet. Besieged now: ${besieged.join(", ")}.` : "No siege yet.";
}
