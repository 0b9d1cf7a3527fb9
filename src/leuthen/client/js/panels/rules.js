// The rulebook beside the map: contents, chapters, a search that answers while one types, and the way back.

import { el, fill, format, plural, ruleLink, tableOf } from "../dom.js";
import * as api from "../session/api.js";
import { messageOf, withRules } from "./parts.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** @typedef {{number: string, text: string, html: string, words: string}} Rule */
/** @typedef {{title: string, rules: Rule[]}} Chapter */
/**
 * @typedef {{chapter: number, number?: string} | {query: string} | null} Page a chapter with a rule lit, what was found, or the contents
 */

const MOST = 60;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountRules(host, ctx) {
  const book = new RulesPanel(host, ctx.store.setting.ruleset);
  const { ruleset } = ctx.store.setting;
  const ready = Promise.all([api.rules(ruleset), api.drills(ruleset)]).then(
    ([{ chapters }, drills]) => {
      book.drilled = new Set(drills.chapters.flatMap((chapter) => chapter.drills.flatMap((drill) => drill.rules)));
      book.open(chapters);
    },
    (error) => fill(host, el("p.note.bad", messageOf(error))),
  );
  fill(host, el("p", { role: "status" }, PANELS.loadingRules));
  /** @param {string} number */
  const show = (number) => void ready.then(() => book.show(number));
  return { show };
}

