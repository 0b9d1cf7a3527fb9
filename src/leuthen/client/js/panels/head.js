// The head of the table: what day it is in the war, which phase, who is asked, how the score stands, and the line.

import { el, fill, sentence, sideMark } from "../dom.js";
import { attempt, openDialog, say } from "../dialog.js";

/** @import { Store } from "../session/store.js" */

const CONNECTIONS = { connecting: "connecting…", live: "live", offline: "no connection", resting: "resting", gone: "this seat is gone" };

/**
 * @param {HTMLElement} host
 * @param {Store} store
 * @param {HTMLElement} menu the button of the game's menu
 */
export function mountHead(host, store, menu) {
  const date = el("h1", { class: "head-date" });
  const turn = el("p", { class: "head-turn" });
  const score = el("p", { class: "head-score" });
  const line = el("p", { class: "head-line small" });
  fill(
    host,
    el("a", { class: "wordmark", href: "/", "aria-label": "Leuthen: all games" }, "Leuthen"),
    date,
    turn,
    score,
    line,
    sealButton(store),
    menu,
  );
  const draw = () => {
    const { scene } = store;
    fill(date, el("strong", {}, scene.title), scene.phase ? el("span", { class: "muted" }, ` ${scene.phase}`) : null);
    fill(turn, ...turnOf(store));
    fill(score, ...scoreOf(store));
  };
  store.addEventListener("change", draw);
  store.seal.addEventListener("change", draw);
  store.addEventListener("connection", () => drawLine(line, store));
  draw();
  drawLine(line, store);
}

/** @param {Store} store */
function turnOf(store) {
  const { table } = store;
  if (!store.isLive) return [el("em", {}, "Looking back")];
  if (table.has_ended) return [el("strong", {}, "The game has ended")];
  if (table.stranded) return [el("strong", {}, "The game cannot go on here")];
  if (store.asked) return [el("strong", { class: "your-turn" }, "Your decision")];
  if (store.seal.waiting >= 0) return [el("strong", {}, waitsFor(store))];
  const [other] = table.awaited;
  return other ? [sideMark(store, other.side), " ", el("bdi", {}, store.called(other.side)), " decides"] : [];
}

/** The first score of the rule set, with its ratio if that counts. @param {Store} store */
function scoreOf(store) {
  const score = store.scene.scores[0];
  if (!score) return [];
  const [a, b] = score.values;
  const more = Math.max(a, b);
  const less = Math.min(a, b);
  const ratio = score.is_ratio && less ? `${(more / less).toFixed(1)} : 1` : "";
  const spoken = `${score.label}: ${store.sideName(0)} ${a}, ${store.sideName(1)} ${b}. ${score.text}`;
  return [
    el("span", { class: "visually-hidden" }, spoken),
    el(
      "span",
      { class: "score-pair number", "aria-hidden": true, title: score.text },
      sideMark(store, 0),
      ` ${a} `,
      el("abbr", { title: score.text }, score.label),
      el("span", { class: "colon" }, ":"),
      ` ${b} `,
      sideMark(store, 1),
    ),
    ratio ? el("span", { class: "muted small number", "aria-hidden": true }, ` ${ratio}`) : null,
  ];
}

/** @param {HTMLElement} host @param {Store} store */
function drawLine(host, store) {
  host.dataset.line = store.connection;
  fill(host, el("span", { class: "dot", "aria-hidden": true }), el("span", {}, CONNECTIONS[store.connection]));
}

// The seal in the head of the table: whole, or broken and why; and what that means, in plain words.

const SHORT = { none: "No seal: what it means", whole: "The seal is whole: what it means", broken: "The seal is broken: why" };
const SIGNS = { none: "○", whole: "✠", broken: "✗" };

/** The button in the head. @param {Store} store @returns {HTMLButtonElement} */
function sealButton(store) {
  const { seal } = store;
  const button = el("button", { type: "button", class: "quiet icon seal", dataset: { do: "seal" }, onclick: () => void openSeal(store) });
  const draw = () => {
    const isNew = seal.state === "broken" && button.dataset.seal !== "broken";
    button.dataset.seal = seal.state;
    button.setAttribute("aria-label", SHORT[seal.state]);
    button.title = SHORT[seal.state];
    fill(button, el("span", { "aria-hidden": true }, SIGNS[seal.state]));
    if (isNew) say([el("strong", {}, "The seal of this game is broken. "), seal.reason], { stays: true });
  };
  seal.addEventListener("change", draw);
  draw();
  return button;
}

/** Opens what the seal means. @param {Store} store */
async function openSeal(store) {
  const { seal } = store;
  const isBroken = seal.state === "broken";
  const told = el("div", { class: "stack" });
  const draw = () => fill(told, ...words(store));
  const body = el("div", { class: "stack seal-text" }, told, seal.card ? el("div", { class: "row" }, ...links(store)) : null);
  const answers = [
    ...(isBroken ? [{ label: "Go on all the same", value: "go-on", kind: /** @type {const} */ ("danger") }] : []),
    { label: "Close", value: "", kind: /** @type {const} */ ("primary") },
  ];
  const title = { none: "This game has no seal", whole: "The seal is whole", broken: "The seal is broken" }[seal.state];
  draw();
  seal.addEventListener("change", draw);
  const chosen = await openDialog({ title, body, answers });
  seal.removeEventListener("change", draw);
  if (chosen === "go-on") await attempt(() => seal.goOn());
}

