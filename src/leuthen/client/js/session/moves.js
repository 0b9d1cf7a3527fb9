// What a seat may do beside the rules: undo, take back, offer a draw, resign, answer an offer, change the pace; the devices
// on the seat and links for others; and the game's menu.

import { ago, button, deviceStorage, el, fill, format, once, sentence } from "../dom.js";
import { confirmed, hideMessage, openDialog, showMessage, tryRequest } from "../dialog.js";
import { invite, linkView } from "../home/invite.js";
import { isMachine, keepName, nameFields, namedIn, ownName, titleOf } from "../players.js";
import { openSettings } from "../settings.js";
import { Refused, refusal } from "./api.js";
import { COMMON } from "../strings/common.js";
import { DEVICES, MOVES, PACE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Store } from "./store.js" */

/** Offers with their answers. @param {HTMLElement} host @param {Context} ctx */
export function mountProposals(host, ctx) {
  const draw = () => fill(host, ...ctx.store.table.proposals.map((proposal) => proposalView(ctx, proposal)));
  ctx.store.addEventListener("change", draw);
  draw();
}

/** @param {Context} ctx @param {T.Proposal} proposal */
function proposalView(ctx, { kind, side, text, to, uncovers = [] }) {
  const { store, sender } = ctx;
  const leave = (/** @type {string} */ label, /** @type {string} */ move) => button(label, move, () => void sender.move(move));
  // That an offer was declined is told until it is read.
  if (kind.startsWith("declined-"))
    return el("div.note.gold.proposal", { role: "status" }, el("p", sentence(text)), el("div.row", leave(COMMON.close, "withdraw")));
  const isOwn = side === store.side && kind !== "rematch-made";
  const isRematch = kind.startsWith("rematch");
  const goes = uncovers.length
    ? el("details", { open: true }, el("summary", MOVES.uncovers), el("ol", ...uncovers.map((line) => el("li", line))))
    : null;
  /** Answer the displayed offer; a draw that would end the game asks for confirmation. */
  const accept = async () => {
    if (kind !== "draw" || (await confirmed(MOVES.acceptDrawQuestion, MOVES.aboutAcceptDraw, MOVES.acceptDraw)))
      void sender.answer("accept", kind, to);
  };
  const answers = isOwn
    ? [leave(MOVES.withdraw, "withdraw")]
    : isRematch
      ? [
          button(kind === "rematch-made" ? MOVES.toRematch : MOVES.accept, "to-rematch", () => void rematch(ctx), "primary"),
          kind === "rematch-made" ? null : leave(MOVES.decline, "decline"),
        ]
      : [
          button(MOVES.accept, "accept", () => void accept(), "primary"),
          button(MOVES.decline, "decline", () => void sender.answer("decline", kind, to)),
        ];
  return el(
    "div.note.gold.proposal",
    { role: "group", "aria-label": MOVES.offer },
    el("p", sentence(text)),
    kind.startsWith("pace-") ? el("p.muted.small", kind === "pace-live" ? PACE.about.live : PACE.about.correspondence) : null,
    goes,
    store.side < 2 ? el("div.row", ...answers) : null,
  );
}

/** Label of a rematch: a lesson restarts on the same side. @param {Store} store */
export const rematchLabel = ({ table }) => (table.scenario.startsWith("lesson:") ? MOVES.lessonAgain : MOVES.rematch);

/** Start a rematch: offered to the opponent, or created at once against a machine or oneself. @param {Context} ctx */
export function askRematch(ctx) {
  const { seats, side } = ctx.store.table;
  const isOther = seats.some((seat) => seat.side === 1 - side && seat.who === "person" && !seat.seat);
  if (isOther) void ctx.sender.move("offer-rematch");
  else void rematch(ctx);
}

const rematch = (/** @type {Context} */ { api }) => tryRequest(async () => invite(await api.rematch()));

/** Undo the own last action, or show why that is impossible. @param {Context} ctx */
export function undo({ store, sender }) {
  if (store.table.can_undo) void sender.move("undo");
  else if (store.seal.waiting >= 0) showMessage(MOVES.waits);
  else showMessage(MOVES.cannotUndo);
}

/** Repeat the order that was undone last. @param {Context} ctx */
export function redo({ store, sender }) {
  const { redo: order } = store.table;
  if (order && store.asked) void sender.order(order);
  else showMessage(MOVES.cannotRedo);
}

/** @typedef {{label: string, run: () => unknown, when: boolean, do: string}} Item */