class RulesPanel {
  /** @param {HTMLElement} host @param {string} ruleset */
  constructor(host, ruleset) {
    this.host = host;
    this.ruleset = ruleset;
    /** @type {ReadonlySet<string>} the rules that have drills */
    this.drilled = new Set();
    /** @type {Chapter[]} */
    this.chapters = [];
    /** @type {Page[]} */
    this.pages = [null];
    this.at = 0;
    this.field = el("input", {
      type: "search",
      placeholder: PANELS.rulesHint,
      "aria-label": PANELS.searchRules,
      oninput: () => this.#search(),
    });
    this.back = el("button.icon.quiet", { "aria-label": PANELS.back, onclick: () => this.#step(-1) }, "←");
    this.forward = el("button.icon.quiet", { "aria-label": PANELS.forward, onclick: () => this.#step(1) }, "→");
    this.body = el("div.rulebook", { onclick: this.#follow });
  }

  /** @param {{title: string, rules: {number: string, text: string, html: string}[]}[]} chapters */
  open(chapters) {
    this.chapters = chapters.map(({ title, rules }) => ({
      title,
      rules: rules.map((rule) => ({
        ...rule,
        words: rule.text
          .replace(/[*`\\]/g, "")
          .replace(/\s+/g, " ")
          .toLowerCase(),
      })),
    }));
    const contents = el("button.quiet", { onclick: () => this.#openPage(null) }, PANELS.contents);
    fill(this.host, el("div.panel-tools", this.back, this.forward, contents, this.field), this.body);
    this.#draw();
  }

  /** Open a rule in its chapter; a chapter's number opens the chapter. @param {string} number */
  show(number) {
    const at = this.#find(number);
    if (at >= 0) this.#openPage({ chapter: at, number });
    else {
      this.field.value = number;
      this.#search();
    }
  }

  /** A number in a rule's text links to that rule. @param {Event} event */
  #follow = ({ target }) => {
    const number = target instanceof HTMLElement && target.dataset.rule;
    if (number) this.show(number);
  };

  /** The chapter of a rule, or -1. @param {string} number */
  #find(number) {
    return this.chapters.findIndex(({ title, rules }) => title.split(" ")[0] === number || rules.some((rule) => rule.number === number));
  }

  #search() {
    const query = this.field.value.trim();
    const page = this.pages[this.at];
    if (page && "query" in page) {
      this.pages[this.at] = query ? { query } : null; // one search is one page
      this.#draw();
    } else if (query) this.#openPage({ query });
  }

  /** @param {Page} page */
  #openPage(page) {
    this.pages = [...this.pages.slice(0, this.at + 1), page];
    this.#step(1);
  }

  /** @param {number} by */
  #step(by) {
    this.at += by;
    this.#draw();
  }

  #draw() {
    const page = this.pages[this.at] ?? null;
    this.back.disabled = this.at === 0;
    this.forward.disabled = this.at === this.pages.length - 1;
    if (!page || !("query" in page)) this.field.value = "";
    else if (this.field !== document.activeElement) this.field.value = page.query;
    if (!page) this.#drawContents();
    else if ("query" in page) this.#drawFound(page.query);
    else this.#drawChapter(page.chapter, page.number);
  }

  #drawContents() {
    const items = this.chapters.map(({ title }, index) =>
      el("li", el("button.quiet", { onclick: () => this.#openPage({ chapter: index }) }, title)),
    );
    fill(this.body, el("ol.contents.plain", items));
  }

  /** @param {number} index @param {string} [number] */
  #drawChapter(index, number) {
    const chapter = this.chapters[index];
    if (!chapter) return;
    const heading = el("h3", { tabindex: -1 }, chapter.title);
    const beside = [-1, 1].map((by) => this.#chapterButton(index + by, by));
    fill(this.body, heading, ...chapter.rules.map((rule) => this.#article(rule, number)), el("div.row", beside));
    const lit = /** @type {HTMLElement | null} */ (this.body.querySelector(".lit")) ?? heading;
    lit.scrollIntoView({ block: lit === heading ? "center" : "start" });
    lit.focus({ preventScroll: true });
  }

  /** @param {number} index @param {number} by */
  #chapterButton(index, by) {
    const chapter = this.chapters[index];
    if (!chapter) return null;
    return el("button.quiet", { onclick: () => this.#openPage({ chapter: index }) }, by < 0 ? `← ${chapter.title}` : `${chapter.title} →`);
  }

  /** @param {string} query */
  #drawFound(query) {
    const found = this.#found(query);
    const more = found.length > MOST ? format(PANELS.firstShown, { most: MOST }) : "";
    const count = found.length ? `${plural(found.length, PANELS.rule)}.` : PANELS.noRules;
    fill(
      this.body,
      el("p", { role: "status", class: "muted" }, count + more),
      ...found.slice(0, MOST).map(({ rule, title }) => this.#article(rule, "", title)),
    );
    markWords(this.body, query);
  }

  /** Find rules by number, by chapter ("O5"), or by all words. @param {string} query */
  #found(query) {
    const rules = this.chapters.flatMap(({ title, rules }) => rules.map((rule) => ({ rule, title })));
    const number = query.toUpperCase();
    if (/^[A-Z]\d+(\.\d*[A-Z]?)?$/.test(number)) {
      const start = number.includes(".") ? number : `${number}.`;
      const exact = rules.filter(({ rule }) => rule.number.toUpperCase() === number);
      return [
        ...exact,
        ...rules.filter(({ rule }) => rule.number.toUpperCase().startsWith(start) && !exact.some((one) => one.rule === rule)),
      ];
    }
    const words = query.toLowerCase().split(/\s+/);
    const found = rules.filter(({ rule }) => words.every((word) => rule.words.includes(word)));
    const ranks = new Map(found.map((one) => [one, rankOf(one.rule, one.title, words)]));
    return found.toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
  }

  /** Link to the drills of a rule. @param {string} number */
  #drillLink(number) {
    const page = `/learn#${this.ruleset}/${number}`;
    return el("p.small", el("a", { href: page, target: "_blank", "aria-label": format(PANELS.tryRule, { number }) }, PANELS.tryIt));
  }

  /**
   * @param {Rule} rule @param {string} [lit] the number of the rule that is lit @param {string} [title] of the chapter, where it is not seen
   */
  #article({ number, html }, lit, title) {
    const article = el("article", { class: number === lit ? "lit" : "", tabindex: -1, "aria-label": format(PANELS.ruleLabel, { number }) });
    article.innerHTML = html; // the server has made it, of a rulebook in which HTML is text
    if (this.drilled.has(number)) article.append(this.#drillLink(number));
    if (title) article.prepend(el("button.rule.small", { onclick: () => this.show(number) }, title));
    return article;
  }
}

/** Rank of a rule: words in its chapter's title first, then their share of its text. @param {Rule} rule @param {string} title @param {string[]} words */
function rankOf({ words: text }, title, words) {
  const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
  const count = words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
  return inTitle + Math.min(0.99, (10 * count) / text.length);
}

/** Highlight the search words, if the browser supports it. @param {HTMLElement} host @param {string} query */
function markWords(host, query) {
  if (!("highlights" in CSS)) return;
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {Range[]} */
  const ranges = [];
  const walker = document.createTreeWalker(host, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = (node.textContent ?? "").toLowerCase();
    for (const word of words) {
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("found", new Highlight(...ranges));
}

// Every table of the game, with the row and the column in question lit.

/** @param {HTMLElement} host @param {Context} ctx */
export function mountTables(host, ctx) {
  const cards = ctx.store.setting.tables.map((card) => ({ card, node: tableView(ctx, card), words: wordsOf(card) }));
  const count = el("p", { role: "status", class: "muted small" });
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const { node, words: text } of cards) node.hidden = !words.every((word) => text.includes(word));
    const found = cards.filter(({ node }) => !node.hidden);
    count.textContent = field.value.trim() ? format(PANELS.tablesFound, { found: found.length, all: cards.length }) : "";
    if (field.value.trim() && found.length <= 3) for (const { node } of found) node.open = true;
  };
  const field = el("input", { type: "search", placeholder: PANELS.searchTables, "aria-label": PANELS.searchTables, oninput: search });
  fill(host, el("div.panel-tools", field), count, ...cards.map(({ node }) => node));
  /** @param {T.Spot} spot */
  const show = (spot) => light(cards, spot);
  return { show };
}

/** @param {T.TableCard} card */
const wordsOf = ({ title, rule, columns, rows, notes = [] }) => [title, rule, ...columns, ...rows.flat(), ...notes].join(" ").toLowerCase();

/** @param {Context} ctx @param {T.TableCard} card */
function tableView(ctx, { title, rule, columns, rows, notes = [] }) {
  const body = rows.map(([first, ...cells]) => el("tr", el("th", { scope: "row" }, first), ...cells.map((cell) => el("td", cell))));
  return el(
    "details.game-table",
    el("summary", el("h3", title)),
    el("p", PANELS.ruleWord, ruleLink(ctx, rule)),
    el("div.scroll-x", { tabindex: 0, role: "group", "aria-label": title }, tableOf(columns, body)),
    ...notes.map((note) => el("p.small", withRules(ctx, note))),
  );
}

/** @param {{card: T.TableCard, node: HTMLDetailsElement}[]} cards @param {T.Spot} spot */
function light(cards, { table, row, column = "" }) {
  for (const { node } of cards) for (const lit of node.querySelectorAll(".lit, .cell")) lit.classList.remove("lit", "cell");
  const found = cards.find(({ card }) => card.id === table || card.title === table);
  if (!found) return;
  const { card, node } = found;
  node.hidden = false;
  node.open = true;
  const line = node.querySelectorAll("tbody tr")[card.rows.findIndex(([first]) => first === row)];
  const at = column ? card.columns.indexOf(column) : -1;
  line?.classList.add("lit");
  if (at >= 0) for (const one of node.querySelectorAll("tr")) one.children[at]?.classList.add(one === line ? "cell" : "lit");
  (line?.querySelector(".cell") ?? line ?? node).scrollIntoView({ block: "center", inline: "center" });
}
