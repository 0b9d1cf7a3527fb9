// The lesson beside the map: what is to be done now, what to look at, and the way back. It is fetched where the game is a
// lesson, and asks again whenever something has happened at the table. And a drill: the answer is an order, and the rules
// judge it.

import { tryRequest } from "../dialog.js";
import { button, byId, el, fill, format, listOf, reasonLine, ruleLink, sentence } from "../dom.js";
import { Refused, refusal, toDrill, toLesson } from "../session/api.js";
import { SCHOOL } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Child } from "../dom.js" */
/** @import { Composer } from "../order/composer.js" */

/** Show a lesson or a drill. @param {HTMLElement} host @param {string} label @param {boolean} isOver @param {...(Child | readonly Child[])} content */
const show = (host, label, isOver, ...content) =>
  fill(host, el("section", { class: `lesson${isOver ? " is-over" : ""}`, "aria-label": label }, ...content));

const linkTo = (/** @type {string} */ href, /** @type {string} */ text) => el("a.button", { href }, text);

/** @param {HTMLElement} host @param {Context} ctx @param {Composer} composer */
export function mountLesson(host, ctx, composer) {
  const order = byId("order");
  /** @type {T.LessonState | null} */
  let now = null;
  /** The step announced last. */
  let told = "";
  /** True if the order in progress has odds. */
  let hasOdds = false;

  const ask = async () => {
    const found = await ctx.api.lesson().catch(refusal);
    if (found instanceof Refused) return;
    now = found;
    document.body.classList.toggle("is-plain", Boolean(found.plain));
    draw(found);
  };
  const draw = (/** @type {T.LessonState} */ at) => {
    const { done, steps, stray, remark, point = [] } = at;
    const isOver = done === steps;
    const label = isOver ? SCHOOL.done : format(SCHOOL.step, { step: done + 1, steps });
    const dots = Array.from({ length: steps }, (_, step) =>
      el("span", { class: step < done ? "lesson-dot is-done" : step === done ? "lesson-dot is-now" : "lesson-dot" }),
    );
    show(
      host,
      SCHOOL.lesson,
      isOver,
      el("p.lesson-head.small", el("strong", at.title), el("span.lesson-dots", { role: "img", "aria-label": label }, ...dots)),
      done || isOver ? null : el("p.lesson-goal", at.goal),
      el("p.lesson-say", { role: "status" }, at.say),
      stray ? el("p.note", stray) : null,
      remark ? el("p.note.gold", { role: "status" }, remark) : null,
      el("div.row", ...(isOver ? ways(at) : helps(at))),
    );
    pointAtSubject();
    const step = `${done} ${stray}`;
    if (step !== told && told) host.scrollIntoView({ block: "nearest" });
    if (step !== told) for (const place of point.slice(0, 1)) ctx.map.reveal(place);
    told = step;
  };
  const helps = (/** @type {T.LessonState} */ { order: shown, partial_order: partialOrder = {}, back, stray }) => [
    shown ? button(SCHOOL.showMe, "show-me", () => void composer.propose(partialOrder)) : null,
    back ? button(SCHOOL.takeBack, "take-me-back", () => void ctx.sender.move("ask-takeback", back), stray ? "primary" : "quiet") : null,
  ];
  const ways = (/** @type {T.LessonState} */ { next }) => [
    next ? button(SCHOOL.nextLesson, "next-lesson", () => void tryRequest(() => toLesson(next)), "primary") : null,
    linkTo("/learn", SCHOOL.allLessons),
    linkTo("/", SCHOOL.ownGame),
  ];
  /** Point at the step's subject, on the map, in the list of orders, and at odds when they appear. */
  const pointAtSubject = () => {
    const { point = [], press = "" } = now ?? {};
    ctx.map.overlay.highlight(point, "lesson");
    const chosen = order.querySelector(".chosen");
    const isChosen = chosen instanceof HTMLElement && chosen.dataset.token === press;
    for (const control of order.querySelectorAll("[data-token], [data-do]")) {
      const { token, do: does } = /** @type {HTMLElement} */ (control).dataset;
      control.classList.toggle("is-pointed", press !== "" && (isChosen ? does === "send" : token === press || does === press));
    }
    const odds = order.querySelector(".odds-bar");
    if (odds && !hasOdds) odds.scrollIntoView({ block: "center" });
    hasOdds = Boolean(odds);
  };
  ctx.store.onChange(["fresh", "awaited"], () => void ask());
  new MutationObserver(pointAtSubject).observe(order, { childList: true, subtree: true });
  return ask();
}

