// Keeps a store in step with the server. Of all the tabs of one seat the one that can be seen holds the stream (a
// lock says which) and passes its messages on; a hidden tab lets go of it and only asks now and then whose turn it is.

import { Refused, home, refusal } from "./api.js";

/** @import { SeatApi } from "./api.js" */
/** @import { Store } from "./store.js" */

const EVENTS = ["news", "fresh", "chat", "presence", "devices", "seen", "problem", "still", "again"];
const WAITS = [500, 1000, 2000, 5000, 10000, 15000];
const GRACE = 8000;
const REST = 45000;
/** Time in ms of silence after which the connection counts as lost: the server sends a sign every 15 s. */
const STALE = 35000;
const WATCH = 5000;
/** Time in ms after which a tab without a stream asks the tab that holds it. */
const ASKED = 3000;

export class Stream {
  /** @type {EventSource | null} */
  #source = null;
  /** @type {(() => void) | null} lets go of the lock */
  #release = null;
  /** @type {AbortController | null} of the wait for the lock */
  #waiting = null;
  #failures = 0;
  #retry = 0;
  #hiding = 0;
  #heard = 0;
  #isClosed = false;

  /** @param {SeatApi} api @param {Store} store */
  constructor(api, store) {
    this.api = api;
    this.store = store;
    this.channel = new BroadcastChannel(`leuthen-${api.seat}`);
    this.channel.onmessage = (message) => this.#onTabMessage(message.data);
  }

