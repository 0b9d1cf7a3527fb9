// The page that checks a game: it reads the chosen files in the browser, and sends nothing.
import { el, format, listOf, sentence } from "../dom.js";
import { MOST, verify } from "./proof.js";
import { VERIFY } from "../strings/pages.js";

/** @param {string} id @returns {File[]} */
function chosen(id) {
  const input = /** @type {HTMLInputElement} */ (document.getElementById(id));
  return [...(input.files ?? [])];
}

/** @param {Awaited<ReturnType<typeof verify>>} found @returns {HTMLElement[]} */
function told({ verdict, line, why, holds, left }) {
  if (verdict === "unusable") return wrong(VERIFY.unusable, 0, why);
  if (verdict === "broken") return wrong(VERIFY.broken, line, why);
  const isWhole = verdict === "whole";
  return [
    el("h2", isWhole ? VERIFY.whole : VERIFY.sound),
    el("h3", VERIFY.holds),
    listOf("prose", ...holds),
    ...(isWhole ? [] : [el("h3", VERIFY.left), listOf("prose", ...left, VERIFY.rules)]),
    el("h3", VERIFY.unproved),
    listOf("prose", VERIFY.players, VERIFY.foreseen, VERIFY.page), // no file can prove these,
  ];
}

/** @param {string} title @param {number} line @param {string} why @param {string} [more] @returns {HTMLElement[]} */
function wrong(title, line, why, more) {
  const where = line ? format(VERIFY.atLine, { line, why }) : `${sentence(why)}.`;
  return [el("h2", title), el("p.note.bad", where), ...(more ? [el("p.prose", more)] : [])];
}

/** @param {File[]} files @param {File[]} receipts @returns {Promise<HTMLElement[]>} */
async function checked([file], receipts) {
  if (!file) return [];
  if (file.size > MOST) return [el("p.note.bad", VERIFY.tooLarge)];
  if (receipts.some((receipt) => receipt.size > 10_000)) return [el("p.note.bad", VERIFY.longReceipt)];
  const bytes = new Uint8Array(await file.arrayBuffer());
  const alone = await verify(bytes);
  if (alone.why || !receipts.length) return told(alone);
  const found = await verify(bytes, await Promise.all(receipts.map((receipt) => receipt.text())));
  return found.why ? wrong(VERIFY.receiptUnfit, 0, found.why, VERIFY.unfit) : told(found);
}

const shown = /** @type {HTMLElement} */ (document.getElementById("found"));
document.getElementById("check")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  shown.replaceChildren(el("p", VERIFY.reading));
  try {
    shown.replaceChildren(...(await checked(chosen("file"), chosen("receipts"))));
  } catch {
    shown.replaceChildren(el("p.note.bad", VERIFY.unreadable));
  }
});
