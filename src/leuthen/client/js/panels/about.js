// This table: by which rules it is played, who sits at it and chats, what may be taken away from it; and the briefing of a
// seat, which opens by itself on its first entry in this browser; later it is in the menu.

import { openDialog } from "../dialog.js";
import { button, deviceStorage, el, fill, format, listOf, placeLink, sentence, sideMark } from "../dom.js";
import { calledView, nameView } from "../players.js";
import { takebackWords } from "../session/moves.js";
import { settingOf } from "../settings.js";
import { messageOf, sideBadge, withRules } from "./parts.js";
import { COMMON } from "../strings/common.js";
import { BRIEFING, PANELS } from "../strings/panels.js";
import { MOVES, TABLE } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Store } from "../session/store.js" */

/** @param {HTMLElement} host @param {Context} ctx */
export function mountAbout(host, ctx) {
  const { api, store } = ctx;
  const { setting, table } = store;
  const seats = el("ul.plain.seats");
  const draw = () => fill(seats, ...store.table.seats.map((seat) => seatOf(store, seat)));
  const scenario = scenarioOf(store);
  const options = setting.options.map((option) => {
    const value = table.options[option.name] ?? option.values[0];
    return el(
      "div",
      el("dt", option.name, ": ", el("b", value), value === option.values[0] ? "" : PANELS.notDefault),
      el("dd.small", withRules(ctx, option.text)),
    );
  });
  const rulings = (setting.rulings ?? []).map((ruling) => withRules(ctx, ruling));
  fill(
    host,
    el("h3", PANELS.players),
    seats,
    el("h3", PANELS.rules),
    el(
      "p",
      format(PANELS.version, { title: setting.title, version: setting.version }),
      scenario ? format(PANELS.scenario, { text: scenario.text }) : table.scenario,
    ),
    options.length ? [el("h3", PANELS.options), el("dl.options", options)] : null,
    rulings.length ? el("details", el("summary", el("h3", PANELS.rulings)), listOf("", ...rulings)) : null,
    el("h3", PANELS.takebacks),
    el("p", takebackWords(table), PANELS.aboutRolls),
    el("h3", PANELS.help),
    el("p", format(PANELS.aboutHelp, { advice: table.helps ? COMMON.allowed : COMMON.notAllowed })),
    el("h3", PANELS.downloads),
    listOf(
      "",
      el("a", { href: `/campaign/${encodeURIComponent(api.seat)}` }, MOVES.campaignMenu),
      el("a", { href: api.recordUrl, download: "" }, table.has_ended ? PANELS.record : PANELS.recordSoFar),
    ),
  );
  store.addEventListener("change", draw);
  draw();
}

/** @param {Store} store @param {T.SeatLine} line */
function seatOf(store, line) {
  const { side, greeting } = line;
  const isHere = store.present.includes(side) ? el("span.here", PANELS.online) : null;
  const words = greeting ? el("q.greeting", greeting) : null;
  const led = side === 2 ? "" : `${sentence(store.sideName(side))}: `;
  const names = side === 2 ? store.watchers.flatMap(({ name = "", colour }, at) => [at ? ", " : ": ", nameView(name, colour)]) : [];
  return el("li", sideMark(store, side), el("span", led, calledView(line), names, isHere, " ", words));
}

// --- the chat between those at the table ---

/** True if there is at least one other person to talk to. @param {Context} ctx */
export const isChatWanted = ({ store }) => store.table.seats.some((seat) => !seat.seat && ["person", "open"].includes(seat.who));

/** @param {HTMLElement} host @param {Context} ctx */
export function mountChat(host, ctx) {
  const { api, outbox, store } = ctx;
  /** @type {Set<number>} */
  const seen = new Set();
  const list = el("ol.chat.plain");
  const field = el("input", { name: "text", maxlength: 500, required: true, autocomplete: "off", "aria-label": PANELS.message });
  const problem = el("p.note.bad", { role: "alert", hidden: true });
  const add = (/** @type {T.ChatLine} */ line) => {
    if (seen.has(line.n)) return;
    seen.add(line.n);
    list.append(lineOf(store, line));
    list.lastElementChild?.scrollIntoView({ block: "nearest" });
  };
  const complain = (/** @type {unknown} */ error) => {
    problem.textContent = messageOf(error);
    problem.hidden = false;
  };
  const fetchAll = () => void api.chat().then(({ lines }) => lines.forEach(add), complain);
  const waiting = el("ul.chat.plain.is-waiting");
  const drawWaiting = () =>
    fill(
      waiting,
      ...outbox.lines.map(({ key, text, problem: refused }) => {
        const again = button(PANELS.sendAgain, "send-again", () => void outbox.resend(key));
        const drop = button(PANELS.discard, "discard", () => outbox.remove(key));
        const state = el("span", text, " ", el("span.muted.small", refused || PANELS.notSent));
        return el("li.mine", state, refused ? el("span.row", again, drop) : null);
      }),
    );
  const onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    problem.hidden = true;
    if (text) void outbox.add(text);
  };
  const form = el("form.panel-tools", { onsubmit }, field, el("button", { type: "submit" }, PANELS.send));
  fill(host, el("div", { role: "log", "aria-label": PANELS.chat }, list, waiting), problem, form);
  outbox.on("change", drawWaiting);
  outbox.on("said", add);
  drawWaiting();
  store.on("chat", add);
  store.onChange(["fresh"], fetchAll);
  fetchAll();
}

