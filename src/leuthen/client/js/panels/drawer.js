// The tabs beside the map. A panel is mounted when it is first opened; one is open at a time, or none.

import { el, fill } from "../dom.js";
import { addKeys } from "../keys.js";
import { isChatWanted, mountAbout, mountChat } from "./about.js";
import { mountChronicle } from "./chronicle.js";
import { isNotesWanted, mountNotes } from "./notes.js";
import { mountRules, mountTables } from "./rules.js";
import { isStaffWanted, isStandingWanted, mountStaff, mountStanding } from "./staff.js";
import { mountCalendar } from "./turns.js";
import { mountEurope, mountMusters, mountVictory } from "./victory.js";
import { COMMON, GROUPS } from "../strings/common.js";
import { PANELS } from "../strings/panels.js";

/** @import { Context } from "../main.js" */

/** @typedef {{show?: (what: any) => void, open?: () => void, close?: () => void}} Mounted what a mounted panel can be asked */

/**
 * A tab of the drawer, with its key on the keyboard; `isWanted` says if a table needs it. A panel that opens a rule or a table for
 * others has the id `rules` or `tables`, and its `mount` returns an object with `show(what)`.
 * @typedef {{
 *   id: string, title: string, key: string, mount: (host: HTMLElement, ctx: Context) => void | Mounted,
 *   isWanted?: (ctx: Context) => boolean,
 * }} Panel
 */

/** The tabs in their order. @type {Panel[]} */
const panels = [
  { id: "chronicle", title: PANELS.chronicle, key: "C", mount: mountChronicle },
  { id: "calendar", title: PANELS.calendar, key: "K", mount: mountCalendar },
  { id: "victory", title: PANELS.victory, key: "V", mount: mountVictory },
  { id: "europe", title: PANELS.europe, key: "E", mount: mountEurope },
  { id: "musters", title: PANELS.musters, key: "O", mount: mountMusters },
  { id: "tables", title: PANELS.tables, key: "T", mount: mountTables },
  { id: "rules", title: PANELS.rulebook, key: "R", mount: mountRules },
  { id: "staff", title: PANELS.staff, key: "S", mount: mountStaff, isWanted: isStaffWanted },
  { id: "standing", title: PANELS.standing, key: "I", mount: mountStanding, isWanted: isStandingWanted },
  { id: "notes", title: PANELS.notes, key: "P", mount: mountNotes, isWanted: isNotesWanted },
  { id: "chat", title: PANELS.chat, key: "M", mount: mountChat, isWanted: isChatWanted },
  { id: "about", title: PANELS.thisGame, key: "A", mount: mountAbout },
];

export class Drawer {
  /** @type {Map<string, {host: HTMLElement, mounted: Mounted}>} */
  #open = new Map();
  current = "";

  /** @param {HTMLElement} tabs @param {HTMLElement} host @param {Context} ctx */
  constructor(tabs, host, ctx) {
    this.ctx = ctx;
    this.host = host;
    this.panels = panels.filter(({ isWanted }) => isWanted?.(ctx) ?? true);
    this.title = el("h2", { id: "drawer-title", tabindex: "-1" });
    this.body = el("div.drawer-body");
    const close = el("button.quiet.icon", { "aria-label": COMMON.close, onclick: () => this.close() }, "×");
    fill(host, el("header.drawer-head", this.title, close), this.body);
    this.buttons = new Map(
      this.panels.map(({ id, title }) => {
        const props = { "aria-expanded": false, "aria-controls": host.id, dataset: { panel: id }, onclick: () => this.toggle(id) };
        return [id, el("button.tab", props, title)];
      }),
    );
    // On small screens, the timeline is shown on request.
    const press = () => timeline.setAttribute("aria-pressed", String(document.body.classList.toggle("has-timeline")));
    const timeline = el("button.tab.tab-timeline", { "aria-pressed": false, dataset: { do: "timeline" }, onclick: press }, PANELS.timeline);
    fill(tabs, timeline, ...this.buttons.values());
    host.hidden = true;
    addEventListener("popstate", () => this.close());
    addKeys(...this.panels.map(({ id, title, key }) => ({ keys: [key], label: title, group: GROUPS.panels, run: () => this.toggle(id) })));
  }

  /** Mark the tab of a panel with news. @param {string} id */
  mark(id) {
    this.buttons.get(id)?.classList.add("has-news");
  }

  /** Write a short text on the tab of a panel; "" removes it. @param {string} id @param {string} text */
  note(id, text) {
    const button = this.buttons.get(id);
    if (button && text) button.dataset.note = text;
    else delete button?.dataset.note;
  }

  /** Toggle a panel. @param {string} id */
  toggle(id) {
    if (this.current === id) this.close();
    else this.open(id);
  }

  /** Open a panel and show something in it. @param {string} id @param {any} [what] */
  open(id, what) {
    const panel = this.panels.find((candidate) => candidate.id === id);
    if (!panel) return;
    if (this.current !== id) this.#open.get(this.current)?.mounted.close?.();
    if (!this.current && !history.state?.drawer) history.pushState({ drawer: true }, "");
    this.current = id;
    this.buttons.get(id)?.classList.remove("has-news");
    this.host.hidden = false;
    document.body.dataset.drawer = id;
    this.title.textContent = panel.title;
    let opened = this.#open.get(id);
    if (!opened) {
      const host = el("div", { class: `panel panel-${id}` });
      opened = { host, mounted: panel.mount(host, this.ctx) ?? {} };
      this.#open.set(id, opened);
    }
    if (opened.host.parentElement !== this.body) {
      fill(this.body, opened.host);
      this.body.scrollTop = 0;
    }
    opened.mounted.open?.();
    if (what !== undefined) opened.mounted.show?.(what);
    else this.title.focus({ preventScroll: true });
    this.#mark();
  }

  /** Close the drawer and return the focus to its tab. @returns {boolean} whether it was open */
  close() {
    if (!this.current) return false;
    const button = this.buttons.get(this.current);
    this.#open.get(this.current)?.mounted.close?.();
    const hadFocus = this.host.contains(document.activeElement);
    this.current = "";
    this.host.hidden = true;
    delete document.body.dataset.drawer;
    this.#mark();
    if (history.state?.drawer) history.back(); // the entry that was made when it was opened
    if (hadFocus) button?.focus();
    return true;
  }

  #mark() {
    for (const [id, button] of this.buttons) button.setAttribute("aria-expanded", String(id === this.current));
  }
}
