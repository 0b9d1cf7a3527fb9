// The devices on one's own seat: which there are, signing them out, the way back; and links for others.

import { ago, button, el, fill, format, once, sentence } from "../dom.js";
import { tryRequest, confirmed, hideMessage, openDialog, showMessage } from "../dialog.js";
import { linkView } from "../home/invite.js";
import { COMMON } from "../strings/common.js";
import { DEVICES } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */

const ONCE = DEVICES.once;

/** Notify the owner when the seat is opened on another device. @param {Context} ctx */
export function watchDevices(ctx) {
  const look = (/** @type {T.Devices} */ devices) => announceNew(ctx, devices);
  ctx.store.addEventListener("devices", (event) => look(/** @type {CustomEvent<T.Devices>} */ (event).detail));
  void tryRequest(async () => look(await ctx.api.devices()));
}

/** @param {Context} ctx @param {T.Devices} found */
function announceNew(ctx, { devices }) {
  const fresh = devices.filter((device) => device.is_new);
  if (!fresh.length) return;
  const open = button(DEVICES.show, "devices", () => void openDevices(ctx));
  showMessage([el("strong", DEVICES.opened), `${fresh.map((device) => device.what).join(", ")}. `, open], { stays: true });
}

/** List the devices of the seat. @param {Context} ctx */
export async function openDevices(ctx) {
  hideMessage();
  const host = el("div.stack");
  const draw = async () => {
    const found = await ctx.api.devices();
    fill(host, ...view(ctx, found, draw));
    const last = Math.max(...found.devices.map((device) => device.number));
    if (found.devices.some((device) => device.is_new)) await ctx.api.knowDevices(last);
  };
  const again = () => void tryRequest(draw);
  again();
  ctx.store.addEventListener("devices", again);
  await openDialog({ title: DEVICES.title, body: host });
  ctx.store.removeEventListener("devices", again);
}

/** @param {Context} ctx @param {T.Devices} found @param {() => Promise<void>} draw @returns {readonly (HTMLElement | null)[]} */
function view(ctx, { devices, has_link: hasLink }, draw) {
  const plays = ctx.store.side < 2;
  const others = devices.filter((device) => !device.is_this);
  const all = button(
    DEVICES.signOutOthers,
    "sign-out-others",
    () =>
      void tryRequest(async () => {
        await ctx.api.signOut();
        await draw();
      }),
    "danger",
  );
  const link = button(
    DEVICES.createLink,
    "link",
    once(() => newLink(ctx, { ends: false }, DEVICES.link, ONCE)),
  );
  const way = hasLink ? DEVICES.linkWaits : DEVICES.noLink;
  const list = el("ul.plain.stack", ...devices.map((device) => line(ctx, device, draw)));
  return [list, plays ? el("p", way) : null, plays ? el("div.row", link, others.length ? all : null) : null];
}

/** @param {Context} ctx @param {T.Device} device @param {() => Promise<void>} draw */
function line(ctx, device, draw) {
  const end = () =>
    void tryRequest(async () => {
      await ctx.api.signOut(device.number);
      await draw();
    });
  const leave = () => void signOutHere(ctx, device.number);
  const out = el(
    "button",
    { dataset: { do: device.is_this ? "leave" : "sign-out" }, onclick: device.is_this ? leave : end },
    DEVICES.signOut,
  );
  const name = el(
    "span",
    el("strong", sentence(device.what)),
    device.is_this ? DEVICES.isThis : "",
    device.is_new ? [" ", el("strong.your-turn", DEVICES.isNew)] : null,
  );
  return el("li.device.row", { dataset: { device: String(device.number) } }, el("div", name, el("div.muted.small", times(device))), out);
}

/** @param {T.Device} device */
function times({ since, seen, is_this: isThis }) {
  const came = since ? format(DEVICES.came, { when: when(since) }) : DEVICES.cameUnknown;
  return seen && !isThis ? format(DEVICES.seen, { came, when: when(seen) }) : came;
}

/** @param {string} iso */
function when(iso) {
  const past = ago(iso);
  const day = new Date(iso).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return past === COMMON.justNow ? past : `${day} (${past})`;
}

/** @param {Context} ctx @param {number} number */
async function signOutHere(ctx, number) {
  const text = DEVICES.aboutSignOut;
  if (!(await confirmed(DEVICES.signOutHere, text, DEVICES.signOut))) return;
  await tryRequest(async () => {
    await ctx.api.signOut(number);
    location.assign("/");
  });
}

/** An invitation to a seat that no player has taken yet. @param {Context} ctx @param {T.SeatLine} seat */
export function inviteAgain(ctx, seat) {
  const name = sentence(seat.name);
  const text = format(DEVICES.oldLink, { name });
  return {
    label: format(DEVICES.invite, { name }),
    do: "invite",
    when: true,
    run: () => void newLink(ctx, { side: seat.side }, format(DEVICES.seatOf, { name }), text),
  };
}

/** @param {Context} ctx */
export async function openGallery(ctx) {
  const answers = /** @type {const} */ ([
    { label: COMMON.cancel, value: "", kind: "quiet" },
    { label: DEVICES.replaceLinks, value: "end", kind: "danger" },
    { label: DEVICES.addLink, value: "more", kind: "primary" },
  ]);
  const body = el("p", DEVICES.aboutSpectators);
  const chosen = await openDialog({ title: DEVICES.spectatorLink, body, answers });
  if (chosen) await newLink(ctx, { side: 2, ends: chosen === "end" }, DEVICES.spectators, DEVICES.anyNumber);
}

/** @param {Context} ctx @param {Partial<T.NewLink>} wanted @param {string} label @param {string} text */
const newLink = (ctx, wanted, label, text) =>
  tryRequest(async () => {
    const { link } = await ctx.api.link(wanted);
    await openDialog({ title: DEVICES.newLink, body: [el("p", format(DEVICES.shownOnce, { text })), linkView(label, link)] });
  });
