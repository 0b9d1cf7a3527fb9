// The head of the table: what day it is in the war, which phase, who is asked, how the score stands, and the line.

import { el, fill, format, listOf, plural, sentence, sideMark } from "../dom.js";
import { tryRequest, openDialog, showMessage } from "../dialog.js";
import { COMMON } from "../strings/common.js";
import { goalOf, scenarioOf } from "./about.js";
import { SEAL, TABLE } from "../strings/table.js";

/** @import { Store } from "../session/store.js" */

/** @param {HTMLElement} host @param {Store} store @param {HTMLElement} menu the button of the game's menu */
export function mountHead(host, store, menu) {
  const date = el("h1.head-date");
  const turn = el("p.head-turn");
  const score = el("p.head-score");
  const line = el("p.head-line.small");
  fill(host, el("a.wordmark", { href: "/", "aria-label": TABLE.home }, "Leuthen"), date, turn, score, line, sealButton(store), menu);
  const draw = () => {
    const { scene } = store;
    date.title = `${scene.title} ${scene.phase}`;
    fill(
      date,
      el("strong", scene.title),
      scene.phase ? el("span.muted", ` ${scene.phase}`) : null,
      el("span.head-goal.small", goalOf(store)),
    );
    fill(turn, ...turnOf(store));
    fill(score, ...scoreOf(store));
  };
  store.addEventListener("change", draw);
  store.seal.addEventListener("change", draw);
  const drawLine = () => {
    line.dataset.line = store.connection;
    fill(line, el("span.dot", { "aria-hidden": true }), el("span", TABLE.connections[store.connection]));
  };
  store.addEventListener("connection", drawLine);
  draw();
  drawLine();
}

/** @param {Store} store */
function turnOf(store) {
  const { table } = store;
  if (!store.isLive) return [el("em", TABLE.lookingBack)];
  if (table.has_ended) return [el("strong", TABLE.over)];
  if (table.unplayable) return [el("strong", TABLE.unplayable)];
  if (store.asked) return [el("strong.your-turn", COMMON.decision)];
  if (store.seal.waiting >= 0) return [el("strong", waitsFor(store))];
  const [other] = table.awaited;
  if (!other) return [];
  const isOpen = table.seats.some(({ side, who }) => side === other.side && who === "open");
  return [sideMark(store, other.side), " ", el("bdi", store.called(other.side)), isOpen ? TABLE.notJoined : TABLE.isDeciding];
}

/** The first score of the rule set, with its ratio if the ratio counts. @param {Store} store */
function scoreOf(store) {
  const score = store.scene.scores[0];
  if (!score) return [];
  const [a, b] = score.values;
  const more = Math.max(a, b);
  const less = Math.min(a, b);
  const ratio = score.is_ratio && less ? `${(more / less).toFixed(1)} : 1` : "";
  const par = scenarioOf(store)?.par ?? 0;
  const even = par ? format(TABLE.par, { side: sentence(store.sideName(par > 0 ? 0 : 1)), points: Math.abs(par) }) : "";
  const spoken = format(TABLE.score, { label: score.label, one: store.sideName(0), a, other: store.sideName(1), b, text: score.text });
  return [
    el("span.visually-hidden", spoken),
    el(
      "span.score-pair.number",
      { "aria-hidden": true, title: score.text },
      sideMark(store, 0),
      ` ${a} `,
      el("abbr", { title: score.text }, score.label),
      el("span.colon", ":"),
      ` ${b} `,
      sideMark(store, 1),
    ),
    even ? el("span.muted.small.number.score-par", { title: TABLE.aboutPar }, even) : null,
    score.now
      ? el("span.small.number.score-now", { title: TABLE.aboutNow }, format(par ? TABLE.nowPar : TABLE.now, { now: score.now }))
      : null,
    ratio && !par ? el("span.muted.small.number", { "aria-hidden": true }, ` ${ratio}`) : null,
  ];
}

// The seal in the head of the table: whole, or broken and why; and what that means, in plain words.

const SIGNS = { none: "○", whole: "✠", broken: "✗" };

