// Before a phase ends: what is left undone, and what that will cost. It never decides for the player.

import { Refused } from "../session/api.js";
import { el } from "../dom.js";
import { placeLink, placeName, ruleLink, sentence } from "../bits.js";
import { closeDialogs, openDialog } from "../dialog.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** Asks, if something is left undone, whether the phase shall end all the same. @param {Context} ctx @param {string} [theatre] the one that is left, if not all @returns {Promise<boolean>} */
export async function mayEnd(ctx, theatre = "") {
  const left = (await leftOf(ctx)).filter(({ place = "" }) => !theatre || ctx.store.theatres.get(place) === theatre);
  if (!left.length) return true;
  const body = [
    el("p", {}, "This is left undone, as far as you may know:"),
    el("ul", { class: "left-list" }, ...left.map((line) => leftLine(ctx, line))),
  ];
  const answers = /** @type {const} */ ([
    { label: "Stay", value: "", kind: "primary" },
    { label: "End anyway", value: "end" },
  ]);
  return (await openDialog({ title: "Before the phase ends", body, answers })) === "end";
}

/** @param {Context} ctx @returns {Promise<readonly T.Left[]>} */
async function leftOf({ api }) {
  try {
    return (await api.left()).left;
  } catch (error) {
    if (error instanceof Refused) return [];
    throw error;
  }
}

/** @param {Context} ctx @param {T.Left} line */
function leftLine(ctx, line) {
  const leave = (/** @type {(what: string) => void} */ go) => (/** @type {string} */ what) => {
    closeDialogs();
    go(what);
  };
  const place = line.place ? placeLink({ jump: leave(ctx.jump) }, line.place, placeName(ctx.store, line.place)) : null;
  return el("li", {}, sentence(line.text), " ", ruleLink({ showRule: leave(ctx.showRule) }, line.rule), " ", place);
}
