// Reports of battles beside the orders: each stays until it is closed, and folds up when the next decision comes.

import { el, fill } from "../dom.js";
import { battleCard } from "./battle.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

const MOST = 4;

export class BattleReports {
  /** The reports that stand, the newest first. @type {T.LogEntry[]} */
  #standing = [];
  #isOpen = true;
  /** Whether a decision was awaited from this seat when something changed last. */
  #wasAsked = false;

  /** @param {HTMLElement} host @param {Context} ctx */
  constructor(host, { store, map }) {
    this.host = host;
    this.store = store;
    this.map = map;
    store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    if (sections.has("fresh") || dropped) this.#standing = [];
    const fought = this.store.isLive ? told.filter((one) => one.battle) : [];
    this.#standing = [...fought.toReversed(), ...this.#standing].slice(0, MOST);
    const isAsked = Boolean(this.store.asked);
    if (fought.length) this.#isOpen = !fought.some(isShown);
    else if (isAsked && !this.#wasAsked) this.#isOpen = isFirstBattle();
    this.#wasAsked = isAsked;
    if (fought.length || sections.size) this.#draw();
  }

  #draw() {
    const title = this.#standing.length === 1 ? `Battle of ${this.#standing[0]?.battle?.name}` : `${this.#standing.length} battles`;
    const fold = el(
      "details",
      { class: "battle-reports", open: this.#isOpen, ontoggle: () => (this.#isOpen = fold.open) },
      el("summary", {}, title),
      this.#standing.map((told) => battleCard(this.store, told, this.map.print, { head: this.#close(told) })),
    );
    fill(this.host, this.#standing.length && this.store.isLive ? fold : null);
  }

  /** @param {T.LogEntry} told */
  #close(told) {
    const close = () => {
      this.#standing = this.#standing.filter((other) => other !== told);
      this.#draw();
    };
    return el(
      "button",
      {
        type: "button",
        class: "quiet icon",
        "aria-label": `Close the report of ${told.battle?.name}`,
        dataset: { do: "close-report" },
        onclick: close,
      },
      "×",
    );
  }
}

/** Whether a pupil sees what a battle costs for the first time: no decision folds that up. */
function isFirstBattle() {
  return document.body.classList.contains("is-plain");
}

/** A battle in rounds is shown as it is fought, and stays so until the next order: its report is folded up. @param {T.LogEntry} told */
function isShown(told) {
  return Boolean(told.losses?.length);
}
