// What the table shows at the turn of a year and at the end: the bulletin of the winter over the whole page, and the card
// with the story of the war. The story is fetched when it is wanted.

import { openDialog } from "../dialog.js";
import { el, fill } from "../dom.js";

/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */

export class Moments {
  #year;
  #isTold = false;

  /** @param {HTMLElement} host for the card at the end @param {Context} ctx */
  constructor(host, ctx) {
    this.host = host;
    this.ctx = ctx;
    this.#year = ctx.store.table.scene.year;
    ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    void this.#tellEnd();
  }

  /** @param {Change} change */
  #onChange({ sections }) {
    const { year } = this.ctx.store.table.scene;
    const [past, isNew] = [this.#year, year > this.#year];
    this.#year = year;
    if (isNew && !sections.has("fresh") && this.ctx.store.isLive) void this.#tellWinter(past);
    void this.#tellEnd();
  }

  /** The winter after a year. @param {number} year */
  async #tellWinter(year) {
    const { api, store } = this.ctx;
    if (store.setting.turns.length < 2) return; // where every turn is a year, there is no winter
    const [{ bulletin }, story] = await Promise.all([import("./pages.js"), api.story()]);
    const told = story.years.find((one) => one.year === year);
    if (!told || document.querySelector("dialog[open]")) return;
    const answers = [{ label: `On to ${year + 1}`, value: "" }];
    await openDialog({ title: `The winter after ${year}`, body: bulletin(store, told), answers, wide: true });
  }

  async #tellEnd() {
    const { api, store } = this.ctx;
    if (this.#isTold || !store.table.has_ended || !store.table.scene.result) return;
    this.#isTold = true;
    const [{ yearView }, { parOf }, story] = await Promise.all([import("./pages.js"), import("../home/scenarios.js"), api.story()]);
    const [last] = story.years.slice(-1);
    const played = store.setting.scenarios.find(({ name }) => name === store.table.scenario);
    fill(this.host, this.#card(last ? yearView(last) : null, played ? parOf(played, store.setting.sides) : ""));
  }

  /** What the last year was about, which end is even, and where to go from here. @param {Node | null} year @param {string} even */
  #card(year, even) {
    const { api } = this.ctx;
    const page = `/campaign/${encodeURIComponent(api.seat)}`;
    return el(
      "section",
      { class: "ending-card", "aria-label": "How it ended" },
      year,
      even ? el("p", { class: "small" }, even) : null,
      el(
        "p",
        { class: "row" },
        el("a", { class: "button primary", href: page }, "The story of the war"),
        el("a", { class: "button", href: `${page}#hidden` }, "What was hidden"),
        el("a", { class: "button", href: `${page}#report` }, "The staff's report"),
      ),
    );
  }
}
