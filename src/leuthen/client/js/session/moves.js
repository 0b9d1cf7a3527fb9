// What a seat may do beside the rules: undo, take back, offer a draw, resign, answer an offer; and the game's menu.

import { el, fill, format, deviceStorage, sentence } from "../dom.js";
import { tryRequest, confirmed, openDialog, showMessage } from "../dialog.js";
import { invite } from "../home/invite.js";
import { keepName, nameFields, namedIn, ownName, titleOf } from "../players.js";
import { openSettings } from "../settings.js";
import { Refused } from "./api.js";
import { paceItem } from "./pace.js";
import { inviteAgain, openDevices, openGallery } from "./devices.js";
import { COMMON } from "../strings/common.js";
import { MOVES, PACE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Sender } from "./sender.js" */

/** Offers with their answers. @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
export function mountProposals(host, ctx, sender) {
  const draw = () => fill(host, ...ctx.store.table.proposals.map((proposal) => proposalView(ctx, sender, proposal)));
  ctx.store.addEventListener("change", draw);
  draw();
}

/** @param {Context} ctx @param {Sender} sender @param {T.Proposal} proposal */
function proposalView(ctx, sender, proposal) {
  const { store } = ctx;
  if (proposal.kind.startsWith("declined-")) return declinedView(sender, proposal);
  if (proposal.kind.startsWith("rematch")) return rematchView(ctx, sender, proposal);
  const isOwn = proposal.side === store.side;
  const isMine = store.side < 2;
  const button = (/** @type {string} */ label, /** @type {string} */ move, kind = "") =>
    el("button", { class: kind, dataset: { do: move }, onclick: () => void answer(sender, proposal, move) }, label);
  const { uncovers = [] } = proposal;
  const goes = uncovers.length
    ? el("details", { open: true }, el("summary", MOVES.uncovers), el("ol", ...uncovers.map((line) => el("li", line))))
    : null;
  const answers = isOwn
    ? [button(MOVES.withdraw, "withdraw")]
    : [button(MOVES.accept, "accept", "primary"), button(MOVES.decline, "decline")];
  return el(
    "div.note.gold.proposal",
    { role: "group", "aria-label": MOVES.offer },
    el("p", sentence(proposal.text)),
    proposal.kind.startsWith("pace-")
      ? el("p.muted.small", proposal.kind === "pace-live" ? PACE.about.live : PACE.about.correspondence)
      : null,
    goes,
    isMine ? el("div.row", ...answers) : null,
  );
}

/** Answer the displayed offer; a draw that would end the game asks for confirmation. @param {Sender} sender @param {T.Proposal} proposal @param {string} move */
async function answer(sender, { kind, to }, move) {
  if (move === "withdraw") return void sender.move(move);
  const isEnd = kind === "draw" && move === "accept";
  if (isEnd && !(await confirmed(MOVES.acceptDrawQuestion, MOVES.aboutAcceptDraw, MOVES.acceptDraw))) return undefined;
  return void sender.answer(move, kind, to);
}

/** Notice that an offer was declined, until it is read. @param {Sender} sender @param {T.Proposal} proposal */
function declinedView(sender, { text }) {
  const close = { dataset: { do: "withdraw" }, onclick: () => void sender.move("withdraw") };
  return el("div.note.gold.proposal", { role: "status" }, el("p", sentence(text)), el("div.row", el("button", close, COMMON.close)));
}

/** A rematch that is offered or created. @param {Context} ctx @param {Sender} sender @param {T.Proposal} proposal */
function rematchView(ctx, sender, { kind, side, text }) {
  const isMade = kind === "rematch-made";
  const isOwn = side === ctx.store.side && !isMade;
  const go = el(
    "button.primary",
    { dataset: { do: "to-rematch" }, onclick: () => void rematch(ctx) },
    isMade ? MOVES.toRematch : MOVES.accept,
  );
  const leave = (/** @type {string} */ label, /** @type {string} */ move) =>
    el("button", { dataset: { do: move }, onclick: () => void sender.move(move) }, label);
  const answers = isOwn ? [leave(MOVES.withdraw, "withdraw")] : isMade ? [go] : [go, leave(MOVES.decline, "decline")];
  const head = { class: "note gold proposal", role: "group", "aria-label": MOVES.offer };
  return el("div", head, el("p", sentence(text)), ctx.store.side < 2 ? el("div.row", ...answers) : null);
}

