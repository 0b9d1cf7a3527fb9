// The cup: the chits of this turn, those that are out already, the one that is out now, and those still to be drawn.

import { el, fill } from "../dom.js";
import { sentence } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

/** @type {Record<string, string>} */
const WORDS = { past: "drawn", now: "out now", next: "in the cup" };

/** @param {HTMLElement} host @param {Context} ctx */
export function mountCup(host, ctx) {
  const draw = () => fill(host, cupView(ctx));
  ctx.store.addEventListener("change", (event) => {
    const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
    if (["fresh", "shown", "chits"].some((section) => sections.has(section))) draw();
  });
  draw();
}

/** @param {Context} ctx */
function cupView({ store }) {
  const chits = store.scene.chits ?? [];
  if (!chits.length) return null;
  const left = chits.filter((chit) => chit.when === "next").length;
  const sides = [0, 1].map((side) => sideView(store.sideName(side), side, chits));
  return el(
    "section",
    { class: "cup", "aria-label": `The cup: ${left} ${left === 1 ? "chit" : "chits"} left` },
    el("span", { class: "cup-left small muted", "aria-hidden": true }, `${left} in the cup`),
    ...sides,
  );
}

/** @param {string} name @param {number} side @param {readonly T.Chit[]} chits */
function sideView(name, side, chits) {
  const own = chits.filter((chit) => chit.side === side);
  return el("ul", { class: "plain chits", "aria-label": `Chits of the ${name}` }, ...own.map((chit) => chitView(name, chit)));
}

/** @param {string} name @param {T.Chit} chit */
function chitView(name, { side, mark, when }) {
  const words = `${sentence(name)}, chit ${mark}: ${WORDS[when] ?? when}`;
  return el(
    "li",
    {
      class: `chit is-${when}`,
      dataset: { side: String(side), chit: mark, when },
      title: words,
      "aria-current": when === "now" ? "step" : null,
    },
    el("span", { "aria-hidden": true }, mark),
    el("span", { class: "visually-hidden" }, words),
  );
}
