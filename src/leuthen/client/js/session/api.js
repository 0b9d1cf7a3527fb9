// Every route of the interface as a function. What goes wrong is thrown as a `Refused` with a sentence for the player.

import { format, once } from "../dom.js";
import { hexOf } from "./hashes.js";
import { COMMON } from "../strings/common.js";

/** @import * as T from "../../types" */

/** An error answer: the server's Problem, or a local one if no server answered. */
export class Refused extends Error {
  /** @param {T.Problem} problem @param {number} [wait] in how many seconds it may be asked again; 0 if the server did not say */
  constructor(problem, wait = 0) {
    super(problem.detail || problem.title);
    this.problem = problem;
    this.wait = wait;
  }

  /** No answer: the same request may be repeated. */
  get isOffline() {
    return this.problem.status === 0;
  }

  /** The table has changed since; its news are on their way. */
  get isStale() {
    return this.problem.status === 409 && this.problem.n >= 0;
  }
}

/** An error as a refusal; any other is thrown again. @param {unknown} error */
export function refusal(error) {
  if (!(error instanceof Refused)) throw error;
  return error;
}

/** @param {number} status @param {string} detail @returns {T.Problem} */
const problem = (status, detail) => ({ status, title: detail, detail, rule: "", place: "", n: -1 });

/** Time in ms after which a server counts as unreachable; imports have longer because they are replayed first. */
const PATIENCE = 20_000;
const LONG = 180_000;

/** @param {string} path @param {RequestInit} [init] @param {number} [patience] in ms @returns {Promise<Response>} */
async function request(path, init = {}, patience = PATIENCE) {
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), patience);
  const leave = () => waiting.abort();
  init.signal?.addEventListener("abort", leave);
  let response;
  try {
    response = await fetch(path, { credentials: "same-origin", redirect: "error", ...init, signal: waiting.signal });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Refused(problem(0, COMMON.unreachable));
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener("abort", leave);
  }
  const { headers, ok, status, statusText: text } = response;
  if (ok) return response;
  const told = await response.json().catch(() => null);
  throw new Refused({ ...problem(status, format(COMMON.badAnswer, { status, text })), ...told }, Number(headers.get("Retry-After")) || 0);
}

/** Maximum body size for requests that outlive the page: browsers allow 64 kB for all of them. */
const OUTLIVES = 16_000;

/** Number of retries after a refusal for load, and the maximum wait in seconds of each. */
const AGAIN = 6;
const SHORT = 15;

/**
 * Repeat a request that the server refused for load after the time it names.
 * @template R @param {() => Promise<R>} attempt @param {AbortSignal} [signal] @returns {Promise<R>}
 */
async function patiently(attempt, signal) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Refused) || !error.wait || error.wait > SHORT || tries >= AGAIN || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * error.wait));
    }
  }
}

/** @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} */
const get = (path, signal) => patiently(async () => (await request(path, { signal: signal ?? null })).json(), signal);

// How many requests of a kind are on their way at once: the server has places for few of one seat, and refuses more.

/** A limit on concurrent requests; the next starts when one has ended. */
export class Gate {
  /** @type {(() => void)[]} */
  #waiting = [];
  #inside = 0;

  /** @param {number} places */
  constructor(places) {
    this.places = places;
  }

  /**
   * Run a request in turn. A request abandoned before its turn is never sent; one abandoned later keeps its place until it is answered, as
   * it does on the server.
   * @template R @param {() => Promise<R>} run @param {AbortSignal} [signal] @returns {Promise<R>}
   */
  async pass(run, signal) {
    if (this.#inside >= this.places) await new Promise((/** @type {(value: void) => void} */ resolve) => this.#waiting.push(resolve));
    else this.#inside += 1;
    if (signal?.aborted) {
      this.#release();
      throw signal.reason;
    }
    const answer = run();
    void answer.catch(() => {}).finally(() => this.#release());
    if (!signal) return answer;
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      answer.then(resolve, reject);
    });
  }

