// The chronicle: every event as a sentence with its dice, its modifiers one by one, and its rule.

import { diceOf, el, fill, isNotable, deviceStorage, placeLink, ruleLink, sentence } from "../dom.js";
import { dateOf, die, messageOf, sideBadge } from "./parts.js";
import { turnsOf } from "./turns.js";
import { PANELS } from "../strings/panels.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */
/** @import { TurnList } from "./turns.js" */

/** @typedef {{line: T.ChronicleLine, node: HTMLLIElement}} Entry */

const PAGE = 200;
/** Distance in px from the end within which the log follows new lines. */
const NEAR = 60;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountChronicle(host, ctx) {
  fill(host, el("p", { role: "status" }, PANELS.loadingChronicle));
  turnsOf(ctx)
    .then((turns) => new ChroniclePanel(host, ctx, turns).open())
    .catch((error) => fill(host, el("p.note.bad", messageOf(error))));
}

/** The log lines fetched so far, the latest last, and their filters. */
class ChroniclePanel {
  /** @param {HTMLElement} host @param {Context} ctx @param {TurnList} turns */
  constructor(host, ctx, turns) {
    this.host = host;
    this.ctx = ctx;
    this.turns = turns;
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {Map<number, HTMLElement>} the turns, with their lines */
    this.sections = new Map();
    this.more = true;
    /** The viewer of the log; after the end another viewer can be chosen. */
    this.viewer = this.#shownViewer;
    /** @type {Promise<void> | null} */
    this.loading = null;
    /** Distance of the reader from the end, in px. */
    this.fromEnd = 0;
    this.list = el("div.chronicle");
    this.earlier = el("button.quiet", { onclick: () => void this.load() }, PANELS.earlier);
    this.none = el("p.muted", PANELS.noEvents);
    this.isFull = el("input", { type: "checkbox" });
    this.side = el("select", { "aria-label": PANELS.whose }, el("option", { value: "" }, MAP.bothSides));
    this.topic = el("select", { "aria-label": PANELS.whichEvents });
    this.turn = el("select", { "aria-label": PANELS.whichTurn });
  }

  /** The scrolling element: the body of the drawer. */
  get scroller() {
    return this.host.parentElement ?? this.host;
  }

