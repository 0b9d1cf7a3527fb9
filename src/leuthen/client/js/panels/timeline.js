// The timeline under the map: every turn so far, to look back at as it was seen then, over a curve of the score.

import { sentence } from "../bits.js";
import { el, fill, svg } from "../dom.js";
import { dateOf, messageOf, sideBadge } from "./parts.js";
import { turnsOf } from "./turns.js";

/** @import { Context } from "../context.js" */
/** @import { Change } from "../session/store.js" */
/** @import { TurnList } from "./turns.js" */

const EVERYTHING = 3;
/** What changes the strip. */
const DRAWN = ["fresh", "shown", "scores", "result"];

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  turnsOf(ctx).then(
    (turns) => new Timeline(host, ctx, turns).open(),
    (error) => ctx.say(messageOf(error)),
  );
}

class Timeline {
  /** @param {HTMLElement} host @param {Context} ctx @param {TurnList} turns */
  constructor(host, ctx, turns) {
    this.host = host;
    this.ctx = ctx;
    this.turns = turns;
    this.isAsking = false;
    this.slider = el("input", { type: "range", min: 0, step: 1, "aria-label": "Turn that is shown", oninput: () => void this.#scrub() });
    this.curve = svg("svg", { class: "curve", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.years = el("div", { class: "years", "aria-hidden": "true" });
    this.label = el("div", { class: "shown" });
    this.now = el("button", { type: "button", hidden: true, onclick: () => this.#toNow() });
    this.viewer = el("select", { "aria-label": "Seen by", hidden: true, onchange: () => void this.#scrub() });
  }

  open() {
    const { store } = this.ctx;
    const viewers = [
      ["", "as you saw it"],
      ["0", `as ${sentence(store.sideName(0))} saw it`],
      ["1", `as ${sentence(store.sideName(1))} saw it`],
      [String(EVERYTHING), "all-knowing"],
    ];
    fill(
      this.viewer,
      viewers.map(([value, words]) => el("option", { value }, words)),
    );
    fill(this.host, this.label, el("div", { class: "track" }, this.curve, this.years, this.slider), this.viewer, this.now);
    this.turns.addEventListener("change", () => this.#draw());
    store.addEventListener("change", (event) => {
      const { sections } = /** @type {CustomEvent<Change>} */ (event).detail;
      if (DRAWN.some((section) => sections.has(section))) this.#draw();
    });
    this.slider.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || store.isLive) return;
      event.preventDefault();
      this.#toNow();
    });
    this.#draw();
  }

  /** The place of the present on the slider. */
  get #last() {
    return this.turns.marks.length;
  }

  #toNow() {
    if (document.activeElement === this.now) this.slider.focus();
    this.viewer.value = "";
    this.ctx.store.live();
    this.#draw();
  }

  /** Shows the turn under the thumb. While the server answers, only the latest wish is remembered. */
  async #scrub() {
    this.#say();
    if (this.isAsking) return;
    this.isAsking = true;
    let asked = "";
    const wish = () => `${this.slider.value} ${this.viewer.value}`;
    try {
      while (asked !== wish()) {
        asked = wish();
        await this.#show(Number(this.slider.value), this.viewer.value);
      }
    } catch (error) {
      this.ctx.say(messageOf(error));
      this.#toNow();
    } finally {
      this.isAsking = false;
    }
  }

  /** @param {number} at @param {string} viewer */
  async #show(at, viewer) {
    const { store } = this.ctx;
    if (at >= this.#last && viewer === "") return store.live();
    const n = this.turns.marks[at]?.n ?? store.table.n;
    await store.scrub(n, viewer === "" ? undefined : Number(viewer));
  }

  #draw() {
    const { store } = this.ctx;
    const { past } = store;
    this.slider.max = String(this.#last);
    if (!this.isAsking) this.slider.value = String(past ? this.#at(past.n) : this.#last);
    if (!this.isAsking && !past) this.viewer.value = "";
    this.viewer.hidden = !store.table.has_ended;
    this.now.hidden = store.isLive;
    this.now.textContent = store.table.has_ended ? "Back to the end" : "Back to now";
    this.host.classList.toggle("past", !store.isLive);
    this.#say();
    this.#drawTrack();
  }

  /** @param {number} n */
  #at(n) {
    return n >= this.ctx.store.table.n ? this.#last : this.turns.at(n);
  }

  #say() {
    const { store } = this.ctx;
    const at = Number(this.slider.value);
    const mark = this.turns.marks[at];
    const date = dateOf(store.setting, mark ?? store.table.scene);
    const isNow = !mark && this.viewer.value === "";
    const how = this.viewer.selectedOptions[0]?.textContent ?? "";
    const words = isNow ? `${store.table.has_ended ? "The end" : "Now"}: ${date}` : `Looking back: ${date}, ${how}`;
    const { id = "", label = "", values = [0, 0] } = store.table.scene.scores[0] ?? {};
    const stood = mark?.scores[id] ?? values;
    fill(
      this.label,
      words,
      el(
        "span",
        { class: "stood", title: label },
        [0, 1].flatMap((side) => [sideBadge(store, side), el("b", {}, stood[side])]),
      ),
    );
    this.slider.setAttribute("aria-valuetext", `${words}; ${label}: ${stood.join(" to ")}`);
  }

  #drawTrack() {
    const { marks } = this.turns;
    const { scene } = this.ctx.store.table;
    const id = scene.scores[0]?.id ?? "";
    const points = [...marks.map(({ scores }) => scores[id] ?? [0, 0]), scene.scores[0]?.values ?? [0, 0]];
    const most = Math.max(1, ...points.flat());
    this.curve.setAttribute("viewBox", `0 0 ${Math.max(1, this.#last)} 100`);
    const lines = [0, 1].map((side) =>
      svg("polyline", { "data-side": side, points: points.map((point, at) => `${at},${96 - (90 * (point[side] ?? 0)) / most}`).join(" ") }),
    );
    const years = marks.map(({ year }, at) => ({ year, at })).filter(({ year, at }) => year !== marks[at - 1]?.year);
    const ticks = marks.map((_, at) => svg("line", { x1: at, x2: at, y1: 82, y2: 100 }));
    const bounds = years.map(({ at }) => svg("line", { class: "year", x1: at, x2: at, y1: 0, y2: 100 }));
    fill(this.curve, ticks, bounds, lines);
    fill(
      this.years,
      years.map(({ year, at }) => el("span", { style: { left: `${(100 * at) / this.#last}%` } }, year)),
    );
  }
}