  #release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#inside -= 1;
  }
}

/** Limit on a seat's concurrent lookups. */
const LOOKS = new Gate(3);

/** @param {string} path @returns {Promise<any>} */
const lookUp = (path) => LOOKS.pass(() => get(path));

/** @param {string} path @param {unknown} body @param {{method?: string, signal?: AbortSignal}} [how] @returns {Promise<any>} */
async function send(path, body, { method = "POST", signal } = {}) {
  const text = JSON.stringify(body);
  const init = {
    method,
    body: text,
    headers: { "Content-Type": "application/json" },
    signal: signal ?? null,
    keepalive: !signal && text.length < OUTLIVES, // what is sent as the page is left arrives all the same
  };
  const response = await patiently(() => request(path, init), signal);
  return response.status === 204 ? null : response.json();
}

/** @param {Record<string, string | number | undefined>} values */
function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  return given.length ? `?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}` : "";
}

const DELAYS = [0, 300, 900, 2000, 4000, 8000];

/**
 * Repeat a request until it is answered; its key makes it count once.
 * @template R @param {() => Promise<R>} attempt @param {(tries: number) => void} [onRetry]
 * @param {number} [most] how often it is sent again at most @returns {Promise<R>}
 */
export async function untilAnswered(attempt, onRetry, most = Infinity) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const again = error instanceof Refused && (error.isOffline || [502, 503, 504].includes(error.problem.status));
      if (!again || tries >= most) throw error;
      onRetry?.(tries);
      await new Promise((resolve) => {
        setTimeout(resolve, DELAYS[Math.min(tries, DELAYS.length - 1)]);
        globalThis.addEventListener?.("online", resolve, { once: true });
      });
    }
  }
}

/** A new request key. */
export const newKey = () => hexOf(crypto.getRandomValues(new Uint8Array(16)));

/** @returns {Promise<T.Home>} */
export const home = () => get("/api/home");
/** @returns {Promise<T.RulesetLine[]>} */
export const rulesets = () => get("/api/rulesets");
/** @param {string} name @returns {Promise<T.Setting>} */
export const setting = (name) => get(`/api/rulesets/${encodeURIComponent(name)}`);
/** @param {string} name @returns {Promise<T.RulebookPage>} */
export const rules = (name) => get(`/api/rulesets/${encodeURIComponent(name)}/rules`);

/** The available lessons. @returns {Promise<T.School>} */
export const school = () => get("/api/school");

/** The drills of a rule set, by chapter. @param {string} ruleset @returns {Promise<T.Drills>} */
export const drills = (ruleset) => get(`/api/school/drills?ruleset=${encodeURIComponent(ruleset)}`);

/** @param {Partial<T.NewGame> & Pick<T.NewGame, "players">} game @returns {Promise<T.CreatedGame>} */
export const newGame = (game) => send("/api/games", game);
/** @param {string} secret @param {T.DisplayName} sitter @returns {Promise<T.TakenSeat>} */
export const takeSeat = (secret, sitter) => untilAnswered(() => send("/api/take", { secret, sitter }), undefined, 4);
/** Give this browser its key, so that a seat it takes is its own even if the answer is lost. @returns {Promise<T.BrowserLabel>} */
export const knowBrowser = () => send("/api/browser", {});

/** @param {string} record @param {string} first who plays on, as for a new game @param {string} second @param {string} key @returns {Promise<T.CreatedGame>} */
export async function importRecord(record, first, second, key) {
  const headers = { "Content-Type": "text/plain; charset=utf-8" };
  return (await request(`/api/import${query({ first, second, key })}`, { method: "POST", body: record, headers }, LONG)).json();
}

/** Progress of the import with this key. @param {string} key @returns {Promise<T.ImportProgress>} */
export const importProgress = (key) => get(`/api/import/${key}`);

/** The routes of one seat. */
export class SeatApi {
  /** @param {string} seat the seat's public id */
  constructor(seat) {
    this.seat = seat;
    this.base = `/api/seats/${encodeURIComponent(seat)}`;
  }

