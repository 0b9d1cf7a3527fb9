// Results of battles and sieges over the map. Each one stays until the player closes it.

import { diceOf, el, fill, format, listOf, ruleLink, sentence } from "../dom.js";
import { roundsView } from "../order/versus.js";
import { die } from "../panels/parts.js";
import { battleCard } from "./pages.js";
import { STORY } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { VersusBoard } from "../order/versus.js" */
/** @import { Change } from "../session/store.js" */

const MOST = 6;

/**
 * A battle, or the siege of a place in one turn. `at` counts the events before its last one, `score` is the line on
 * victory points.
 * @typedef {{entries: T.LogEntry[], place: string, turn: string, at: number, score: string}} Result
 */

export class Results {
  /** The open results, the newest first. @type {Result[]} */
  #open = [];
  /** Number of events received, without those taken back. */
  #count = 0;
  #points;

  /** @param {HTMLElement} host @param {Context} ctx @param {VersusBoard} board has the rounds of each battle */
  constructor(host, ctx, board) {
    this.host = host;
    this.ctx = ctx;
    this.board = board;
    this.#points = this.#score?.values ?? [0, 0];
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
  }

  /** Closes the newest result. @returns {boolean} whether one was open */
  close() {
    const isOpen = this.#open.length > 0 && this.ctx.store.isLive;
    if (isOpen) this.#open.shift();
    this.#draw();
    return isOpen;
  }

  get #score() {
    return this.ctx.store.table.scene.scores[0];
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    if (sections.has("fresh")) this.#open = [];
    this.#count -= dropped;
    this.#open = this.#open.filter(({ at }) => at < this.#count);
    const before = this.#open[0];
    for (const entry of told) this.#add(entry);
    const newest = this.#open[0];
    if (newest && (newest !== before || told.some((entry) => entry === newest.entries.at(-1)))) newest.score = this.#scoreLine();
    if (!sections.has("shown")) this.#points = this.#score?.values ?? this.#points;
    this.#draw();
  }

  /** @param {T.LogEntry} entry */
  #add(entry) {
    const at = this.#count;
    this.#count += 1;
    if (entry.topic !== "battle" && entry.topic !== "siege") return;
    const [place = ""] = entry.places ?? [];
    const turn = this.ctx.store.table.scene.title;
    const last = this.#open[0];
    const isMore = entry.topic === "siege" && last?.entries[0]?.topic === "siege" && last.place === place && last.turn === turn;
    if (isMore) Object.assign(last, { entries: [...last.entries, entry], at });
    else this.#open = [{ entries: [entry], place, turn, at, score: "" }, ...this.#open].slice(0, MOST);
  }

  /** The score, with what has just been won. */
  #scoreLine() {
    const { store } = this.ctx;
    const score = this.#score;
    if (!score) return "";
    const gains = score.values.map((value, side) => ({ side, gain: value - (this.#points[side] ?? 0) })).filter(({ gain }) => gain);
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
    const all = el("button", { class: "quiet", dataset: { do: "close-results" }, onclick: () => this.#closeAll() }, STORY.closeAll);
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
    const rounds = first && this.board.rounds.get(first);
    const score = result.score ? el("p", { class: "small result-score" }, result.score) : null;
    if (first?.battle) {
      const lines = rounds ? [el("p", {}, first.text, " ", ruleLink(ctx, first.rule)), roundsView(ctx, rounds)] : [];
      return battleCard(ctx.store, first, null, { head, more: [...lines, score] });
    }
    const title = format(first?.topic === "siege" ? STORY.siegeOf : STORY.battleAt, { name });
    const lines = result.entries.map((entry) => [...diceOf(entry).map(die), " ", entry.text, " ", ruleLink(ctx, entry.rule)]);
    return el(
      "article",
      { class: "battle-card", "aria-label": title },
      el("header", {}, el("h3", {}, title), head),
      listOf(lines, { class: "plain" }),
      score,
    );
  }
}
