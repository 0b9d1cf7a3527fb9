// Battles and sieges: the contest that goes on beside the orders, both sides with what they have and what of it is engaged,
// and its rounds as they happen; and the results over the map, each of which stays until the player closes it.

import { button, diceOf, el, fill, format, listOf, placeLink, plural, ruleLink, sentence, sideMark } from "../dom.js";
import { die } from "../panels/parts.js";
import { battleCard } from "./pages.js";
import { BATTLE } from "../strings/order.js";
import { STORY } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */
/** @import { Playback, Reached } from "./playback.js" */

/** Number of chronicle lines searched for the start of the battle. */
const MANY = 120;

/** The contest that goes on. @param {HTMLElement} host @param {Context} ctx */
export function mountContest(host, ctx) {
  const { api, store } = ctx;
  /** Events since the battle began. @type {T.LogEntry[]} */
  let lines = [];
  /** True if the rounds are unfolded; folded by default on small screens. */
  let isUnfolded = !matchMedia("(max-width: 60rem)").matches;

  const draw = () => {
    const rounds = store.isLive ? lines : [];
    const contest = store.scene.versus ?? null;
    fill(host, contest || rounds.length ? view(contest, rounds) : null);
    host.querySelector(".rounds")?.scrollTo({ top: 1e6 });
  };
  /** Load a battle that began before the page was opened. */
  const reload = async () => {
    lines = [];
    draw();
    if (!store.table.scene.versus) return;
    const told = (await api.chronicle({ count: MANY })).lines.map((line) => line.entry);
    lines = told.slice(told.findLastIndex((event) => event.topic === "opening"));
    draw();
  };
  const view = (/** @type {T.Versus | null} */ contest, /** @type {readonly T.LogEntry[]} */ rounds) => {
    const [opening] = rounds;
    const place = opening?.places?.[0] ?? "";
    const title = el("h3", contest?.title ?? BATTLE.title, " ", ruleLink(ctx, contest?.rule ?? opening?.rule ?? ""));
    const fold = rounds.length ? roundsView(ctx, rounds, isUnfolded) : null;
    fold?.addEventListener("toggle", () => (isUnfolded = fold.open));
    const most = Math.max(...(contest?.sides ?? []).map((one) => one.began));
    return el(
      "section.contest",
      { "aria-label": BATTLE.title },
      el("header", title, place && !contest ? placeLink(ctx, place) : null),
      contest && el("p.contest-state", sentence(format(BATTLE.round, { round: contest.round, part: contest.part }))),
      contest && el("div.hosts", ...contest.sides.map((one, side) => hostView(ctx, one, side, contest.unit, most))),
      fold,
    );
  };
  store.on("change", (/** @type {Change} */ { sections, told, dropped }) => {
    if (sections.has("fresh") || dropped) return void reload();
    for (const one of told) {
      if (one.topic === "opening") lines = [one];
      else if (lines.length) lines = one.topic === "battle" ? [] : [...lines, one];
    }
    if (["versus", "shown", "awaited"].some((section) => sections.has(section)) || told.length) draw();
  });
  void reload();
}

/** The rounds of a battle, folded. @param {Context} ctx @param {readonly T.LogEntry[]} lines from its opening @param {boolean} isOpen */
function roundsView(ctx, [opening, ...rest], isOpen = true) {
  /** @type {{number: number, lines: T.LogEntry[]}[]} */
  const rounds = [];
  for (const event of rest) {
    const number = event.round || rounds.at(-1)?.number || 0;
    if (rounds.at(-1)?.number !== number) rounds.push({ number, lines: [] });
    rounds.at(-1)?.lines.push(event);
  }
  const lineOf = (/** @type {T.LogEntry} */ event) =>
    el("li", ...diceOf(event).map(die), el("span", event.brief || event.text), " ", ruleLink(ctx, event.rule));
  const views = rounds.map(({ number, lines }) => {
    const columns = [0, 1].map((side) => {
      const own = lines.filter((event) => event.side === side).map(lineOf);
      return el("ul.plain", { dataset: { side: String(side) }, "aria-label": ctx.store.sideName(side) }, ...own);
    });
    const head = number ? el("h4", format(BATTLE.roundNumber, { number })) : null;
    return el("li", { dataset: { round: String(number) } }, head, el("div.both", ...columns));
  });
  return el(
    "details",
    { open: isOpen },
    el("summary", plural(rounds.length, BATTLE.oneRound)),
    el("ol.plain.rounds", { tabindex: 0, "aria-label": BATTLE.rounds }, el("li.small", opening?.text ?? ""), ...views),
  );
}

/** An unknown value is −1. @param {number} value */
const known = (value) => (value < 0 ? "?" : String(value));

/** @param {Context} ctx @param {T.Contender} host @param {number} side @param {string} unit @param {number} most the larger strength */
function hostView(ctx, host, side, unit, most) {
  const { now, began, engaged = 0, engagement = "", lost = 0, states = [], troops = [] } = host;
  const bar = (/** @type {string} */ name, /** @type {number} */ part) =>
    el("i", { class: name, style: { width: `${(100 * Math.max(0, part)) / Math.max(1, most)}%` } });
  const losses = lost > 0 ? format(BATTLE.losses, { lost }) : "";
  const listed = troops.map((one) =>
    el("li", { class: one.text ? "is-broken" : "" }, `${one.name} ${one.strength ?? ""}${one.text ? `, ${one.text}` : ""}`),
  );
  return el(
    "div.host",
    { dataset: { side: String(side), role: host.role } },
    el("h4", sideMark(ctx.store, side), " ", host.title, " ", el("span.number.muted", host.ratings)),
    el("p.small.muted", sentence(host.role)),
    el("div.force-bar", { "aria-hidden": true }, bar("began", began), bar("now", now), bar("engaged", engaged)),
    el("p", el("b.number", known(now)), format(BATTLE.strength, { began: known(began), unit, lost: losses })),
    engagement ? el("p.small", engagement) : null,
    states.length ? el("p.small.states", sentence(states.join(", "))) : null,
    listed.length > 1 ? el("ul.plain.small.troops", ...listed) : null,
  );
}