/** Label of a rematch: a lesson restarts on the same side. @param {Context["store"]} store */
export const rematchLabel = ({ table }) => (table.scenario.startsWith("lesson:") ? MOVES.lessonAgain : MOVES.rematch);

/** Start a rematch: offered to the opponent, or created at once against a machine or oneself. @param {Context} ctx @param {Sender} sender */
export function askRematch(ctx, sender) {
  const { seats, side } = ctx.store.table;
  const isOther = seats.some((seat) => seat.side === 1 - side && seat.who === "person" && !seat.seat);
  if (isOther) void sender.move("offer-rematch");
  else void rematch(ctx);
}

/** Undo the own last action, or show why that is impossible. @param {Context} ctx @param {Sender} sender */
export function undo({ store }, sender) {
  if (store.table.can_undo) void sender.move("undo");
  else if (store.seal.waiting >= 0) showMessage(MOVES.waits);
  else showMessage(MOVES.cannotUndo);
}

/** Repeat the order that was undone last. @param {Context} ctx @param {Sender} sender */
export function redo({ store }, sender) {
  const { redo: order } = store.table;
  if (order && store.asked) void sender.order(order);
  else showMessage(MOVES.cannotRedo);
}

/** @typedef {{label: string, run: () => void, when: boolean, do: string}} Item */

/** @param {Context} ctx @param {Sender} sender @returns {Item[]} */
function items(ctx, sender) {
  const { store, api } = ctx;
  const plays = store.side < 2;
  const isOn = !store.table.has_ended;
  return [
    {
      label: isFree(ctx) ? MOVES.takeBackMenu : MOVES.askTakebackMenu,
      do: "ask-takeback",
      when: plays && isOn && !store.table.unplayable,
      run: () => void askTakeback(ctx, sender),
    },
    ...[paceItem(ctx)].filter((item) => item !== null),
    { label: MOVES.offerDrawMenu, do: "offer-draw", when: plays && isOn, run: () => void offerDraw(sender) },
    { label: MOVES.resignMenu, do: "resign", when: plays && isOn, run: () => void resign(sender) },
    { label: rematchLabel(store), do: "rematch", when: plays && !isOn, run: () => askRematch(ctx, sender) },
    { label: MOVES.nameMenu, do: "name", when: true, run: () => void changeName(ctx) },
    { label: MOVES.devicesMenu, do: "devices", when: true, run: () => void openDevices(ctx) },
    ...store.table.seats.filter((seat) => plays && seat.who === "open").map((seat) => inviteAgain(ctx, seat)),
    { label: MOVES.spectatorMenu, do: "gallery", when: plays, run: () => void openGallery(ctx) },
    { label: MOVES.campaignMenu, do: "campaign", when: true, run: () => location.assign(`/campaign/${api.seat}`) },
    { label: MOVES.record, do: "record", when: true, run: () => location.assign(api.recordUrl) },
    { label: MOVES.settings, do: "settings", when: true, run: () => void openSettings() },
    { label: MOVES.theme, do: "theme", when: true, run: changeTheme },
    { label: MOVES.games, do: "home", when: true, run: () => location.assign("/") },
  ];
}

/** Open the game menu. @param {Context} ctx @param {Sender} sender @param {readonly Item[]} more */
export async function openMenu(ctx, sender, more) {
  const all = [...more, ...items(ctx, sender)].filter((item) => item.when);
  const answers = all.map((item) => el("button", { type: "submit", value: item.do, class: "quiet", dataset: { do: item.do } }, item.label));
  const chosen = await openDialog({ title: titleOf(ctx.store.table), body: el("div.menu-list", ...answers) });
  all.find((item) => item.do === chosen)?.run();
}