  /** Start the stream. */
  start() {
    document.addEventListener("visibilitychange", () => this.#onVisible());
    window.addEventListener("focus", () => this.#waiting || document.hidden || this.#waitForTurn());
    window.addEventListener("online", () => this.#retryAfter(0));
    window.addEventListener("offline", () => this.store.setConnection("offline"));
    window.addEventListener("pagehide", () => this.close());
    setInterval(() => this.#pollTurn(), REST);
    // The browser may not notice that a connection is lost.
    const isSilent = () => this.#source && this.store.connection === "live" && Date.now() - this.#heard > STALE;
    setInterval(() => isSilent() && this.#onError(), WATCH);
    if (document.hidden) this.store.setConnection("resting");
    else this.#waitForTurn();
  }

  /** Close the stream for good: the page is left. */
  close() {
    this.#isClosed = true;
    this.#disconnect();
    this.channel.close();
  }

  /** Wait until the store has news number `n`, from the stream or by a request. @param {number} n */
  async waitFor(n) {
    for (let waited = 0; waited < 2500 && this.store.table.n < n; waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
    if (this.store.table.n < n) await this.refresh();
  }

  /** Handle an unanswered request: the connection may be lost. */
  onUnanswered() {
    if (this.store.connection !== "live") return;
    if (this.#source) return this.#onError();
    this.store.setConnection("offline");
    setTimeout(() => this.channel.postMessage({ hello: this.store.table.n }), ASKED);
  }

  /** Request a complete view. */
  async refresh() {
    const table = await this.api.fresh().catch(refusal);
    if (!(table instanceof Refused)) this.store.takeFresh(table);
    else if (table.problem.status === 404) this.store.setConnection("gone");
  }

  // --- who holds the stream ---

  #onVisible() {
    clearTimeout(this.#hiding);
    if (document.hidden) this.#hiding = window.setTimeout(() => this.#disconnect(), GRACE);
    else if (!this.#waiting) this.#waitForTurn();
    else if (this.#source && Date.now() - this.#heard > STALE) this.#retryAfter(0);
  }

  /** Wait for the turn to hold the stream; until then, receive from the tab that holds it. */
  #waitForTurn() {
    this.store.setConnection("connecting");
    this.channel.postMessage({ hello: this.store.table.n });
    const waiting = (this.#waiting = new AbortController());
    if (!("locks" in navigator)) return this.#startHolding(() => {}); // a page that did not come over https: each tab for itself
    const hold = () => new Promise((/** @type {(value: void) => void} */ resolve) => this.#startHolding(resolve));
    navigator.locks.request(`leuthen-${this.api.seat}`, { signal: waiting.signal }, hold).catch((/** @type {unknown} */ error) => {
      if (!(error instanceof DOMException)) throw error;
    });
  }

  /** @param {() => void} release */
  #startHolding(release) {
    this.#release = release;
    this.#connect();
  }

  #disconnect() {
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    this.#waiting?.abort();
    this.#waiting = null;
    this.#release?.();
    this.#release = null;
    if (!this.#isClosed) this.store.setConnection("resting");
  }

  // --- the stream ---

  #connect() {
    this.#source?.close();
    const source = (this.#source = new EventSource(this.api.streamUrl(this.store.table.n)));
    source.onopen = () => {
      this.#failures = 0;
      this.#heard = Date.now();
      this.store.setConnection("live");
      this.channel.postMessage({ at: this.store.table.n });
    };
    source.onerror = () => this.#onError();
    for (const event of EVENTS) {
      source.addEventListener(event, (message) => this.#onEvent(event, JSON.parse(/** @type {MessageEvent<string>} */ (message).data)));
    }
  }

  /** Reconnect here, because browsers give up on some answers and retry others too soon. */
  #onError() {
    this.#source?.close();
    this.store.setConnection("offline");
    this.channel.postMessage({ lost: true });
    this.#failures += 1;
    if (this.#failures % 3 === 0) void this.refresh();
    if (this.store.connection !== "gone") this.#retryAfter(WAITS[Math.min(this.#failures, WAITS.length) - 1] ?? 0);
  }

  /** @param {number} wait in ms */
  #retryAfter(wait) {
    clearTimeout(this.#retry);
    if (this.#release) this.#retry = window.setTimeout(() => this.#release && this.#connect(), wait);
  }

  /** @param {string} event @param {any} data */
  #onEvent(event, data) {
    this.#heard = Date.now();
    if (event === "still") return undefined;
    if (event !== "again") {
      this.channel.postMessage({ event, data });
      return this.#handle(event, data);
    }
    this.#source?.close(); // the server will end, and says in how many ms one may reconnect
    this.store.setConnection("connecting");
    this.channel.postMessage({ lost: true });
    return this.#retryAfter(data.wait);
  }

  /** @param {string} event @param {any} data */
  #handle(event, data) {
    const store = this.store;
    if (event === "news" && !store.takeNews(data)) void this.refresh();
    else if (event === "fresh") store.takeFresh(data);
    else if (event === "chat" || event === "devices") store.tell(event, data);
    else if (event === "presence") store.takePresence(data);
    else if (event === "seen") store.seal.compareOther(data);
    else if (event === "problem" && data.status === 429)
      this.#disconnect(); // one stream too many: until its page is visible again
    else if (event === "problem" && data.status === 401) store.setConnection("gone");
    else if (event === "problem") store.tell("problem", data);
  }

  // --- what tabs say to each other ---

  /** @param {{event: string, data: any} | {hello: number} | {at: number} | {lost: true}} passed */
  #onTabMessage(passed) {
    if (document.hidden && !this.#waiting) return;
    if ("hello" in passed) {
      if (this.#source) this.channel.postMessage({ at: this.store.table.n });
    } else if ("lost" in passed) {
      this.store.setConnection("offline");
    } else if ("at" in passed) {
      this.store.setConnection("live");
      if (passed.at > this.store.table.n) void this.refresh();
    } else {
      this.#handle(passed.event, passed.data);
    }
  }

  /** Ask whether it is this seat's turn while there is no stream. */
  async #pollTurn() {
    if (this.store.connection !== "resting" || !document.hidden) return;
    const found = await home().catch(refusal);
    if (found instanceof Refused) return;
    const game = found.games.find((line) => line.game === this.store.table.game);
    if (!game) this.store.setConnection("gone");
    else this.store.tell("turn", game.is_your_turn);
  }
}
