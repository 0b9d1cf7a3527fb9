// The rulebook beside the map: contents, chapters, a search that answers while one types, and the way back.

import { el, fill, format, plural, rowOf, ruleLink, tableOf, wideTable } from "../dom.js";
import * as api from "../session/api.js";
import { messageOf, withRules } from "./parts.js";
import { PANELS } from "../strings/panels.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

/** @typedef {{number: string, text: string, html: string, words: string}} Rule */
/** @typedef {{chapter: number, number?: string} | {query: string} | null} Page a chapter with a rule lit, what was found, or the contents */

const MOST = 60;

/** @param {HTMLElement} host @param {Context} ctx */
export function mountRules(host, ctx) {
  const { ruleset } = ctx.store.setting;
  fill(host, el("p", { role: "status" }, PANELS.loadingRules));
  const ready = Promise.all([api.rules(ruleset), api.drills(ruleset)]).then(
    ([{ chapters }, drills]) =>
      openRules(host, ruleset, chapters, new Set(drills.chapters.flatMap((one) => one.drills.flatMap(({ rules }) => rules)))),
    (error) => fill(host, el("p.note.bad", messageOf(error))),
  );
  return { show: (/** @type {string} */ number) => void ready.then((show) => show?.(number)) };
}

/**
 * @param {HTMLElement} host @param {string} ruleset @param {readonly {title: string, rules: readonly Omit<Rule, "words">[]}[]} book
 * @param {ReadonlySet<string>} drilled the rules that have drills
 */