/** @param {Store} store @returns {(HTMLElement | null)[]} */
function words(store) {
  const { seal, table } = store;
  if (!seal.card) return [p(NONE), p(NONE_DICE)];
  const told =
    seal.state === "broken" ? [el("p", { class: "note bad" }, seal.reason), p(WHAT_NOW)] : [p(WHOLE), p(NAMED[`${seal.isSigned}`])];
  const isAlone = [0, 1].some((side) => isMachine(store, side));
  return [
    ...told,
    el("ul", {}, ...shares(store).map((line) => el("li", {}, line))),
    seal.waiting >= 0 ? p(`${waitsFor(store)}.`) : null,
    el(
      "p",
      {},
      "The mark of this game now: ",
      el("strong", { class: "number", dataset: { mark: "" } }, seal.mark),
      isAlone ? "" : ` ${ABOUT_MARK}`,
    ),
    p(table.has_ended ? CHECK_NOW : CHECK_LATER),
  ];
}

const NONE =
  "It is a lesson, is played at one screen or by machines alone, or began before there were seals. Whoever runs this table could change what happened, and nobody would see it.";
const NONE_DICE = "The dice are made by this table alone. They belong to their places in the game, so taking back does not roll again.";
const WHOLE =
  "Everything that this table has told your browser goes on from what it told before. What either side has hidden is under lock already, and can no longer be exchanged.";
const NAMED = {
  true: "The table has put its name to all of it, and your browser has checked the name: the table cannot deny it.",
  false: "",
  null: "The table has put a name to it that your browser cannot check here: it is too old for that, or the page came without https. Keep the receipt; «leuthen verify» checks it.",
};
const WHAT_NOW =
  "Keep the receipt below, and talk to the other side, if it is a person, by another way than this table: together with the game's file it shows what was changed. If you know the reason, because whoever runs the table has put back an older copy, you may go on.";
const CHECK_LATER = "When the game has ended, everything is opened, and anybody can check the whole of it.";
const CHECK_NOW = "Everything is open now: save the game's file and check it.";

const ABOUT_MARK =
  "If you read it to each other by another way, and nobody has acted in between, both of you have the same, or you are told different games.";

/** @param {string} text */
const p = (text) => el("p", {}, text);

const DICE = {
  strict:
    "Each die waits until both sides' browsers have added one more part, so that nobody can foretell or choose it, not even who runs the table.",
  open: "Dice fall at once. Who runs the table could foretell them and choose among them, if he also plays.",
  strictMachine:
    "Each die waits for one more part of the browser of the machine's opponent: nobody can choose the machine's orders by the die.",
  openMachine: "Dice fall at once. Who runs the table could choose the machine's orders by the dice that will fall.",
};

/** @param {Store} store @param {number} side */
const isMachine = ({ table }, side) => !["person", "open"].includes(table.seats.find((seat) => seat.side === side)?.who ?? "person");

/** Who has a part in the dice. @param {Store} store */
function shares(store) {
  const { seal, setting } = store;
  const lines = setting.sides.map((name, side) => {
    const whose = side === seal.side ? "Your browser" : `${sentence(name)}'s browser`;
    if (seal.shares[side]) return `${whose} has a part in every die.`;
    if (isMachine(store, side))
      return `${sentence(name)} is led by this table’s own machine and has no part in the dice: whatever it added, the table would know beforehand.`;
    return `${sentence(name)} has no part in the dice yet, or plays without one.`;
  });
  const kind = seal.card?.is_strict ? "strict" : "open";
  return [...lines, isMachine(store, 0) || isMachine(store, 1) ? DICE[`${kind}Machine`] : DICE[kind]];
}

/** For whose part a die waits. @param {Store} store */
export function waitsFor({ seal, setting }) {
  const name = sentence(setting.sides[seal.waiting] ?? "");
  return seal.waiting === seal.side ? "Rolling…" : `Waiting for ${name} to come online to roll`;
}

/** @param {Store} store */
function links({ seal, api, table }) {
  const receipt = () => URL.createObjectURL(new Blob([seal.receipt()], { type: "text/plain" }));
  const newest = (/** @type {Event} */ event) => {
    /** @type {HTMLAnchorElement} */ (event.currentTarget).href = receipt();
  };
  return [
    el(
      "a",
      { class: "button", href: receipt(), onclick: newest, download: `leuthen-receipt-${table.game}.txt`, dataset: { do: "receipt" } },
      "Keep the receipt",
    ),
    table.has_ended ? el("a", { class: "button", href: api.recordUrl }, "Save the game's file") : null,
    table.has_ended ? el("a", { class: "button primary", href: "/verify", dataset: { do: "verify" } }, "Check this game") : null,
  ];
}
