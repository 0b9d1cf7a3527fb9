// The year and the war in sentences: the page of the winter, the card at the end, the chapters of the campaign page.

import { openDialog } from "../dialog.js";
import { el, fill, format, listOf, rowOf, sentence, sideMark, svg, tableOf, wideTable } from "../dom.js";
import { europePicture } from "../panels/victory.js";
import { die } from "../panels/parts.js";
import { parOf } from "../players.js";
import { STORY } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Ground } from "../campaign/picture.js" */
/** @import { Store } from "../session/store.js" */
/** @import { Playback, Reached } from "./playback.js" */

/** The sentences of a year. @param {T.YearStory} year */
export const yearView = ({ year, sentences }) => el("section.year-story", el("h3", String(year)), el("p", sentences.join(" ")));

/** The news of a year by kind, with details folded. @param {T.YearStory} year */
export const yearNewsView = ({ news = [] }) =>
  news.map(({ heading, lines, details = [] }) => {
    const all = details.length
      ? el("details", el("summary", format(STORY.details, { count: details.length })), listOf("plain", ...details))
      : null;
    return el("section.tidings", el("h3", heading), listOf("plain", ...lines), all);
  });

/** The winter bulletin: the year, the alliances, and all news. @param {Store} store @param {T.YearStory} year */
const bulletin = (store, year) =>
  el(
    "div.bulletin",
    el("p.lead", year.sentences.join(" ")),
    el("figure", europePicture(store), el("figcaption.small.muted", STORY.europe)),
    el("div.columns", ...yearNewsView(year)),
  );

/** The commanders' records. @param {Store} store @param {T.Story} story */
export function commandersTable({ setting }, { commanders, unit = "" }) {
  if (!commanders.length) return el("p", STORY.noBattles);
  const heads = STORY.recordHeads.map((head) => format(head, { unit }));
  const rows = commanders.map(({ name, side, battles, won, lost, overrun = 0, suffered, inflicted }) => {
    const counts = [battles, won, lost, overrun, suffered, inflicted].map((value) => el("td.number", value));
    return rowOf(name, el("td", setting.sides[side] ?? ""), ...counts);
  });
  return wideTable(STORY.records, tableOf(heads, rows));
}

// What the table shows at the turn of a year and at the end: the bulletin of the winter over the whole page, and the card
// with the story of the war. The story is fetched when it is wanted.

/** @param {HTMLElement} host for the card at the end @param {Context} ctx @param {Playback} playback */
export function mountBulletins(host, { api, store }, playback) {
  let { year } = store.table.scene;
  let isEndShown = false;
  /** Show the winter after a year. @param {number} past */
  const showWinter = async (past) => {
    if (store.setting.turns.length < 2) return; // where every turn is a year, there is no winter
    const told = (await api.story()).years.find((one) => one.year === past);
    if (!told || document.querySelector("dialog[open]")) return;
    const answers = [{ label: format(STORY.continueTo, { year: past + 1 }), value: "" }];
    await openDialog({ title: format(STORY.winterAfter, { year: past }), body: bulletin(store, told), answers, wide: true });
  };
  playback.on("reached", (/** @type {Reached} */ { scene, isFresh }) => {
    const past = year;
    ({ year } = scene ?? store.table.scene);
    if (year > past && !isFresh && store.isLive) void showWinter(past);
  });
  /** The last year, the even result, and links to continue. */
  const showEnd = async () => {
    if (isEndShown || !store.table.has_ended || !store.table.scene.result) return;
    isEndShown = true;
    const last = (await api.story()).years.at(-1);
    const played = store.setting.scenarios.find(({ name }) => name === store.table.scenario);
    const even = played ? parOf(played, store.setting.sides) : "";
    const page = `/campaign/${encodeURIComponent(api.seat)}`;
    const links = el(
      "p.row",
      el("a.button.primary", { href: page }, STORY.story),
      el("a.button", { href: `${page}#hidden` }, STORY.hidden),
      el("a.button", { href: `${page}#report` }, STORY.report),
    );
    const card = { "aria-label": STORY.end };
    fill(host, el("section.ending-card", card, last ? yearView(last) : null, even ? el("p.small", even) : null, links));
  };
  store.addEventListener("change", () => void showEnd());
  void showEnd();
}

