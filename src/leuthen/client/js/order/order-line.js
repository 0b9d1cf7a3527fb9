// The order line: an order typed in the record's notation, with completion by the server. What it stands for is shown in
// the form and on the map; the form sends it, so that warnings and long marches are the same.

import { Refused, refusal } from "../session/api.js";
import { el, fill, format, once, reasonLine, sentence } from "../dom.js";
import { addKeys } from "../keys.js";
import { GROUPS } from "../strings/common.js";
import { LINE } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Composer } from "./composer.js" */

/** Time in ms without typing after which the server is asked. */
const DELAY = 150;

/** @param {HTMLElement} host @param {Context} ctx @param {Composer} composer */
export function mountOrderLine(host, ctx, composer) {
  const { api, sender, store } = ctx;
  if (store.side > 1) return;
  /** @type {readonly T.Choice[]} */
  let words = [];
  let at = -1;
  /** The server's last answer, with the text that it belongs to. @type {{text: string, line: T.OrderLine} | null} */
  let read = null;
  /** The order whose warning was shown: the next Enter gives it. */
  let doubted = "";
  let timer = 0;
  let asking = new AbortController();
  const list = el("ul.plain.finder-list", { id: "order-words", role: "listbox", "aria-label": LINE.words, hidden: true });
  const input = el("input", {
    type: "text",
    id: "typed-order",
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": false,
    "aria-controls": "order-words",
    "aria-describedby": "order-said",
    oninput: () => later(),
    onfocus: () => later(),
    onblur: () => {
      clearTimeout(timer);
      show([]);
    },
    onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(event),
  });
  const said = el("p.small", { id: "order-said", role: "status" });
  const say = (/** @type {(Node | string)[]} */ ...content) => fill(said, ...content);

  const later = () => {
    doubted = "";
    say();
    clearTimeout(timer);
    timer = window.setTimeout(() => void complete(), DELAY);
  };
  /** The order for a text, or null if the server does not answer. @param {string} text @returns {Promise<T.OrderLine | null>} */
  const ask = async (text) => {
    if (read?.text === text) return read.line;
    if (!composer.form || sender.isBusy) {
      say(LINE.waiting);
      return null;
    }
    asking.abort();
    const { signal } = (asking = new AbortController());
    const line = await api.orderLine(text, signal).catch((error) => (signal.aborted ? null : refusal(error)));
    if (line instanceof Refused) {
      const { detail, rule, place } = line.problem;
      say(reasonLine(ctx, { rule, text: detail, place }));
      return null;
    }
    read = line && { text, line };
    return line;
  };
  const refused = (/** @type {T.OrderLine} */ line) => reasonLine(ctx, line.refused ?? { rule: "", text: LINE.nothing });
  const complete = async () => {
    const text = input.value;
    const line = await ask(text);
    if (!line || text !== input.value || document.activeElement !== input) return;
    show(line.words ?? []);
    if (line.order) say(format(LINE.whole, { order: line.order }));
    else if (words.length) say(format(LINE.choices, { count: words.length }));
    else say(text ? refused(line) : LINE.nothing);
    if (line.order) void composer.propose(line.partial_order ?? {});
  };

  const show = (/** @type {readonly T.Choice[]} */ next) => {
    if (next.length && JSON.stringify(next) === JSON.stringify(words)) return;
    words = next;
    at = -1;
    const options = words.map(({ label, price, token }, index) => {
      const text = price ? `${label}, ${price}` : label;
      const onpointerdown = (/** @type {Event} */ event) => event.preventDefault();
      const props = { id: `order-word-${index}`, role: "option", "aria-selected": false, dataset: { word: token }, onpointerdown };
      return el("li", { ...props, onclick: () => take(index) }, text.includes(token) ? text : `${token}: ${text}`);
    });
    fill(list, ...options);
    list.hidden = !words.length;
    input.setAttribute("aria-expanded", String(words.length > 0));
    input.removeAttribute("aria-activedescendant");
  };
  const move = (/** @type {number} */ by) => {
    const { length } = words;
    if (!length) return void complete();
    list.children[at]?.setAttribute("aria-selected", "false");
    at = at < 0 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length;
    const option = /** @type {HTMLElement} */ (list.children[at]);
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    input.setAttribute("aria-activedescendant", option.id);
  };
  /** Replace the last word by a completion. @param {number} index */
  const take = (index) => {
    const word = words[index];
    if (!word) return;
    input.value = `${input.value.slice(0, input.value.lastIndexOf(" ") + 1)}${word.token} `;
    show([]);
    later();
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = event.key === "Tab" && !event.shiftKey && words.length > 0 && (at >= 0 || input.value.trim() !== "");
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (by) move(by);
    else if ((takes || event.key === "Enter") && at >= 0) take(at);
    else if (takes) take(0);
    else if (event.key === "Enter") void (event.repeat || order());
    else if (event.key === "Escape" && words.length) show([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Give the order, or show why it is illegal. A warning comes first; Enter again gives the order. */
  const order = once(async () => {
    clearTimeout(timer);
    const text = input.value.trim();
    const line = text ? await ask(text) : null;
    if (!line) return;
    if (!line.order) return say(refused(line));
    if (line.doubt && doubted !== line.order) {
      doubted = line.order;
      return say(format(LINE.sure, { doubt: sentence(line.doubt) }));
    }
    show([]);
    say();
    await composer.propose(line.partial_order ?? {});
    const isGiven = composer.form?.order === line.order ? await composer.send() : await sender.order(line.order);
    if (!isGiven) return undefined;
    input.value = "";
    return say(format(LINE.given, { order: line.order }));
  });

  const label = el("label", { htmlFor: "typed-order" }, LINE.label);
  const summary = el("summary", LINE.title, " ", el("kbd", { "aria-hidden": true }, LINE.key));
  const box = el("details", { ontoggle: () => box.open && input.focus() }, summary, label, input, list, said);
  fill(host, box);
  const open = () => {
    ctx.showOrders();
    box.open = true;
    input.focus();
  };
  addKeys({ keys: [LINE.key], label: LINE.title, group: GROUPS.orders, run: open });
  store.addEventListener("change", () => (read = null));
}
