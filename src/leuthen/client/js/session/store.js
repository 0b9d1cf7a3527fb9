// The table as this seat knows it, kept up to date by the stream; and the scene of the past while one looks back.

import { fetchSheetText, placesIn } from "../map/sheet.js";
import { setting as fetchSetting } from "./api.js";
import { Seal } from "./seal.js";
import { Emitter, format, sentence } from "../dom.js";
import { COMMON } from "../strings/common.js";
import { AWAY } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { SeatApi } from "./api.js" */

/**
 * A change. `sections` holds the names of changed fields of the scene and of the table (`awaited`, `can_undo`,
 * `proposals`, `seats`), `shown` when looking back starts or ends, and `fresh` when everything is new. `told` holds new
 * log entries; the last `dropped` ones are void.
 * @typedef {{sections: Set<string>, told: readonly T.LogEntry[], dropped: number}} Change
 */

/** @typedef {"connecting" | "live" | "offline" | "resting" | "gone"} Connection */

/** Dispatches `change` (detail Change), `connection`, and as the stream tells them `chat`, `devices`, `problem`, `stopped` and `turn`. */
export class Store extends Emitter {
  #scrubbing = 0;

  /** @param {SeatApi} api @param {T.Setting} setting @param {T.SeatSnapshot} table */
  constructor(api, setting, table) {
    super();
    this.api = api;
    /** @type {T.Setting} what never changes in this rule set */
    this.setting = setting;
    /** @type {ReadonlyMap<string, string>} names of fortresses and towns by their hex, those of then before those of now */
    this.namesByPlace = new Map([...setting.fortresses, ...setting.towns].reverse().map((town) => [town.place, town.name]));
    /** @type {Map<string, string>} the names of the theatres by their hexes */
    this.theatres = new Map();
    for (const { name, rows } of setting.theatres ?? []) for (const place of placesIn(rows)) this.theatres.set(place, name);
    /** @type {T.SeatSnapshot} */
    this.table = table;
    this.seal = new Seal(api, table);
    /** @type {T.PastScene | null} the scene looked back at */
    this.past = null;
    /** @type {readonly number[]} the sides whose players are at the table */
    this.present = [];
    /** @type {readonly T.DisplayName[]} those who watch and have a name, as who plays is told */
    this.watchers = [];
    /** @type {Connection} */
    this.connection = "connecting";
  }

  /** @param {SeatApi} api @returns {Promise<Store>} */
  static async open(api) {
    const table = await api.fresh();
    void fetchSheetText(table.ruleset).catch(() => undefined); // fetched meanwhile; the map asks for it again
    return new Store(api, await fetchSetting(table.ruleset), table);
  }

  /** The displayed scene. @returns {T.Scene} */
  get scene() {
    return this.past ? this.past.scene : this.table.scene;
  }

  get isLive() {
    return this.past === null;
  }

  /** The side of this seat; 2 for a spectator. */
  get side() {
    return this.table.side;
  }

  /** The pending decision of this seat, if any. @returns {T.Awaited | undefined} */
  get asked() {
    return this.table.awaited.find((awaited) => awaited.is_yours);
  }

  /** The name of a side, or of neither. @param {number} side */
  sideName(side) {
    return this.setting.sides[side] ?? COMMON.neutral;
  }

  /** The player of a side at the head of a sentence: "Anna (Prussia)", or "Prussia" without a name. @param {number} side */
  called(side) {
    const player = this.table.seats.find((line) => line.side === side)?.player;
    const led = sentence(this.sideName(side));
    return player ? `${player} (${led})` : led;
  }

