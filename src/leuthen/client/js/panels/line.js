// A line of the chronicle: it lights the map while it is pointed at, and its hexes, rule and table can be opened.

import { diceOf, placeLink, ruleLink } from "../bits.js";
import { el } from "../dom.js";
import { die, sideBadge } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** An event as a line. @param {Context} ctx @param {T.LogEntry} told */
export function lineOf(ctx, told) {
  const places = told.places ?? [];
  const light = () => {
    ctx.map.highlight(places, "told");
    if (told.path?.length) ctx.map.setPath(told.path);
  };
  const unlight = () => {
    ctx.map.highlight([], "told");
    if (told.path?.length) ctx.map.setPath([]);
  };
  const { spot } = told;
  const [place = ""] = places;
  const linked = [...places, told.path?.at(-1)];
  const words = told.text.split(/(\b\d{4}\b)/).map((word) => (linked.includes(word) ? placeLink(ctx, word) : word));
  const extras = [
    ...diceOf(told).map((value) => die(value)),
    place && !words.some((word) => word instanceof Element) && placeLink(ctx, place, "map"),
    ruleLink(ctx, told.rule),
    spot && el("button", { type: "button", class: "rule", onclick: () => ctx.showTable(spot) }, "table"),
  ];
  for (const extra of [...words, ...extras]) if (extra instanceof HTMLButtonElement) extra.tabIndex = -1;
  const jump = (/** @type {MouseEvent} */ event) =>
    event.target instanceof Element && !event.target.closest("button") && place && ctx.jump(place);
  return el(
    "li",
    {
      class: "told",
      "data-side": told.side ?? 2,
      onmouseenter: light,
      onmouseleave: unlight,
      onfocusin: light,
      onfocusout: unlight,
      onclick: jump,
    },
    sideBadge(ctx.store, told.side ?? 2),
    el(
      "div",
      {},
      words,
      extras.flatMap((extra) => [" ", extra]),
      told.steps?.length
        ? el("ol", { class: "steps plain", "aria-label": "Modifiers" }, ...told.steps.map((step) => el("li", {}, step)))
        : null,
    ),
  );
}