  /** @param {number} after @returns {string} the address of the stream */
  streamUrl = (after) => `${this.base}/stream${query({ after })}`;
  /** @returns {Promise<T.SeatSnapshot>} */
  fresh = () => get(this.base);
  /** @param {T.Order} order @returns {Promise<T.OrderResult>} */
  order = (order) => send(`${this.base}/orders`, order);
  /** @param {Partial<T.TableMove> & Pick<T.TableMove, "seen" | "key" | "do">} move @returns {Promise<T.OrderResult>} */
  move = (move) => send(`${this.base}/moves`, move);
  /** @param {T.NewChain} chain @returns {Promise<T.SealCard>} */
  giveChain = (chain) => send(`${this.base}/chain`, chain);
  /** @param {T.Share} share @returns {Promise<T.SealStatus>} */
  giveShare = (share) => send(`${this.base}/share`, share);
  /** Send the other players what this browser has received. @param {Pick<T.LastSeenBlock, "blocks" | "head">} seen @returns {Promise<unknown>} */
  seen = (seen) => send(`${this.base}/seen`, seen);
  /** @param {number} after @returns {Promise<T.Blocks>} */
  blocks = (after) => get(`${this.base}/blocks${query({ after })}`);
  /** @param {Record<string, string>} partialOrder @param {AbortSignal} [signal] @returns {Promise<T.Form>} */
  form = (partialOrder, signal) => send(`${this.base}/form`, { partial_order: partialOrder }, { signal });
  /** The order for a typed line, and its next words. @param {string} text @param {AbortSignal} [signal] @returns {Promise<T.OrderLine>} */
  orderLine = (text, signal) => get(`${this.base}/order-line${query({ text })}`, signal);
  /** This seat's view of the front in words. @returns {Promise<T.Front>} */
  front = () => get(`${this.base}/front`);
  /** @returns {Promise<T.StandingInstruction>} */
  standing = () => get(`${this.base}/standing`);
  /** @param {T.Instruct} instruction @returns {Promise<T.OrderResult>} */
  instruct = (instruction) => send(`${this.base}/standing`, instruction, { method: "PUT" });
  /** @param {Record<string, string>} partialOrder @param {AbortSignal} [signal] @returns {Promise<T.Form>} */
  clauseForm = (partialOrder, signal) => send(`${this.base}/standing/form`, { partial_order: partialOrder }, { signal });
  /** @returns {Promise<T.StaffPlan>} */
  staff = () => lookUp(`${this.base}/staff`);
  /** @param {string} mission "Daun besiege Dresden", "drop Daun" @returns {Promise<T.StaffPlan>} */
  giveMission = (mission) => LOOKS.pass(() => send(`${this.base}/staff/missions`, { mission }));
  /** @param {Record<string, string>} partialOrder @param {AbortSignal} [signal] @returns {Promise<T.Form>} */
  missionForm = (partialOrder, signal) => LOOKS.pass(() => send(`${this.base}/staff/form`, { partial_order: partialOrder }), signal);
  /** @param {T.SignPlan} signed @returns {Promise<T.StaffCard>} */
  signStaff = (signed) => send(`${this.base}/staff/sign`, signed);
  /** @returns {Promise<T.StaffCard>} */
  async stopStaff() {
    return (await request(`${this.base}/staff/sign`, { method: "DELETE" })).json();
  }

