// Going on: what is asked is left as it is until a phase or a turn ends, or something happens that the player should see.
// The server answers as far as it is this side's turn; when it is asked again, the page goes on, as long as it is open.

import { el, fill } from "../dom.js";
import { mayEnd } from "./ending.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Sender } from "../session/sender.js" */
/** @import { Change } from "../session/store.js" */

/** What ends it, by the server's word, as the buttons and the note say it. */
export const SCOPES = /** @type {const} */ ([
  ["phase", "To the end of this phase"],
  ["turn", "To the end of this turn"],
  ["theatre", "This theatre, to the end of this turn"],
  ["event", "Until the enemy moves"],
]);

/** The same of theatres by name. @param {readonly string[]} names */
export function ofTheatres(names) {
  return `Only ${names.join(" and ")}, to the end of this turn`;
}

/** Topics of events after which the player is asked again. */
const STRUGGLES = ["opening", "battle"];

/** Whether something happened after which a side is asked again, whatever it wanted to leave. @param {T.LogEntry} entry @param {number} side */
export function touches({ hurts, topic = "" }, side) {
  return hurts === side || STRUGGLES.includes(topic);
}

export class GoingOn {
  /** What ends it, "" while the player answers himself. */
  #until = "";
  /** The turn in which it began. */
  #turn = "";
  /** The theatres that are left as they are. @type {Set<string>} */
  #theatres = new Set();
  /** Of which of the seat's news it was last asked whether it goes on. */
  #asked = -1;

  /** @param {HTMLElement} host of the note that says so @param {Context} ctx @param {Sender} sender */
  constructor(host, ctx, sender) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
  }

  /** Goes on, if nothing that is left undone keeps the player here. @param {string} until @param {string} [theatre] that is left too */
  async begin(until, theatre = "") {
    const { store } = this.ctx;
    if (!store.asked || (until === "theatre" && !theatre) || !(await mayEnd(this.ctx, theatre))) return;
    if (until !== "theatre" || this.#until !== until) this.#theatres.clear();
    if (theatre) this.#theatres.add(theatre);
    this.#until = until;
    this.#turn = store.scene.title;
    this.#asked = -1;
    await this.#goOn();
  }

  /** The player has ordered something: he answers himself again, unless it is of a theatre that he has not left. @param {string} theatre */
  ordered(theatre) {
    if (!theatre || this.#theatres.has(theatre)) this.stop();
  }

  /** The player answers himself again. @returns {boolean} whether he did not before */
  stop() {
    const was = this.#until !== "";
    this.#until = "";
    this.#theatres.clear();
    this.#draw();
    return was;
  }

  /** @param {Change} change */
  #onChange({ sections, told }) {
    if (!this.#until) return;
    if (sections.has("fresh") || !this.ctx.store.isLive || told.some((entry) => this.#stops(entry))) this.stop();
    else if (!this.sender.isBusy) void this.#goOn();
  }

  /** @param {T.LogEntry} entry */
  #stops(entry) {
    const { side, path = [] } = entry;
    const own = this.ctx.store.side;
    return touches(entry, own) || (this.#until === "event" && side === 1 - own && path.length > 0);
  }

  async #goOn() {
    const { store } = this.ctx;
    const lasts = ["turn", "theatre"].includes(this.#until);
    if (store.table.has_ended || (lasts && store.scene.title !== this.#turn)) return void this.stop();
    this.#draw();
    if (!store.asked || store.table.n === this.#asked) return undefined;
    const counts = await this.sender.move("go-on", 0, this.#until, [...this.#theatres]);
    this.#asked = store.table.n;
    const isAnswered = store.asked && !this.#theatres.size;
    if (!counts || this.#until === "phase" || isAnswered) this.stop();
    return undefined;
  }

  #draw() {
    const scope = SCOPES.find(([until]) => until === this.#until)?.[1] ?? "";
    const label = this.#theatres.size ? ofTheatres([...this.#theatres]) : scope;
    const stop = el("button", { type: "button", dataset: { do: "stop-going" }, onclick: () => this.stop() }, "Stop going on");
    fill(
      this.host,
      label ? el("div", { class: "note row" }, el("span", {}, `Going on: ${label.charAt(0).toLowerCase()}${label.slice(1)}…`), stop) : null,
    );
  }
}
