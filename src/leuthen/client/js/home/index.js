// The first page: a new game in two clicks, and the games of this browser, those that wait for it first.

import { home, refusal } from "../session/api.js";
import { ago, byId, deviceStorage, el, fill, format, icon, sentence } from "../dom.js";
import { calledView, markTab, titleOf } from "../players.js";
import { tablePage } from "./invite.js";
import { mountMaker } from "./maker.js";
import { COMMON } from "../strings/common.js";
import { HOME } from "../strings/home.js";

/** @import * as T from "../../types" */

const EVERY = 30000;
/** Number of games listed above the new one; the others are folded. */
const FEW = 6;
/** Storage key of the games removed from the list. */
const REMOVED = "leuthen.removed-games";

/** @returns {string[]} */
const removed = () => JSON.parse(deviceStorage.getItem(REMOVED) ?? "[]");

/** @param {T.GameLine} game */
function stateOf(game) {
  if (game.result) return el("p.game-state", sentence(game.result));
  if (game.unplayable) return el("p.game-state", game.unplayable);
  const when = el("span.muted.small", ` ${ago(game.since)}`);
  if (game.is_your_turn) return el("p.game-state", el("strong.your-turn", COMMON.decision), when);
  const names = game.waiting.map(sentence).join(COMMON.and);
  return el("p.game-state", names ? format(HOME.waitingFor, { names }) : HOME.waiting, when);
}

/** @param {T.GameLine} game */
function gameView(game) {
  const title = titleOf(game);
  const own = game.seats.filter((line) => line.seat);
  const next = own.find((line) => game.waiting.includes(line.name)) ?? own[0];
  const href = next ? tablePage(next.seat, own.filter((line) => line.side < 2).length > 1) : "/";
  const who = game.seats
    .filter((line) => line.side < 2)
    .map((line) => {
      const mark = el("span.side", { dataset: { side: String(line.side) }, "aria-hidden": true }, sentence(line.name).charAt(0));
      return el("span.sitter", mark, ` ${sentence(line.name)}: `, calledView(line));
    });
  const remove = () => {
    deviceStorage.setItem(REMOVED, JSON.stringify([...removed(), game.game]));
    void refresh();
  };
  const out = icon("×", format(HOME.remove, { title }), remove, { do: "remove" });
  out.classList.add("remove");
  return el(
    "li",
    { class: `game plate${game.is_your_turn && !game.result ? " is-yours" : ""}`, dataset: { game: game.game } },
    out,
    el("h3", el("a", { href }, title)),
    game.scenario && game.scenario !== title ? el("p.small", game.scenario) : null,
    el("p.muted", game.date, own.some((line) => line.side === 2) ? HOME.spectator : ""),
    stateOf(game),
    el("p.sitters.small", ...who),
  );
}

const listView = (/** @type {readonly T.GameLine[]} */ games) => el("ul.plain.game-list", ...games.map(gameView));

/** Elements looked up once, so that a late answer still finds them. */
const host = byId("list");
const section = byId("games");
const learn = byId("learn");
const ways = byId("new");
const made = byId("made");

/** @param {readonly T.GameLine[]} games */
function draw(games) {
  host.removeAttribute("aria-busy");
  markTab(games, "Leuthen");
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
  const folded = (/** @type {string} */ label, /** @type {typeof games} */ all, open = false) =>
    all.length ? el("details", { open }, el("summary", format(label, { count: all.length })), listView(all)) : null;
  const restore = () => {
    deviceStorage.removeItem(REMOVED);
    void refresh();
  };
  const count = games.length - listed.length;
  fill(
    host,
    isNew ? el("p.prose.muted", HOME.none) : null,
    running.length ? listView(running.slice(0, FEW)) : null,
    folded(HOME.more, running.slice(FEW)),
    folded(HOME.finished, over, !running.length),
    count ? el("button.quiet", { dataset: { do: "restore" }, onclick: restore }, format(HOME.restore, { count })) : null,
  );
}

async function refresh() {
  try {
    draw((await home()).games);
  } catch (error) {
    const { detail } = refusal(error).problem;
    if (host.hasAttribute("aria-busy")) fill(host, el("p.note.bad", { role: "alert" }, detail));
  }
}

mountMaker();
void refresh();
setInterval(() => void refresh(), EVERY); // hidden too: the tab bears the mark
document.addEventListener("visibilitychange", () => !document.hidden && void refresh());