  /** The viewer of the displayed table. */
  get #shownViewer() {
    const { past, side } = this.ctx.store;
    return past?.scene.viewer ?? side;
  }

  async open() {
    this.#makeFilters();
    fill(
      this.host,
      el(
        "div.panel-tools",
        el("label.check", { title: PANELS.aboutDetails }, this.isFull, PANELS.allDetails),
        this.side,
        this.topic,
        this.turn,
      ),
      this.earlier,
      this.list,
      this.none,
    );
    this.list.addEventListener("keydown", (event) => this.#onKey(event));
    this.ctx.store.addEventListener("change", (event) => this.#onChange(/** @type {CustomEvent<Change>} */ (event).detail));
    await this.load();
    this.scroller.addEventListener("scroll", () => this.host.isConnected && this.#onScroll());
    new IntersectionObserver(([entry]) => entry?.isIntersecting && this.#restoreScroll()).observe(this.host); // opened again
    await this.#fetchMore();
  }

  #makeFilters() {
    const { store } = this.ctx;
    for (const side of [0, 1]) this.side.append(el("option", { value: side }, sentence(store.sideName(side))));
    for (const [value, words] of [
      ["", PANELS.everything],
      ["dice", "dice"],
      ["battle", "battles"],
      ["siege", "sieges"],
    ])
      this.topic.append(el("option", { value }, words ?? ""));
    this.isFull.checked = deviceStorage.getItem("chronicle") === "full";
    const listTurns = () => {
      const chosen = this.turn.value;
      const marks = this.turns.marks.map((mark, index) => el("option", { value: index }, dateOf(store.setting, mark))).reverse();
      fill(this.turn, el("option", { value: "" }, PANELS.allTurns), ...marks);
      this.turn.value = chosen;
    };
    listTurns();
    this.turns.addEventListener("change", listTurns);
    this.isFull.addEventListener("change", () => deviceStorage.setItem("chronicle", this.isFull.checked ? "full" : "terse"));
    for (const filter of [this.isFull, this.side, this.topic, this.turn])
      filter.addEventListener("change", () => {
        this.#draw(this.entries);
        void this.#fetchMore();
      });
  }

  /** Fetch the lines before those loaded. */
  load() {
    this.loading ??= this.#load().finally(() => (this.loading = null));
    return this.loading;
  }

  async #load() {
    const first = this.entries[0]?.line.n;
    const eyes = this.viewer === this.ctx.store.side ? {} : { viewer: this.viewer };
    const { lines, more } = await this.ctx.api.chronicle({ ...(first === undefined ? {} : { before: first }), count: PAGE, ...eyes });
    const until = this.entries[0]?.line.n ?? Infinity; // what came meanwhile stands there already
    const added = lines.filter(({ n }) => n < until).map((line) => this.#entry(line));
    this.entries.unshift(...added);
    for (const { line, node } of added.toReversed()) this.#section(line.turn, "prepend").prepend(node);
    this.more = more;
    this.earlier.hidden = !more;
    this.#draw(added);
  }

  /** Fetch more while the top is visible or the chosen turn is missing. */
  async #fetchMore() {
    const wanted = () => this.turn.value !== "" && (this.entries[0]?.line.turn ?? 0) >= Number(this.turn.value);
    const seesTop = () =>
      this.earlier.checkVisibility() && this.earlier.getBoundingClientRect().bottom > this.scroller.getBoundingClientRect().top;
    while (this.more && !this.loading && (wanted() || (this.turn.value === "" && seesTop()))) await this.load();
  }

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    if (sections.has("shown")) void this.#dimLater();
    else if (sections.has("fresh")) void this.#reload();
    else if (told.length || dropped) {
      for (const { node } of dropped ? this.entries.splice(-dropped) : []) node.remove();
      const { n } = this.ctx.store.table;
      let turn = this.turns.at(n - 1); // what ends a turn belongs to it, what begins one to the next
      const added = told.map((one) => {
        if (one.topic === "turn") turn = this.turns.at(n);
        return this.#entry({ n, turn, entry: one });
      });
      this.entries.push(...added);
      for (const { line, node } of added) this.#section(line.turn, "append").append(node);
      this.#draw(added);
    }
  }

  async #reload() {
    await this.loading;
    this.entries = [];
    this.sections.clear();
    fill(this.list);
    await this.load();
  }

  /** Remember the reading position. */
  #onScroll() {
    const { scrollHeight, scrollTop, clientHeight } = this.scroller;
    this.fromEnd = scrollHeight - scrollTop - clientHeight;
    void this.#fetchMore();
  }

  /** Restore the reading position. */
  #restoreScroll() {
    const { scroller } = this;
    const fromEnd = this.fromEnd < NEAR ? 0 : this.fromEnd;
    if (this.host.isConnected) scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - fromEnd;
  }

  /** @param {T.ChronicleLine} line @returns {Entry} */
  #entry(line) {
    return { line, node: lineOf(this.ctx, line.entry) };
  }

  /** The list of a turn's lines. @param {number} turn @param {"append" | "prepend"} put where a new one goes */
  #section(turn, put) {
    let section = this.sections.get(turn);
    if (!section) {
      const mark = this.turns.marks[turn];
      section = el("section", el("h3", mark ? dateOf(this.ctx.store.setting, mark) : ""), el("ol.plain"));
      this.sections.set(turn, section);
      this.list[put](section);
    }
    return /** @type {HTMLElement} */ (section.lastElementChild);
  }

  /** Show the lines that pass the filters. @param {readonly Entry[]} entries */
  #draw(entries) {
    const until = this.ctx.store.past?.n ?? Infinity;
    this.list.classList.toggle("full", this.isFull.checked);
    for (const { line, node } of entries) {
      node.hidden = !this.#passesFilters(line);
      node.classList.toggle("later", line.n > until);
    }
    for (const section of this.sections.values()) section.hidden = !section.querySelector("li.told:not([hidden])");
    this.none.hidden = this.entries.some(({ node }) => !node.hidden);
    if (!this.list.querySelector("[tabindex='0']")) this.#makeTabStop(this.entries.findLast(({ node }) => !node.hidden)?.node);
    this.#restoreScroll();
  }

  /** @param {T.ChronicleLine} line */
  #passesFilters({ turn, entry }) {
    const [side, topic] = [this.side.value, this.topic.value];
    return (
      (this.isFull.checked || isNotable(entry)) &&
      (side === "" || [entry.side ?? 2, entry.hurts ?? 2].includes(Number(side))) &&
      (topic === "" || (topic === "dice" ? Boolean(entry.dice?.length) : entry.topic === topic)) &&
      (this.turn.value === "" || turn === Number(this.turn.value))
    );
  }

  /** Dim later lines while the table shows the past. */
  async #dimLater() {
    if (this.viewer !== this.#shownViewer) {
      this.viewer = this.#shownViewer;
      await this.#reload();
    }
    this.#draw(this.entries);
    this.entries.findLast(({ node }) => !node.hidden && !node.classList.contains("later"))?.node.scrollIntoView({ block: "nearest" });
  }

  /** Make one line at a time reachable by Tab. @param {HTMLElement | null | undefined} node */
  #makeTabStop(node) {
    for (const button of this.list.querySelectorAll("[tabindex='0']")) button.setAttribute("tabindex", "-1");
    for (const button of node?.querySelectorAll("button") ?? []) button.setAttribute("tabindex", "0");
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    const seen = this.entries.map(({ node }) => node).filter((node) => !node.hidden);
    const here = seen.findIndex((node) => node.contains(/** @type {Node} */ (event.target)));
    if (here < 0) return;
    event.preventDefault();
    const there = seen[Math.min(Math.max(here + step, 0), seen.length - 1)];
    this.#makeTabStop(there);
    there?.querySelector("button")?.focus();
  }
}

