// Plays entries of the log on the map: a counter goes its way, hexes light up, and a card shows the text with its dice.

import { diceOf, el, svg } from "../dom.js";
import { settingOf } from "../settings.js";

/** @import * as T from "../../types" */
/** @import { Camera } from "./camera.js" */
/** @import { Counters } from "./counters.js" */
/** @import { Grid, Point } from "./sheet.js" */
/** @import { Overlay } from "./overlay.js" */

/** The path of a march, hex by hex. @typedef {{side: number, path: string[]}} Track */

/**
 * The enemy's marches of the last turn in which it marched, with the legs of a march joined; empty once this side has marched.
 * @param {readonly T.LogEntry[]} told the latest last @param {number} side whose eyes they are for @returns {Track[]}
 */
export function tracksOf(told, side) {
  /** @type {T.LogEntry[]} */
  const gone = [];
  for (const entry of told.toReversed()) {
    const isWay = (entry.path?.length ?? 0) > 1;
    if ((entry.topic === "turn" && gone.length) || (isWay && entry.side === side)) break;
    if (isWay) gone.unshift(entry);
  }
  /** @type {Track[]} */
  const tracks = [];
  for (const { side: whose = 2, path = [] } of gone) {
    const before = tracks.find((track) => track.side === whose && track.path.at(-1) === path[0]);
    if (before) before.path.push(...path.slice(1));
    else tracks.push({ side: whose, path: [...path] });
  }
  return [...new Map(tracks.map((track) => [`${track.side} ${track.path.join("-")}`, track])).values()];
}

/** True if an entry shows more than a line of text: a movement, a roll, news or a loss. @param {T.LogEntry} entry */
export const isSight = ({ path, dice, round, topic = "", hurts = 2 }) =>
  Boolean(path?.length || dice?.length || round) || hurts < 2 || !["", "declined"].includes(topic);

/** Events with the legs of each march joined where nothing comes between. @param {readonly T.LogEntry[]} told @returns {T.LogEntry[]} */
export function joined(told) {
  /** @type {T.LogEntry[]} */
  const whole = [];
  for (const entry of told) {
    const { path = [] } = entry;
    const before = whole.at(-1);
    const goesOn = path.length > 1 && before?.event === entry.event && before.side === entry.side && before.path?.at(-1) === path[0];
    if (goesOn) whole.splice(-1, 1, { ...entry, path: [...(before.path ?? []), ...path.slice(1)] });
    else whole.push(entry);
  }
  return whole;
}

// --- the playing ---

const STEP = 170; // ms for each hex of a march
const LONGEST = 1400; // ms for a whole march
const PAUSE = 300; // ms after a march
const READING = [700, 2600]; // ms for a card, at least and at most
const LETTER = 14; // ms for each letter of it
const AWAY = 44; // px from a hex's middle to where a card hides nothing of it, at least
const EDGE = 6; // px
const TOOLS = 58; // px at the right edge, where the buttons of the map lie over a card

/** Playback speeds, by setting. @type {Record<string, number>} */
export const PACES = { slow: 0.5, normal: 1, fast: 2, fastest: 4, off: 0 };

const pace = () => PACES[settingOf("speed")] ?? 1;

