// A drill beside the map: what may be ordered here? The answer is an order, and the rules judge it.

import { Refused } from "../session/api.js";
import { el, fill } from "../dom.js";
import { sentence, reasonLine, ruleLink } from "../bits.js";
import { attempt } from "../dialog.js";
import { toDrill } from "./begin.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Change } from "../session/store.js" */

class Drill {
  /** @type {T.Drilling | null} */
  #at = null;
  #answer = "";
  #isFresh = true;
  /** @type {T.Problem | null} why the order that was tried last may not be given */
  #refused = null;

  /** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
  constructor(host, ctx, sender) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    ctx.store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (["fresh", "awaited"].some((section) => sections.has(section))) void this.ask();
    });
  }

  /** Asks what is asked and how it stands, and shows it. */
  async ask() {
    try {
      this.#at = await this.ctx.api.drill(this.#answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return;
    }
    this.#draw(this.#at);
  }

  /** An order is tried: the rules say whether it may be given. @param {string} order */
  async #try(order) {
    this.#refused = null;
    const { onProblem } = this.sender;
    this.sender.onProblem = (problem) => (this.#refused = problem);
    await this.sender.order(order);
    this.sender.onProblem = onProblem;
    await this.ask();
  }

  /** @param {T.Drilling} at */
  #draw(at) {
    this.ctx.map.highlight(at.point ?? [], "lesson");
    for (const place of this.#isFresh ? (at.point ?? []).slice(0, 1) : []) this.ctx.map.reveal(place);
    this.#isFresh = false;
    const rules = at.rules.map((rule) => ruleLink(this.ctx, rule));
    fill(
      this.host,
      el(
        "section",
        { class: `lesson${at.is_answered ? " is-over" : ""}`, "aria-label": "Drill" },
        el("p", { class: "lesson-head small" }, el("strong", {}, "Drill"), el("span", {}, ...rules)),
        el("p", { class: "lesson-say" }, at.say),
        el("ul", { class: "plain drill-orders" }, ...at.orders.map((order) => this.#orderView(at, order))),
        this.#refusal(),
        at.is_answered ? this.#verdict(at) : this.#none(at),
      ),
    );
  }

  /** @param {T.Drilling} at @param {T.DrillOrder} order */
  #orderView({ is_answered: isAnswered, allowed = [], orders }, { order, text }) {
    const isOne = orders.length === 1;
    const mark = allowed.includes(order) ? "✓ allowed: " : "✗ refused: ";
    if (isAnswered) return el("li", {}, el("strong", {}, mark), text);
    const say = isOne ? "Yes: order it" : sentence(text);
    return el(
      "li",
      {},
      el("button", { type: "button", dataset: { try: order, keep: `try ${order}` }, onclick: () => void this.#try(order) }, say),
    );
  }

  #refusal() {
    const problem = this.#refused;
    if (!problem) return null;
    const reason = { rule: problem.rule, text: problem.detail || problem.title, place: problem.place };
    return el("p", { class: "note bad", role: "alert" }, "That may not be ordered: ", reasonLine(this.ctx, reason));
  }

  /** @param {T.Drilling} at */
  #none({ orders }) {
    const say = () => {
      this.#answer = "none";
      void this.ask();
    };
    return el(
      "p",
      { class: "row" },
      el(
        "button",
        { type: "button", dataset: { do: "none-of-these", keep: "none" }, onclick: say },
        orders.length === 1 ? "No: they forbid it" : "None of these",
      ),
    );
  }

  /** @param {T.Drilling} at */
  #verdict({ is_right: isRight, lesson = "", done = "", came = [], next = "" }) {
    const go = { type: "button", class: "primary", dataset: { do: "next-drill" }, onclick: () => void attempt(() => toDrill(next)) };
    return el(
      "div",
      { role: "status" },
      el("p", { class: isRight ? "note good" : "note" }, el("strong", {}, isRight ? "Right. " : "The rules see it otherwise. "), lesson),
      came.length ? el("p", { class: "small" }, `What comes of it, for example, where you ${done}:`) : null,
      came.length ? el("ul", { class: "small" }, ...came.map((line) => el("li", {}, line))) : null,
      el("div", { class: "row" }, next ? el("button", go, "Next drill") : null, el("a", { class: "button", href: "/learn" }, "All drills")),
    );
  }
}

/** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
export function mountDrill(host, ctx, sender) {
  return new Drill(host, ctx, sender).ask();
}
