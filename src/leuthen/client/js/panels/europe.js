// Allegiances on a small map of Europe, and as a list.

import { sentence, sideMark } from "../bits.js";
import { el, fill, svg } from "../dom.js";
import { LAND, LANDS, SIZE } from "./europe-shapes.js";
import { whenChanged, withRules } from "./parts.js";

/** @import { Context } from "../context.js" */
/** @import { Store } from "../session/store.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  whenChanged(host, ctx, ["powers"], () => fill(host, europePicture(ctx.store), list(ctx)));
}

/** Side 0 is hatched one way, side 1 the other; neutrals are plain. @param {Store} store */
export function europePicture(store) {
  const { scene, setting } = store;
  const lands = setting.powers.flatMap(({ name }, power) => {
    const land = LANDS[name];
    return land ? [{ name, land, side: scene.powers[power]?.side ?? 2 }] : [];
  });
  return svg(
    "svg",
    {
      class: "europe",
      viewBox: SIZE,
      role: "img",
      "aria-label": "Europe, with the powers hatched by their sides; the list below says the same",
    },
    svg("defs", {}, hatch("hatch-0", "M0 6 6 0M-1 1 1 -1M5 7 7 5"), hatch("hatch-1", "M0 0 6 6M-1 5 1 7M5 -1 7 1")),
    svg("path", { class: "land", d: LAND }),
    lands.map(({ land, side }) =>
      svg(
        "g",
        { class: "power", "data-side": side },
        svg("path", { class: "wash", d: land.path }),
        svg("path", { class: "hatch", d: land.path }),
      ),
    ),
    lands.map(({ name, land, side }) =>
      svg(
        "text",
        { x: land.at[0], y: land.at[1] },
        name,
        side === 2 ? null : svg("tspan", { class: "letter" }, ` ${store.sideName(side).charAt(0).toUpperCase()}`),
      ),
    ),
  );
}

/** @param {string} id @param {string} d */
function hatch(id, d) {
  return svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, svg("path", { d }));
}

/** @param {Context} ctx */
function list(ctx) {
  const { store } = ctx;
  const { scene, setting } = store;
  return [0, 1, 2].map((side) => {
    const powers = setting.powers.flatMap((power, index) =>
      (scene.powers[index]?.side ?? 2) === side ? [{ power, text: scene.powers[index]?.text }] : [],
    );
    if (!powers.length) return null;
    return el(
      "section",
      {},
      el("h3", {}, sideMark(store, side), " ", side === 2 ? "On neither side" : sentence(store.sideName(side))),
      el(
        "ul",
        { class: "plain powers" },
        powers.map(({ power, text }) =>
          el(
            "li",
            {},
            power.is_major ? el("b", {}, power.name) : power.name,
            text ? el("span", { class: "muted" }, ": ", withRules(ctx, text)) : null,
          ),
        ),
      ),
    );
  });
}
