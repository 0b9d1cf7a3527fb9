// The board as text: every counter in one sentence, by place, with distances from the place one stands at.

import { el, fill } from "../dom.js";
import { placeLink, placeName, sentence } from "../bits.js";
import { openDialog } from "../dialog.js";

/** @import { Context } from "../context.js" */

/** A hex RRCC in axes that a distance can be read from; even rows stand half a hex farther to the right. @param {string} place */
function axes(place) {
  const row = Number(place.slice(0, 2));
  return { q: Number(place.slice(2)) - (row + (row & 1)) / 2, r: row };
}

/** How many hexes lie between two places, as the crow flies. @param {string} from @param {string} to */
export function distance(from, to) {
  const [a, b] = [axes(from), axes(to)];
  const [dq, dr] = [a.q - b.q, a.r - b.r];
  return Math.max(Math.abs(dq), Math.abs(dr), Math.abs(dq + dr));
}

/** @param {Context} ctx @param {string} here the place that distances count from, "" for none */
export function openTextBoard(ctx, here) {
  const from = el("select", { "aria-label": "Distances from", onchange: () => draw() }, ...startOptions(ctx, here));
  const filter = el(
    "select",
    { "aria-label": "Show", onchange: () => draw() },
    ...["both sides", ...ctx.store.setting.sides, "neutral"].map((name, index) => el("option", { value: index - 1 }, sentence(name))),
  );
  const list = el("div", { class: "text-board" });
  const draw = () => fill(list, ...placesView(ctx, from.value, Number(filter.value)));
  draw();
  const head = el("div", { class: "row" }, el("label", {}, "Distances from ", from), el("label", {}, "Show ", filter));
  return openDialog({ title: "The board as text", body: [head, list], wide: true });
}

/** @param {Context} ctx @param {string} here */
function startOptions({ store }, here) {
  const own = Object.values(store.scene.pieces).filter((piece) => piece.side === store.side);
  const places = [...new Set([here, ...own.map((piece) => piece.place)])].filter(Boolean);
  return [
    el("option", { value: "" }, "nowhere"),
    ...places.map((place) => el("option", { value: place, selected: place === here }, placeName(store, place))),
  ];
}

/** @param {Context} ctx @param {string} from @param {number} side -1 for all */
function placesView(ctx, from, side) {
  const { pieces, markers, holdings } = ctx.store.scene;
  /** @type {Map<string, string[]>} */
  const byPlace = new Map();
  const add = (/** @type {string} */ place, /** @type {string} */ text) => byPlace.set(place, [...(byPlace.get(place) ?? []), text]);
  for (const piece of Object.values(pieces)) if (side < 0 || piece.side === side) add(piece.place, piece.spoken);
  for (const marker of Object.values(markers)) if (side < 0 || marker.side === side) add(marker.place, marker.text);
  for (const [place, lines] of byPlace) if (holdings[place]) lines.push(holdings[place].text);
  const order = [...byPlace.keys()].sort((a, b) => (from ? distance(from, a) - distance(from, b) : 0) || a.localeCompare(b));
  if (!order.length) return [el("p", {}, "Nothing is on the map.")];
  return order.map((place) => {
    const away = from && from !== place ? `, ${distance(from, place)} hexes away` : "";
    return el(
      "section",
      {},
      el("h3", {}, placeLink(ctx, place, placeName(ctx.store, place)), away),
      el("ul", {}, ...(byPlace.get(place) ?? []).map((text) => el("li", {}, sentence(text)))),
    );
  });
}
