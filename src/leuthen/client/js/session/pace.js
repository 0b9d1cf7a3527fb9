// The pace of a game by link: whom a roll waits for and since when, and what a player can do about it.

import { confirmed, showMessage } from "../dialog.js";
import { ago, button, el, fill, format, sentence } from "../dom.js";
import { COMMON } from "../strings/common.js";
import { PACE } from "../strings/table.js";

/** @import { Context } from "../main.js" */
/** @import { Store } from "./store.js" */

/** Time in ms after which the displayed waiting time is updated. */
const EVERY = 30000;

/** The pace that a player may ask to switch to, or null. @param {Store} store */
function otherPace({ seal, side, table }) {
  const people = table.seats.filter((seat) => seat.side < 2 && seat.who === "person");
  if (!seal.card?.can_switch || side > 1 || table.has_ended || people.length < 2) return null;
  return seal.pace === "live" ? /** @type {const} */ ("correspondence") : /** @type {const} */ ("live");
}

/** The request for the other pace, for a menu or beside a waiting roll; null if there is none. @param {Context} ctx */
export function paceItem(ctx) {
  const { store, sender } = ctx;
  const pace = otherPace(store);
  if (!pace || store.table.proposals.some(({ kind }) => kind === `pace-${pace}`)) return null;
  const run = async () => {
    if (await confirmed(`${PACE.ask[pace]}?`, `${PACE.about[pace]} ${PACE.consent}`, PACE.ask[pace], "primary"))
      void sender.move("ask-pace");
  };
  return { label: PACE.ask[pace], do: "ask-pace", when: true, run: () => void run() };
}

/** The waiting time of a roll, and the ways out. @param {Context} ctx */
export function waitView(ctx) {
  const { store, sender } = ctx;
  const { seal, side, table } = store;
  const name = sentence(store.setting.sides[seal.waiting] ?? "");
  const item = paceItem(ctx);
  const alone = async () => {
    const text = format(PACE.aboutAlone, { name });
    if (await confirmed(format(PACE.aloneQuestion, { name }), text, format(PACE.alone, { name }))) void sender.move("roll-alone");
  };
  const mayRoll = side < 2 && seal.waiting !== side && seal.card?.can_switch;
  return [
    el("p.muted.small", sinceView(table.since, PACE.waitsSince, PACE.justNow)),
    el(
      "div.row",
      item ? button(item.label, item.do, item.run) : null,
      mayRoll ? button(format(PACE.alone, { name }), "roll-alone", () => void alone(), "quiet") : null,
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
