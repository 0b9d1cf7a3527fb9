// What a seat may do beside the rules: undo, take back, offer a draw, resign, answer an offer; and the game's menu.

import { el, fill, kept, sentence } from "../dom.js";
import { attempt, confirmed, openDialog, say } from "../dialog.js";
import { invite } from "../home/invite.js";
import { keepName, nameFields, namedIn, ownName, titleOf } from "../players.js";
import { Refused } from "./api.js";
import { inviteAgain, openDevices, openGallery } from "./devices.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */
/** @import { Sender } from "./sender.js" */

/** What is offered, with its answers. @param {HTMLElement} host @param {Context} ctx @param {Sender} sender */
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
    el("button", { type: "button", class: kind, dataset: { do: move }, onclick: () => void answer(ctx, sender, proposal, move) }, label);
  const { uncovers = [] } = proposal;
  const goes = uncovers.length
    ? el("details", { open: true }, el("summary", {}, "This goes"), el("ol", {}, ...uncovers.map((line) => el("li", {}, line))))
    : null;
  const answers = isOwn ? [button("Withdraw it", "withdraw")] : [button("Accept", "accept", "primary"), button("Decline", "decline")];
  return el(
    "div",
    { class: "note gold proposal", role: "group", "aria-label": "An offer" },
    el("p", {}, sentence(proposal.text)),
    goes,
    isMine ? el("div", { class: "row" }, ...answers) : null,
  );
}

/** Answers the offer that was read; before a draw ends the game, the player is asked once more. @param {Context} ctx @param {Sender} sender @param {T.Proposal} proposal @param {string} move */
async function answer({ store }, sender, { kind, to, side }, move) {
  if (move === "withdraw") return void sender.move(move);
  const isEnd = kind === "draw" && move === "accept";
  if (
    isEnd &&
    !(await confirmed("Accept the draw?", `The game ends, and neither you nor ${store.called(side)} has won.`, "Accept the draw"))
  )
    return undefined;
  return void sender.answer(move, kind, to);
}

/** That an offer was declined, until it was read. @param {Sender} sender @param {T.Proposal} proposal */
function declinedView(sender, { text }) {
  const close = { type: "button", dataset: { do: "withdraw" }, onclick: () => void sender.move("withdraw") };
  return el(
    "div",
    { class: "note gold proposal", role: "status" },
    el("p", {}, sentence(text)),
    el("div", { class: "row" }, el("button", close, "Close")),
  );
}

/** A rematch that is offered, or made. @param {Context} ctx @param {Sender} sender @param {T.Proposal} proposal */
function rematchView(ctx, sender, { kind, side, text }) {
  const isMade = kind === "rematch-made";
  const isOwn = side === ctx.store.side && !isMade;
  const go = el(
    "button",
    { type: "button", class: "primary", dataset: { do: "to-rematch" }, onclick: () => void rematch(ctx) },
    isMade ? "To the rematch" : "Accept",
  );
  const leave = (/** @type {string} */ label, /** @type {string} */ move) =>
    el("button", { type: "button", dataset: { do: move }, onclick: () => void sender.move(move) }, label);
  const answers = isOwn ? [leave("Withdraw it", "withdraw")] : isMade ? [go] : [go, leave("Decline", "decline")];
  const head = { class: "note gold proposal", role: "group", "aria-label": "An offer" };
  return el("div", head, el("p", {}, sentence(text)), ctx.store.side < 2 ? el("div", { class: "row" }, ...answers) : null);
}

/** What a rematch is called: a lesson begins anew, on the same side. @param {Context["store"]} store */
export const rematchLabel = ({ table }) => (table.scenario.startsWith("lesson:") ? "Begin the lesson anew" : "Rematch with sides changed");

/** A rematch: offered to who plays the other side, made at once against a machine or oneself. @param {Context} ctx @param {Sender} sender */
export function askRematch(ctx, sender) {
  const { seats, side } = ctx.store.table;
  const isOther = seats.some((seat) => seat.side === 1 - side && seat.who === "person" && !seat.seat);
  if (isOther) void sender.move("offer-rematch");
  else void rematch(ctx);
}

/** Undoes the own last action, or tells why that cannot be. @param {Context} ctx @param {Sender} sender */
export function undo({ store }, sender) {
  if (store.table.can_undo) void sender.move("undo");
  else if (store.seal.waiting >= 0) say("The order whose roll waits is not yours, or was answered. You may ask for a takeback afterwards.");
  else
    say(
      "Nothing can be undone: something was revealed or rolled since, or somebody else has acted. A takeback can be asked for in the menu.",
    );
}

/** Gives the order again that was undone last. @param {Context} ctx @param {Sender} sender */
export function redo({ store }, sender) {
  const { redo: order } = store.table;
  if (order && store.asked) void sender.order(order);
  else say("There is nothing to redo.");
}

/** @typedef {{label: string, run: () => void, when: boolean, do: string}} Item */

