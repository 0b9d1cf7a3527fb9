// The page that checks a game: it reads the chosen files in the browser, and sends nothing.
import { el } from "../dom.js";
import { MOST, verify } from "./proof.js";

/** @typedef {Awaited<ReturnType<typeof verify>>} Found */

/** What no file can show, whatever it holds. */
const UNPROVED = [
  "Who sat at the seats, and whether they had agreed on something.",
  "At a table that was not strict: that a host who played did not know the next dice, or choose among them.",
  "This page comes from a server: check at one that you trust, or with a program of your own.",
];
const RULES = 'Whether every order was legal: "leuthen verify FILE" asks the rules too, and alone can call a game whole.';
const UNFIT = "Either it was kept of another game, or this file is not the game that was played.";

/** @param {string} id @returns {File[]} */
function chosen(id) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(id));
  return [...(input.files ?? [])];
}

/** @param {string[]} lines */
const list = (lines) => el("ul", { class: "prose" }, ...lines.map((line) => el("li", {}, line)));

/** @param {Found} found @returns {HTMLElement[]} */
function told({ verdict, line, why, holds, left }) {
  if (verdict === "unusable") return wrong("This file cannot be checked", 0, why);
  if (verdict === "broken") return wrong("The seal is broken", line, why);
  const isWhole = verdict === "whole";
  return [
    el("h2", {}, isWhole ? "The seal is whole" : "Sound, but not fully checked"),
    el("h3", {}, "What holds"),
    list(holds),
    ...(isWhole ? [] : [el("h3", {}, "What was not checked"), list([...left, RULES])]),
    el("h3", {}, "What this does not prove"),
    list(UNPROVED),
  ];
}

/** @param {string} title @param {number} line @param {string} why @param {string} [more] @returns {HTMLElement[]} */
function wrong(title, line, why, more) {
  const where = line ? `Line ${line} of the file: ${why}.` : `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return [el("h2", {}, title), el("p", { class: "note bad" }, where), ...(more ? [el("p", { class: "prose" }, more)] : [])];
}

/** @param {File[]} files @param {File[]} receipts @returns {Promise<HTMLElement[]>} */
async function checked([file], receipts) {
  if (!file) return [];
  if (file.size > MOST) return [el("p", { class: "note bad" }, "This file is too large for the record of a game.")];
  if (receipts.some((receipt) => receipt.size > 10_000))
    return [el("p", { class: "note bad" }, "What players keep are files of a few lines.")];
  const bytes = new Uint8Array(await file.arrayBuffer());
  const alone = await verify(bytes);
  if (alone.why || !receipts.length) return told(alone);
  const found = await verify(bytes, await Promise.all(receipts.map((receipt) => receipt.text())));
  return found.why ? wrong("What was kept does not fit this file", 0, found.why, UNFIT) : told(found);
}

const shown = /** @type {HTMLElement} */ (document.getElementById("found"));
document.getElementById("check")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  shown.replaceChildren(el("p", {}, "The file is being read …"));
  try {
    shown.replaceChildren(...(await checked(chosen("file"), chosen("receipts"))));
  } catch {
    shown.replaceChildren(el("p", { class: "note bad" }, "This file cannot be read."));
  }
});
