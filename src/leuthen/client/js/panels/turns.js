// The turns so far, kept up to date: the timeline, the chronicle and the calendar share them.

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../store.js" */

/** Emits `change` when a turn was added or all came anew. */
export class TurnList extends EventTarget {
  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    /** @type {T.TurnMark[]} */
    this.marks = [];
    ctx.store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (sections.has("fresh")) void this.load();
      else if (sections.has("turn") || sections.has("year")) this.#follow();
    });
  }

  /** Fetches all. */
  async load() {
    this.marks = [...(await this.ctx.api.turns()).turns];
    this.dispatchEvent(new Event("change"));
  }

  /** The turn during which a piece of news came, as an index. @param {number} n */
  at(n) {
    return Math.max(
      0,
      this.marks.findLastIndex((mark) => mark.n <= n),
    );
  }

  /** A turn has begun. */
  #follow() {
    const { n, scene } = this.ctx.store.table;
    const last = this.marks.at(-1);
    if (last && last.n < n && (last.turn !== scene.turn || last.year !== scene.year)) {
      const scores = Object.fromEntries(scene.scores.map((score) => [score.id, score.values]));
      this.marks.push({ n, year: scene.year, turn: scene.turn, scores });
    } else if (last && last.n > n) this.marks.pop(); // an undo has taken the turn back
    this.dispatchEvent(new Event("change"));
  }
}

/** @type {WeakMap<object, Promise<TurnList>>} */
const lists = new WeakMap();

/** The turns of a table, fetched once. @param {Context} ctx @returns {Promise<TurnList>} */
export function turnsOf(ctx) {
  let list = lists.get(ctx.store);
  if (!list) {
    const made = new TurnList(ctx);
    list = made.load().then(() => made);
    list.catch(() => lists.delete(ctx.store));
    lists.set(ctx.store, list);
  }
  return list;
}
