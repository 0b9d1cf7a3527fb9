// The lesson beside the map: what is to be done now, what to look at, and the way back. It is fetched where the game is a
// lesson, and asks again whenever something has happened at the table.

import { Refused } from "../session/api.js";
import { byId, el, fill } from "../dom.js";
import { attempt } from "../dialog.js";
import { toLesson } from "./begin.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Composer } from "../order/composer.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Change } from "../session/store.js" */

export class Lesson {
  /** @type {T.Schooling | null} */
  #at = null;
  /** The step that was told last. */
  #told = "";
  /** Whether the order in the making has odds. */
  #hasOdds = false;

  /** @param {HTMLElement} host @param {Context} ctx @param {Sender} sender @param {Composer} composer */
  constructor(host, ctx, sender, composer) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    this.composer = composer;
    ctx.store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (["fresh", "awaited"].some((section) => sections.has(section))) void this.ask();
    });
    new MutationObserver(() => this.#point()).observe(byId("order"), { childList: true, subtree: true });
  }

  /** Asks where the pupil stands, and shows it. */
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

  /** @param {T.Schooling} at */
  #draw(at) {
    const isOver = at.done === at.steps;
    fill(
      this.host,
      el(
        "section",
        { class: `lesson${isOver ? " is-over" : ""}`, "aria-label": "Lesson" },
        el("p", { class: "lesson-head small" }, el("strong", {}, at.title), this.#steps(at)),
        at.done || isOver ? null : el("p", { class: "lesson-goal" }, at.goal),
        el("p", { class: "lesson-say", role: "status" }, at.say),
        at.stray ? el("p", { class: "note" }, at.stray) : null,
        at.remark ? el("p", { class: "note gold", role: "status" }, at.remark) : null,
        el("div", { class: "row" }, ...(isOver ? this.#onward(at) : this.#help(at))),
      ),
    );
    this.#point();
    const step = `${at.done} ${at.stray}`;
    if (step !== this.#told && this.#told) this.host.scrollIntoView({ block: "nearest" });
    if (step !== this.#told) for (const place of (at.point ?? []).slice(0, 1)) this.ctx.map.reveal(place);
    this.#told = step;
  }

  /** @param {T.Schooling} at */
  #steps({ done, steps }) {
    const label = done === steps ? "Done" : `Step ${done + 1} of ${steps}`;
    const dots = Array.from({ length: steps }, (_, at) =>
      el("span", { class: at < done ? "lesson-dot is-done" : at === done ? "lesson-dot is-now" : "lesson-dot" }),
    );
    return el("span", { class: "lesson-dots", role: "img", "aria-label": label }, ...dots);
  }

  /** @param {T.Schooling} at */
  #help(at) {
    const show = at.order
      ? el(
          "button",
          {
            type: "button",
            dataset: { do: "show-me", keep: "show-me" },
            onclick: () => void this.composer.propose(at.partial_order ?? {}),
          },
          "Show me",
        )
      : null;
    const back = at.back
      ? el(
          "button",
          {
            type: "button",
            class: at.stray ? "primary" : "quiet",
            dataset: { do: "take-me-back", keep: "take-me-back" },
            onclick: () => void this.sender.move("ask-takeback", at.back),
          },
          "Take my last order back",
        )
      : null;
    return [show, back];
  }

  /** @param {T.Schooling} at */
  #onward(at) {
    const next = at.next
      ? el(
          "button",
          { type: "button", class: "primary", dataset: { do: "next-lesson" }, onclick: () => void attempt(() => toLesson(at.next ?? "")) },
          "Next lesson",
        )
      : null;
    return [
      next,
      el("a", { class: "button", href: "/learn" }, "All lessons"),
      el("a", { class: "button", href: "/" }, "A game of your own"),
    ];
  }

  /** Points at what the step is about, on the map and among the kinds of order, and at odds when they come. */
  #point() {
    const { point = [], press = "" } = this.#at ?? {};
    this.ctx.map.highlight(point, "lesson");
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
export function mountLesson(host, ctx, sender, composer) {
  return new Lesson(host, ctx, sender, composer).ask();
}