function openRules(host, ruleset, book, drilled) {
  const inWords = (/** @type {string} */ text) =>
    text
      .replace(/[*`\\]/g, "")
      .replace(/\s+/g, " ")
      .toLowerCase();
  const chapters = book.map(({ title, rules }) => ({ title, rules: rules.map((rule) => ({ ...rule, words: inWords(rule.text) })) }));
  /** @type {Page[]} */
  let pages = [null];
  let at = 0;
  const field = el("input", { type: "search", placeholder: PANELS.rulesHint, "aria-label": PANELS.searchRules, oninput: () => search() });
  const back = el("button.icon.quiet", { "aria-label": PANELS.back, onclick: () => step(-1) }, "←");
  const forward = el("button.icon.quiet", { "aria-label": PANELS.forward, onclick: () => step(1) }, "→");
  /** A number in a rule's text links to that rule. @param {Event} event */
  const follow = ({ target }) => {
    const number = target instanceof HTMLElement && target.dataset.rule;
    if (number) show(number);
  };
  const body = el("div.rulebook", { onclick: follow });

  /** Open a rule in its chapter; a chapter's number opens the chapter. @param {string} number */
  const show = (number) => {
    const chapter = chapters.findIndex(
      ({ title, rules }) => title.split(" ")[0] === number || rules.some((rule) => rule.number === number),
    );
    if (chapter >= 0) return openPage({ chapter, number });
    field.value = number;
    return search();
  };
  const search = () => {
    const query = field.value.trim();
    const page = pages[at];
    if (page && "query" in page) {
      pages[at] = query ? { query } : null; // one search is one page
      draw();
    } else if (query) openPage({ query });
  };
  const openPage = (/** @type {Page} */ page) => {
    pages = [...pages.slice(0, at + 1), page];
    step(1);
  };
  const step = (/** @type {number} */ by) => {
    at += by;
    draw();
  };

  const draw = () => {
    const page = pages[at] ?? null;
    back.disabled = at === 0;
    forward.disabled = at === pages.length - 1;
    if (!page || !("query" in page)) field.value = "";
    else if (field !== document.activeElement) field.value = page.query;
    if (!page) fill(body, el("ol.contents.plain", ...chapters.map(({ title }, index) => el("li", chapterButton(index, title)))));
    else if ("query" in page) drawFound(page.query);
    else drawChapter(page.chapter, page.number);
  };
  const chapterButton = (/** @type {number} */ chapter, /** @type {string} */ label) =>
    el("button.quiet", { onclick: () => openPage({ chapter }) }, label);
  const drawChapter = (/** @type {number} */ index, /** @type {string | undefined} */ number) => {
    const [before, chapter, after] = [chapters[index - 1], chapters[index], chapters[index + 1]];
    if (!chapter) return;
    const heading = el("h3", { tabindex: -1 }, chapter.title);
    const beside = [before && chapterButton(index - 1, `← ${before.title}`), after && chapterButton(index + 1, `${after.title} →`)];
    fill(body, heading, ...chapter.rules.map((rule) => articleOf(rule, number)), el("div.row", beside));
    const lit = /** @type {HTMLElement | null} */ (body.querySelector(".lit")) ?? heading;
    lit.scrollIntoView({ block: lit === heading ? "center" : "start" });
    lit.focus({ preventScroll: true });
  };
  const drawFound = (/** @type {string} */ query) => {
    const found = foundBy(query);
    const more = found.length > MOST ? format(PANELS.firstShown, { most: MOST }) : "";
    const count = found.length ? `${plural(found.length, PANELS.rule)}.` : PANELS.noRules;
    const shown = found.slice(0, MOST).map(({ rule, title }) => articleOf(rule, "", title));
    fill(body, el("p.muted", { role: "status" }, count + more), ...shown);
    markWords(body, query);
  };
  /** Find rules by number, by chapter ("O5"), or by all words. @param {string} query */
  const foundBy = (query) => {
    const rules = chapters.flatMap(({ title, rules: own }) => own.map((rule) => ({ rule, title })));
    const number = query.toUpperCase();
    if (/^[A-Z]\d+(\.\d*[A-Z]?)?$/.test(number)) {
      const start = number.includes(".") ? number : `${number}.`;
      const isExact = (/** @type {typeof rules[0]} */ { rule }) => rule.number.toUpperCase() === number;
      const begun = rules.filter((one) => isExact(one) || one.rule.number.toUpperCase().startsWith(start));
      return begun.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)));
    }
    const words = query.toLowerCase().split(/\s+/);
    const found = rules.filter(({ rule }) => words.every((word) => rule.words.includes(word)));
    const ranks = new Map(found.map((one) => [one, rankOf(one.rule, one.title, words)]));
    return found.toSorted((a, b) => (ranks.get(b) ?? 0) - (ranks.get(a) ?? 0));
  };
  /** @param {Rule} rule @param {string} [lit] the number of the rule that is lit @param {string} [title] of the chapter, where it is not seen */
  const articleOf = ({ number, html }, lit, title) => {
    const article = el("article", { class: number === lit ? "lit" : "", tabindex: -1, "aria-label": format(PANELS.ruleLabel, { number }) });
    article.innerHTML = html; // the server has made it, of a rulebook in which HTML is text
    const link = { href: `/learn#${ruleset}/${number}`, target: "_blank", "aria-label": format(PANELS.tryRule, { number }) };
    if (drilled.has(number)) article.append(el("p.small", el("a", link, PANELS.tryIt)));
    if (title) article.prepend(el("button.rule.small", { onclick: () => show(number) }, title));
    return article;
  };

  const contents = el("button.quiet", { onclick: () => openPage(null) }, PANELS.contents);
  fill(host, el("div.panel-tools", back, forward, contents, field), body);
  draw();
  return show;
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
  const cards = ctx.store.setting.tables.map((card) => {
    const { title, rule, columns, rows, notes = [] } = card;
    const words = [title, rule, ...columns, ...rows.flat(), ...notes].join(" ").toLowerCase();
    return { card, node: tableView(ctx, card), words };
  });
  const count = el("p.muted.small", { role: "status" });
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const { node, words: text } of cards) node.hidden = !words.every((word) => text.includes(word));
    const found = cards.filter(({ node }) => !node.hidden);
    count.textContent = field.value.trim() ? format(PANELS.tablesFound, { found: found.length, all: cards.length }) : "";
    if (field.value.trim() && found.length <= 3) for (const { node } of found) node.open = true;
  };
  const field = el("input", { type: "search", placeholder: PANELS.searchTables, "aria-label": PANELS.searchTables, oninput: search });
  fill(host, el("div.panel-tools", field), count, ...cards.map(({ node }) => node));
  return { show: (/** @type {T.Spot} */ spot) => light(cards, spot) };
}

/** @param {Context} ctx @param {T.TableCard} card */
function tableView(ctx, { title, rule, columns, rows, notes = [] }) {
  const body = rows.map(([first, ...cells]) => rowOf(first, ...cells.map((cell) => el("td", cell))));
  return el(
    "details.game-table",
    el("summary", el("h3", title)),
    el("p", PANELS.ruleWord, ruleLink(ctx, rule)),
    wideTable(title, tableOf(columns, body)),
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