/** @param {Context} ctx @param {Sender} sender @returns {Item[]} */
function items(ctx, sender) {
  const { store, api } = ctx;
  const plays = store.side < 2;
  const isOn = !store.table.has_ended;
  return [
    {
      label: isFree(ctx) ? "Take back…" : "Ask for a takeback…",
      do: "ask-takeback",
      when: plays && isOn && !store.table.stranded,
      run: () => void askTakeback(ctx, sender),
    },
    { label: "Offer a draw…", do: "offer-draw", when: plays && isOn, run: () => void offerDraw(sender) },
    { label: "Resign…", do: "resign", when: plays && isOn, run: () => void resign(sender) },
    { label: rematchLabel(store), do: "rematch", when: plays && !isOn, run: () => askRematch(ctx, sender) },
    { label: "Your name…", do: "name", when: true, run: () => void changeName(ctx) },
    { label: "Your devices…", do: "devices", when: true, run: () => void openDevices(ctx) },
    ...store.table.seats.filter((seat) => plays && seat.who === "open").map((seat) => inviteAgain(ctx, seat)),
    { label: "A link to watch…", do: "gallery", when: plays, run: () => void openGallery(ctx) },
    { label: "The war in figures", do: "campaign", when: true, run: () => location.assign(`/campaign/${api.seat}`) },
    { label: "Download the record", do: "record", when: true, run: () => location.assign(api.recordUrl) },
    { label: "Light or dark", do: "theme", when: true, run: changeTheme },
    { label: "All games", do: "home", when: true, run: () => location.assign("/") },
  ];
}

/** Opens the menu of the game. @param {Context} ctx @param {Sender} sender @param {readonly Item[]} more */
export async function openMenu(ctx, sender, more) {
  const all = [...more, ...items(ctx, sender)].filter((item) => item.when);
  const answers = all.map((item) => el("button", { value: item.do, class: "quiet", dataset: { do: item.do } }, item.label));
  const chosen = await openDialog({ title: titleOf(ctx.store.table), body: el("div", { class: "menu-list" }, ...answers) });
  all.find((item) => item.do === chosen)?.run();
}

/** Another name at this table, kept for the next game too. @param {Context} ctx */
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
      if (error.problem.status !== 400) return say(problem, { stays: true });
    }
  }
}

/** @param {Context["store"]} store @param {{name: string, colour: string}} sitter what stands in the fields @param {string} problem why the name before was refused, or "" */
async function askName(store, sitter, problem) {
  const form = el("form", {}, nameFields("Your name at this table", sitter));
  const answers = /** @type {const} */ ([
    { label: "Cancel", value: "" },
    { label: "Be called so", value: "yes", kind: "primary" },
  ]);
  const shown = store.side < 2 ? "Everybody at the table is shown it." : "Those who play are shown it while you are here.";
  const refused = problem ? el("p", { class: "note bad", role: "alert" }, problem) : null;
  const body = [el("p", {}, `${shown} It stands in no record.`), refused, form];
  return (await openDialog({ title: "Your name", body, answers })) === "yes" ? namedIn(new FormData(form)) : null;
}

function changeTheme() {
  const now = getComputedStyle(document.documentElement).colorScheme;
  const isDark =
    document.documentElement.dataset.theme === "dark" ||
    (now !== "light" && !document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  const next = isDark ? "light" : "dark";
  document.documentElement.dataset.theme = next;
  kept.setItem("leuthen.theme", next);
}

/** @param {Sender} sender */
async function resign(sender) {
  if (await confirmed("Resign?", "The game ends, and the other side has won. That cannot be taken back.", "Resign"))
    void sender.move("resign");
}

/** @param {Sender} sender */
async function offerDraw(sender) {
  if (
    await confirmed(
      "Offer a draw?",
      "The other side may accept; until then the game goes on, and you may withdraw the offer.",
      "Offer a draw",
    )
  )
    void sender.move("offer-draw");
}

/** @param {Context} ctx */
const isFree = ({ store }) => store.table.takebacks === "free";

/** Asks how far back the game shall go. @param {Context} ctx @param {Sender} sender */
async function askTakeback({ api, store }, sender) {
  const page = await attempt(() => api.chronicle({ count: 40 }));
  if (!page) return undefined;
  const { lines } = page;
  const numbers = [...new Set(lines.map((line) => line.n))].reverse();
  if (!numbers.length) return say("Nothing has happened yet that could be taken back.");
  const choices = numbers.map((n, index) => {
    const texts = lines.filter((line) => line.n === n).map((line) => line.entry.text);
    return el(
      "label",
      { class: "check" },
      el("input", { type: "radio", name: "to", value: String(n), checked: index === 0 }),
      el("span", {}, texts.join(" ")),
    );
  });
  const list = el("div", { class: "takeback-list" }, ...choices);
  const free = store.table.takebacks === "free";
  const title = free ? "Take back" : `Ask ${store.called(1 - store.side)} for a takeback`;
  const body = [el("p", {}, `Go back to before which of these, newest first? ${takebackWords(store.table)}`), list];
  const chosen = await openDialog({
    title,
    body,
    answers: [
      { label: "Cancel", value: "" },
      { label: free ? "Take back" : "Ask", value: "ask", kind: "primary" },
    ],
  });
  const to = list.querySelector("input:checked");
  if (chosen === "ask" && to instanceof HTMLInputElement) void sender.move("ask-takeback", Number(to.value));
  return undefined;
}

/** @param {Context} ctx */
async function rematch({ api }) {
  await attempt(async () => invite(await api.rematch()));
}

// What the sides of a table may agree on beside the rules: what may be taken back, in words.

/** What may be taken back at this table, and what becomes of the dice. @param {T.Fresh} table */
export function takebackWords(table) {
  if (table.takebacks === "free")
    return "In this game each side takes back what it likes. Dice that are taken back fall again as they did.";
  if (table.seats.some((seat) => !["person", "open", "watcher"].includes(seat.who)))
    return "The machine agrees unless a die was rolled since, or you have learned something hidden.";
  const asked = "The other side is shown what that uncovers, and decides.";
  return table.takebacks === "never"
    ? `${asked} In this game nothing goes back behind a die, or behind something hidden that you have learned.`
    : `${asked} Dice that are taken back fall again as they did.`;
}
