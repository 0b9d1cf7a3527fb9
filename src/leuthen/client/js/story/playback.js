// The playback: entries of the log are played on the map order by order, each from the position before it to the one
// after it. News that come while the page is open, what happened since the last visit, a replay, and single steps back
// all run through it. It requests only this viewer's chronicle and positions, and ends with the server's position.

import { Emitter, button, diceOf, el, fill, format, isNotable, optionsOf, ruleLink } from "../dom.js";
import { tryRequest } from "../dialog.js";
import { addKeysFirst } from "../keys.js";
import { PACES, isAnimated, isSight, joined, tracksOf } from "../map/playing.js";
import { Refused } from "../session/api.js";
import { setSetting, settingOf } from "../settings.js";
import { GROUPS } from "../strings/common.js";
import { PLAYBACK } from "../strings/pages.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Change } from "../session/store.js" */

/** Number of news fetched at once, and the maximum number of lines in an answer. */
const CHUNK = 100;
const PAGE = 200;

/** Maximum number of entries of a step to which entries without a sight were added. */
const CARD = 6;

/**
 * An order with its consequences: the entries up to number `n`, those shown, and the position after them once it is
 * known, or the request for it.
 * @typedef {{n: number, entries: readonly T.LogEntry[], shown: readonly T.LogEntry[], scene?: T.Scene, asked?: Promise<T.PastScene> | undefined}} Step
 */

/**
 * A playback: its first number; `isReplay` if it plays all entries and reports none, instead of others' entries as
 * news; the viewer, after the end of the game.
 * @typedef {{title: string, from: number, isReplay: boolean, isPaused: boolean, viewer?: number | undefined}} Plan
 */

/**
 * New entries that the map has reached, with the position after them if known. The last `dropped` entries before them are
 * void; after `isFresh` any may be.
 * @typedef {{n: number, entries: readonly T.LogEntry[], dropped: number, isFresh: boolean, scene: T.Scene | null}} Reached
 */

/** Dispatches `reached` (detail Reached), and `change` when the bar changes. */
export class Playback extends Emitter {
  isOn = false;
  isPaused = false;
  title = "";
  /** @type {Step[]} */
  steps = [];
  /** Number of finished steps. */
  at = 0;
  /** The numbers before the first step and at the last. */
  #first = 0;
  #last = 0;
  isReplay = false;
  /** @type {number | undefined} */
  #viewer;
  #isPlaying = false;
  /** Number of steps requested while another is played. */
  #asked = 0;
  /** Number of the current run; a higher one cancels a step in progress. */
  #runs = 0;
  /** The number of the last news. */
  #newest;
  /** The number up to which the player has seen the news. */
  seen;

