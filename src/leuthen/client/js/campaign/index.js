// The campaign page: the war in pictures, as far as this seat may know it; after the end, all of it.

import { SeatApi, seatIn } from "../session/api.js";
import { byId, el, fill, format, plural, sentence } from "../dom.js";
import { expected, lineChart, luckOf, reportView, sieges } from "./report.js";
import { FrontSheet, Ground, filmView, sharePicture, shareView } from "./picture.js";
import { dateOf, messageOf } from "../panels/parts.js";
import { scoresOf } from "../panels/turns.js";
import { titleOf, watchTab } from "../players.js";
import { Store } from "../session/store.js";
import { battleCard, commandersTable, yearNewsView, yearView } from "../story/pages.js";
import { CAMPAIGN, REPORT, STORY } from "../strings/pages.js";
import { PANELS, TURNS } from "../strings/panels.js";

/** @import * as T from "../../types" */

const PAGE = 500;
/** Viewer number of the umpire: after the end, the page shows everything. */
const EVERYTHING = 3;

/** Input of the page: the turns, with the present as the last one. */
class Campaign {
  /** @param {Store} store @param {T.Scene} scene the present @param {readonly T.TurnMark[]} turns */
  constructor(store, scene, turns) {
    this.store = store;
    this.scene = scene;
    const { n, has_ended: hasEnded } = store.table;
    const last = hasEnded ? CAMPAIGN.theEnd : TURNS.stages.now;
    this.marks = [...turns, { n, year: scene.year, turn: scene.turn, scores: scoresOf(scene) }];
    this.dates = this.marks.map((mark, at) => (at === turns.length ? last : dateOf(store.setting, mark)));
    this.years = this.marks.flatMap(({ year }, at) => (year !== this.marks[at - 1]?.year ? [{ at, label: String(year) }] : []));
  }

  /**
   * A chart of a value of each side at each turn.
   * @param {string} title @param {string} text @param {(side: number, at: number) => number | null} value @param {readonly number[]} [band]
   */
  chart(title, text, value, band) {
    const series = [0, 1].map((side) => ({
      side,
      name: sentence(this.store.sideName(side)),
      values: this.marks.map((_, at) => value(side, at)),
    }));
    return lineChart({ title, text, dates: this.dates, years: this.years, series, ...(band ? { band } : {}) });
  }
}

/** The whole chronicle, oldest first. @param {SeatApi} api @param {number | undefined} viewer */
async function allLines(api, viewer) {
  /** @type {T.ChronicleLine[]} */
  let lines = [];
  for (let more = true; more; ) {
    const page = await api.chronicle({ before: lines[0]?.n, count: PAGE, viewer });
    lines = [...page.lines, ...lines];
    more = page.more && page.lines.length > 0;
  }
  return lines;
}

/** The scores, except those that stay at zero throughout. @param {Campaign} campaign */
function scoreCharts(campaign) {
  const { marks, scene } = campaign;
  const told = scene.scores.filter(({ id }) => marks.some(({ scores }) => scores[id]?.some((value) => value > 0)));
  return told.map(({ id, label, text, rule }) =>
    campaign.chart(label, `${text} (${rule})`, (side, at) => {
      const value = marks[at]?.scores[id]?.[side] ?? -1;
      return value < 0 ? null : value; // what is not known stands as −1
    }),
  );
}

/** @param {Campaign} campaign @param {readonly T.ChronicleLine[]} lines */
function luckChart(campaign, lines) {
  const luck = luckOf(lines, campaign.marks);
  const band = luck.map(({ rolls }) => expected(Math.max(...rolls)));
  const last = luck.at(-1);
  const verdicts = [0, 1].map((side) => {
    const [sum, rolls] = [last?.sums[side] ?? 0, last?.rolls[side] ?? 0];
    const is = Math.abs(sum) <= expected(rolls) ? CAMPAIGN.asExpected : sum > 0 ? CAMPAIGN.lucky : CAMPAIGN.unlucky;
    return format(CAMPAIGN.luckOf, {
      side: sentence(campaign.store.sideName(side)),
      sum: `${sum < 0 ? "−" : "+"}${Math.abs(sum).toFixed(1)}`,
      rolls: plural(rolls, CAMPAIGN.roll),
      verdict: is,
    });
  });
  return campaign.chart(REPORT.luck, CAMPAIGN.aboutLuck + verdicts.join(" "), (side, at) => luck[at]?.sums[side] ?? null, band);
}

/** The front at the start of each year, and now. @param {Campaign} campaign @param {SeatApi} api @param {Ground | null} ground */
async function frontsView({ marks, scene, store, years }, api, ground) {
  const sheet = new FrontSheet(store.setting, scene, ground, true);
  const scenes = await Promise.all(years.map(async ({ at, label }) => ({ label, scene: (await api.past(marks[at]?.n ?? 0)).scene })));
  const all = [...scenes, { label: store.table.has_ended ? TURNS.theEnd : TURNS.now, scene }];
  return el("div.fronts", ...all.map(({ label, scene: one }) => el("figure", el("figcaption", label), sheet.draw(one, label))));
}

