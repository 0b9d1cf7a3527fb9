// The chronicle: every event as a sentence with its dice, its modifiers one by one, and its rule.

import { deviceStorage, diceOf, el, fill, isNotable, optionsOf, placeLink, ruleLink, sentence } from "../dom.js";
import { dateOf, die, messageOf, sideBadge } from "./parts.js";
import { PANELS } from "../strings/panels.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */

/** @typedef {{line: T.ChronicleLine, node: HTMLLIElement}} Entry */

const PAGE = 200;
/** Distance in px from the end within which the log follows new lines. */
const NEAR = 60;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountChronicle(host, ctx) {
  fill(host, el("p", { role: "status" }, PANELS.loadingChronicle));
  ctx.turns.ready.then(() => openChronicle(host, ctx)).catch((error) => fill(host, el("p.note.bad", messageOf(error))));
}

/** @param {HTMLElement} host @param {Context} ctx */
async function openChronicle(host, ctx) {
  const { api, store, turns } = ctx;
  /** The lines fetched so far, the latest last. @type {Entry[]} */
  let entries = [];
  /** The turns, with their lines. @type {Map<number, HTMLElement>} */
  const sections = new Map();
  let hasMore = true;
  const shownViewer = () => store.past?.scene.viewer ?? store.side;
  /** The viewer of the log; after the end another viewer can be chosen. */
  let viewer = shownViewer();
  /** @type {Promise<void> | null} */
  let loading = null;
  /** Distance of the reader from the end, in px. */
  let fromEnd = 0;
  const scroller = host.parentElement ?? host; // the body of the drawer
  const list = el("div.chronicle", { onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(event) });
  const earlier = el("button.quiet", { onclick: () => void load() }, PANELS.earlier);
  const none = el("p.muted", PANELS.noEvents);
  const isFull = el("input", { type: "checkbox", checked: deviceStorage.getItem("chronicle") === "full" });
  const sides = [0, 1].map((one) => [one, sentence(store.sideName(one))]);
  const side = el("select", { "aria-label": PANELS.whose }, optionsOf([["", MAP.bothSides], ...sides]));
  const topic = el("select", { "aria-label": PANELS.whichEvents }, optionsOf(Object.entries(PANELS.topics)));
  const turn = el("select", { "aria-label": PANELS.whichTurn });

  const listTurns = () => {
    const chosen = turn.value;
    const marks = turns.marks.map((mark, index) => [index, dateOf(store.setting, mark)]).reverse();
    fill(turn, optionsOf([["", PANELS.allTurns], ...marks]));
    turn.value = chosen;
  };

  /** Fetch the lines before those loaded. */
  const load = () => (loading ??= loadPage().finally(() => (loading = null)));
  const loadPage = async () => {
    const before = entries[0]?.line.n;
    const { lines, more } = await api.chronicle({ before, count: PAGE, viewer: viewer === store.side ? undefined : viewer });
    const until = entries[0]?.line.n ?? Infinity; // what came meanwhile stands there already
    const added = lines.filter(({ n }) => n < until).map(entryOf);
    entries.unshift(...added);
    for (const { line, node } of added.toReversed()) sectionOf(line.turn, "prepend").prepend(node);
    hasMore = more;
    earlier.hidden = !more;
    draw(added);
  };
  /** Fetch more while the top is visible or the chosen turn is missing. */
  const fetchMore = async () => {
    const wanted = () => turn.value !== "" && (entries[0]?.line.turn ?? 0) >= Number(turn.value);
    const seesTop = () =>
      earlier.getClientRects().length > 0 && earlier.getBoundingClientRect().bottom > scroller.getBoundingClientRect().top;
    while (hasMore && !loading && (wanted() || (turn.value === "" && seesTop()))) await load();
  };
  const reload = async () => {
    await loading;
    entries = [];
    sections.clear();
    fill(list);
    await load();
  };

  store.on("change", (/** @type {Change} */ { sections: changed, told, dropped }) => {
    if (changed.has("shown")) void dimLater();
    else if (changed.has("fresh")) void reload();
    else if (told.length || dropped) {
      for (const { node } of dropped ? entries.splice(-dropped) : []) node.remove();
      const { n } = store.table;
      let at = turns.at(n - 1); // what ends a turn belongs to it, what begins one to the next
      const added = told.map((entry) => {
        if (entry.topic === "turn") at = turns.at(n);
        return entryOf({ n, turn: at, entry });
      });
      entries.push(...added);
      for (const { line, node } of added) sectionOf(line.turn, "append").append(node);
      draw(added);
    }
  });
  const restoreScroll = () => {
    const rest = fromEnd < NEAR ? 0 : fromEnd;
    if (host.isConnected) scroller.scrollTop = scroller.scrollHeight - scroller.clientHeight - rest;
  };

  const entryOf = (/** @type {T.ChronicleLine} */ line) => ({ line, node: lineOf(ctx, line.entry) });
  /** The list of a turn's lines. @param {number} at @param {"append" | "prepend"} put where a new one goes */
  const sectionOf = (at, put) => {
    let section = sections.get(at);
    if (!section) {
      const mark = turns.marks[at];
      section = el("section", el("h3", mark ? dateOf(store.setting, mark) : ""), el("ol.plain"));
      sections.set(at, section);
      list[put](section);
    }
    return /** @type {HTMLElement} */ (section.lastElementChild);
  };
  /** Show the lines that pass the filters; dim those later than the table that is shown. @param {readonly Entry[]} drawn */
  const draw = (drawn) => {
    const until = store.past?.n ?? Infinity;
    list.classList.toggle("full", isFull.checked);
    for (const { line, node } of drawn) {
      node.hidden = !passesFilters(line);
      node.classList.toggle("later", line.n > until);
    }
    for (const section of sections.values()) section.hidden = !section.querySelector("li.told:not([hidden])");
    none.hidden = entries.some(({ node }) => !node.hidden);
    if (!list.querySelector("[tabindex='0']")) makeTabStop(entries.findLast(({ node }) => !node.hidden)?.node);
    restoreScroll();
  };
  const passesFilters = (/** @type {T.ChronicleLine} */ { turn: at, entry }) =>
    (isFull.checked || isNotable(entry)) &&
    (side.value === "" || [entry.side ?? 2, entry.hurts ?? 2].includes(Number(side.value))) &&
    (topic.value === "" || (topic.value === "dice" ? Boolean(entry.dice?.length) : entry.topic === topic.value)) &&
    (turn.value === "" || at === Number(turn.value));
  const dimLater = async () => {
    if (viewer !== shownViewer()) {
      viewer = shownViewer();
      await reload();
    }
    draw(entries);
    entries.findLast(({ node }) => !node.hidden && !node.classList.contains("later"))?.node.scrollIntoView({ block: "nearest" });
  };

  /** Make one line at a time reachable by Tab. @param {HTMLElement | null | undefined} node */
  const makeTabStop = (node) => {
    for (const button of list.querySelectorAll("[tabindex='0']")) button.setAttribute("tabindex", "-1");
    for (const button of node?.querySelectorAll("button") ?? []) button.setAttribute("tabindex", "0");
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -Infinity, End: Infinity }[event.key];
    if (step === undefined) return;
    const seen = entries.map(({ node }) => node).filter((node) => !node.hidden);
    const here = seen.findIndex((node) => node.contains(/** @type {Node} */ (event.target)));
    if (here < 0) return;
    event.preventDefault();
    const there = seen[Math.min(Math.max(here + step, 0), seen.length - 1)];
    makeTabStop(there);
    there?.querySelector("button")?.focus();
  };

  listTurns();
  turns.addEventListener("change", listTurns);
  isFull.addEventListener("change", () => deviceStorage.setItem("chronicle", isFull.checked ? "full" : "terse"));
  for (const filter of [isFull, side, topic, turn])
    filter.addEventListener("change", () => {
      draw(entries);
      void fetchMore();
    });
  const full = el("label.check", { title: PANELS.aboutDetails }, isFull, PANELS.allDetails);
  fill(host, el("div.panel-tools", full, side, topic, turn), earlier, list, none);
  await load();
  scroller.addEventListener("scroll", () => {
    if (!host.isConnected) return;
    fromEnd = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    void fetchMore();
  });
  new IntersectionObserver(([entry]) => entry?.isIntersecting && restoreScroll()).observe(host); // opened again
  await fetchMore();
}

/** A line of the chronicle: it lights the map while it is pointed at; its hexes, rule and table can be opened. @param {Context} ctx @param {T.LogEntry} told */
function lineOf(ctx, told) {
  const { places = [], path = [], spot, steps = [] } = told;
  const [place = ""] = places;
  const light = (/** @type {boolean} */ isOn) => {
    ctx.map.overlay.highlight(isOn ? places : [], "told");
    if (path.length) ctx.map.overlay.setPath(isOn ? path : []);
  };
  const linked = [...places, path.at(-1)];
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
  const [on, off] = [() => light(true), () => light(false)];
  return el(
    "li.told",
    { "data-side": told.side ?? 2, onmouseenter: on, onmouseleave: off, onfocusin: on, onfocusout: off, onclick: jump },
    sideBadge(ctx.store, told.side ?? 2),
    el(
      "div",
      words,
      ...extras.flatMap((extra) => [" ", extra]),
      steps.length ? el("ol.steps.plain", { "aria-label": PANELS.modifiers }, ...steps.map((step) => el("li", step))) : null,
    ),
  );
}