/** Change the name at this table and store it for the next game. @param {Context} ctx */
async function changeName({ api, store }) {
  const own = store.table.seats.find((line) => line.side === store.side);
  const was = { name: own?.player ?? "", colour: own?.colour ?? "" };
  let sitter = was.name || was.colour ? was : ownName();
  for (let problem = ""; ; ) {
    const asked = await askName(store, sitter, problem);
    if (!asked) return;
    sitter = asked;
    try {
      await api.rename(store.side < 2 ? { ...sitter, was } : sitter);
      keepName(sitter);
      return;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      problem = error.problem.detail;
      if (error.problem.status !== 400) return showMessage(problem, { stays: true });
    }
  }
}

/** @param {Context["store"]} store @param {{name: string, colour: string}} sitter what stands in the fields @param {string} problem why the name before was refused, or "" */
async function askName(store, sitter, problem) {
  const form = el("form", nameFields(MOVES.yourName, sitter));
  const answers = /** @type {const} */ ([
    { label: COMMON.cancel, value: "" },
    { label: MOVES.saveName, value: "yes", kind: "primary" },
  ]);
  const shown = store.side < 2 ? MOVES.everyoneSees : MOVES.playersSee;
  const refused = problem ? el("p.note.bad", { role: "alert" }, problem) : null;
  const body = [el("p", format(MOVES.aboutName, { shown })), refused, form];
  return (await openDialog({ title: MOVES.name, body, answers })) === "yes" ? namedIn(new FormData(form)) : null;
}

function changeTheme() {
  const now = getComputedStyle(document.documentElement).colorScheme;
  const isDark =
    document.documentElement.dataset.theme === "dark" ||
    (now !== "light" && !document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const next = isDark ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  deviceStorage.setItem("leuthen.theme", next);
}

/** @param {Sender} sender */
async function resign(sender) {
  if (await confirmed(MOVES.resignQuestion, MOVES.aboutResign, MOVES.resign)) void sender.move("resign");
}

/** @param {Sender} sender */
async function offerDraw(sender) {
  if (await confirmed(MOVES.drawQuestion, MOVES.aboutDraw, MOVES.offerDraw)) void sender.move("offer-draw");
}

/** @param {Context} ctx */
const isFree = ({ store }) => store.table.takebacks === "free";

/** Ask for the place to which the game goes back. @param {Context} ctx @param {Sender} sender */
async function askTakeback({ api, store }, sender) {
  const page = await tryRequest(() => api.chronicle({ count: 40 }));
  if (!page) return undefined;
  const { lines } = page;
  const numbers = [...new Set(lines.map((line) => line.n))].reverse();
  if (!numbers.length) return showMessage(MOVES.nothingYet);
  const choices = numbers.map((n, index) => {
    const texts = lines.filter((line) => line.n === n).map((line) => line.entry.text);
    return el(
      "label.check",
      el("input", { type: "radio", name: "to", value: String(n), checked: index === 0 }),
      el("span", texts.join(" ")),
    );
  });
  const list = el("div.takeback-list", ...choices);
  const free = store.table.takebacks === "free";
  const title = free ? MOVES.takeBack : format(MOVES.askTakeback, { name: store.called(1 - store.side) });
  const body = [el("p", format(MOVES.whichTakeback, { words: takebackWords(store.table) })), list];
  const chosen = await openDialog({
    title,
    body,
    answers: [
      { label: COMMON.cancel, value: "" },
      { label: free ? MOVES.takeBack : MOVES.ask, value: "ask", kind: "primary" },
    ],
  });
  const to = list.querySelector("input:checked");
  if (chosen === "ask" && to instanceof HTMLInputElement) void sender.move("ask-takeback", Number(to.value));
  return undefined;
}

/** @param {Context} ctx */
async function rematch({ api }) {
  await tryRequest(async () => invite(await api.rematch()));
}

// What the sides of a table may agree on beside the rules: what may be taken back, in words.

/** What may be taken back at this table, and what happens to the dice. @param {T.SeatSnapshot} table */
export function takebackWords(table) {
  if (table.takebacks === "free") return MOVES.freeTakebacks;
  if (table.seats.some((seat) => !["person", "open", "watcher"].includes(seat.who))) return MOVES.machineTakebacks;
  const asked = MOVES.otherDecides;
  return table.takebacks === "never" ? format(MOVES.noTakebacks, { asked }) : format(MOVES.consentTakebacks, { asked });
}
