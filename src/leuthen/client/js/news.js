// News for screen readers: a sentence for each event, read when the news rest, and behind them what is asked now.

import { byId, el, fill, format, isNotable } from "./dom.js";
import { COMMON } from "./strings/common.js";

/** @import * as T from "../types" */
/** @import { Context } from "./main.js" */
/** @import { Change } from "./session/store.js" */

/** Time in ms without news after which the news is announced. */
const REST = 600;
/** Maximum number of announced sentences; the rest is counted. */
const MOST = 5;

/** @type {T.LogEntry[]} */
let waiting = [];
let question = "";
let timer = 0;

function soon() {
  clearTimeout(timer);
  timer = window.setTimeout(read, REST);
}

function read() {
  const lines = [...summary(waiting), question].filter(Boolean);
  [waiting, question] = [[], ""];
  if (lines.length) fill(byId("spoken"), ...lines.map((text) => el("p", text)));
}

/** The sentences of the most important events in order, and the number of the others. @param {readonly T.LogEntry[]} told */
export function summary(told) {
  const weight = (/** @type {T.LogEntry} */ { topic, gained, is_small: isSmall }) => (topic || gained ? 2 : isSmall ? 0 : 1);
  const first = new Set([...told].sort((a, b) => weight(b) - weight(a)).slice(0, MOST));
  const lines = told.filter((entry) => first.has(entry)).map(({ text }) => text);
  return told.length > MOST ? [...lines, format(COMMON.moreNews, { count: told.length - MOST })] : lines;
}

/** Announce a question or a state after the news before it. @param {string} text */
export function announce(text) {
  question = text;
  soon();
}

/** Announce the news of a table, except entries taken back in time. @param {Context} ctx */
export function readNews({ store }) {
  store.addEventListener("change", (event) => {
    const { told, dropped, sections } = /** @type {CustomEvent<Change>} */ (event).detail;
    if (dropped || sections.has("fresh") || !store.isLive) waiting = [];
    if (!store.isLive || !told.some(isNotable)) return;
    waiting.push(...told.filter(isNotable));
    soon();
  });
}
