// The lesson beside the map: what is to be done now, what to look at, and the way back. It is fetched where the game is a
// lesson, and asks again whenever something has happened at the table.

import { tryRequest } from "../dialog.js";
import { button, byId, el, fill, format, listOf, reasonLine, ruleLink, sentence } from "../dom.js";
import { Refused, toDrill, toLesson } from "../session/api.js";
import { SCHOOL } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Composer } from "../order/composer.js" */
/** @import { Sender } from "../session/sender.js" */

class Lesson {
  /** @type {T.LessonState | null} */
  #at = null;
  /** The step announced last. */
  #told = "";
  /** True if the order in progress has odds. */
  #hasOdds = false;

  /** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender @param {Composer} composer */
  constructor(host, ctx, sender, composer) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    this.composer = composer;
    ctx.store.onChange(["fresh", "awaited"], () => void this.ask());
    new MutationObserver(() => this.#pointAtSubject()).observe(byId("order"), { childList: true, subtree: true });
  }

  /** Request the pupil's progress and show it. */
  async ask() {
    try {
      this.#at = await this.ctx.api.lesson();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return;
    }
    document.body.classList.toggle("is-plain", Boolean(this.#at.plain));
    this.#draw(this.#at);
  }

  /** @param {T.LessonState} at */
  #draw(at) {
    const isOver = at.done === at.steps;
    fill(
      this.host,
      el(
        "section",
        { class: `lesson${isOver ? " is-over" : ""}`, "aria-label": SCHOOL.lesson },
        el("p.lesson-head.small", el("strong", at.title), this.#steps(at)),
        at.done || isOver ? null : el("p.lesson-goal", at.goal),
        el("p.lesson-say", { role: "status" }, at.say),
        at.stray ? el("p.note", at.stray) : null,
        at.remark ? el("p.note.gold", { role: "status" }, at.remark) : null,
        el("div.row", ...(isOver ? this.#nextButton(at) : this.#helpButtons(at))),
      ),
    );
    this.#pointAtSubject();
    const step = `${at.done} ${at.stray}`;
    if (step !== this.#told && this.#told) this.host.scrollIntoView({ block: "nearest" });
    if (step !== this.#told) for (const place of (at.point ?? []).slice(0, 1)) this.ctx.map.reveal(place);
    this.#told = step;
  }

  /** @param {T.LessonState} at */
  #steps({ done, steps }) {
    const label = done === steps ? SCHOOL.done : format(SCHOOL.step, { step: done + 1, steps });
    const dots = Array.from({ length: steps }, (_, at) =>
      el("span", { class: at < done ? "lesson-dot is-done" : at === done ? "lesson-dot is-now" : "lesson-dot" }),
    );
    return el("span.lesson-dots", { role: "img", "aria-label": label }, ...dots);
  }

  /** @param {T.LessonState} at */
  #helpButtons(at) {
    const show = at.order ? button(SCHOOL.showMe, "show-me", () => void this.composer.propose(at.partial_order ?? {})) : null;
    const back = at.back
      ? button(SCHOOL.takeBack, "take-me-back", () => void this.sender.move("ask-takeback", at.back), at.stray ? "primary" : "quiet")
      : null;
    return [show, back];
  }

  /** @param {T.LessonState} at */
  #nextButton(at) {
    const next = at.next ? button(SCHOOL.nextLesson, "next-lesson", () => void tryRequest(() => toLesson(at.next ?? "")), "primary") : null;
    return [next, el("a.button", { href: "/learn" }, SCHOOL.allLessons), el("a.button", { href: "/" }, SCHOOL.ownGame)];
  }

  /** Point at the step's subject, on the map, in the list of orders, and at odds when they appear. */
  #pointAtSubject() {
    const { point = [], press = "" } = this.#at ?? {};
    this.ctx.map.overlay.highlight(point, "lesson");
    const chosen = byId("order").querySelector(".chosen");
    const isChosen = chosen instanceof HTMLElement && chosen.dataset.token === press;
    for (const control of byId("order").querySelectorAll("[data-token], [data-do]")) {
      const { token, do: does } = /** @type {HTMLElement} */ (control).dataset;
      control.classList.toggle("is-pointed", press !== "" && (isChosen ? does === "send" : token === press || does === press));
    }
    const odds = byId("order").querySelector(".odds-bar");
    if (odds && !this.#hasOdds) odds.scrollIntoView({ block: "center" });
    this.#hasOdds = Boolean(odds);
  }
}

/** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender @param {Composer} composer */
export const mountLesson = (host, ctx, sender, composer) => new Lesson(host, ctx, sender, composer).ask();

// A drill beside the map: what may be ordered here? The answer is an order, and the rules judge it.

class Drill {
  /** @type {T.DrillProgress | null} */
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
    ctx.store.onChange(["fresh", "awaited"], () => void this.ask());
  }

  /** Request the drill and its state and show it. */
  async ask() {
    try {
      this.#at = await this.ctx.api.drill(this.#answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return;
    }
    this.#draw(this.#at);
  }

  /** Try an order against the rules. @param {string} order */
  async #tryOrder(order) {
    this.#refused = null;
    const { onProblem } = this.sender;
    this.sender.onProblem = (problem) => (this.#refused = problem);
    await this.sender.order(order);
    this.sender.onProblem = onProblem;
    await this.ask();
  }

  /** @param {T.DrillProgress} at */
  #draw(at) {
    document.body.classList.toggle("is-drill", !at.is_answered); // what may be ordered is the question
    this.ctx.map.overlay.highlight(at.point ?? [], "lesson");
    for (const place of this.#isFresh ? (at.point ?? []).slice(0, 1) : []) this.ctx.map.reveal(place);
    this.#isFresh = false;
    const rules = at.rules.map((rule) => ruleLink(this.ctx, rule));
    fill(
      this.host,
      el(
        "section",
        { class: `lesson${at.is_answered ? " is-over" : ""}`, "aria-label": SCHOOL.drill },
        el("p.lesson-head.small", el("strong", SCHOOL.drill), el("span", ...rules)),
        el("p.lesson-say", at.say),
        el("ul.plain.drill-orders", ...at.orders.map((order) => this.#orderView(at, order))),
        this.#refusal(),
        at.is_answered ? this.#verdict(at) : this.#noAnswerButton(at),
      ),
    );
  }

  /** @param {T.DrillProgress} at @param {T.DrillOrder} order */
  #orderView({ is_answered: isAnswered, allowed = [], orders }, { order, text }) {
    const isOne = orders.length === 1;
    const mark = allowed.includes(order) ? SCHOOL.allowed : SCHOOL.notAllowed;
    if (isAnswered) return el("li", el("strong", mark), text);
    const say = isOne ? SCHOOL.yes : sentence(text);
    return el("li", el("button", { dataset: { try: order, keep: `try ${order}` }, onclick: () => void this.#tryOrder(order) }, say));
  }

  #refusal() {
    const problem = this.#refused;
    if (!problem) return null;
    const reason = { rule: problem.rule, text: problem.detail || problem.title, place: problem.place };
    return el("p.note.bad", { role: "alert" }, SCHOOL.refused, reasonLine(this.ctx, reason));
  }

  /** @param {T.DrillProgress} at */
  #noAnswerButton({ orders }) {
    const say = () => {
      this.#answer = "none";
      void this.ask();
    };
    return el(
      "p.row",
      el("button", { dataset: { do: "none-of-these", keep: "none" }, onclick: say }, orders.length === 1 ? SCHOOL.no : SCHOOL.none),
    );
  }

  /** @param {T.DrillProgress} at */
  #verdict({ is_right: isRight, lesson = "", done = "", came = [], next = "" }) {
    const go = { class: "primary", dataset: { do: "next-drill" }, onclick: () => void tryRequest(() => toDrill(next)) };
    return el(
      "div",
      { role: "status" },
      el("p", { class: isRight ? "note good" : "note" }, el("strong", isRight ? SCHOOL.right : SCHOOL.wrong), lesson),
      came.length ? el("p.small", format(SCHOOL.forExample, { what: done })) : null,
      came.length ? listOf("small", ...came) : null,
      el("div.row", next ? el("button", go, SCHOOL.nextDrill) : null, el("a.button", { href: "/learn" }, SCHOOL.allDrills)),
    );
  }
}

/** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
export const mountDrill = (host, ctx, sender) => new Drill(host, ctx, sender).ask();