// A battle that was fought, as a report: its name, both sides, a small map of the ground, the dice, what the war did there.

/** Size of the small map, in hexes. */
const [WIDE, HIGH] = [7, 4];
/** The crossed swords, and the paper behind them that keeps them clear of the ground. */
const SWORDS = ["M-.2-.2.2.2M-.2.2.2-.2", "M-.2-.2.2.2M-.2.2.2-.2M-.22.06-.06.22M.22.06.06.22"];

/** The ground of a battle: a section of the sheet with crossed swords. @param {T.Setting} setting @param {T.BattleReport} report @param {Ground["print"]} print */
function groundOf({ towns }, { place, name }, { grid, drawing, width, height }) {
  const { x, y } = grid.centre(place);
  const box = [x - (WIDE / 2) * grid.size, y - (HIGH / 2) * grid.size, WIDE * grid.size, HIGH * grid.size];
  const near = towns.filter((town) => {
    const at = grid.centre(town.place);
    return Math.abs(at.x - x) < (WIDE / 2) * grid.size && Math.abs(at.y - y) < (HIGH / 2) * grid.size;
  });
  return svg(
    "svg.ground",
    {
      viewBox: box.join(" "),
      preserveAspectRatio: "xMidYMid slice",
      role: "img",
      "aria-label": format(STORY.mapOf, { name, towns: near.map((town) => town.name).join(", ") }),
    },
    drawing.image({ width, height }),
    svg("path.around", { d: grid.outline([place]) }),
    svg("g.swords", { transform: `translate(${x} ${y - grid.radius}) scale(${grid.size})` }, ...SWORDS.map((d) => svg("path", { d }))),
  );
}

/** One side of the battle. @param {Store} store @param {T.BattleReport} report @param {number} side */
function battleSideView(store, { sides, unit, winner, attacker }, side) {
  const host = /** @type {T.BattleSide} */ (sides[side]);
  const { commander, strength, lost, taken = 0 } = host;
  const name = sentence(store.sideName(side));
  const outcome = winner > 1 ? "no winner" : winner === side ? "victor" : "beaten";
  const prisoners = taken ? format(STORY.captured, { taken }) : "";
  return el(
    "div.battle-host",
    { dataset: { side: String(side), outcome } },
    el("h4", sideMark(store, side), ` ${commander}`),
    el("p.small", format(STORY.role, { side: name, role: attacker === side ? STORY.attacker : STORY.defender, outcome })),
    el("p.number", format(STORY.strength, { strength: strength < 0 ? "?" : strength, unit, lost, prisoners })),
  );
}

/**
 * The report of a battle.
 * @param {Store} store @param {T.LogEntry} told with a battle @param {Ground["print"] | null} print where the map is drawn on a sheet with hexes
 * @param {{date?: string, head?: Node | null, more?: (Node | null)[]}} [more] `head` is put beside the name, `more` below the report
 */
export function battleCard(store, told, print, { date = "", head = null, more = [] } = {}) {
  const report = /** @type {T.BattleReport} */ (told.battle);
  const dice = (told.dice ?? []).map(die);
  const steps = (told.steps ?? []).join(", ");
  return el(
    "article.battle-card",
    { "aria-label": format(STORY.battleOf, { name: report.name }) },
    el("header", el("h3", format(STORY.battleOf, { name: report.name })), date ? el("span.muted", date) : null, head),
    print && groundOf(store.setting, report, print),
    el("div.battle-hosts", battleSideView(store, report, 0), battleSideView(store, report, 1)),
    dice.length ? el("p.small", dice, " ", steps) : null,
    report.history ? el("p.small.history", el("b", STORY.inHistory), `${report.history}.`) : null,
    ...more,
  );
}
