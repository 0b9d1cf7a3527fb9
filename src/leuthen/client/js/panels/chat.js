// Chat between those at the table.

import { el, fill } from "../dom.js";
import { messageOf, sideBadge } from "./parts.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mount(host, ctx) {
  const { api, store } = ctx;
  /** @type {Set<number>} */
  const seen = new Set();
  const list = el("ol", { class: "chat plain" });
  const field = el("input", { name: "text", maxlength: 500, required: true, autocomplete: "off", "aria-label": "Your line" });
  const problem = el("p", { class: "note bad", role: "alert", hidden: true });
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
  const say = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    if (!text) return;
    problem.hidden = true;
    try {
      add(await api.say(text));
      field.value = "";
    } catch (error) {
      complain(error);
    }
  };
  const form = el("form", { class: "panel-tools", onsubmit: say }, field, el("button", { type: "submit" }, "Say"));
  fill(host, el("div", { role: "log", "aria-label": "Chat" }, list), problem, form);
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
    el("span", {}, el("bdi", { class: "muted small" }, side < 2 ? store.called(side) : "A watcher"), " ", text),
    el("time", { datetime: at, class: "small muted" }, shown),
  );
}

/** Whether anybody is there to talk to: one other person at least. @param {Context} ctx */
export function isWanted({ store }) {
  const others = store.table.seats.filter((seat) => !seat.seat && ["person", "open"].includes(seat.who));
  return others.length > 0;
}
