// The contest that goes on: both sides with what they have and what of it is engaged, and its rounds as they happen, each
// roll with its die and modifiers.

import { diceOf, el, fill, format, placeLink, plural, ruleLink, sentence, sideMark } from "../dom.js";
import { die } from "../panels/parts.js";
import { BATTLE } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */

/** Number of chronicle lines searched for the start of the battle. */
const MANY = 120;

/** A round with its events. @typedef {{number: number, lines: T.LogEntry[]}} Round */

export class VersusBoard {
  /** Events since the battle began. @type {T.LogEntry[]} */
  #lines = [];
  /** True if the rounds are unfolded; folded by default on small screens. */
  #isUnfolded = !matchMedia("(max-width: 60rem)").matches;

  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, ctx) {
    this.host = host;
    this.ctx = ctx;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    void this.#reload();
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    if (sections.has("fresh") || dropped) return void this.#reload();
    for (const event of told) this.#onEvent(event);
    if (["versus", "shown", "awaited"].some((section) => sections.has(section)) || told.length) this.#draw();
    return undefined;
  }

  /** @param {T.LogEntry} event */
  #onEvent(event) {
    if (event.topic === "opening") this.#lines = [event];
    else if (!this.#lines.length) return;
    else if (event.topic === "battle") this.#lines = [];
    else this.#lines.push(event);
  }

  /** Load a battle that began before the page was opened. */
  async #reload() {
    const { store, api } = this.ctx;
    this.#lines = [];
    this.#draw();
    if (!store.table.scene.versus) return;
    const { lines } = await api.chronicle({ count: MANY });
    const told = lines.map((line) => line.entry);
    this.#lines = told.slice(told.findLastIndex((event) => event.topic === "opening"));
    this.#draw();
  }

  #draw() {
    const { store } = this.ctx;
    const lines = store.isLive ? this.#lines : [];
    const contest = store.scene.versus ?? null;
    fill(this.host, contest || lines.length ? this.#view(contest, lines) : null);
    this.host.querySelector(".rounds")?.scrollTo({ top: 1e6 });
  }

  /** @param {T.Versus | null} contest @param {readonly T.LogEntry[]} lines */
  #view(contest, lines) {
    const { ctx } = this;
    const [opening] = lines;
    const place = opening?.places?.[0] ?? "";
    return el(
      "section.contest",
      { "aria-label": BATTLE.title },
      el(
        "header",
        el("h3", contest?.title ?? BATTLE.title, " ", ruleLink(ctx, contest?.rule ?? opening?.rule ?? "")),
        place && !contest ? placeLink(ctx, place) : null,
      ),
      contest ? el("p.contest-state", sentence(format(BATTLE.round, { round: contest.round, part: contest.part }))) : null,
      contest
        ? el(
            "div.hosts",
            ...contest.sides.map((host, side) =>
              hostView(ctx, host, side, contest.unit, Math.max(...contest.sides.map((one) => one.began))),
            ),
          )
        : null,
      lines.length ? this.#rounds(lines) : null,
    );
  }

  /** @param {readonly T.LogEntry[]} lines */
  #rounds(lines) {
    const fold = roundsView(this.ctx, lines, this.#isUnfolded);
    fold.addEventListener("toggle", () => (this.#isUnfolded = fold.open));
    return fold;
  }
}

/** The rounds of a battle, folded. @param {Context} ctx @param {readonly T.LogEntry[]} lines from its opening @param {boolean} isOpen */
export function roundsView(ctx, lines, isOpen = true) {
  const [opening, ...rest] = lines;
  const rounds = roundsOf(rest).filter((round) => round.number || round.lines.length);
  return el(
    "details",
    { open: isOpen },
    el("summary", plural(rounds.length, BATTLE.oneRound)),
    el(
      "ol.plain.rounds",
      { tabindex: 0, "aria-label": BATTLE.rounds },
      el("li.small", opening?.text ?? ""),
      ...rounds.map((round) => roundView(ctx, round)),
    ),
  );
}

/** @param {Context} ctx @param {Round} round */
function roundView(ctx, { number, lines }) {
  const columns = [0, 1].map((side) => {
    const own = lines.filter((event) => event.side === side);
    return el(
      "ul.plain",
      { dataset: { side: String(side) }, "aria-label": ctx.store.sideName(side) },
      ...own.map((event) => el("li", ...diceOf(event).map(die), el("span", event.brief || event.text), " ", ruleLink(ctx, event.rule))),
    );
  });
  return el(
    "li",
    { dataset: { round: String(number) } },
    number ? el("h4", format(BATTLE.roundNumber, { number })) : null,
    el("div.both", ...columns),
  );
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

/** An unknown value is −1. @param {number} value */
const known = (value) => (value < 0 ? "?" : String(value));

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
    "div.host",
    { dataset: { side: String(side), role: host.role } },
    el("h4", sideMark(ctx.store, side), " ", host.title, " ", el("span.number.muted", host.ratings)),
    el("p.small.muted", sentence(host.role)),
    el(
      "div.force-bar",
      { "aria-hidden": true },
      el("i.began", { style: width(began) }),
      el("i.now", { style: width(now) }),
      el("i.engaged", { style: width(engaged) }),
    ),
    el(
      "p",
      el("b.number", known(now)),
      format(BATTLE.strength, { began: known(began), unit, lost: lost > 0 ? format(BATTLE.losses, { lost }) : "" }),
    ),
    engagement ? el("p.small", engagement) : null,
    host.states?.length ? el("p.small.states", sentence(host.states.join(", "))) : null,
    troops.length > 1 ? el("ul.plain.small.troops", ...troops) : null,
  );
}
