// The briefing of a seat: who plays, what wins, where the armies stand, and three hints. It opens by itself on the first
// entry of a seat in this browser; later it is in the menu.

import { openDialog } from "../dialog.js";
import { el, format, deviceStorage, listOf, placeLink } from "../dom.js";
import { settingOf } from "../settings.js";
import { BRIEFING } from "../strings/panels.js";

/** @import { Context } from "../main.js" */
/** @import { Store } from "../session/store.js" */

const MOST = 4; // armies that are listed of each side

/** The scenario of a table; undefined in a lesson. @param {Store} store */
const scenarioOf = ({ setting, table }) => setting.scenarios.find(({ name }) => name === table.scenario);

/** The goal of a side as one line, or "" if it has none. @param {Store} store */
export function goalOf(store) {
  const scenario = scenarioOf(store);
  const wins = scenario?.wins?.[store.side];
  if (!scenario || !wins) return "";
  const [year = 0, turn = 0] = scenario.ends ?? [];
  const date = store.setting.turns[turn - 1] ?? "";
  const end = { date, year: date.includes("January") && turn > 2 ? year + 1 : year };
  const when = scenario.kind === "war" ? BRIEFING.endOfWar : format(BRIEFING.endOf, end);
  return format(BRIEFING.goal, { wins, when });
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
  const scenario = scenarioOf(store);
  const hints = scenario?.hints?.[store.side] ?? [];
  const body = [
    el("p.prose", ledBy(store)),
    el("p.note.gold.briefing-goal", el("strong", goalOf(store))),
    el("div.briefing-armies", armiesOf(ctx, store.side), armiesOf(ctx, 1 - store.side)),
    hints.length ? el("h3", BRIEFING.hints) : null,
    listOf(hints),
  ];
  const answers = [{ label: BRIEFING.begin, value: "", kind: /** @type {const} */ ("primary") }];
  await openDialog({ title: scenario?.text ?? "", body: el("div.briefing", body), answers, wide: true });
}

/** The powers of both sides, as a sentence. @param {Store} store */
function ledBy(store) {
  const names = (/** @type {number} */ side) =>
    store.setting.powers
      .filter((_, power) => store.scene.powers[power]?.side === side && !store.scene.powers[power]?.text)
      .map(({ name }) => name);
  const [own, other] = [names(store.side), names(1 - store.side)].map((list) => new Intl.ListFormat("en").format(list));
  return format(BRIEFING.youLead, { own: own || store.sideName(store.side), other: other || store.sideName(1 - store.side) });
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
    listOf(led.length ? [...lines, ...more] : [isOwn ? BRIEFING.toPlace : BRIEFING.unseen], { class: "small" }),
  );
}
