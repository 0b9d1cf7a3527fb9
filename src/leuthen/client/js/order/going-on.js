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
  ["event", "Until the enemy moves"],
]);

/** Topics of events after which the player is asked again. */
const STRUGGLES = ["opening", "battle"];

export class GoingOn {
  /** What ends it, "" while the player answers himself. */
  #until = "";
  /** The turn in which it began. */
  #turn = "";

  /** @param {HTMLElement} host of the note that says so @param {Context} ctx @param {Sender} sender */
  constructor(host, ctx, sender) {
    this.host = host;
    this.ctx = ctx;
    this.sender = sender;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
  }

  /** Goes on, if nothing that is left undone keeps the player here. @param {string} until */
  async begin(until) {
    const { store } = this.ctx;
    if (!store.asked || !(await mayEnd(this.ctx))) return;
    this.#until = until;
    this.#turn = store.scene.title;
    await this.#goOn();
  }

  /** The player answers himself again. @returns {boolean} whether he did not before */
  stop() {
    const was = this.#until !== "";
    this.#until = "";
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
  #stops({ hurts, side, topic = "", path = [] }) {
    const own = this.ctx.store.side;
    if (hurts === own || STRUGGLES.includes(topic)) return true;
    return this.#until === "event" && side === 1 - own && path.length > 0;
  }

  async #goOn() {
    const { store } = this.ctx;
    const isOver = store.table.has_ended || (this.#until === "turn" && store.scene.title !== this.#turn);
    if (isOver) return void this.stop();
    this.#draw();
    if (!store.asked) return undefined;
    const counts = await this.sender.move("go-on", 0, this.#until);
    if (!counts || this.#until === "phase" || store.asked) this.stop();
    return undefined;
  }

  #draw() {
    const label = SCOPES.find(([until]) => until === this.#until)?.[1] ?? "";
    const stop = el("button", { type: "button", dataset: { do: "stop-going" }, onclick: () => this.stop() }, "Stop");
    fill(this.host, label ? el("div", { class: "note row" }, el("span", {}, `Going on: ${label.toLowerCase()}…`), stop) : null);
  }
}