// --- results over the map ---

const MOST = 6;

/**
 * A battle with its rounds, or the siege of a place in one turn. `n` is the number of its last entry, `score` the line
 * on victory points.
 * @typedef {{n: number, entries: T.LogEntry[], rounds: readonly T.LogEntry[], place: string, turn: string, score: string}} Result
 */

/** Returns a function that closes the newest result and says if one was open. @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
export function mountResults(host, ctx, playback) {
  const { api, store } = ctx;
  /** The open results, the newest first. @type {Result[]} */
  let open = [];
  /** Entries since the current battle began. @type {T.LogEntry[]} */
  let rounds = [];
  /** The scene of the last entries. */
  let before = store.table.scene;

  const draw = () => {
    host.hidden = !open.length || !store.isLive;
    const all = button(STORY.closeAll, "close-results", () => keep(() => false), "quiet");
    fill(host, open.length > 1 ? all : null, ...open.map(cardOf));
  };
  const keep = (/** @type {(result: Result) => boolean} */ isKept) => {
    open = open.filter(isKept);
    draw();
  };
  /** Close the results that were taken back. */
  const check = async () => {
    rounds = [];
    const listed = open;
    if (!listed.length) return;
    const { lines } = await api.chronicle({ count: 200 });
    const counts = new Set(lines.map(({ n }) => n));
    const isVoid = (/** @type {Result} */ { n }) => n >= (lines[0]?.n ?? 0) && !counts.has(n);
    keep((result) => !listed.includes(result) || !isVoid(result));
  };
  /** @param {T.LogEntry} entry @param {number} n @param {string} turn */
  const add = (entry, n, turn) => {
    const { topic, places = [] } = entry;
    if (topic === "opening") rounds = [entry];
    else if (topic !== "battle" && rounds.length) rounds.push(entry);
    if (topic !== "battle" && topic !== "siege") return;
    const [place = ""] = places;
    const last = open[0];
    const isMore = topic === "siege" && last?.entries[0]?.topic === "siege" && last.place === place && last.turn === turn;
    const fought = topic === "battle" ? rounds.splice(0) : [];
    if (isMore) Object.assign(last, { entries: [...last.entries, entry], n });
    else open = [{ n, entries: [entry], rounds: fought, place, turn, score: "" }, ...open].slice(0, MOST);
  };
  /** The score with the latest gains. @param {T.Scene} after */
  const scoreLine = (after) => {
    const [score] = after.scores;
    if (!score) return "";
    const points = before.scores[0]?.values ?? score.values;
    const gains = score.values.map((value, side) => ({ side, gain: value - (points[side] ?? 0) })).filter(({ gain }) => gain);
    const gained = gains.map(({ side, gain }) =>
      format(STORY.gained, { side: sentence(store.sideName(side)), gain: (gain > 0 ? "+" : "−") + Math.abs(gain) }),
    );
    const [one, other] = [0, 1].map((side) => sentence(store.sideName(side)));
    const [a, b] = score.values;
    return format(STORY.scoreNow, { label: score.label, one, a, other, b, gained: gained.length ? ` (${gained.join(", ")})` : "" });
  };
  const cardOf = (/** @type {Result} */ result) => {
    const { entries, place, rounds: fought, score } = result;
    const [first] = entries;
    const name = first?.battle?.name ?? store.namesByPlace.get(place) ?? place;
    const close = () => keep((other) => other !== result);
    const props = { "aria-label": format(STORY.closeReport, { name }), dataset: { do: "close-report" }, onclick: close };
    const head = el("button.quiet.icon", props, "×");
    const points = score ? el("p.small.result-score", score) : null;
    if (first?.battle) {
      const lines = fought.length ? [el("p", first.text, " ", ruleLink(ctx, first.rule)), roundsView(ctx, fought)] : [];
      return battleCard(store, first, null, { head, more: [...lines, points] });
    }
    const title = format(first?.topic === "siege" ? STORY.siegeOf : STORY.battleAt, { name });
    const lines = entries.map((entry) => [...diceOf(entry).map(die), " ", entry.text, " ", ruleLink(ctx, entry.rule)]);
    return el("article.battle-card", { "aria-label": title }, el("header", el("h3", title), head), listOf("plain", ...lines), points);
  };

  playback.on("reached", (/** @type {Reached} */ { n, entries, dropped, isFresh, scene }) => {
    if (dropped || isFresh) void check();
    const after = scene ?? store.table.scene;
    for (const entry of entries) add(entry, n, before.title);
    const [newest] = open;
    if (newest?.n === n && entries.some((entry) => newest.entries.includes(entry))) newest.score = scoreLine(after);
    before = after;
    draw();
  });
  store.onChange(["shown"], draw);
  return () => {
    const isOpen = open.length > 0 && store.isLive;
    if (isOpen) open.shift();
    draw();
    return isOpen;
  };
}
