// What happens, on the map: the events of the others are played before the map shows what came of them. The last
// lines also stand beside the orders, with their rules.

import { el, fill } from "../dom.js";
import { diceOf, isNotable, ruleLink } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

const MOST = 4;

export class Stage {
  /** @type {T.LogEntry[]} */
  #queue = [];
  #isPlaying = false;

  /** @param {Context} ctx @param {HTMLElement} news */
  constructor(ctx, news) {
    this.ctx = ctx;
    this.news = news;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    ctx.map.addEventListener("skipped", () => (this.#queue = []));
    this.#settle();
  }

  /** @param {Change} change */
  #onChange({ sections, told }) {
    const { store } = this.ctx;
    if (!store.isLive || sections.has("fresh") || sections.has("shown")) {
      this.#queue = [];
      this.#settle();
      return;
    }
    if (told.length) this.#tell(told);
    const others = told.filter((event) => (event.side ?? 2) !== store.side && isNotable(event));
    if (others.length && !document.hidden) this.#queue.push(...others);
    else if (this.#isPlaying && told.length) this.#skip();
    void this.#play();
  }

  /** Who goes on himself need not see the rest. */
  #skip() {
    this.#queue = [];
    void this.ctx.map.play([]);
  }

  /** Plays what is queued, and shows the scene when nothing is. */
  async #play() {
    if (this.#isPlaying) return;
    this.#isPlaying = true;
    while (this.#queue.length) await this.ctx.map.play(this.#queue.splice(0));
    this.#isPlaying = false;
    this.#settle();
  }

  /** Shows what came of it, and where a decision waits. */
  #settle() {
    const { store, map } = this.ctx;
    map.show(store.scene);
    const place = store.scene.place ?? "";
    map.highlight(place ? [place] : [], "asked");
    if (place && store.asked && store.isLive) map.reveal(place);
  }

  /** @param {readonly T.LogEntry[]} told */
  #tell(told) {
    const lines = told.filter(isNotable).slice(-MOST);
    if (lines.length) fill(this.news, el("ul", { class: "plain" }, ...lines.map((event) => this.#line(event))));
  }

  /** @param {T.LogEntry} event */
  #line(event) {
    const dice = diceOf(event).map((die) => el("span", { class: "die", "aria-hidden": true }, String(die)));
    return el("li", {}, ...dice, event.text, " ", ruleLink(this.ctx, event.rule));
  }
}