  /** Show the table after news number `n`, after the end for another viewer. The last call wins. @param {number} n @param {number} [viewer] */
  async scrub(n, viewer) {
    const call = (this.#scrubbing += 1);
    const past = await this.api.past(n, viewer);
    if (call === this.#scrubbing) this.#show(past);
  }

  /** Show the present again. */
  live() {
    this.#scrubbing += 1;
    if (this.past) this.#show(null);
  }

  /** @param {T.PastScene | null} past */
  #show(past) {
    this.past = past;
    this.#emitChange(new Set(["shown"]));
  }

  /** Handle a complete view of the table. @param {T.SeatSnapshot} table */
  takeFresh(table) {
    this.table = table;
    if (table.seal) void this.seal.take(table.seal.now);
    this.#emitChange(new Set(["fresh"]));
  }

  /**
   * Handle a stream message; returns false if an earlier one is missing. An older message changes nothing; one with the last number may
   * change the table, but repeats no news.
   * @param {T.SeatUpdate} news @returns {boolean}
   */
  takeNews(news) {
    if (news.n < this.table.n) return true;
    if (news.n > this.table.n + 1) return false;
    const { entries, dropped } = news.n > this.table.n ? news : { entries: [], dropped: 0 };
    this.takeStanding(news.standing);
    this.takeStaff(news.staff);
    if (news.seal) void this.seal.take(news.seal);
    const patch = /** @type {Record<string, unknown>} */ (news.patch ?? {});
    this.table = {
      ...this.table,
      n: news.n,
      scene: merged(this.table.scene, patch),
      awaited: news.awaited,
      can_undo: news.can_undo,
      redo: news.redo ?? "",
      proposals: news.proposals,
      since: news.since ?? this.table.since,
      has_ended: this.table.has_ended || Boolean(patch.result),
    };
    this.#emitChange(new Set([...Object.keys(patch), "awaited", "can_undo", "proposals"]), entries, dropped);
    return true;
  }

  /** Handle the seat's standing instruction and report a change. @param {T.StandingInstruction | null | undefined} standing */
  takeStanding(standing) {
    if (standing === undefined || JSON.stringify(standing) === JSON.stringify(this.table.standing)) return;
    const before = this.table.standing?.stopped;
    this.table = { ...this.table, standing };
    this.touch("standing");
    if (standing?.stopped && standing.stopped !== before) this.tell("stopped", standing.stopped);
  }

  /** Handle the state of the seat's staff. @param {T.StaffCard | null | undefined} staff */
  takeStaff(staff) {
    if (staff === undefined || JSON.stringify(staff) === JSON.stringify(this.table.staff)) return;
    this.table = { ...this.table, staff };
    this.touch("staff");
  }

  /** Run a callback whenever one of these sections changes. @param {readonly string[]} sections @param {() => void} run */
  onChange(sections, run) {
    this.on("change", (/** @type {Change} */ { sections: changed }) => {
      if (sections.some((section) => changed.has(section))) run();
    });
  }

  /** Report a change of one section (`chat`, `notes`). @param {string} section */
  touch(section) {
    this.#emitChange(new Set([section]));
  }

  /** @param {T.Presence} presence */
  takePresence(presence) {
    this.present = presence.sides;
    this.watchers = presence.watchers ?? [];
    this.touch("presence");
  }

  /** @param {Connection} connection */
  setConnection(connection) {
    if (this.connection === connection) return;
    this.connection = connection;
    this.tell("connection", connection);
  }

  /** @param {Set<string>} sections @param {readonly T.LogEntry[]} [told] @param {number} [dropped] */
  #emitChange(sections, told = [], dropped = 0) {
    this.tell("change", { sections, told, dropped });
  }
}

// Puts changes together: JSON merge patches (RFC 7396), without changing what they are applied to, and notes.

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @template V @param {V} target @param {unknown} patch @returns {V} */
export function merged(target, patch) {
  if (!isObject(patch)) return /** @type {V} */ (patch);
  /** @type {Record<string, unknown>} */
  const result = isObject(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return /** @type {V} */ (result);
}

/**
 * Merge notes changed in two places without losing text.
 * @param {Required<T.Notes>} base what both were made from @param {Required<T.Notes>} own @param {Required<T.Notes>} saved the others, which are on the server
 * @returns {Required<T.Notes>}
 */
export const mergedNotes = (base, own, saved) => ({
  text: mergedText(base.text, own.text, saved.text),
  arrows: mergedList(base.arrows, own.arrows, saved.arrows),
  pins: mergedList(base.pins, own.pins, saved.pins),
  version: saved.version,
});

/** @param {string} base @param {string} own @param {string} saved */
function mergedText(base, own, saved) {
  if (own === base || own === saved) return saved;
  if (saved === base) return own;
  if (own.startsWith(base) && saved.startsWith(base)) return saved + own.slice(base.length);
  return format(AWAY.alsoWritten, { saved, own });
}

/** @template V @param {readonly V[]} base @param {readonly V[]} own @param {readonly V[]} saved @returns {V[]} */
function mergedList(base, own, saved) {
  const isSame = (/** @type {readonly V[]} */ one, /** @type {readonly V[]} */ other) => JSON.stringify(one) === JSON.stringify(other);
  if (isSame(own, base)) return [...saved];
  if (isSame(saved, base)) return [...own];
  const among = (/** @type {readonly V[]} */ list) => {
    const known = new Set(list.map((each) => JSON.stringify(each)));
    return (/** @type {V} */ each) => known.has(JSON.stringify(each));
  };
  const [inBase, inOwn, inSaved] = [among(base), among(own), among(saved)];
  return [...saved.filter((each) => inOwn(each) || !inBase(each)), ...own.filter((each) => !inBase(each) && !inSaved(each))];
}