/** The named battles, each as a report. @param {Campaign} campaign @param {readonly T.ChronicleLine[]} lines @param {Ground | null} ground */
function battles({ dates, store }, lines, ground) {
  const fought = lines.filter(({ entry }) => entry.battle);
  if (!fought.length) return el("p", CAMPAIGN.noBattle);
  const cards = fought.map(({ turn, entry }) => battleCard(store, entry, ground?.print ?? null, { date: dates[turn] ?? "" }));
  return el("div.battle-cards", cards);
}

/** @param {string} title @param {...(Node | readonly Node[] | null)} body */
const section = (title, ...body) => el("section", el("h2", title), ...body);

/**
 * The film: every turn, with its battles.
 * @param {Campaign} campaign @param {readonly T.ChronicleLine[]} lines @param {SeatApi} api @param {number | undefined} viewer
 * @param {Ground | null} ground
 */
function filmOf({ marks, dates, scene, store }, lines, api, viewer, ground) {
  const frames = marks.map(({ n }, at) => ({
    n,
    date: dates[at] ?? "",
    battles: lines.filter((line) => line.turn === at && line.entry.battle).map((line) => line.entry),
    ...(at === marks.length - 1 ? { scene } : {}),
  }));
  return filmView(api, new FrontSheet(store.setting, scene, ground), frames, viewer);
}

/** A year in sentences, with its news folded. @param {T.YearStory} year */
function chapterOf(year) {
  const news = yearNewsView(year);
  const folded = el("details.year-news", el("summary", format(CAMPAIGN.newsOf, { year: year.year })), news);
  return el("div", yearView(year), news.length ? folded : null);
}

/** The war's title: the players' own, or else the scenario's. @param {Store} store */
function nameOf({ table: { title, scenario }, setting }) {
  const played = setting.scenarios.find(({ name, kind }) => name === scenario && kind !== "war");
  return title || played?.text || setting.title; // a war may end before its scenario says
}

/** The picture for sharing. @param {Campaign} campaign @param {T.Story} story @param {readonly T.ChronicleLine[]} lines @param {Ground | null} ground */
function pictureOf({ scene, store }, story, lines, ground) {
  const title = nameOf(store);
  const reports = lines.flatMap(({ entry }) => (entry.battle ? [entry.battle] : []));
  const sheet = new FrontSheet(store.setting, scene, ground);
  const result = scene.result || scene.title;
  const sentences = story.war ?? story.years.at(-1)?.sentences ?? [];
  const picture = sharePicture({ title, result, sentences, scene, sheet, battles: reports, ground });
  return shareView(picture, title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-"));
}

/** A section that links in the final card lead to. @param {string} id @param {HTMLElement} found */
const named = (id, found) => Object.assign(found, { id });

async function main() {
  const seat = seatIn(location.pathname);
  const api = new SeatApi(seat);
  const store = await Store.open(api);
  const { n, title, has_ended: hasEnded, scene: own } = store.table;
  const viewer = hasEnded ? EVERYTHING : undefined;
  const [{ turns }, lines, scene, story, ground] = await Promise.all([
    api.turns(viewer),
    allLines(api, viewer),
    hasEnded ? api.past(n, EVERYTHING).then((past) => past.scene) : own,
    api.story(viewer),
    Ground.fetch(store.setting),
  ]);
  const campaign = new Campaign(store, scene, turns);
  const [one, other] = store.setting.sides;
  watchTab(format(CAMPAIGN.title, { game: titleOf(store.table) }));
  const known = hasEnded ? "" : store.side === 2 ? CAMPAIGN.bothKnow : format(CAMPAIGN.sideKnows, { side: store.sideName(store.side) });
  fill(
    byId("head"),
    el("h1", nameOf(store)),
    title ? null : el("p", titleOf(store.table)),
    el("p", scene.result || scene.title, ". ", known),
    el("a.no-print", { href: `/table/${encodeURIComponent(seat)}` }, CAMPAIGN.toGame),
  );
  const film = [
    hasEnded ? el("p", CAMPAIGN.open) : null, // nothing is hidden any more
    el("p.muted", format(CAMPAIGN.legend, { one, other })),
    filmOf(campaign, lines, api, viewer, ground),
  ];
  fill(
    byId("main"),
    section(CAMPAIGN.story, story.war ? el("div.year-story", el("p", story.war.join(" "))) : null, ...story.years.map(chapterOf)),
    section(CAMPAIGN.picture, pictureOf(campaign, story, lines, ground)),
    named("hidden", section(CAMPAIGN.film, ...film)),
    section(STORY.battles, battles(campaign, lines, ground)),
    section(CAMPAIGN.commanders, commandersTable(store, story)),
    section(CAMPAIGN.scores, el("div.charts", scoreCharts(campaign))),
    hasEnded ? named("report", section(STORY.report, reportView(api, store))) : null,
    section(CAMPAIGN.luckOfDice, luckChart(campaign, lines)),
    section(CAMPAIGN.front, await frontsView(campaign, api, ground)),
    section(PANELS.sieges, sieges(campaign, lines)),
  );
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

main().catch((error) => fill(byId("main"), el("p.note.bad", { role: "alert" }, messageOf(error))));
