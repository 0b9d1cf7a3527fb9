// Results of battles and sieges over the map. Each one stays until the player closes it.

import { diceOf, el, fill, format, listOf, ruleLink, sentence } from "../dom.js";
import { roundsView } from "../order/versus.js";
import { die } from "../panels/parts.js";
import { battleCard } from "./pages.js";
import { STORY } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Playback, Reached } from "./playback.js" */

const MOST = 6;

/**
 * A battle with its rounds, or the siege of a place in one turn. `n` is the number of its last entry, `score` the line
 * on victory points.
 * @typedef {{n: number, entries: T.LogEntry[], rounds: readonly T.LogEntry[], place: string, turn: string, score: string}} Result
 */

export class Results {
  /** The open results, the newest first. @type {Result[]} */
  #open = [];
  /** Entries since the current battle began. @type {T.LogEntry[]} */
  #rounds = [];
  /** The scene of the last entries. */
  #scene;

  /** @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
  constructor(host, ctx, playback) {
    this.host = host;
    this.ctx = ctx;
    this.#scene = ctx.store.table.scene;
    playback.addEventListener("reached", (event) => this.#onReached(/** @type {CustomEvent<Reached>} */ (event).detail));
    ctx.store.onChange(["shown"], () => this.#draw());
  }

  /** Closes the newest result. @returns {boolean} whether one was open */
  close() {
    const isOpen = this.#open.length > 0 && this.ctx.store.isLive;
    if (isOpen) this.#open.shift();
    this.#draw();
    return isOpen;
  }

  /** @param {Reached} reached */
  #onReached({ n, entries, dropped, isFresh, scene }) {
    if (dropped || isFresh) void this.#check();
    const before = this.#scene;
    const after = scene ?? this.ctx.store.table.scene;
    for (const entry of entries) this.#add(entry, n, before.title);
    const [newest] = this.#open;
    if (newest?.n === n && entries.some((entry) => newest.entries.includes(entry))) newest.score = this.#scoreLine(before, after);
    this.#scene = after;
    this.#draw();
  }

  /** Close the results that were taken back. */
  async #check() {
    this.#rounds = [];
    const open = this.#open;
    if (!open.length) return;
    const { lines } = await this.ctx.api.chronicle({ count: 200 });
    const counts = new Set(lines.map(({ n }) => n));
    const isVoid = (/** @type {Result} */ { n }) => n >= (lines[0]?.n ?? 0) && !counts.has(n);
    this.#open = this.#open.filter((result) => !open.includes(result) || !isVoid(result));
    this.#draw();
  }

  /** @param {T.LogEntry} entry @param {number} n @param {string} turn */
  #add(entry, n, turn) {
    const { topic, places = [] } = entry;
    if (topic === "opening") this.#rounds = [entry];
    else if (topic !== "battle" && this.#rounds.length) this.#rounds.push(entry);
    if (topic !== "battle" && topic !== "siege") return;
    const [place = ""] = places;
    const last = this.#open[0];
    const isMore = topic === "siege" && last?.entries[0]?.topic === "siege" && last.place === place && last.turn === turn;
    const rounds = topic === "battle" ? this.#rounds.splice(0) : [];
    if (isMore) Object.assign(last, { entries: [...last.entries, entry], n });
    else this.#open = [{ n, entries: [entry], rounds, place, turn, score: "" }, ...this.#open].slice(0, MOST);
  }

  /** The score with the latest gains. @param {T.Scene} before @param {T.Scene} after */
  #scoreLine(before, after) {
    const { store } = this.ctx;
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
  }

  #draw() {
    const { store } = this.ctx;
    this.host.hidden = !this.#open.length || !store.isLive;
    const all = el("button.quiet", { dataset: { do: "close-results" }, onclick: () => this.#closeAll() }, STORY.closeAll);
    fill(this.host, this.#open.length > 1 ? all : null, ...this.#open.map((result) => this.#card(result)));
  }

  #closeAll() {
    this.#open = [];
    this.#draw();
  }

  /** @param {Result} result */
  #card(result) {
    const { ctx } = this;
    const [first] = result.entries;
    const name = first?.battle?.name ?? ctx.store.namesByPlace.get(result.place) ?? result.place;
    const close = () => {
      this.#open = this.#open.filter((other) => other !== result);
      this.#draw();
    };
    const props = {
      class: "quiet icon",
      "aria-label": format(STORY.closeReport, { name }),
      dataset: { do: "close-report" },
      onclick: close,
    };
    const head = el("button", props, "×");
    const { rounds } = result;
    const score = result.score ? el("p.small.result-score", result.score) : null;
    if (first?.battle) {
      const lines = rounds.length ? [el("p", first.text, " ", ruleLink(ctx, first.rule)), roundsView(ctx, rounds)] : [];
      return battleCard(ctx.store, first, null, { head, more: [...lines, score] });
    }
    const title = format(first?.topic === "siege" ? STORY.siegeOf : STORY.battleAt, { name });
    const lines = result.entries.map((entry) => [...diceOf(entry).map(die), " ", entry.text, " ", ruleLink(ctx, entry.rule)]);
    return el("article.battle-card", { "aria-label": title }, el("header", el("h3", title), head), listOf("plain", ...lines), score);
  }
}