/** Open the game menu. @param {Context} ctx @param {readonly Item[]} more */
export async function openMenu(ctx, more) {
  const { store, api, sender } = ctx;
  const plays = store.side < 2;
  const isOn = !store.table.has_ended;
  const isFree = store.table.takebacks === "free";
  const ask = async (/** @type {string} */ title, /** @type {string} */ about, /** @type {string} */ label, /** @type {string} */ move) => {
    if (await confirmed(title, about, label)) await sender.move(move);
  };
  const offerDraw = () => ask(MOVES.drawQuestion, MOVES.aboutDraw, MOVES.offerDraw, "offer-draw");
  const resign = () => ask(MOVES.resignQuestion, MOVES.aboutResign, MOVES.resign, "resign");
  const open = store.table.seats.filter((seat) => plays && seat.who === "open");
  /** @type {Item[]} */
  const items = [
    ...more,
    {
      label: isFree ? MOVES.takeBackMenu : MOVES.askTakebackMenu,
      do: "ask-takeback",
      when: plays && isOn && !store.table.unplayable,
      run: () => askTakeback(ctx),
    },
    ...[paceItem(ctx)].filter((item) => item !== null),
    { label: MOVES.offerDrawMenu, do: "offer-draw", when: plays && isOn, run: offerDraw },
    { label: MOVES.resignMenu, do: "resign", when: plays && isOn, run: resign },
    { label: rematchLabel(store), do: "rematch", when: plays && !isOn, run: () => askRematch(ctx) },
    { label: MOVES.nameMenu, do: "name", when: true, run: () => changeName(ctx) },
    { label: MOVES.devicesMenu, do: "devices", when: true, run: () => openDevices(ctx) },
    ...open.map((seat) => {
      const name = sentence(seat.name);
      const run = () => newLink(ctx, { side: seat.side }, format(DEVICES.seatOf, { name }), format(DEVICES.oldLink, { name }));
      return { label: format(DEVICES.invite, { name }), do: "invite", when: true, run };
    }),
    { label: MOVES.spectatorMenu, do: "gallery", when: plays, run: () => openGallery(ctx) },
    { label: MOVES.campaignMenu, do: "campaign", when: true, run: () => location.assign(`/campaign/${api.seat}`) },
    { label: MOVES.record, do: "record", when: true, run: () => location.assign(api.recordUrl) },
    { label: MOVES.settings, do: "settings", when: true, run: () => openSettings() },
    { label: MOVES.theme, do: "theme", when: true, run: changeTheme },
    { label: MOVES.games, do: "home", when: true, run: () => location.assign("/") },
  ];
  const all = items.filter((item) => item.when);
  const answers = all.map((item) => el("button.quiet", { type: "submit", value: item.do, dataset: { do: item.do } }, item.label));
  const chosen = await openDialog({ title: titleOf(store.table), body: el("div.menu-list", ...answers) });
  void all.find((item) => item.do === chosen)?.run();
}

/** Change the name at this table and store it for the next game. @param {Context} ctx */
async function changeName({ api, store }) {
  const own = store.table.seats.find((line) => line.side === store.side);
  const was = { name: own?.player ?? "", colour: own?.colour ?? "" };
  let sitter = was.name || was.colour ? was : ownName();
  for (let problem = ""; ; ) {
    const form = el("form", nameFields(MOVES.yourName, sitter));
    const answers = /** @type {const} */ ([
      { label: COMMON.cancel, value: "" },
      { label: MOVES.saveName, value: "yes", kind: "primary" },
    ]);
    const about = format(MOVES.aboutName, { shown: store.side < 2 ? MOVES.everyoneSees : MOVES.playersSee });
    const body = [el("p", about), problem ? el("p.note.bad", { role: "alert" }, problem) : null, form];
    if ((await openDialog({ title: MOVES.name, body, answers })) !== "yes") return;
    sitter = namedIn(new FormData(form));
    const refused = await api.rename(store.side < 2 ? { ...sitter, was } : sitter).catch(refusal);
    if (!(refused instanceof Refused)) return keepName(sitter);
    problem = refused.problem.detail;
    if (refused.problem.status !== 400) return showMessage(problem, { stays: true });
  }
}

