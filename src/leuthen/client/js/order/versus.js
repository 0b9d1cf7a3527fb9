// The contest that goes on: both sides with what they have and what of it is engaged, and its rounds as they happen, each
// roll with its die and modifiers. It stays after the end until it is closed or the next order is given.

import { diceOf, el, fill, format, placeLink, plural, ruleLink, sentence, sideMark } from "../dom.js";
import { die } from "../panels/parts.js";
import { BATTLE } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */
/** @import { Composer } from "./composer.js" */

/** Lines of the chronicle that are looked through for where the battle began. */
const MANY = 120;

/** A round with what happened in it. @typedef {{number: number, lines: T.LogEntry[]}} Round */

export class VersusBoard {
  /** What happened since the battle began. @type {T.LogEntry[]} */
  #lines = [];
  /** The battle as it stood last. @type {T.Versus | null} */
  #last = null;
  #isOver = false;
  /** Whether the rounds are unfolded; where there is little room they are not at first. */
  #isUnfolded = !matchMedia("(max-width: 60rem)").matches;

  /** @param {HTMLElement} host @param {Context} ctx @param {Composer} composer */
  constructor(host, ctx, composer) {
    this.host = host;
    this.ctx = ctx;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    composer.addEventListener("sent", () => this.#isOver && this.#close());
    void this.#reload();
  }

  /** Whether the battle is over and something else is asked: then only how it ended stays, and unfolds at wish. */
  get #isPast() {
    const { store } = this.ctx;
    return this.#isOver && store.isLive && store.asked !== undefined;
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    if (sections.has("fresh") || dropped) return void this.#reload();
    for (const event of this.ctx.store.isLive ? told : []) this.#hear(event);
    if (["versus", "shown", "awaited"].some((section) => sections.has(section)) || told.length) this.#draw();
    return undefined;
  }

  /** @param {T.LogEntry} event */
  #hear(event) {
    if (event.topic === "opening") {
      this.#lines = [];
      this.#last = null;
      this.#isOver = false;
    } else if (this.#isOver || !this.#lines.length) return;
    this.#lines.push(event);
    this.#isOver = event.topic === "battle";
    if (this.#isOver) this.#last = this.#last && ended(this.#last, event);
  }

  /** Takes up a battle that began before the page came. */
  async #reload() {
    const { store, api } = this.ctx;
    this.#close();
    if (!store.table.scene.versus) return;
    const { lines } = await api.chronicle({ count: MANY });
    const told = lines.map((line) => line.entry);
    this.#lines = told.slice(told.findLastIndex((event) => event.topic === "opening"));
    this.#draw();
  }