  /** @param {Context} ctx */
  constructor(ctx) {
    super();
    this.ctx = ctx;
    this.#newest = this.seen = ctx.store.table.n;
    ctx.store.on("change", (change) => this.#onChange(change));
    ctx.map.on("skipped", () => this.end());
    document.addEventListener("visibilitychange", () => void this.#go());
    document.addEventListener("close", () => void this.#go(), { capture: true }); // of a dialog
    this.#settle();
  }

  /** The number of the displayed position. */
  get n() {
    const { past, table } = this.ctx.store;
    return this.isOn ? (this.steps[this.at - 1]?.n ?? this.#first) : (past?.n ?? table.n);
  }

  /** Play the news after a number. @param {number} from */
  since(from) {
    return this.#open({ title: PLAYBACK.since, from, isReplay: false, isPaused: false });
  }

  /** Play the opponent's last turn from its first order. */
  async replay() {
    const { api, store, say } = this.ctx;
    this.end();
    const page = await tryRequest(() => api.chronicle({ count: PAGE }));
    const isOthers = (/** @type {T.ChronicleLine} */ { entry: { side = 2, ...entry } }) =>
      side < 2 && side !== store.side && isNotable({ ...entry, side });
    const last = page?.lines.findLast(isOthers);
    const first = page?.lines.find((line) => line.turn === last?.turn && isOthers(line));
    if (!first) return page && say(PLAYBACK.nothing);
    return this.#open({ title: PLAYBACK.replay, from: first.n - 1, isReplay: true, isPaused: !isAnimated() });
  }

  /** Play the next order, or show the position before the last one. @param {number} by 1 or -1 @param {number} [viewer] after the end of the game */
  step(by, viewer) {
    if (this.#isPlaying && by > 0) {
      this.#asked += Number(this.isPaused);
      return this.ctx.map.playing.hurry();
    }
    if (!this.isOn) this.#begin({ title: PLAYBACK.steps, from: this.n, isReplay: true, isPaused: true, viewer });
    this.isPaused = true;
    return by > 0 ? this.#forward().then(() => this.#go()) : this.#back();
  }

  /** Pauses or continues. */
  toggle() {
    this.isPaused = !this.isPaused;
    if (this.isPaused) this.ctx.map.playing.hurry();
    this.tell("change");
    return this.#go();
  }

  /** End the playback with the server's position. @returns {boolean} whether one was on */
  end() {
    const wasOn = this.isOn;
    const rest = this.steps.slice(this.at);
    this.#runs += 1;
    this.isOn = this.#isPlaying = false;
    [this.steps, this.at, this.#asked] = [[], 0, 0];
    for (const step of rest) this.#reach(step);
    if (wasOn) {
      this.ctx.map.setPlayback(false);
      this.#settle();
      this.tell("change");
    }
    return wasOn;
  }

  // --- news ---

  /** @param {Change} change */
  #onChange({ sections, told, dropped }) {
    const { table, isLive } = this.ctx.store;
    const before = this.#newest;
    this.#newest = table.n;
    if (sections.has("fresh") && table.n !== before) return void this.#catchUp(before);
    if (dropped || (sections.has("shown") && !isLive)) this.end();
    if (dropped) this.#emit({ n: table.n, entries: told, dropped, isFresh: false, scene: table.scene });
    else if (!told.length && this.isOn) this.#last = this.#last === before ? table.n : this.#last;
    else if (!told.length) this.seen = table.n;
    else if (told.length) this.#add({ n: table.n, entries: told, shown: [], scene: table.scene }, before);
    const last = this.steps.at(-1);
    if (last?.scene && last.n === table.n) last.scene = table.scene;
    if (!this.isOn) this.#settle();
  }

  /** Fetch the news that the page has missed. @param {number} before the last number it knew */
  async #catchUp(before) {
    const { store } = this.ctx;
    const seen = Math.min(before, this.seen);
    this.steps = []; // some of them may be void
    this.end();
    this.#settle();
    this.#emit({ n: store.table.n, entries: [], dropped: 0, isFresh: true, scene: store.table.scene });
    if (seen < store.table.n && store.isLive) await this.since(seen);
  }

  /** @param {Step} step @param {number} before the number of the news before */
  #add(step, before) {
    const { store } = this.ctx;
    if (this.isOn && this.#last !== before) return this.#reach(step); // it is fetched when the playback comes to it
    this.#last = step.n;
    if (this.isOn) this.#put(step);
    else if (store.isLive && this.#shownOf(step, false).some(({ topic }) => topic !== "declined")) {
      this.#begin({ title: PLAYBACK.news, from: before, isReplay: false, isPaused: false });
      this.#last = step.n;
      this.#put(step);
      this.ctx.map.setPlayback(true);
    } else this.#reach(step);
    this.tell("change");
    void this.#go();
  }

  /** The displayed entries of a step. @param {Step} step @param {boolean} isReplay */
  #shownOf({ entries }, isReplay) {
    const isOthers = ({ side = 2 }) => side !== this.ctx.store.side;
    return entries.filter((entry) => isNotable(entry) && (isReplay || (isOthers(entry) && isAnimated())));
  }

  /** Add a step; one without a sight, or that continues a march, is merged with the one before. @param {Step} step */
  #put(step) {
    const isFree = this.steps.length > this.at + Number(this.#isPlaying);
    const last = isFree ? this.steps.at(-1) : undefined;
    const before = last && last.n > this.seen === step.n > this.seen ? last : undefined;
    const shown = joined(this.#shownOf(step, this.isReplay));
    const both = joined([...(before?.shown ?? []), ...shown]);
    const hasSight = shown.some(isSight) || (shown.length > 0 && both.length > CARD);
    if (before && (!hasSight || both.length < before.shown.length + shown.length))
      this.steps.splice(-1, 1, { ...step, entries: [...before.entries, ...step.entries], shown: both });
    else this.steps.push({ ...step, shown });
  }

  // --- the chronicle ---

  /** @param {Plan} plan */
  #begin({ title, from, isReplay, isPaused, viewer }) {
    this.end();
    this.isOn = true;
    [this.title, this.isPaused, this.isReplay, this.#viewer] = [title, isPaused, isReplay, viewer];
    this.#first = this.#last = from;
    if (!isReplay) this.seen = from;
  }

  /** @param {Plan} plan */
  async #open(plan) {
    this.#begin(plan);
    const run = this.#runs;
    await this.#trying(async () => {
      await this.#extend();
      if (run !== this.#runs) return;
      if (this.steps.some(({ shown }) => shown.length)) await this.#show(0, run);
      else this.end();
    });
    return this.#go();
  }

  /** Fetch the next steps. @returns {Promise<boolean>} whether there are any */
  async #extend() {
    const run = this.#runs;
    const { store } = this.ctx;
    while (this.at >= this.steps.length && this.#last < store.table.n) {
      const to = Math.min(store.table.n, this.#last + CHUNK);
      const steps = await this.#fetch(this.#last, to);
      if (run !== this.#runs) return false;
      for (const step of steps) this.#put(step);
      this.#last = to;
    }
    return this.at < this.steps.length;
  }

  async #prepend() {
    const from = Math.max(0, this.#first - CHUNK);
    const run = this.#runs;
    const steps = await this.#fetch(from, this.#first);
    if (run !== this.#runs) return;
    const later = this.steps.splice(0);
    for (const step of steps) this.#put(step);
    this.at = this.steps.length;
    this.steps.push(...later);
    this.#first = from;
  }

  /** The steps between two numbers. @param {number} from @param {number} to @returns {Promise<Step[]>} */
  async #fetch(from, to) {
    const viewer = this.#viewer === undefined ? {} : { viewer: this.#viewer };
    /** @type {Map<number, T.LogEntry[]>} */
    const byNumber = new Map();
    for (let before = to + 1; before > from + 1; ) {
      const { lines, more } = await this.ctx.api.chronicle({ before, count: PAGE, ...viewer });
      for (const { n, entry } of lines.toReversed()) if (n > from) byNumber.set(n, [entry, ...(byNumber.get(n) ?? [])]);
      before = more ? (lines[0]?.n ?? 0) : 0;
    }
    return [...byNumber].map(([n, entries]) => ({ n, entries, shown: [] })).toSorted((one, other) => one.n - other.n);
  }

  /** The position after a number of steps. @param {number} at @returns {Promise<T.Scene>} */
  async #sceneAt(at) {
    const step = this.steps[at - 1];
    if (step?.scene) return step.scene;
    if (!step) return (await this.ctx.api.past(this.#first, this.#viewer)).scene;
    step.asked ??= this.ctx.api.past(step.n, this.#viewer);
    try {
      return (step.scene = (await step.asked).scene);
    } finally {
      step.asked = undefined;
    }
  }

  // --- playing ---

  async #go() {
    const isReady = () => this.isOn && !this.isPaused && !document.hidden && !document.querySelector("dialog[open]");
    if (this.#isPlaying) return;
    while (isReady() && (await this.#forward()));
  }

  /** Play the next step. @returns {Promise<boolean>} false where there is none, or something else was ordered meanwhile */
  async #forward() {
    const { map } = this.ctx;
    const run = this.#runs;
    const isOver = () => run !== this.#runs;
    let isSilent = false;
    this.#isPlaying = true;
    await this.#trying(async () => {
      const step = (await this.#extend()) ? this.steps[this.at] : undefined;
      if (isOver()) return;
      if (!step) return void this.end();
      if (!map.playing.isHeld) await this.#show(this.at, run);
      const scene = await this.#sceneAt(this.at + 1);
      if (isOver()) return;
      this.tell("change");
      this.#announce(step);
      if (this.steps[this.at + 1]) this.#sceneAt(this.at + 2).catch(() => undefined); // ahead of time
      if (!this.#asked) await map.playing.play(step.shown, scene);
      if (isOver()) return;
      this.at += 1;
      isSilent = !step.shown.length;
      map.show(scene);
      if (this.isPaused) map.playing.hold(step.shown, scene);
      this.#reach(step);
    });
    if (isOver()) return false;
    this.#isPlaying = false;
    this.tell("change");
    if (isSilent) return this.#forward();
    if (!this.#asked) return true;
    this.#asked -= 1;
    return this.#forward();
  }

  /** Show the position before the finished or current step. */
  async #back() {
    const run = (this.#runs += 1);
    const at = this.#isPlaying ? this.at : this.at - 1;
    [this.#isPlaying, this.#asked] = [false, 0];
    this.ctx.map.playing.hurry();
    await this.#trying(async () => {
      if (at >= 0) return this.#show(at, run);
      if (this.#first > 0 && this.isReplay) await this.#prepend();
      return run === this.#runs ? this.#show(Math.max(0, this.at - 1), run) : undefined;
    });
  }

  /** Show the position after a number of steps, with the last of them. @param {number} at @param {number} run */
  async #show(at, run) {
    const { store, map } = this.ctx;
    const scene = await this.#sceneAt(at);
    if (run !== this.#runs) return;
    store.live();
    map.setPlayback(true);
    map.show(scene);
    this.at = at;
    const step = this.steps[at - 1];
    if (step) {
      map.playing.hold(step.shown, scene);
      this.#announce(step);
    }
    this.tell("change");
  }

  /** End the playback if the server does not answer. @param {() => Promise<unknown>} run */
  async #trying(run) {
    try {
      await run();
    } catch (error) {
      this.end();
      if (!(error instanceof Refused)) throw error;
      this.ctx.say(error.message);
    }
  }

  /** Add news to the list of the latest events, which is read aloud. @param {Step} step */
  #announce({ shown }) {
    if (this.title !== PLAYBACK.news) this.ctx.map.live.textContent = shown.map(({ text }) => text).join(" ");
  }

  /** @param {Step} step */
  #reach({ n, entries, scene = undefined }) {
    if (n > this.seen) this.#emit({ n, entries, dropped: 0, isFresh: false, scene: scene ?? null });
  }

  /** @param {Reached} reached */
  #emit(reached) {
    this.seen = reached.n;
    this.tell("reached", reached);
  }

  /** Show the page's position and the pending decision. */
  #settle() {
    const { store, map } = this.ctx;
    const { place = "" } = store.scene;
    map.show(store.scene);
    map.overlay.highlight(place ? [place] : [], "asked");
    if (place && store.asked && store.isLive) map.reveal(place);
  }
}

/** The bar over the map during a playback, and its keys. @param {HTMLElement} host @param {Playback} playback */
export function mountPlayback(host, playback) {
  const label = el("p.small");
  const toggle = button("", "play", () => void playback.toggle(), "primary");
  const step = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {number} */ by) =>
    el(
      "button.icon",
      { title, "aria-label": title, dataset: { do: by > 0 ? "next" : "previous" }, onclick: () => void playback.step(by) },
      sign,
    );
  const speeds = Object.entries(PACES).map(([value, pace]) => [value, pace ? `${pace}×` : PLAYBACK.noMotion]);
  const onchange = () => setSetting("speed", speed.value);
  const speed = el("select", { "aria-label": PLAYBACK.speed, onchange }, ...optionsOf(speeds));
  const skip = button(PLAYBACK.skip, "skip", () => playback.end());
  const row = el("div.row", step("‹", PLAYBACK.previous, -1), toggle, step("›", PLAYBACK.next, 1), speed, skip);
  fill(host, label, row);
  playback.addEventListener("change", () => {
    const { isOn, at, steps, isPaused, title } = playback;
    if (!isOn && host.contains(document.activeElement)) document.getElementById("orders")?.focus();
    if (isOn && host.hidden && title === PLAYBACK.replay) requestAnimationFrame(() => toggle.focus({ preventScroll: true }));
    host.hidden = !isOn;
    const position = format(PLAYBACK.position, { at: Math.min(at + Number(!isPaused), steps.length), of: steps.length });
    label.textContent = title === PLAYBACK.steps ? title : `${title}: ${position}`;
    toggle.textContent = isPaused ? PLAYBACK.play : PLAYBACK.pause;
    if (document.activeElement !== speed) speed.value = settingOf("speed");
  });
  const when = () => playback.isOn;
  const group = GROUPS.playback;
  addKeysFirst(
    { keys: [" "], label: PLAYBACK.toggle, group, when, run: () => void playback.toggle() },
    { keys: ["ArrowLeft"], label: PLAYBACK.previous, group, when, run: () => void playback.step(-1) },
    { keys: ["ArrowRight"], label: PLAYBACK.next, group, when, run: () => void playback.step(1) },
    { keys: ["w"], label: PLAYBACK.replayMenu, group, run: () => void playback.replay() },
    { keys: [",", "."], label: PLAYBACK.stepKeys, group, run: (key) => void playback.step(key === "," ? -1 : 1) },
  );
}

