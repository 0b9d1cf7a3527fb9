// Trays of tokens beside the map, such as a cup of chits: those that are out already, the one that is out now, those to come.

import { el, fill } from "../dom.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountTrays(host, ctx) {
  const { store } = ctx;
  const draw = () => fill(host, ...(store.scene.trays ?? []).map((tray) => trayView(tray, [store.sideName(0), store.sideName(1)])));
  store.addEventListener("change", (event) => {
    const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
    if (["fresh", "shown", "trays"].some((section) => sections.has(section))) draw();
  });
  draw();
}

/** @param {T.Tray} tray @param {string[]} names of the sides */
function trayView({ title, text, tokens }, names) {
  return el(
    "section",
    { class: "cup", "aria-label": `${title}: ${text}` },
    el("span", { class: "cup-left small muted", "aria-hidden": true }, text),
    ...names.map((name, side) => {
      const own = tokens.filter((token) => token.side === side);
      return el("ul", { class: "plain chits", "aria-label": `${title}: ${name}` }, ...own.map(tokenView));
    }),
  );
}

/** @param {T.Token} token */
function tokenView({ side, mark, when, text }) {
  return el(
    "li",
    {
      class: `chit is-${when}`,
      dataset: { side: String(side), chit: mark, when },
      title: text,
      "aria-current": when === "now" ? "step" : null,
    },
    el("span", { "aria-hidden": true }, mark),
    el("span", { class: "visually-hidden" }, text),
  );
}
