// The page that checks a game: it reads the chosen files in the browser, and sends nothing.
import { el } from "../dom.js";
import { MOST, verify } from "./proof.js";

/** @typedef {Awaited<ReturnType<typeof verify>>} Found */

/** What no file can show, whatever it holds. */
const LEFT = [
  "Whether every order was legal: «leuthen verify» checks that too, by the rules themselves.",
  "Who sat at the seats, and whether they had agreed on something.",
  "At a table that was not strict: that a host who played did not know the next dice, or choose among them.",
];
const WHOLE =
  "Its dice, its hidden orders and the order of its lines are what was bound while it was played: nothing was changed, left out or rolled again.";
const SEALED = "This game goes on. Until it ends only its order can be checked: dice and secrets are still sealed.";
const RECEIPTS = "Whether a host wrote the whole file anew: only what both players kept can show that. You chose nothing of it.";

/** What verify says of a file that is none of its kind: that proves nothing of a game. */
const STRANGE = /^there is no file|of version 1$/;
const UNFIT = "Either it was kept of another game, or this file is not the game that was played.";

/** @param {string} id @returns {File[]} */
function chosen(id) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(id));
  return [...(input.files ?? [])];
}

/** @param {string[]} lines */
const list = (lines) => el("ul", { class: "prose" }, ...lines.map((line) => el("li", {}, line)));

/** @param {Found} found @param {boolean} hasReceipts @returns {HTMLElement[]} */
function told({ line, why, holds }, hasReceipts) {
  if (STRANGE.test(why)) return wrong("This file cannot be checked", 0, why);
  if (why) return wrong("The seal is broken", line, why);
  const left = hasReceipts ? LEFT : [...LEFT, RECEIPTS];
  const first = holds.includes("sealed") ? SEALED : WHOLE;
  return [
    el("h2", {}, "The seal is whole"),
    el("p", { class: "prose" }, first),
    list(holds),
    el("h3", {}, "What this does not prove"),
    list(left),
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
  const text = await file.text();
  const alone = await verify(text);
  if (alone.why || !receipts.length) return told(alone, false);
  const found = await verify(text, await Promise.all(receipts.map((receipt) => receipt.text())));
  return found.why ? wrong("What was kept does not fit this file", 0, found.why, UNFIT) : told(found, true);
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