// A line of the chronicle: it lights the map while it is pointed at, and its hexes, rule and table can be opened.

/** A log entry as a line. @param {Context} ctx @param {T.LogEntry} told */
export function lineOf(ctx, told) {
  const places = told.places ?? [];
  const light = () => {
    ctx.map.overlay.highlight(places, "told");
    if (told.path?.length) ctx.map.overlay.setPath(told.path);
  };
  const unlight = () => {
    ctx.map.overlay.highlight([], "told");
    if (told.path?.length) ctx.map.overlay.setPath([]);
  };
  const { spot } = told;
  const [place = ""] = places;
  const linked = [...places, told.path?.at(-1)];
  const words = told.text.split(/(\b\d{4}\b)/).map((word) => (linked.includes(word) ? placeLink(ctx, word) : word));
  const extras = [
    ...diceOf(told).map((value) => die(value)),
    place && !words.some((word) => word instanceof Element) && placeLink(ctx, place, PANELS.map),
    ruleLink(ctx, told.rule),
    spot && el("button.rule", { onclick: () => ctx.showTable(spot) }, PANELS.table),
  ];
  for (const extra of [...words, ...extras]) if (extra instanceof HTMLButtonElement) extra.tabIndex = -1;
  const jump = (/** @type {MouseEvent} */ event) =>
    event.target instanceof Element && !event.target.closest("button") && place && ctx.jump(place);
  return el(
    "li.told",
    { "data-side": told.side ?? 2, onmouseenter: light, onmouseleave: unlight, onfocusin: light, onfocusout: unlight, onclick: jump },
    sideBadge(ctx.store, told.side ?? 2),
    el(
      "div",
      words,
      extras.flatMap((extra) => [" ", extra]),
      told.steps?.length ? el("ol.steps.plain", { "aria-label": PANELS.modifiers }, ...told.steps.map((step) => el("li", step))) : null,
    ),
  );
}