/** A drill beside the map: what may be ordered here? @param {HTMLElement} host @param {Context} ctx */
export function mountDrill(host, ctx) {
  const { api, map, sender, store } = ctx;
  let answer = "";
  let isFresh = true;
  /** Why the order that was tried last may not be given. @type {T.Problem | null} */
  let refused = null;

  const ask = async () => {
    const at = await api.drill(answer).catch(refusal);
    if (!(at instanceof Refused)) draw(at);
  };
  /** Try an order against the rules. @param {string} order */
  const tryOrder = async (order) => {
    refused = null;
    const { onProblem } = sender;
    sender.onProblem = (problem) => (refused = problem);
    await sender.order(order);
    sender.onProblem = onProblem;
    await ask();
  };
  const draw = (/** @type {T.DrillProgress} */ at) => {
    const { is_answered: isAnswered, point = [] } = at;
    document.body.classList.toggle("is-drill", !isAnswered); // what may be ordered is the question
    map.overlay.highlight(point, "lesson");
    for (const place of isFresh ? point.slice(0, 1) : []) map.reveal(place);
    isFresh = false;
    const say = () => {
      answer = "none";
      void ask();
    };
    const none = { dataset: { do: "none-of-these", keep: "none" }, onclick: say };
    show(
      host,
      SCHOOL.drill,
      isAnswered,
      el("p.lesson-head.small", el("strong", SCHOOL.drill), el("span", ...at.rules.map((rule) => ruleLink(ctx, rule)))),
      el("p.lesson-say", at.say),
      el("ul.plain.drill-orders", ...at.orders.map((order) => orderView(at, order))),
      refused && refusedView(refused),
      isAnswered ? verdictView(at) : el("p.row", el("button", none, at.orders.length === 1 ? SCHOOL.no : SCHOOL.none)),
    );
  };
  /** @param {T.DrillProgress} at @param {T.DrillOrder} order */
  const orderView = ({ is_answered: isAnswered, allowed = [], orders }, { order, text }) => {
    if (isAnswered) return el("li", el("strong", allowed.includes(order) ? SCHOOL.allowed : SCHOOL.notAllowed), text);
    const props = { dataset: { try: order, keep: `try ${order}` }, onclick: () => void tryOrder(order) };
    return el("li", el("button", props, orders.length === 1 ? SCHOOL.yes : sentence(text)));
  };
  const refusedView = (/** @type {T.Problem} */ { rule, detail, title, place }) =>
    el("p.note.bad", { role: "alert" }, SCHOOL.refused, reasonLine(ctx, { rule, text: detail || title, place }));
  const verdictView = (/** @type {T.DrillProgress} */ { is_right: isRight, lesson = "", done = "", came = [], next = "" }) =>
    el(
      "div",
      { role: "status" },
      el("p", { class: isRight ? "note good" : "note" }, el("strong", isRight ? SCHOOL.right : SCHOOL.wrong), lesson),
      came.length ? [el("p.small", format(SCHOOL.forExample, { what: done })), listOf("small", ...came)] : null,
      el(
        "div.row",
        next ? button(SCHOOL.nextDrill, "next-drill", () => void tryRequest(() => toDrill(next)), "primary") : null,
        linkTo("/learn", SCHOOL.allDrills),
      ),
    );
  store.onChange(["fresh", "awaited"], () => void ask());
  return ask();
}