function changeTheme() {
  const { dataset } = document.documentElement;
  const now = getComputedStyle(document.documentElement).colorScheme;
  const isDark = dataset.theme === "dark" || (now !== "light" && !dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  dataset.theme = isDark ? "light" : "dark";
  deviceStorage.setItem("leuthen.theme", dataset.theme);
}

/** Ask for the place to which the game goes back. @param {Context} ctx */
async function askTakeback({ api, store, sender }) {
  const page = await tryRequest(() => api.chronicle({ count: 40 }));
  if (!page) return undefined;
  const numbers = [...new Set(page.lines.map((line) => line.n))].reverse();
  if (!numbers.length) return showMessage(MOVES.nothingYet);
  const choices = numbers.map((n, index) => {
    const texts = page.lines.filter((line) => line.n === n).map((line) => line.entry.text);
    return el("label.check", el("input", { type: "radio", name: "to", value: String(n), checked: !index }), el("span", texts.join(" ")));
  });
  const list = el("div.takeback-list", ...choices);
  const isFree = store.table.takebacks === "free";
  const chosen = await openDialog({
    title: isFree ? MOVES.takeBack : format(MOVES.askTakeback, { name: store.called(1 - store.side) }),
    body: [el("p", format(MOVES.whichTakeback, { words: takebackWords(store.table) })), list],
    answers: [
      { label: COMMON.cancel, value: "" },
      { label: isFree ? MOVES.takeBack : MOVES.ask, value: "ask", kind: "primary" },
    ],
  });
  const to = list.querySelector("input:checked");
  if (chosen === "ask" && to instanceof HTMLInputElement) void sender.move("ask-takeback", Number(to.value));
}

/** What may be taken back at this table, and what happens to the dice. @param {T.SeatSnapshot} table */
export function takebackWords(table) {
  if (table.takebacks === "free") return MOVES.freeTakebacks;
  if (table.seats.some(isMachine)) return MOVES.machineTakebacks;
  return format(table.takebacks === "never" ? MOVES.noTakebacks : MOVES.consentTakebacks, { asked: MOVES.otherDecides });
}

// --- the pace of a game by link: whom a roll waits for and since when, and what a player can do about it ---

/** Time in ms after which the displayed waiting time is updated. */
const EVERY = 30000;

/** The request for the other pace, for a menu or beside a waiting roll; null if there is none. @param {Context} ctx */
function paceItem({ store, sender }) {
  const { seal, side, table } = store;
  const people = table.seats.filter((seat) => seat.side < 2 && seat.who === "person");
  const pace = seal.pace === "live" ? "correspondence" : "live";
  const isAsked = table.proposals.some(({ kind }) => kind === `pace-${pace}`);
  if (!seal.card?.can_switch || side > 1 || table.has_ended || people.length < 2 || isAsked) return null;
  const run = async () => {
    if (await confirmed(`${PACE.ask[pace]}?`, `${PACE.about[pace]} ${PACE.consent}`, PACE.ask[pace], "primary"))
      await sender.move("ask-pace");
  };
  return { label: PACE.ask[pace], do: "ask-pace", when: true, run };
}

/** The waiting time of a roll, and the ways out. @param {Context} ctx */
export function waitView(ctx) {
  const { seal, side, table, setting } = ctx.store;
  const name = sentence(setting.sides[seal.waiting] ?? "");
  const item = paceItem(ctx);
  const label = format(PACE.alone, { name });
  const alone = async () => {
    if (await confirmed(format(PACE.aloneQuestion, { name }), format(PACE.aboutAlone, { name }), label))
      await ctx.sender.move("roll-alone");
  };
  const mayRoll = side < 2 && seal.waiting !== side && seal.card?.can_switch;
  return [
    el("p.muted.small", sinceView(table.since, PACE.waitsSince, PACE.justNow)),
    el(
      "div.row",
      item && button(item.label, item.do, () => void item.run()),
      mayRoll ? button(label, "roll-alone", () => void alone(), "quiet") : null,
    ),
  ];
}

/**
 * The time since a side was asked or a roll began to wait, updated while it is visible.
 * @param {string} iso @param {string} text @param {string} [now] instead of it in the first minute
 */
export function sinceView(iso, text, now = "") {
  const view = el("time", { datetime: iso, title: new Date(iso).toLocaleString() });
  const draw = () => {
    const when = ago(iso);
    fill(view, when === COMMON.justNow ? now : format(text, { when }));
  };
  const timer = setInterval(() => (view.isConnected ? draw() : clearInterval(timer)), EVERY);
  draw();
  return view;
}

/** Report a change of pace. @param {Context} ctx */
export function watchPace({ store }) {
  let { pace } = store.seal;
  store.seal.addEventListener("change", () => {
    if (pace !== store.seal.pace) showMessage(PACE.now[store.seal.pace], { stays: true });
    ({ pace } = store.seal);
  });
}

// --- the devices on one's own seat: which there are, signing them out, the way back; and links for others ---

/** Notify the owner when the seat is opened on another device. @param {Context} ctx */
export function watchDevices(ctx) {
  const look = (/** @type {T.Devices} */ { devices }) => {
    const fresh = devices.filter((device) => device.is_new);
    if (!fresh.length) return;
    const open = button(DEVICES.show, "devices", () => void openDevices(ctx));
    showMessage([el("strong", DEVICES.opened), `${fresh.map((device) => device.what).join(", ")}. `, open], { stays: true });
  };
  ctx.store.on("devices", look);
  void tryRequest(async () => look(await ctx.api.devices()));
}

/** List the devices of the seat. @param {Context} ctx */
async function openDevices(ctx) {
  const { api, store } = ctx;
  hideMessage();
  const host = el("div.stack");
  const draw = async () => {
    const found = await api.devices();
    fill(host, ...view(found));
    const last = Math.max(...found.devices.map((device) => device.number));
    if (found.devices.some((device) => device.is_new)) await api.knowDevices(last);
  };
  /** Sign a device out, or all others. @param {number} [number] */
  const signOut = (number) =>
    void tryRequest(async () => {
      await api.signOut(number);
      await draw();
    });
  const leave = async (/** @type {number} */ number) => {
    if (!(await confirmed(DEVICES.signOutHere, DEVICES.aboutSignOut, DEVICES.signOut))) return;
    await tryRequest(async () => {
      await api.signOut(number);
      location.assign("/");
    });
  };
  const view = (/** @type {T.Devices} */ { devices, has_link: hasLink }) => {
    const list = el("ul.plain.stack", ...devices.map(line));
    if (store.side > 1) return [list];
    const create = once(() => newLink(ctx, { ends: false }, DEVICES.link, DEVICES.once));
    const link = button(DEVICES.createLink, "link", create);
    const hasOthers = devices.some((device) => !device.is_this);
    const all = hasOthers ? button(DEVICES.signOutOthers, "sign-out-others", () => signOut(), "danger") : null;
    return [list, el("p", hasLink ? DEVICES.linkWaits : DEVICES.noLink), el("div.row", link, all)];
  };
  const line = (/** @type {T.Device} */ device) => {
    const { number, is_this: isThis, is_new: isNew, what, since, seen } = device;
    const out = button(DEVICES.signOut, isThis ? "leave" : "sign-out", () => (isThis ? void leave(number) : signOut(number)));
    const fresh = isNew ? [" ", el("strong.your-turn", DEVICES.isNew)] : null;
    const name = el("span", el("strong", sentence(what)), isThis ? DEVICES.isThis : "", fresh);
    const came = since ? format(DEVICES.came, { when: when(since) }) : DEVICES.cameUnknown;
    const times = seen && !isThis ? format(DEVICES.seen, { came, when: when(seen) }) : came;
    return el("li.device.row", { dataset: { device: String(number) } }, el("div", name, el("div.muted.small", times)), out);
  };
  const again = () => void tryRequest(draw);
  again();
  store.addEventListener("devices", again);
  await openDialog({ title: DEVICES.title, body: host });
  store.removeEventListener("devices", again);
}

/** @param {string} iso */
function when(iso) {
  const past = ago(iso);
  const day = new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return past === COMMON.justNow ? past : `${day} (${past})`;
}

/** @param {Context} ctx */
async function openGallery(ctx) {
  const answers = /** @type {const} */ ([
    { label: COMMON.cancel, value: "", kind: "quiet" },
    { label: DEVICES.replaceLinks, value: "end", kind: "danger" },
    { label: DEVICES.addLink, value: "more", kind: "primary" },
  ]);
  const chosen = await openDialog({ title: DEVICES.spectatorLink, body: el("p", DEVICES.aboutSpectators), answers });
  if (chosen) await newLink(ctx, { side: 2, ends: chosen === "end" }, DEVICES.spectators, DEVICES.anyNumber);
}

/** @param {Context} ctx @param {Partial<T.NewLink>} wanted @param {string} label @param {string} text */
const newLink = (ctx, wanted, label, text) =>
  tryRequest(async () => {
    const { link } = await ctx.api.link(wanted);
    await openDialog({ title: DEVICES.newLink, body: [el("p", format(DEVICES.shownOnce, { text })), linkView(label, link)] });
  });