  #close() {
    this.#lines = [];
    this.#last = null;
    this.#isOver = false;
    this.#draw();
  }

  #draw() {
    const { store } = this.ctx;
    const now = store.scene.versus ?? null;
    if (store.isLive && now && !this.#isOver) this.#last = now;
    const contest = store.isLive && this.#isOver ? this.#last : now;
    const lines = store.isLive ? this.#lines : [];
    const view = contest || lines.length ? this.#view(contest, lines) : null;
    fill(this.host, view && this.#isPast ? folded(view) : view);
    this.host.querySelector(".rounds")?.scrollTo({ top: 1e6 });
  }

  /** @param {T.Versus | null} contest @param {readonly T.LogEntry[]} lines */
  #view(contest, lines) {
    const { ctx } = this;
    const opening = lines[0];
    const place = contest?.place ?? opening?.places?.[0] ?? "";
    const state = this.#isOver ? BATTLE.over : contest ? format(BATTLE.round, { round: contest.round, part: contest.part }) : "";
    const close = this.#isOver
      ? el(
          "button",
          { class: "quiet icon", "aria-label": BATTLE.close, dataset: { do: "close-battle" }, onclick: () => this.#close() },
          "×",
        )
      : null;
    return el(
      "section",
      { class: "contest", "aria-label": BATTLE.title },
      el(
        "header",
        {},
        el("h3", {}, contest?.title ?? BATTLE.title, " ", ruleLink(ctx, contest?.rule ?? opening?.rule ?? "")),
        place && !contest ? placeLink(ctx, place) : null,
        close,
      ),
      el("p", { class: "contest-state" }, sentence(state)),
      contest
        ? el(
            "div",
            { class: "hosts" },
            ...contest.sides.map((host, side) =>
              hostView(ctx, host, side, contest.unit, Math.max(...contest.sides.map((one) => one.began))),
            ),
          )
        : null,
      ...(lines.length ? this.#rounds(lines) : []),
    );
  }

  /** @param {readonly T.LogEntry[]} lines */
  #rounds(lines) {
    const [opening, ...rest] = lines;
    const end = rest.at(-1)?.topic === "battle" ? rest.pop() : undefined;
    const rounds = roundsOf(rest).filter((round) => round.number || round.lines.length);
    const all = el(
      "ol",
      { class: "plain rounds", tabindex: 0, "aria-label": BATTLE.rounds },
      el("li", { class: "small" }, opening?.text ?? ""),
      ...rounds.map((round) => this.#round(round)),
    );
    const fold = el(
      "details",
      { open: this.#isUnfolded, ontoggle: () => (this.#isUnfolded = fold.open) },
      el("summary", {}, rounds.length === 1 ? plural(1, BATTLE.oneRound) : plural(rounds.length, BATTLE.oneRound)),
      all,
    );
    return [fold, end ? el("p", { class: "contest-end" }, end.text, " ", ruleLink(this.ctx, end.rule)) : null];
  }

  /** @param {Round} round */
  #round({ number, lines }) {
    const { store } = this.ctx;
    const columns = [0, 1].map((side) => {
      const own = lines.filter((event) => event.side === side);
      return el(
        "ul",
        { class: "plain", dataset: { side: String(side) }, "aria-label": store.sideName(side) },
        ...own.map((event) => this.#line(event)),
      );
    });
    return el(
      "li",
      { dataset: { round: String(number) } },
      number ? el("h4", {}, format(BATTLE.roundNumber, { number })) : null,
      el("div", { class: "both" }, ...columns),
    );
  }

  /** @param {T.LogEntry} event */
  #line(event) {
    return el("li", {}, ...diceOf(event).map(die), el("span", {}, event.brief || event.text), " ", ruleLink(this.ctx, event.rule));
  }
}

/** A battle that is over: how it ended is in its report, so that only its rounds are left to unfold. @param {HTMLElement} view of all of it */
function folded(view) {
  return el("details", { class: "contest-past" }, el("summary", {}, BATTLE.roundByRound), view);
}

/** @param {readonly T.LogEntry[]} lines @returns {Round[]} */
function roundsOf(lines) {
  /** @type {Round[]} */
  const rounds = [];
  for (const event of lines) {
    const number = event.round || rounds.at(-1)?.number || 0;
    if (rounds.at(-1)?.number !== number) rounds.push({ number, lines: [] });
    rounds.at(-1)?.lines.push(event);
  }
  return rounds;
}

/** A battle as it stands when it has ended. @param {T.Versus} contest @param {T.LogEntry} end @returns {T.Versus} */
function ended(contest, end) {
  const [first, second] = contest.sides;
  return { ...contest, sides: [fared(first, 0, end), fared(second, 1, end)] };
}

/** A side of it. @param {T.Contender} host @param {number} side @param {T.LogEntry} end @returns {T.Contender} */
function fared(host, side, { side: winner = 2, losses = [] }) {
  const [began, lost] = losses[side] ?? [host.began, host.lost ?? 0];
  const states = winner > 1 ? [] : [winner === side ? BATTLE.won : BATTLE.lost];
  return { ...host, began, lost, now: began - lost, engaged: 0, engagement: "", states, troops: [] };
}

/** What is not known stands as −1. @param {number} value */
function known(value) {
  return value < 0 ? "?" : String(value);
}

/**
 * @param {Context} ctx @param {T.Contender} host @param {number} side
 * @param {string} unit @param {number} most of both sides' strengths
 */
function hostView(ctx, host, side, unit, most) {
  const { now, began, engaged = 0, engagement = "", lost = 0 } = host;
  const width = (/** @type {number} */ part) => ({ width: `${(100 * Math.max(0, part)) / Math.max(1, most)}%` });
  const troops = (host.troops ?? []).map((one) =>
    el("li", { class: one.text ? "is-broken" : "" }, `${one.name} ${one.strength ?? ""}${one.text ? `, ${one.text}` : ""}`),
  );
  return el(
    "div",
    { class: "host", dataset: { side: String(side), role: host.role } },
    el("h4", {}, sideMark(ctx.store, side), " ", host.title, " ", el("span", { class: "number muted" }, host.ratings)),
    el("p", { class: "small muted" }, sentence(host.role)),
    el(
      "div",
      { class: "force-bar", "aria-hidden": true },
      el("i", { class: "began", style: width(began) }),
      el("i", { class: "now", style: width(now) }),
      el("i", { class: "engaged", style: width(engaged) }),
    ),
    el(
      "p",
      {},
      el("b", { class: "number" }, known(now)),
      format(BATTLE.strength, { began: known(began), unit, lost: lost > 0 ? format(BATTLE.losses, { lost }) : "" }),
    ),
    engagement ? el("p", { class: "small" }, engagement) : null,
    host.states?.length ? el("p", { class: "small states" }, sentence(host.states.join(", "))) : null,
    troops.length > 1 ? el("ul", { class: "plain small troops" }, ...troops) : null,
  );
}