/** The seal button in the header. @param {Store} store @returns {HTMLButtonElement} */
function sealButton(store) {
  const { seal } = store;
  const button = el("button.quiet.icon.seal", { dataset: { do: "seal" }, onclick: () => void openSeal(store) });
  const draw = () => {
    const isNew = seal.state === "broken" && button.dataset.seal !== "broken";
    button.dataset.seal = seal.state;
    button.setAttribute("aria-label", SEAL.short[seal.state]);
    button.title = SEAL.short[seal.state];
    fill(button, el("span", { "aria-hidden": true }, SIGNS[seal.state], el("span.head-word", ` ${SEAL.word}`)));
    if (isNew) showMessage([el("strong", SEAL.isBroken), seal.reason], { stays: true });
  };
  seal.addEventListener("change", draw);
  draw();
  return button;
}

/** Open the explanation of the seal. @param {Store} store */
async function openSeal(store) {
  const { seal } = store;
  const told = el("div.stack");
  const draw = () => fill(told, ...words(store));
  const body = el("div.stack.seal-text", told, seal.card ? el("div.row", ...links(store)) : null);
  const answers = [
    ...(seal.state === "broken" ? [{ label: SEAL.goOn, value: "go-on", kind: /** @type {const} */ ("danger") }] : []),
    { label: COMMON.close, value: "", kind: /** @type {const} */ ("primary") },
  ];
  draw();
  seal.addEventListener("change", draw);
  const chosen = await openDialog({ title: SEAL[seal.state], body, answers });
  seal.removeEventListener("change", draw);
  if (chosen === "go-on") await tryRequest(() => seal.acceptAnyway());
}

/** @param {Store} store @returns {(HTMLElement | null)[]} */
function words(store) {
  const { seal, table, setting } = store;
  if (!seal.card) return [el("p", SEAL.aboutNone), el("p", SEAL.diceOfNone)];
  const signed = seal.isSigned ? SEAL.signed : seal.isSigned === null ? SEAL.unverified : "";
  const isBroken = seal.state === "broken";
  const isAlone = [0, 1].some((side) => isMachine(store, side));
  /** Who helps to seed the dice. */
  const shares = setting.sides.map((name, side) => {
    const whose = side === seal.side ? SEAL.yourBrowser : format(SEAL.browserOf, { side: sentence(name) });
    if (seal.shares[side]) return format(SEAL.hasShare, { whose });
    return format(isMachine(store, side) ? SEAL.machineHasNone : SEAL.hasNone, { side: sentence(name) });
  });
  const alone = seal.alone ? [format(SEAL.alone, { count: plural(seal.alone, SEAL.roll) })] : [];
  return [
    isBroken ? el("p.note.bad", seal.reason) : el("p", SEAL.aboutWhole),
    el("p", isBroken ? SEAL.whatNow : signed),
    listOf("", ...shares, isAlone ? SEAL[`${seal.pace}Machine`] : SEAL[seal.pace], ...alone),
    seal.waiting >= 0 ? el("p", `${waitsFor(store)}.`) : null,
    el("p", SEAL.mark, el("strong.number", { dataset: { mark: "" } }, seal.mark), isAlone ? "" : ` ${SEAL.aboutMark}`),
    el("p", table.has_ended ? SEAL.checkNow : SEAL.checkLater),
  ];
}

/** True if a machine plays a side. @param {Store} store @param {number} side */
export const isMachine = ({ table }, side) => !["person", "open"].includes(table.seats.find((seat) => seat.side === side)?.who ?? "person");

/** The player for whom a die waits. @param {Store} store */
export function waitsFor({ seal, setting }) {
  const name = sentence(setting.sides[seal.waiting] ?? "");
  return seal.waiting === seal.side ? SEAL.rolling : format(SEAL.waitingFor, { name });
}

/** @param {Store} store */
function links({ seal, api, table }) {
  const receipt = () => URL.createObjectURL(new Blob([seal.receipt()], { type: "text/plain" }));
  const newest = () => (save.href = receipt());
  const name = `leuthen-receipt-${table.game}.txt`;
  const save = el("a.button", { href: receipt(), onclick: newest, download: name, dataset: { do: "receipt" } }, SEAL.saveReceipt);
  if (!table.has_ended) return [save];
  const check = el("a.button.primary", { href: "/verify", dataset: { do: "verify" } }, SEAL.check);
  return [save, el("a.button", { href: api.recordUrl }, SEAL.saveGame), check];
}