  /** @param {string} name @param {string} place @returns {Promise<T.Layer>} */
  layer = (name, place) => lookUp(`${this.base}/layer${query({ name, place })}`);
  /** @returns {Promise<T.LeftUndone>} */
  left = () => lookUp(`${this.base}/left`);
  /** @returns {Promise<T.Advice>} */
  advice = () => get(`${this.base}/advice`);
  /** @param {{before?: number | undefined, count?: number, viewer?: number | undefined}} [range] `viewer` only after the end @returns {Promise<T.ChroniclePage>} */
  chronicle = ({ before, count, viewer } = {}) => lookUp(`${this.base}/chronicle${query({ before, count, viewer })}`);
  /** @param {number} [viewer] only after the end @returns {Promise<T.Turns>} */
  turns = (viewer) => lookUp(`${this.base}/turns${query({ viewer })}`);
  /** The seat's progress in its lesson. @returns {Promise<T.LessonState>} */
  lesson = () => get(`${this.base}/lesson`);
  /** The seat's drill. @param {string} [answer] what it says without an order @returns {Promise<T.DrillProgress>} */
  drill = (answer = "") => get(`${this.base}/drill${query({ answer })}`);
  /** The war so far in sentences. @param {number} [viewer] only after the end @returns {Promise<T.Story>} */
  story = (viewer) => lookUp(`${this.base}/story${query({ viewer })}`);
  /** The staff's report or its progress; only after the end. @returns {Promise<T.ReportStatus>} */
  report = () => get(`${this.base}/report`);
  /** Request the staff's report. @returns {Promise<T.ReportStatus>} */
  beginReport = () => send(`${this.base}/report`, {});
  /** @param {number} n @param {number} [viewer] only after the end @returns {Promise<T.PastScene>} */
  past = (n, viewer) => lookUp(`${this.base}/past${query({ n, viewer })}`);
  /** @returns {Promise<T.Chat>} */
  chat = () => get(`${this.base}/chat`);
  /** @param {string} text @param {string} key @returns {Promise<T.ChatLine>} */
  say = (text, key) => send(`${this.base}/chat`, { key, text });
  /** @returns {Promise<T.Notes>} */
  notes = () => get(`${this.base}/notes`);
  /** Save notes; refused as stale if others were saved since that version. @param {T.Notes} notes @returns {Promise<unknown>} */
  saveNotes = (notes) => send(`${this.base}/notes`, notes, { method: "PUT" });
  /** @returns {string} the address of the record, to download */
  get recordUrl() {
    return `${this.base}/record`;
  }

  /** A new link, to this seat or another. @param {Partial<T.NewLink>} wanted @returns {Promise<T.Link>} */
  link = (wanted) => send(`${this.base}/link`, wanted);
  /** Change the player's name, unless it is no longer `was`. @param {T.Rename} sitter @returns {Promise<unknown>} */
  rename = (sitter) => send(`${this.base}/player`, sitter, { method: "PUT" });
  /** @returns {Promise<T.Devices>} */
  devices = () => get(`${this.base}/devices`);
  /** Record that the owner has seen the devices up to this number. @param {number} number @returns {Promise<unknown>} */
  knowDevices = (number) => send(`${this.base}/devices/known`, { number });
  /** Sign a device out, or all others if no number is given. @param {number} [number] @returns {Promise<unknown>} */
  signOut = (number) => request(`${this.base}/devices${number === undefined ? "" : `/${number}`}`, { method: "DELETE" });
  /** @returns {Promise<T.CreatedGame>} */
  rematch = () => send(`${this.base}/rematch`, {});
}

// What an address says, however it was passed on: messengers add a full stop or a bracket, and break percent signs.

/** Characters that messengers append to a pasted link. */
const AFTER = /[^\w-]+$/;

/** A part of an address, decoded if its percent signs are well formed. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The public id or secret at the end of a link, without characters appended by a messenger. @param {string} text */
export const idIn = (text) => decoded(text).replace(AFTER, "");

/** The last part of a path: the id of a seat. @param {string} path */
export const seatIn = (path) => idIn(path.split("/").filter(Boolean).at(-1) ?? "");

// How one comes to a lesson or a drill: its game is made, and its table opened; once, however often it is pressed.

const opener = (/** @type {string} */ path) =>
  once(async (/** @type {string} */ name) => {
    const { seats } = /** @type {T.CreatedGame} */ (await send(path, { name }));
    location.assign(`/table/${seats.find((line) => line.seat)?.seat}`);
  });
export const toLesson = opener("/api/school/lessons");
export const toDrill = opener("/api/school/drills");
