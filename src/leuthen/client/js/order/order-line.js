// The order line: an order typed in the record's notation, with completion by the server. What it stands for is shown in
// the form and on the map; the form sends it, so that warnings and long marches are the same.

import { Refused } from "../session/api.js";
import { el, fill, format, once, reasonLine, sentence } from "../dom.js";
import { addKeys } from "../keys.js";
import { GROUPS } from "../strings/common.js";
import { LINE } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Composer } from "./composer.js" */

/** Time in ms without typing after which the server is asked. */
const DELAY = 150;

class OrderLineInput {
  /** @type {readonly T.Choice[]} */
  #words = [];
  #at = -1;
  /** The server's last answer, with the text that it belongs to. @type {{text: string, line: T.OrderLine} | null} */
  #read = null;
  /** The order whose warning was shown: the next Enter gives it. */
  #doubted = "";
  #timer = 0;
  /** @type {AbortController | null} */
  #asking = null;

  /** @param {HTMLElement} host @param {Context} ctx @param {Composer} composer */
  constructor(host, ctx, composer) {
    this.ctx = ctx;
    this.composer = composer;
    this.list = el("ul.plain.finder-list", { id: "order-words", role: "listbox", "aria-label": LINE.words, hidden: true });
    this.input = el("input", {
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
      oninput: () => this.#later(),
      onfocus: () => this.#later(),
      onblur: () => this.#close(),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#onKey(event),
    });
    this.said = el("p.small", { id: "order-said", role: "status" });
    const label = el("label", { htmlFor: "typed-order" }, LINE.label);
    const summary = el("summary", LINE.title, " ", el("kbd", { "aria-hidden": true }, LINE.key));
    this.box = el("details", { ontoggle: () => this.box.open && this.input.focus() }, summary, label, this.input, this.list, this.said);
    fill(host, this.box);
    addKeys({ keys: [LINE.key], label: LINE.title, group: GROUPS.orders, run: () => this.open() });
    ctx.store.addEventListener("change", () => (this.#read = null));
  }

  open() {
    this.ctx.showOrders();
    this.box.open = true;
    this.input.focus();
  }

  /** @param {...(Node | string)} content */
  #say(...content) {
    fill(this.said, ...content);
  }

  #later() {
    this.#doubted = "";
    this.#say();
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#complete(), DELAY);
  }

  /** The order for a text, or null if the server does not answer. @param {string} text @returns {Promise<T.OrderLine | null>} */
  async #ask(text) {
    if (this.#read?.text === text) return this.#read.line;
    if (!this.composer.form || this.ctx.sender.isBusy) {
      this.#say(LINE.waiting);
      return null;
    }
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    try {
      const line = await this.ctx.api.orderLine(text, asking.signal);
      this.#read = { text, line };
      return line;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return null;
      if (!(error instanceof Refused)) throw error;
      const { detail, rule, place } = error.problem;
      this.#say(reasonLine(this.ctx, { rule, text: detail, place }));
      return null;
    }
  }

  async #complete() {
    const text = this.input.value;
    const line = await this.#ask(text);
    if (!line || text !== this.input.value || document.activeElement !== this.input) return;
    this.#show(line.words ?? []);
    if (line.order) this.#say(format(LINE.whole, { order: line.order }));
    else if (this.#words.length) this.#say(format(LINE.choices, { count: this.#words.length }));
    else this.#say(text ? reasonLine(this.ctx, line.refused ?? { rule: "", text: LINE.nothing }) : LINE.nothing);
    if (line.order) void this.composer.propose(line.partial_order ?? {});
  }

  /** @param {readonly T.Choice[]} words */
  #show(words) {
    if (words.length && JSON.stringify(words) === JSON.stringify(this.#words)) return;
    this.#words = words;
    this.#at = -1;
    const options = words.map((word, index) => {
      const label = word.price ? `${word.label}, ${word.price}` : word.label;
      const own = label.includes(word.token) ? label : `${word.token}: ${label}`;
      const props = {
        id: `order-word-${index}`,
        role: "option",
        "aria-selected": false,
        onpointerdown: (/** @type {Event} */ event) => event.preventDefault(),
      };
      return el("li", { ...props, dataset: { word: word.token }, onclick: () => this.#take(index) }, own);
    });
    fill(this.list, ...options);
    this.list.hidden = !words.length;
    this.input.setAttribute("aria-expanded", String(words.length > 0));
    this.input.removeAttribute("aria-activedescendant");
  }

  #close() {
    clearTimeout(this.#timer);
    this.#show([]);
  }

  /** @param {number} by */
  #move(by) {
    const { length } = this.#words;
    if (!length) return void this.#complete();
    this.list.children[this.#at]?.setAttribute("aria-selected", "false");
    this.#at = this.#at < 0 ? (by > 0 ? 0 : length - 1) : (this.#at + by + length) % length;
    const option = /** @type {HTMLElement} */ (this.list.children[this.#at]);
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    this.input.setAttribute("aria-activedescendant", option.id);
    return undefined;
  }

  /** Replace the last word by a completion. @param {number} index */
  #take(index) {
    const word = this.#words[index];
    if (!word) return;
    const { value } = this.input;
    this.input.value = `${value.slice(0, value.lastIndexOf(" ") + 1)}${word.token} `;
    this.#show([]);
    this.#later();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const takes = event.key === "Tab" && !event.shiftKey && this.#words.length > 0 && (this.#at >= 0 || this.input.value.trim() !== "");
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (by) this.#move(by);
    else if ((takes || event.key === "Enter") && this.#at >= 0) this.#take(this.#at);
    else if (takes) this.#take(0);
    else if (event.key === "Enter") void (event.repeat || this.#orderOnce());
    else if (event.key === "Escape" && this.#words.length) this.#show([]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #orderOnce = once(() => this.#order());

  /** Give the order, or show why it is illegal. A warning comes first; Enter again gives the order. */
  async #order() {
    clearTimeout(this.#timer);
    const text = this.input.value.trim();
    const line = text ? await this.#ask(text) : null;
    if (!line) return;
    if (!line.order) return this.#say(reasonLine(this.ctx, line.refused ?? { rule: "", text: LINE.nothing }));
    if (line.doubt && this.#doubted !== line.order) {
      this.#doubted = line.order;
      return this.#say(format(LINE.sure, { doubt: sentence(line.doubt) }));
    }
    this.#show([]);
    this.#say();
    const isGiven = await this.#send(line);
    if (!isGiven) return undefined;
    this.input.value = "";
    return this.#say(format(LINE.given, { order: line.order }));
  }

  /** @param {T.OrderLine} line @returns {Promise<boolean>} */
  async #send({ order = "", partial_order: choices = {} }) {
    await this.composer.propose(choices);
    if (this.composer.form?.order === order) return this.composer.send();
    return this.ctx.sender.order(order);
  }
}

/** @param {HTMLElement} host @param {Context} ctx @param {Composer} composer */
export function mountOrderLine(host, ctx, composer) {
  if (ctx.store.side < 2) new OrderLineInput(host, ctx, composer);
}