/** @param {Store} store @param {T.ChatLine} line */
function lineOf(store, { side, at, text }) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const shown = isToday
    ? time.toLocaleTimeString([], { timeStyle: "short" })
    : time.toLocaleString([], { dateStyle: "short", timeStyle: "short" });
  return el(
    "li",
    { class: side === store.side ? "mine" : "" },
    sideBadge(store, side),
    el("span", el("bdi.muted.small", side < 2 ? store.called(side) : TABLE.spectator), " ", text),
    el("time.small.muted", { datetime: at }, shown),
  );
}

// --- the briefing: who plays, what wins, where the armies stand, and three hints ---

const MOST = 4; // armies that are listed of each side

/** The scenario of a table; undefined in a lesson. @param {Store} store */
export const scenarioOf = ({ setting, table }) => setting.scenarios.find(({ name }) => name === table.scenario);

/** The goal of a side as one line, or "" if it has none. @param {Store} store */
export function goalOf(store) {
  const scenario = scenarioOf(store);
  const wins = scenario?.wins?.[store.side];
  if (!scenario || !wins) return "";
  const [year = 0, turn = 0] = scenario.ends ?? [];
  const date = store.setting.turns[turn - 1] ?? "";
  const end = { date, year: date.includes("January") && turn > 2 ? year + 1 : year };
  return format(BRIEFING.goal, { wins, when: scenario.kind === "war" ? BRIEFING.endOfWar : format(BRIEFING.endOf, end) });
}

/** True if there is a briefing: for the players of a scenario. @param {Store} store */
export const hasBriefing = (store) => store.side < 2 && Boolean(goalOf(store));

/** Open the briefing when a seat is entered for the first time. @param {Context} ctx */
export async function brief(ctx) {
  const key = `leuthen.briefed.${ctx.api.seat}`;
  if (!hasBriefing(ctx.store) || ctx.store.table.has_ended || settingOf("briefing") === "no" || deviceStorage.getItem(key)) return;
  deviceStorage.setItem(key, "yes");
  await openBriefing(ctx);
}

/** @param {Context} ctx */
export async function openBriefing(ctx) {
  const { store } = ctx;
  const { setting, scene, side } = store;
  const scenario = scenarioOf(store);
  const hints = scenario?.hints?.[side] ?? [];
  const names = (/** @type {number} */ whose) => {
    const led = setting.powers.filter((_, power) => scene.powers[power]?.side === whose && !scene.powers[power]?.text);
    return new Intl.ListFormat("en").format(led.map(({ name }) => name)) || store.sideName(whose);
  };
  const body = [
    el("p.prose", format(BRIEFING.youLead, { own: names(side), other: names(1 - side) })),
    el("p.note.gold.briefing-goal", el("strong", goalOf(store))),
    el("div.briefing-armies", armiesOf(ctx, side), armiesOf(ctx, 1 - side)),
    hints.length ? el("h3", BRIEFING.hints) : null,
    listOf("", ...hints),
  ];
  const answers = [{ label: BRIEFING.begin, value: "", kind: /** @type {const} */ ("primary") }];
  await openDialog({ title: scenario?.text ?? "", body: el("div.briefing", body), answers, wide: true });
}

/** The largest visible armies of a side. @param {Context} ctx @param {number} side */
function armiesOf(ctx, side) {
  const { store } = ctx;
  const led = Object.values(store.scene.pieces)
    .filter((piece) => piece.side === side && piece.leaders?.length)
    .sort((one, other) => other.low - one.low);
  const isOwn = side === store.side;
  const more = led.length > MOST ? [format(BRIEFING.more, { count: led.length - MOST })] : [];
  const lines = led.slice(0, MOST).map((piece) => placeLink(ctx, piece.place, piece.spoken.split(";")[0]));
  return el(
    "section",
    el("h3", isOwn ? BRIEFING.yours : BRIEFING.theirs),
    listOf("small", ...(led.length ? [...lines, ...more] : [isOwn ? BRIEFING.toPlace : BRIEFING.unseen])),
  );
}
