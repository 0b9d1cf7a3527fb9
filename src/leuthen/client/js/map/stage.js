// What happens, on the map: the events of the others are played before the map shows what came of them, and the ways
// that they went stay as arrows. The last lines also stand beside the orders, with their rules.

import { el, fill } from "../dom.js";
import { diceOf, isNotable, ruleLink } from "../bits.js";
import { joined, tracksOf } from "./tracks.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

const MOST = 4;
/** So many lines are remembered: those of some turns. */
const REMEMBERED = 400;

export class Stage {
  /** What is still to be played. @type {T.LogEntry[]} */
  #queue = [];
  /** What was told while the page was open and was not taken back, the latest last. @type {T.LogEntry[]} */
  #told = [];
  #isPlaying = false;
  /** The lines beside the orders, by event. @type {Map<T.LogEntry, HTMLElement>} */
  #lines = new Map();
  /** The number of the last news. */
  #n;

  /** @param {Context} ctx @param {HTMLElement} news */
  constructor(ctx, news) {
    this.ctx = ctx;
    this.news = news;
    this.#n = ctx.store.table.n;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    ctx.map.addEventListener("skipped", () => (this.#queue = []));
    document.addEventListener("visibilitychange", () => void this.#play());
    this.list = el("ul", { class: "plain" });
    this.#settle();
  }

  /** What was told before the page was opened: its ways are shown. @param {readonly T.LogEntry[]} told */
  recall(told) {
    this.#told = [...told, ...this.#told];
    this.#track();
  }

  /** Ends what is being played: who gives an order need not see the rest. Its ways stay on the map. */
  skip() {
    this.#queue = [];
    void this.ctx.map.play([]);
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    const { store } = this.ctx;
    const isUnknown = sections.has("fresh") && store.table.n !== this.#n;
    this.#n = store.table.n;
    if (isUnknown) this.#told = [];
    else if (dropped) this.#told.splice(-dropped);
    this.#told = [...this.#told, ...told].slice(-REMEMBERED);
    if (told.length || dropped || isUnknown) this.#tell();
    if (!store.isLive || isUnknown || dropped || sections.has("shown")) {
      this.skip();
      this.#settle();
      return;
    }
    this.#queue.push(...told.filter((event) => (event.side ?? 2) !== store.side && isNotable(event)));
    void this.#play();
  }

  /** Plays what is queued, and shows the scene when nothing is; a page that cannot be seen does so when it can. */
  async #play() {
    if (this.#isPlaying || document.hidden) return;
    this.#isPlaying = true;
    while (this.#queue.length) await this.ctx.map.play(joined(this.#queue.splice(0)));
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

  /** The last lines that count still, and the ways that were gone. What stands already is not said anew. */
  #tell() {
    const events = this.#told.filter(isNotable).slice(-MOST);
    for (const [event, node] of this.#lines) if (!events.includes(event)) this.#forget(event, node);
    for (const [at, event] of events.entries()) {
      const node = this.#lines.get(event) ?? this.#line(event);
      if (this.list.children[at] !== node) this.list.insertBefore(node, this.list.children[at] ?? null);
    }
    if (!events.length) fill(this.news);
    else if (!this.list.isConnected) fill(this.news, this.list);
    this.#track();
  }

  /** @param {T.LogEntry} event @param {HTMLElement} node */
  #forget(event, node) {
    this.#lines.delete(event);
    node.remove();
  }

  #track() {
    const { store, map } = this.ctx;
    map.setTracks(store.isLive ? tracksOf(this.#told, store.side) : []);
  }

  /** @param {T.LogEntry} event */
  #line(event) {
    const dice = diceOf(event).map((die) => el("span", { class: "die", "aria-hidden": true }, String(die)));
    const node = el("li", {}, ...dice, event.text, " ", ruleLink(this.ctx, event.rule));
    this.#lines.set(event, node);
    return node;
  }
}
