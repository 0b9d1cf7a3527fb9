// Chat between those at the table.

import { el, fill } from "../dom.js";
import { Outbox } from "../session/sender.js";
import { messageOf, sideBadge } from "./parts.js";
import { PANELS } from "../strings/panels.js";
import { TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Waiting } from "../session/sender.js" */

/** @type {WeakMap<object, Outbox>} */
const all = new WeakMap();

/** @param {Context} ctx */
function outboxOf({ api, store }) {
  const outbox = all.get(store) ?? new Outbox(api, store);
  all.set(store, outbox);
  return outbox;
}

/** Send chat lines from before the page was left that have not arrived. @param {Context} ctx */
export function resumeChat(ctx) {
  void outboxOf(ctx).send();
}

/** @param {HTMLElement} host @param {Context} ctx */
export function mountChat(host, ctx) {
  const { api, store } = ctx;
  /** @type {Set<number>} */
  const seen = new Set();
  const list = el("ol.chat.plain");
  const field = el("input", { name: "text", maxlength: 500, required: true, autocomplete: "off", "aria-label": PANELS.message });
  const problem = el("p.note.bad", { role: "alert", hidden: true });
  const add = (/** @type {T.ChatLine} */ line) => {
    if (seen.has(line.n)) return;
    seen.add(line.n);
    list.append(lineOf(ctx, line));
    list.lastElementChild?.scrollIntoView({ block: "nearest" });
  };
  const fetchAll = () => api.chat().then(({ lines }) => lines.forEach(add), complain);
  const complain = (/** @type {unknown} */ error) => {
    problem.textContent = messageOf(error);
    problem.hidden = false;
  };
  const outbox = outboxOf(ctx);
  const waiting = el("ul.chat.plain.is-waiting");
  const drawWaiting = () => fill(waiting, ...outbox.lines.map((line) => waitingView(outbox, line)));
  const say = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    problem.hidden = true;
    if (text) void outbox.add(text);
  };
  const form = el("form.panel-tools", { onsubmit: say }, field, el("button", { type: "submit" }, PANELS.send));
  fill(host, el("div", { role: "log", "aria-label": PANELS.chat }, list, waiting), problem, form);
  outbox.addEventListener("change", drawWaiting);
  outbox.addEventListener("said", (event) => add(/** @type {CustomEvent<T.ChatLine>} */ (event).detail));
  drawWaiting();
  store.addEventListener("chat", (event) => add(/** @type {CustomEvent<T.ChatLine>} */ (event).detail));
  store.addEventListener("change", (event) => {
    if (/** @type {CustomEvent} */ (event).detail.sections.has("fresh")) void fetchAll();
  });
  void fetchAll();
}

/** @param {Context} ctx @param {T.ChatLine} line */
function lineOf({ store }, { side, at, text }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const shown = isToday
    ? time.toLocaleTimeString([], { timeStyle: "short" })
    : time.toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  return el(
    "li",
    { class: side === store.side ? "mine" : "" },
    sideBadge(store, side),
    el("span", el("bdi.muted.small", side < 2 ? store.called(side) : TABLE.spectator), " ", text),
    el("time", { datetime: at, class: "small muted" }, shown),
  );
}

/** A chat line that has not arrived. @param {Outbox} outbox @param {Waiting} line */
function waitingView(outbox, { key, text, problem }) {
  const state = problem || PANELS.notSent;
  const button = (/** @type {string} */ label, /** @type {() => void} */ run) => el("button", { onclick: run }, label);
  const answers = problem
    ? el(
        "span.row",
        button(PANELS.sendAgain, () => void outbox.resend(key)),
        button(PANELS.discard, () => outbox.remove(key)),
      )
    : null;
  return el("li.mine", el("span", text, " ", el("span.muted.small", state)), answers);
}

/** True if there is at least one other person to talk to. @param {Context} ctx */
export function isChatWanted({ store }) {
  const others = store.table.seats.filter((seat) => !seat.seat && ["person", "open"].includes(seat.who));
  return others.length > 0;
}
