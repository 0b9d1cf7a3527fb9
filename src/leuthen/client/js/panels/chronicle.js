// The chronicle: every event as a sentence with its dice, its modifiers one by one, and its rule.

import { placeLink, ruleLink, sentence } from "../bits.js";
import { el, fill } from "../dom.js";
import { dateOf, die, messageOf, sideBadge } from "./parts.js";
import { turnsOf } from "./turns.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Change } from "../store.js" */
/** @import { TurnList } from "./turns.js" */

const PAGE = 200;

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  fill(host, el("p", { role: "status" }, "The chronicle is being fetched."));
  turnsOf(ctx)
    .then((turns) => new ChroniclePanel(host, ctx, turns).open())
    .catch((error) => fill(host, el("p", { class: "note bad" }, messageOf(error))));
}

/** The lines that were fetched so far, the latest last, and how they are filtered. */
class ChroniclePanel {
  /** @param {HTMLElement} host @param {Context} ctx @param {TurnList} turns */
  constructor(host, ctx, turns) {
    this.host = host;
    this.ctx = ctx;
    this.turns = turns;
    /** @type {{line: T.ChronicleLine, node: HTMLLIElement}[]} */
    this.lines = [];
    this.more = true;
    /** @type {Promise<void> | null} */
    this.loading = null;
    this.list = el("div", { class: "chronicle" });
    this.earlier = el("button", { type: "button", class: "quiet", onclick: () => void this.load() }, "Earlier");
    this.isFull = el("input", { type: "checkbox" });
    this.side = el("select", { "aria-label": "Whose events" }, el("option", { value: "" }, "both sides"));
    this.topic = el("select", { "aria-label": "Which events" });
    this.turn = el("select", { "aria-label": "Which turn" });
  }

  /** What scrolls: the body of the drawer. */
  get scroller() {
    return this.host.parentElement ?? this.host;
  }

  async open() {
    this.#makeFilters();
    fill(
      this.host,
      el("div", { class: "tools" }, el("label", { class: "check" }, this.isFull, "full"), this.side, this.topic, this.turn),
      this.earlier,
      this.list,
    );
    this.list.addEventListener("keydown", (event) => this.#walk(event));
    this.ctx.store.addEventListener("change", (event) => this.#follow(/** @type {CustomEvent<Change>} */ (event).detail));
    await this.load();
    this.#toEnd();
    new IntersectionObserver(([entry]) => entry?.isIntersecting && void this.#fillUp()).observe(this.earlier);
    new IntersectionObserver(([entry]) => entry?.isIntersecting && this.#toEnd()).observe(this.host); // opened again
  }

  #makeFilters() {
    const { store } = this.ctx;
    for (const side of [0, 1]) this.side.append(el("option", { value: side }, sentence(store.sideName(side))));
    for (const [value, words] of [["", "everything"], ["dice", "dice"], ["battle", "battles"], ["siege", "sieges"]])
      this.topic.append(el("option", { value }, words ?? ""));
    this.isFull.checked = localStorage.getItem("chronicle") === "full";
    const listTurns = () => {
      const chosen = this.turn.value;
      const marks = this.turns.marks.map((mark, index) => el("option", { value: index }, dateOf(store.setting, mark))).reverse();
      fill(this.turn, el("option", { value: "" }, "all turns"), ...marks);
      this.turn.value = chosen;
    };
    listTurns();
    this.turns.addEventListener("change", listTurns);
    this.isFull.addEventListener("change", () => localStorage.setItem("chronicle", this.isFull.checked ? "full" : "terse"));
    for (const filter of [this.isFull, this.side, this.topic, this.turn])
      filter.addEventListener("change", () => {
        this.#filter();
        void this.#fillUp();
      });
  }

  /** Fetches the lines before those that are here. */
  load() {
    this.loading ??= this.#load().finally(() => (this.loading = null));
    return this.loading;
  }

  async #load() {
    const first = this.lines[0]?.line.n;
    const { lines, more } = await this.ctx.api.chronicle({ ...(first === undefined ? {} : { before: first }), count: PAGE });
    const { scroller } = this;
    const fromEnd = scroller.scrollHeight - scroller.scrollTop;
    const until = this.lines[0]?.line.n ?? Infinity; // what came meanwhile stands there already
    this.lines.unshift(...lines.filter(({ n }) => n < until).map((line) => this.#entry(line)));
    this.more = more;
    this.#layOut();
    scroller.scrollTop = scroller.scrollHeight - fromEnd;
  }

  /** Fetches more while the reader sees the top, or the turn that he chose has not come. */
  async #fillUp() {
    const wanted = () => this.turn.value !== "" && (this.lines[0]?.line.turn ?? 0) >= Number(this.turn.value);
    const seesTop = () => this.earlier.checkVisibility() && this.earlier.getBoundingClientRect().bottom > this.scroller.getBoundingClientRect().top;
    while (this.more && (wanted() || (this.turn.value === "" && seesTop()))) await this.load();
  }

  /** @param {Change} change */
  #follow({ sections, told, dropped }) {
    if (sections.has("shown")) this.#dim();
    else if (sections.has("fresh")) void this.#anew();
    else if (told.length || dropped) {
      const { scrollHeight, scrollTop, clientHeight } = this.scroller;
      const isAtEnd = scrollHeight - scrollTop - clientHeight < 60;
      if (dropped) this.lines.length = Math.max(0, this.lines.length - dropped);
      const { n } = this.ctx.store.table;
      this.lines.push(...told.map((one) => this.#entry({ n, turn: this.turns.at(n), told: one })));
      this.#layOut();
      if (isAtEnd) this.#toEnd();
    }
  }

  async #anew() {
    await this.loading;
    this.lines = [];
    await this.load();
    this.#toEnd();
  }

  #toEnd() {
    this.scroller.scrollTop = this.scroller.scrollHeight;
  }

  /** @param {T.ChronicleLine} line */
  #entry(line) {
    return { line, node: lineOf(this.ctx, line.told) };
  }

  /** Sorts the lines into their turns; the nodes of the lines stay what they are. */
  #layOut() {
    /** @type {Map<number, HTMLElement>} */
    const sections = new Map();
    for (const { line, node } of this.lines) {
      let section = sections.get(line.turn);
      if (!section) {
        const mark = this.turns.marks[line.turn];
        section = el("section", { "data-turn": line.turn }, el("h3", {}, mark ? dateOf(this.ctx.store.setting, mark) : ""), el("ol", { class: "plain" }));
        sections.set(line.turn, section);
      }
      section.lastElementChild?.append(node);
    }
    fill(this.list, ...sections.values());
    this.earlier.hidden = !this.more;
    this.#filter();
    this.#dim();
  }