/** True if entries play by themselves: neither the settings nor the device ask for less motion. */
export const isAnimated = () => pace() > 0 && !isStill();

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Playing {
  /** True while a playback controls the map, paused or not. */
  isHeld = false;
  #number = 0;
  /** @type {(() => void) | null} */
  #wake = null;
  /** Places of the last entry that had any: rounds of a battle have none of their own. @type {readonly string[]} */
  #places = [];
  /** Centre of the view before playback moved it. @type {Point | null} */
  #home = null;

  /** @param {Grid} grid @param {Camera} camera @param {Counters} counters @param {Overlay} overlay */
  constructor(grid, camera, counters, overlay) {
    this.grid = grid;
    this.camera = camera;
    this.counters = counters;
    this.overlay = overlay;
    this.way = svg("path.played-way");
    this.node = svg("g.playing", this.way);
    this.card = el("div.map-card", { hidden: true });
  }

  get isOn() {
    return this.isHeld || this.#wake !== null;
  }

  /** Stop the current entries and clear the map of them; the view stays where it is. */
  skip() {
    this.hurry();
    this.#clear();
    this.counters.hide();
    this.node.replaceChildren(this.way);
  }

  /** Finish the current entries at once. */
  hurry() {
    this.#number += 1;
    this.#wake?.();
  }

  /** Keep the view where the player has moved it. */
  keepView() {
    this.#home = null;
  }

  /** Return to the view from before the playback. */
  restoreView() {
    if (this.#home) this.camera.centre(this.#home);
    this.#home = null;
  }

  /** @param {readonly T.LogEntry[]} told @param {T.Scene} after the position that comes of them */
  async play(told, after) {
    this.hurry();
    const number = this.#number;
    const speed = pace();
    let end = "";
    for (const event of told) {
      if (number !== this.#number || document.hidden || !speed) break;
      if (!event.places?.length && !event.path?.length && !event.round) continue;
      if (!isSight(event) && event.places?.every((place) => place === end)) continue; // the halt after a march
      end = event.path?.at(-1) ?? end;
      this.hold([event], after);
      const moving = isStill() ? 0 : this.#march(event, after, speed);
      const [least = 0, most = 0] = READING;
      const reading = isStill() ? least : Math.min(most, least + LETTER * event.text.length) / speed;
      await this.#wait(Math.max(moving, reading));
      this.#clear();
    }
  }

  /** Show entries, their hexes and the path of the last march until the next. @param {readonly T.LogEntry[]} told @param {T.Scene} after */
  hold(told, after) {
    const path = this.grid.known(told.findLast((event) => event.path?.length)?.path ?? []);
    const own = this.grid.known(told.flatMap((event) => event.places ?? []));
    const isRound = !own.length && !path.length && told.some((event) => event.round);
    const places = isRound ? (after.versus ? [after.versus.place] : this.#places) : own;
    if (own.length || isRound) this.#places = places;
    const all = this.grid.centres([...path, ...places]);
    this.#clear();
    if (!told.length) return;
    if (!all.every((point) => this.camera.sees(point))) {
      this.#home ??= this.camera.middle;
      const half = (/** @type {number[]} */ one) => (Math.min(...one) + Math.max(...one)) / 2;
      this.camera.centre({ x: half(all.map(({ x }) => x)), y: half(all.map(({ y }) => y)) });
    }
    this.overlay.highlight(places.length ? places : path.slice(-1), "told");
    if (path.length > 1) this.way.setAttribute("d", this.grid.way(path));
    this.#showCard(told, all);
  }

  /** @param {readonly T.LogEntry[]} told @param {readonly Point[]} points */
  #showCard(told, points) {
    const die = (/** @type {number} */ value) => el("span.die", String(value));
    this.card.replaceChildren(...told.map((event) => el("div", ...diceOf(event).map(die), event.text)));
    this.card.hidden = false;
    const { x, y } = this.#cardPoint(points.map((point) => this.camera.toView(point)));
    this.card.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  /** Place the card above, below or in a corner, where it does not cover its subject. @param {readonly Point[]} points in the view @returns {Point} */
  #cardPoint(points) {
    const { left, top, width, height } = this.camera.room;
    if (!points.length) return { x: left + EDGE, y: top + EDGE };
    const right = left + width - TOOLS;
    const { offsetWidth: wide, offsetHeight: high } = this.card;
    const away = AWAY * Math.max(1, this.camera.scale);
    const xs = points.map(({ x }) => x);
    const ys = points.map(({ y }) => y);
    const middle = Math.max(left + EDGE, Math.min(right - wide - EDGE, (Math.min(...xs) + Math.max(...xs) - wide) / 2));
    const spots = [
      { x: middle, y: Math.min(...ys) - away - high },
      { x: middle, y: Math.max(...ys) + away },
      { x: left + EDGE, y: top + EDGE },
      { x: right - wide - EDGE, y: top + height - high - EDGE },
    ];
    const isFree = (/** @type {Point} */ { x, y }) =>
      y >= top + EDGE &&
      y + high <= top + height - EDGE &&
      points.every((point) => point.x < x - away || point.x > x + wide + away || point.y <= y - away + 1 || point.y >= y + high + away - 1);
    return spots.find(isFree) ?? { x: Math.max(left + EDGE, (left + right - wide) / 2), y: top + height - high - EDGE };
  }

  /** Move a counter along its path; returns the ms that it takes. @param {T.LogEntry} event @param {T.Scene} after @param {number} speed */
  #march({ side = 2, path: whole = [] }, after, speed) {
    const path = this.grid.known(whole);
    if (path.length < 2) return 0;
    const time = Math.min(LONGEST, STEP * (path.length - 1)) / speed;
    const [from = "", to = ""] = [path[0], path.at(-1)];
    const token = this.#token(side, from, to, after);
    this.node.append(token);
    const steps = this.grid.centres(path).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    token.animate(steps, { duration: time, easing: "ease-in-out", fill: "forwards" });
    return time + PAUSE / speed;
  }

  /**
   * The moving counter, as it looks on arrival, else at the start, or a plain one. The counter at the start is hidden
   * unless a part of the force stays.
   * @param {number} side @param {string} from @param {string} to @param {T.Scene} after
   */
  #token(side, from, to, { pieces }) {
    const at = this.grid.centre(from);
    const seat = this.counters.seats.get(from)?.findLast(({ piece }) => piece.side === side && !piece.inside);
    if (seat && pieces[seat.key]?.place !== from) this.counters.hide(seat.key);
    const found = Object.entries(pieces).filter(([, piece]) => piece.place === to && piece.side === side);
    const [key, piece] = found.find(([, { inside }]) => !inside) ?? found[0] ?? [];
    if (key && piece) return this.counters.draw({ key, piece: { ...piece, inside: false }, at, x: 0, y: 0, size: 1 });
    return seat ? this.counters.draw({ ...seat, at, x: 0, y: 0 }) : this.counters.token(side, at);
  }

  /** @param {number} ms */
  async #wait(ms) {
    await new Promise((/** @type {(value: void) => void} */ resolve) => {
      this.#wake = resolve;
      setTimeout(resolve, ms);
    });
    this.#wake = null;
  }

  #clear() {
    this.way.removeAttribute("d");
    this.card.hidden = true;
    this.overlay.highlight([], "told");
  }
}