// The latest events beside the orders, and the ways of the last marches as arrows on the map.

/** Number of displayed lines, and of entries kept for the arrows. */
const LINES = 4;
const REMEMBERED = 400;

/** @param {HTMLElement} host @param {Context} ctx @param {Playback} playback */
export function mountNews(host, ctx, playback) {
  const { store, map } = ctx;
  /** @type {T.LogEntry[]} */
  let told = [];
  /** @type {Map<T.LogEntry, HTMLElement>} */
  let lines = new Map();
  const list = el("ul.plain");
  const draw = () => {
    const latest = told.filter(isNotable).slice(-LINES);
    // A line that is there already stays, so that it is not read out again.
    lines = new Map(latest.map((entry) => [entry, lines.get(entry) ?? lineOf(ctx, entry)]));
    for (const node of [...list.children]) if (![...lines.values()].includes(/** @type {HTMLElement} */ (node))) node.remove();
    for (const [at, node] of [...lines.values()].entries())
      if (list.children[at] !== node) list.insertBefore(node, list.children[at] ?? null);
    if (!latest.length) fill(host);
    else if (!list.isConnected) fill(host, list);
  };
  const track = () => map.overlay.setTracks(store.isLive && !(playback.isOn && playback.isReplay) ? tracksOf(told, store.side) : []);
  playback.on("reached", (/** @type {Reached} */ { entries, dropped, isFresh }) => {
    if (isFresh) told = [];
    else if (dropped) told.splice(-dropped);
    told = [...told, ...entries].slice(-REMEMBERED);
    draw();
    track();
  });
  store.onChange(["shown"], track);
  playback.addEventListener("change", track);
}

/** @param {Context} ctx @param {T.LogEntry} entry */
function lineOf(ctx, entry) {
  const dice = diceOf(entry).map((die) => el("span.die", { "aria-hidden": true }, String(die)));
  return el("li", ...dice, entry.text, " ", ruleLink(ctx, entry.rule));
}
