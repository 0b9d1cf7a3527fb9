// The rulebook's Markdown as elements: paragraphs, lists, tables, emphasis, code; anything else stays text.

import { el } from "../dom.js";

/** @import { Child } from "../dom.js" */

const INLINE = /`([^`]+)`|\*\*(.+?)\*\*|\*([^*\s](?:.*?[^*\s])?)\*|\[([^\]]+)\]\([^)]*\)|\\([*_`[\]\\])|\b([A-Z]\d+(?:\.\d+[a-z]?)?)\b/g;

/**
 * @param {string} text
 * @param {(number: string) => Child} link what stands for a rule's number; null where there is none such
 * @returns {HTMLElement[]}
 */
export function render(text, link) {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .flatMap((block) => blocks(block.split("\n"), link));
}

/**
 * Lines without a blank between them; a list or a table may follow a paragraph.
 * @param {string[]} lines @param {(number: string) => Child} link
 */
function blocks(lines, link) {
  /** @type {{kind: string, lines: string[]}[]} */
  const runs = [];
  for (const line of lines) {
    const kind = kindOf(line);
    const last = runs.at(-1);
    if (last && (last.kind === kind || (kind === "p" && last.kind !== "table" && /^\s/.test(line)))) last.lines.push(line);
    else runs.push({ kind, lines: [line] });
  }
  return runs.map((run) => element(run.kind, run.lines, link));
}

/** @param {string} line */
function kindOf(line) {
  if (/^\s*\|/.test(line)) return "table";
  if (/^\s*[-*] /.test(line)) return "ul";
  if (/^\s*\d+\. /.test(line)) return "ol";
  return /^#+ /.test(line) ? "h4" : "p";
}

/** @param {string} kind @param {string[]} lines @param {(number: string) => Child} link */
function element(kind, lines, link) {
  if (kind === "table") return table(lines, link);
  if (kind === "h4") return el("h4", {}, inline(lines.join(" ").replace(/^#+ /, ""), link));
  if (kind === "p") return el("p", {}, inline(lines.join(" "), link));
  const items = lines.join("\n").split(/\n(?=\s*(?:[-*]|\d+\.) )/);
  return el(
    kind === "ul" ? "ul" : "ol",
    {},
    items.map((item) => el("li", {}, inline(item.replace(/^\s*(?:[-*]|\d+\.) /, "").replaceAll("\n", " "), link))),
  );
}

/** @param {string[]} lines @param {(number: string) => Child} link */
function table(lines, link) {
  const rows = lines.map((line) =>
    line
      .trim()
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim()),
  );
  const hasHead = rows[1]?.every((cell) => /^:?-+:?$/.test(cell));
  const [head, body] = hasHead ? [rows[0] ?? [], rows.slice(2)] : [[], rows];
  /** @param {"th" | "td"} tag @param {string} cell */
  const cellOf = (tag, cell) => el(tag, tag === "th" ? { scope: "col" } : {}, inline(cell, link));
  return el(
    "div",
    { class: "scroll-x", tabindex: 0, role: "group", "aria-label": "Table" },
    el(
      "table",
      {},
      head.some(Boolean)
        ? el(
            "thead",
            {},
            el(
              "tr",
              {},
              head.map((cell) => cellOf("th", cell)),
            ),
          )
        : null,
      el(
        "tbody",
        {},
        body.map((row) =>
          el(
            "tr",
            {},
            row.map((cell) => cellOf("td", cell)),
          ),
        ),
      ),
    ),
  );
}

/** @param {string} text @param {(number: string) => Child} link @returns {Child[]} */
export function inline(text, link) {
  /** @type {Child[]} */
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, em, words, escaped, number] = match;
    parts.push(text.slice(at, match.index));
    if (code !== undefined) parts.push(el("code", {}, code));
    else if (strong !== undefined) parts.push(el("strong", {}, inline(strong, link)));
    else if (em !== undefined) parts.push(el("em", {}, inline(em, link)));
    else if (words !== undefined) parts.push(...inline(words, link));
    else if (escaped !== undefined) parts.push(escaped);
    else parts.push(link(number ?? "") ?? whole);
    at = match.index + whole.length;
  }
  return [...parts, text.slice(at)];
}
