// The turns so far, kept up to date: the timeline, the chronicle and the calendar share them.

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

/** The scores of a scene as a turn's mark has them. @param {T.Scene} scene @returns {T.TurnMark["scores"]} */
export function scoresOf(scene) {
  return Object.fromEntries(scene.scores.map(({ id, values }) => [id, values]));
}

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

  /** A turn has begun; or what was undone has taken the table back to an earlier one. */
  #follow() {
    const { n, scene } = this.ctx.store.table;
    const { year, turn } = scene;
    const last = this.marks.at(-1);
    const isLater = !last || year > last.year || (year === last.year && turn > last.turn);
    if (!isLater) return void this.load();
    this.marks.push({ n, year, turn, scores: scoresOf(scene) });
    return this.dispatchEvent(new Event("change"));
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
