// The first page: a new game in two clicks, and the games of this browser, those that wait for it first.

import { Refused, home } from "../session/api.js";
import { ago, byId, el, fill, format, deviceStorage, sentence } from "../dom.js";
import { calledView, titleOf } from "../players.js";
import { markTab, waitingFor } from "../tab-mark.js";
import { mountMaker } from "./maker.js";
import { COMMON } from "../strings/common.js";
import { HOME } from "../strings/home.js";

/** @import * as T from "../../types" */

const EVERY = 30000;
/** Number of games listed above the new one; the others are folded. */
const FEW = 6;

/** @param {T.GameLine} game @returns {string} */
function addressOf(game) {
  const own = game.seats.filter((line) => line.seat);
  const next = own.find((line) => game.waiting.includes(line.name)) ?? own[0];
  const isShared = own.filter((line) => line.side < 2).length > 1;
  return next ? `/table/${next.seat}${isShared ? "#veil" : ""}` : "/";
}

/** @param {T.GameLine} game */
function stateOf(game) {
  if (game.result) return el("p.game-state", sentence(game.result));
  if (game.unplayable) return el("p.game-state", game.unplayable);
  const when = el("span.muted.small", ` ${ago(game.since)}`);
  if (game.is_your_turn) return el("p.game-state", el("strong.your-turn", COMMON.decision), when);
  return el(
    "p.game-state",
    game.waiting.length ? format(HOME.waitingFor, { names: game.waiting.map(sentence).join(COMMON.and) }) : HOME.waiting,
    when,
  );
}

/** Storage key of the games removed from the list. */
const REMOVED = "leuthen.removed-games";

/** @returns {string[]} */
const removed = () => JSON.parse(deviceStorage.getItem(REMOVED) ?? "[]");

/** @param {T.GameLine} game */
function removeButton(game) {
  const run = () => {
    deviceStorage.setItem(REMOVED, JSON.stringify([...removed(), game.game]));
    void refresh();
  };
  const label = format(HOME.remove, { title: titleOf(game) });
  return el("button.quiet.icon.remove", { "aria-label": label, title: label, dataset: { do: "remove" }, onclick: run }, "×");
}

/** @param {number} count */
function restoreButton(count) {
  const run = () => {
    deviceStorage.removeItem(REMOVED);
    void refresh();
  };
  return el("button.quiet", { dataset: { do: "restore" }, onclick: run }, format(HOME.restore, { count }));
}

/** @param {T.GameLine} game */
function gameView(game) {
  const sides = game.seats.filter((line) => line.side < 2);
  const watching = game.seats.some((line) => line.seat && line.side === 2);
  const who = sides.map((line) =>
    el(
      "span.sitter",
      el("span.side", { dataset: { side: String(line.side) }, "aria-hidden": true }, sentence(line.name).charAt(0)),
      ` ${sentence(line.name)}: `,
      calledView(line),
    ),
  );
  return el(
    "li",
    { class: `game plate${game.is_your_turn && !game.result ? " is-yours" : ""}`, dataset: { game: game.game } },
    removeButton(game),
    el("h3", el("a", { href: addressOf(game) }, titleOf(game))),
    game.scenario && game.scenario !== titleOf(game) ? el("p.small", game.scenario) : null,
    el("p.muted", game.date, watching ? HOME.spectator : ""),
    stateOf(game),
    el("p.sitters.small", ...who),
  );
}

/** Elements looked up once, so that a late answer still finds them. */
const host = byId("list");
const section = byId("games");
const learn = byId("learn");
const ways = byId("new");
const made = byId("made");

/** @param {readonly T.GameLine[]} games */
function draw(games) {
  host.removeAttribute("aria-busy");
  markTab(waitingFor(games), "Leuthen");
  const isNew = !games.length;
  deviceStorage.setItem("leuthen.returning", isNew ? "" : "yes"); // known before the next first paint
  document.documentElement.classList.toggle("is-returning", !isNew);
  if (!isNew && section.previousElementSibling && !made.childElementCount) ways.before(section); // who has games comes for them
  learn.classList.toggle("primary", isNew);
  document.querySelector('[data-way="machine"]')?.classList.toggle("primary", !isNew);
  const gone = removed();
  const listed = games.filter(({ game }) => !gone.includes(game));
  const running = listed.filter((game) => !game.result);
  const over = listed.filter((game) => game.result);
  const list = (/** @type {readonly T.GameLine[]} */ lines) => el("ul.plain.game-list", ...lines.map(gameView));
  fill(
    host,
    games.length ? null : el("p.prose.muted", HOME.none),
    running.length ? list(running.slice(0, FEW)) : null,
    running.length > FEW
      ? el("details", el("summary", format(HOME.more, { count: running.length - FEW })), list(running.slice(FEW)))
      : null,
    over.length ? el("details", { open: !running.length }, el("summary", format(HOME.finished, { count: over.length })), list(over)) : null,
    listed.length < games.length ? restoreButton(games.length - listed.length) : null,
  );
}

async function refresh() {
  try {
    draw((await home()).games);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (host.hasAttribute("aria-busy")) fill(host, el("p.note.bad", { role: "alert" }, error.problem.detail));
  }
}

mountMaker();
void refresh();
setInterval(() => void refresh(), EVERY); // hidden too: the tab bears the mark
document.addEventListener("visibilitychange", () => !document.hidden && void refresh());