  #filter() {
    this.list.classList.toggle("full", this.isFull.checked);
    for (const { line, node } of this.lines) node.hidden = !this.#shows(line);
    for (const section of this.list.children)
      /** @type {HTMLElement} */ (section).hidden = !section.querySelector("li.told:not([hidden])");
    if (!this.list.querySelector("[tabindex='0']")) this.#stand(this.lines.findLast(({ node }) => !node.hidden)?.node);
  }

  /** @param {T.ChronicleLine} line */
  #shows({ turn, told }) {
    const [side, topic] = [this.side.value, this.topic.value];
    return (
      (this.isFull.checked || !told.is_small) &&
      (side === "" || [told.side ?? 2, told.hurts ?? 2].includes(Number(side))) &&
      (topic === "" || (topic === "dice" ? Boolean(told.dice?.length) : told.topic === topic)) &&
      (this.turn.value === "" || turn === Number(this.turn.value))
    );
  }

  /** While one looks back, what came later is dimmed. */
  #dim() {
    const until = this.ctx.store.past?.n ?? Infinity;
    for (const { line, node } of this.lines) node.classList.toggle("later", line.n > until);
  }

  /** One line at a time can be tabbed to. @param {HTMLElement | null | undefined} node */
  #stand(node) {
    for (const button of this.list.querySelectorAll("[tabindex='0']")) button.setAttribute("tabindex", "-1");
    for (const button of node?.querySelectorAll("button") ?? []) button.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #walk(event) {
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
    const here = event.target instanceof Element ? event.target.closest("li.told") : null;
    if (step === undefined || !here) return;
    event.preventDefault();
    const seen = this.lines.map(({ node }) => node).filter((node) => !node.hidden);
    const at = seen.findIndex((node) => node === here) + step;
    const there = seen[Math.min(Math.max(at, 0), seen.length - 1)];
    this.#stand(there);
    there?.querySelector("button")?.focus();
  }
}

/** An event as a line. @param {Context} ctx @param {T.Told} told */
function lineOf(ctx, told) {
  const places = told.places ?? [];
  const light = () => {
    ctx.map.highlight(places, "told");
    if (told.path?.length) ctx.map.setPath(told.path);
  };
  const unlight = () => {
    ctx.map.highlight([], "told");
    if (told.path?.length) ctx.map.setPath([]);
  };
  const { spot } = told;
  const [place = ""] = places;
  const words = told.text.split(/(\b\d{4}\b)/).map((word) => (places.includes(word) ? placeLink(ctx, word) : word));
  const extras = [
    ...(told.dice ?? []).map((value) => die(value)),
    place && !words.some((word) => word instanceof Element) && placeLink(ctx, place, "map"),
    ruleLink(ctx, told.rule),
    spot && el("button", { type: "button", class: "rule", onclick: () => ctx.showTable(spot) }, "table"),
  ];
  for (const extra of [...words, ...extras]) if (extra instanceof HTMLButtonElement) extra.tabIndex = -1;
  const jump = (/** @type {MouseEvent} */ event) => event.target instanceof Element && !event.target.closest("button") && place && ctx.jump(place);
  return el(
    "li",
    { class: "told", "data-side": told.side ?? 2, onmouseenter: light, onmouseleave: unlight, onfocusin: light, onfocusout: unlight, onclick: jump },
    sideBadge(ctx.store, told.side ?? 2),
    el(
      "div",
      {},
      words,
      extras.flatMap((extra) => [" ", extra]),
      told.steps?.length ? el("ol", { class: "steps plain", "aria-label": "Modifiers" }, ...told.steps.map((step) => el("li", {}, step))) : null,
    ),
  );
}
