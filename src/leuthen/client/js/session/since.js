// Since you left: what happened meanwhile, what was done to oneself first, shown on the map line by line. Only the
// number of the news last seen is kept, in the browser.

import { kept } from "../keep.js";
import { attempt } from "../dialog.js";
import { el, fill } from "../dom.js";
import { isNotable, ruleLink } from "../bits.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../context.js" */

const PAGES = 5;

/** The number of the news that was seen last; null on a first visit. @param {string} seat */
function seenBy(seat) {
  const text = kept.getItem(`leuthen.seen.${seat}`);
  return text === null ? null : Number(text);
}

/** Keeps the number of what was seen, as long as the page can be seen. @param {Context} ctx */
export function keepSeen({ store, api }) {
  const keep = () => {
    if (!document.hidden && store.isLive) kept.setItem(`leuthen.seen.${api.seat}`, String(store.table.n));
  };
  store.addEventListener("change", keep);
  document.addEventListener("visibilitychange", keep);
  keep();
}

/** Lines about what others did, since news number `n`; what hurt this side first. @param {Context} ctx @param {number} n */
async function missed({ api, store }, n) {
  /** @type {T.ChronicleLine[]} */
  let lines = [];
  for (let page = 0; page < PAGES; page += 1) {
    const first = lines[0];
    const chunk = await api.chronicle({ count: 100, ...(first ? { before: first.n } : {}) });
    lines = [...chunk.lines, ...lines];
    if (!chunk.more || (chunk.lines[0]?.n ?? 0) <= n) break;
  }
  const told = lines.filter((line) => line.n > n).map((line) => line.entry);
  const others = told.filter((event) => isNotable(event) && (event.side ?? 2) !== store.side);
  const hurts = (/** @type {T.LogEntry} */ event) => (event.hurts ?? 2) === store.side && store.side < 2;
  return { told, hurting: others.filter(hurts), rest: others.filter((event) => !hurts(event)) };
}

/**
 * Shows what happened since the last visit, if anything did.
 * @param {HTMLElement} host @param {Context} ctx @param {(told: readonly T.LogEntry[]) => void} recall remembers all that was told meanwhile
 */
export async function showSince(host, ctx, recall) {
  const seen = seenBy(ctx.api.seat);
  if (seen === null || seen >= ctx.store.table.n) return;
  const found = await attempt(() => missed(ctx, seen));
  if (!found) return;
  const { told: everything, hurting, rest } = found;
  recall(everything);
  const all = [...hurting, ...rest];
  if (!all.length) return;
  const items = new Map(all.map((told) => [told, lineView(ctx, told)]));
  const list = (/** @type {string} */ title, /** @type {readonly T.LogEntry[]} */ told) =>
    told.length
      ? [el("h3", {}, title), el("ol", { class: "since-list" }, ...told.map((event) => /** @type {Node} */ (items.get(event))))]
      : [];
  let isOver = false;
  const end = () => {
    isOver = true;
    host.hidden = true;
    fill(host);
    void ctx.map.play([]);
  };
  const before = ctx.store.table.n;
  ctx.store.addEventListener("change", () => !isOver && ctx.store.table.n > before && end());
  const skip = el("button", { type: "button", class: "primary", dataset: { do: "skip" }, onclick: end }, "Go on");
  fill(
    host,
    el(
      "section",
      { class: "since", "aria-label": "Since you left" },
      el("h2", {}, "Since you left"),
      ...list("Done to you", hurting),
      ...list(hurting.length ? "Besides" : "It happened", rest),
      skip,
    ),
  );
  host.hidden = false;
  for (const told of all) {
    if (isOver || document.hidden) break;
    const item = items.get(told);
    item?.setAttribute("aria-current", "true");
    item?.scrollIntoView({ block: "nearest" });
    await ctx.map.play([told]);
    if (!isOver) void ctx.map.play([]); // the map shows already what came of all of it
    item?.removeAttribute("aria-current");
  }
}

/** @param {Context} ctx @param {T.LogEntry} told */
function lineView(ctx, told) {
  const place = told.places?.[0] ?? told.path?.at(-1);
  return el("li", { onclick: () => place && ctx.jump(place) }, told.text, " ", ruleLink(ctx, told.rule));
}
