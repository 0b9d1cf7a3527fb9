// The year and the war in sentences: the page of the winter, the card at the end, the chapters of the campaign page.

import { el } from "../dom.js";
import { europePicture } from "../panels/europe.js";

/** @import * as T from "../../types" */
/** @import { Store } from "../session/store.js" */

/** A year: its sentences. @param {T.YearStory} year */
export function yearView({ year, sentences }) {
  return el("section", { class: "year-story" }, el("h3", {}, String(year)), el("p", {}, sentences.join(" ")));
}

/** @param {readonly string[]} lines */
function listOf(lines) {
  return el("ul", { class: "plain" }, ...lines.map((line) => el("li", {}, line)));
}

/** The news of a year, kind by kind; what is summed up is there one by one to unfold. @param {T.YearStory} year */
export function tidingsView({ news = [] }) {
  return news.map(({ heading, lines, details = [] }) => {
    const all = details.length ? el("details", {}, el("summary", {}, `One by one (${details.length})`), listOf(details)) : null;
    return el("section", { class: "tidings" }, el("h3", {}, heading), listOf(lines), all);
  });
}

/** The winter: what the year was about, who is on whose side now, and all the news. @param {Store} store @param {T.YearStory} year */
export function bulletin(store, year) {
  return el(
    "div",
    { class: "bulletin" },
    el("p", { class: "lead" }, year.sentences.join(" ")),
    el("figure", {}, europePicture(store), el("figcaption", { class: "small muted" }, "Europe as the winter leaves it")),
    el("div", { class: "columns" }, ...tidingsView(year)),
  );
}

/** What the commanders did. @param {Store} store @param {T.Story} story */
export function commandersTable({ setting }, { commanders, unit = "" }) {
  if (!commanders.length) return el("p", {}, "Nobody has commanded in a battle yet.");
  const heads = ["Commander", "Side", "Battles", "Won", "Lost", "Lost whole", `${unit} lost`, `${unit} the enemy lost`];
  const rows = commanders.map((one) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, one.name),
      el("td", {}, setting.sides[one.side] ?? ""),
      ...[one.battles, one.won, one.lost, one.overrun ?? 0, one.suffered, one.inflicted].map((value) =>
        el("td", { class: "number" }, value),
      ),
    ),
  );
  const table = el(
    "table",
    {},
    el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
    el("tbody", {}, ...rows),
  );
  return el("div", { class: "scroll-x", tabindex: 0, role: "group", "aria-label": "Records of the commanders" }, table);
}
