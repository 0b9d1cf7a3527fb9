// The order composer on the page: kinds of order, the questions of the one chosen, what it comes to, and the button
// that sends it. Everything is drawn again from the form; the focus stays where it is.

import { button, el, fill, format, listOf, placeName, ruleLink, sentence } from "../dom.js";
import {
  ENDING,
  answerButton,
  answersView,
  barredButton,
  groupView,
  groupsOf,
  kindField,
  openField,
  passOf,
  placesOf,
  refusedView,
  pathCost,
  chosenPath,
} from "./form.js";
import { settingOf } from "../settings.js";
import { COMMON } from "../strings/common.js";
import { ODDS, ORDER } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Composer } from "./composer.js" */
/** @import { Desk } from "./form.js" */

/** Scopes that can be skipped with an order: the server's word and its name. */
const LEAVES = [
  ["phase", ORDER.andPhase],
  ["turn", ORDER.andTurn],
];

export class OrderView {
  /** Place of the selected force, or "". */
  #start = "";
  /** The question whose possible actors were shown. @type {string | null} */
  #question = null;

  /**
   * @param {HTMLElement} host @param {Composer} composer @param {Context} ctx @param {(reason: T.Objection) => void} bar tells why something is barred
   */
  constructor(host, composer, ctx, bar) {
    this.composer = composer;
    this.ctx = ctx;
    this.bar = bar;
    this.form = el("div.order-form");
    this.hint = el("div.order-hint");
    this.act = el("div.row.act");
    this.foot = el("div");
    fill(host, this.form, el("div.foot", this.foot, ...host.children));
    composer.addEventListener("change", () => this.#draw());
    composer.addEventListener("stale", () => this.#setStale(true));
    composer.addEventListener("point", () => this.#drawPointed());
    composer.addEventListener("proposed", (event) => {
      for (const place of /** @type {CustomEvent<string[]>} */ (event).detail.slice(0, 1)) ctx.map.reveal(place);
    });
  }

  #draw() {
    const form = this.composer.form;
    this.#setStale(false);
    /** @type {Desk | null} */
    const desk = form && { composer: this.composer, ctx: this.ctx, form, bar: this.bar };
    fill(this.form, this.#marching(), ...(desk ? this.#content(desk) : []));
    this.#drawFoot(desk);
    this.#drawPointed();
    this.#highlightHexes(form);
    if (form && this.composer.isBegun) this.#reveal(openField(form));
    this.#showAble();
    const start = form?.start ?? "";
    if (start && start !== this.#start) this.ctx.map.reveal(start);
    this.#start = start;
  }

  /** Show who may act, once for each new question. */
  #showAble() {
    const question = this.ctx.store.asked?.text ?? "";
    const { places } = this.composer.guide;
    if (question === this.#question || (question && !places.size)) return;
    if (question && this.#question !== null && !this.composer.isBegun) this.ctx.map.reveal(...places);
    this.#question = question;
  }

  /** Disable the answers to an earlier question. @param {boolean} isStale */
  #setStale(isStale) {
    for (const part of [this.form, this.foot]) part.classList.toggle("is-stale", isStale);
    this.form.setAttribute("aria-busy", String(isStale));
  }

  /** Scroll the open question into view. @param {T.FormField | undefined} field */
  #reveal(field) {
    const groups = [...this.form.querySelectorAll("fieldset.field")];
    const group = groups.find((one) => one instanceof HTMLElement && one.dataset.field === field?.key) ?? groups.at(-1);
    group?.scrollIntoView({ block: "nearest" });
  }

  /** Notice of a march that continues by itself, with a button to stop it. */
  #marching() {
    const goal = this.composer.march.way.at(-1);
    if (!goal) return null;
    const stop = button(ORDER.stopMarch, "stop-march", () => this.composer.halt());
    return el("div.note.row.marching", el("span", format(ORDER.marchingOn, { place: placeName(this.ctx.store, goal) })), stop);
  }

  /** @param {Desk} desk */
  #content(desk) {
    const { form } = desk;
    const kind = kindField(form);
    return [
      this.ctx.store.asked ? null : sealedView(this.ctx),
      kind ? this.#kinds(desk, kind) : null,
      ...groupsOf(form)
        .filter((group) => group.kind !== "word")
        .map((group) => groupView(desk, group)),
      this.hint,
      summaryView(form),
      this.#halts(form),
      form.odds ? oddsView(form.odds, this.ctx) : null,
      refusedView(this.ctx, form.refused ?? []),
    ];
  }

  /** The kinds of order, except the one that does nothing more, which has its place at the foot. @param {Desk} desk @param {T.FormField} field */
  #kinds(desk, field) {
    const pass = passOf(desk.form);
    const choices = field.choices.filter(({ token }) => token !== pass);
    const barred = field.barred?.filter(({ token }) => token !== ENDING);
    if (!choices.length && !barred?.length) return null;
    if (field.choices.length === 1 && field.value && !barred?.length) return null;
    const group = answersView(desk, { ...field, choices, barred }, (token) => void this.composer.chooseKind(token));
    group.classList.add("kinds");
    const chosen = choices.find(({ token }) => token === field.value);
    if (chosen) group.querySelector(`[data-token="${CSS.escape(chosen.token)}"]`)?.replaceWith(chosenView(field, chosen));
    return el("div", { role: "group", "aria-label": field.label, dataset: { field: field.key } }, group);
  }

  /** Answers that can be sent along with the order. @param {T.Form} form */
  #halts({ halts = [] }) {
    if (!halts.length) return null;
    const { composer } = this;
    const buttons = halts.map(({ token, label, price }) => {
      const props = {
        dataset: { halt: token, keep: `halt=${token}` },
        "aria-pressed": composer.ending === token,
        onclick: () => composer.follow(token),
      };
      return el("button", props, label, price ? el("small.muted", price) : null);
    });
    return el("div.row.answers.halts", { role: "group", "aria-label": ORDER.andThen }, ...buttons);
  }

  /** The part that is always visible below the questions: the hint, the send button, and the button to cancel or pass. @param {Desk | null} desk */
  #drawFoot(desk) {
    const send = desk && this.#sendButton(desk);
    const leave = desk && (send ? this.#cancelButton(desk) : this.#passButton(desk));
    const ways = desk && this.composer.canSkip ? LEAVES.map(([until, name]) => this.#skipButton(desk.form, until, name)) : [];
    const hint = el("p.foot-hint.muted.small", desk && this.#hint(desk));
    fill(this.act, send ?? hint, leave);
    this.act.classList.toggle("sending", Boolean(send));
    fill(this.foot, ways.length ? el("div.row.leaving", ...ways) : null, send ? hint : null, this.act);
  }

  /** @param {Desk} desk */
  #sendButton({ form }) {
    const kind = kindField(form);
    if (kind && !kind.value) return null;
    const label = kind?.choices.find((choice) => choice.token === kind.value)?.label ?? ORDER.send;
    const props = {
      class: this.ctx.store.asked ? "primary" : "",
      dataset: { do: "send", keep: "send" },
      "aria-disabled": form.order ? null : true,
      onclick: () => this.#send(form),
    };
    return el("button", props, label);
  }

  /** @param {Desk} desk */
  #cancelButton({ form }) {
    const begun = this.composer.isBegun && (kindField(form)?.choices.length ?? 0) > 1;
    return begun ? button(COMMON.cancel, "cancel", () => this.composer.cancel()) : null;
  }

  /** @param {Desk} desk */
  #passButton(desk) {
    const kind = kindField(desk.form);
    const choice = kind?.choices.find(({ token }) => token === passOf(desk.form));
    const barred = kind?.barred?.find(({ token }) => token === ENDING);
    const button =
      choice && kind ? answerButton(kind, choice, (token) => void this.composer.chooseKind(token)) : barred && barredButton(desk, barred);
    return button ? el("div.pass", { dataset: { field: "do" } }, button) : null;
  }

  /** Hint on the next step. @param {Desk} desk */
  #hint({ form }) {
    const open = openField(form);
    if (open?.kind === "word") return this.composer.guide.places.size ? ORDER.chooseOrClick : null;
    if (open) return open.kind === "path" ? ORDER.whereToQuestion : format(ORDER.question, { label: open.label });
    return form.order && chosenPath(form).length && settingOf("at-once") !== "yes" ? ORDER.clickAgain : null;
  }

  /** The order together with the skipping of everything after it. @param {T.Form} form @param {string} until @param {string} name of what is left */
  #skipButton(form, until, name) {
    const kind = kindField(form);
    const label = kind?.choices.find((choice) => choice.token === kind.value)?.label ?? ORDER.send;
    const dataset = { do: `send-${until}`, keep: `send-${until}` };
    const props = { class: "quiet", dataset, "aria-label": `${label}, ${name}`, onclick: () => this.#send(form, until) };
    return el("button", props, `… ${name}`);
  }

  /** @param {T.Form} form @param {string} [until] */
  #send(form, until) {
    if (form.order) void this.composer.send(until);
    else this.bar(form.refused?.[0] ?? { rule: "", text: format(ORDER.chooseFirst, { what: openField(form)?.label ?? ORDER.anOrder }) });
  }

  #drawPointed() {
    const { walking, pointed } = this.composer;
    const way = this.composer.march.way.length ? this.composer.march.way : this.composer.form ? chosenPath(this.composer.form) : [];
    const shown =
      walking && pointed.length ? pathCost({ composer: this.composer, ctx: this.ctx, form: walking, bar: this.bar }, pointed) : null;
    fill(this.hint, shown);
    this.ctx.map.overlay.setPath(pointed.length && walking ? [walking.start ?? "", ...pointed] : way);
  }

  /** Highlight legal, barred and chosen hexes. @param {T.Form | null} form */
  #highlightHexes(form) {
    const { map } = this.ctx;
    const asked = form ? (openField(form) ?? form.fields.findLast((field) => field.kind === "hex")) : undefined;
    const isOpen = asked?.kind === "word" || !asked;
    map.overlay.highlight(form ? (isOpen ? this.composer.guide.places : placesOf(asked)) : [], "choice");
    map.overlay.highlight(asked?.kind === "hex" ? (asked.barred ?? []).flatMap((barred) => barred.place || []) : [], "barred");
    map.overlay.highlight(pickedIn(form), "picked");
    map.overlay.setReach(this.composer.walking);
  }
}

/** The chosen kind as text: the send button is the only button of that name. @param {T.FormField} field @param {T.Choice} choice */
const chosenView = ({ key }, { token, label }) =>
  el("span.chosen", { tabindex: -1, "aria-current": true, dataset: { token, keep: `${key}=${token}` } }, label);

/** @param {T.Form | null} form */
function pickedIn(form) {
  const hexes = form?.fields.filter((field) => field.kind === "hex" && field.value) ?? [];
  const places = hexes.flatMap((field) => field.choices.find((choice) => choice.token === field.value)?.place || []);
  return [...places, ...(form?.start ? [form.start] : [])];
}

/** @param {T.Form} form */
function summaryView(form) {
  const lines = form.summary ?? [];
  return lines.length ? listOf("plain.summary", ...lines) : null;
}

/** Notice for a player who has sealed a choice without being asked. @param {Context} ctx */
function sealedView({ store }) {
  const others = store.table.awaited.map((awaited) => sentence(awaited.name)).join(COMMON.and);
  return el("p.note.good", format(ORDER.sealed, { others }));
}

// Odds before one commits: results as bars, losses as distributions with their tails, the enemy's strength as a slider
// where it is not known, and each die by itself. The numbers stand beside the bars, so nothing is in colour alone.

let count = 0;

/** @param {T.Odds} odds @param {Context} ctx @returns {HTMLElement} */
function oddsView(odds, ctx) {
  const host = el("div");
  const middle = Math.floor((odds.cases.length - 1) / 2);
  const show = (/** @type {number} */ index) => fill(host, caseView(odds.cases[index], ctx));
  show(middle);
  return el(
    "section.odds",
    { "aria-label": format(ODDS.title, { title: odds.title }) },
    el("h3", odds.title, " ", ruleLink(ctx, odds.rule)),
    odds.cases.length > 1 ? sliderView(odds.cases, middle, show) : null,
    host,
    odds.cases.length > 1 ? overviewView(odds.cases, show) : null,
    ...(odds.notes ?? []).map((note) => el("p.muted.small", note)),
    tablesView(odds.spots ?? [], ctx),
  );
}

/** The tables behind the odds, each with its first cell. @param {readonly T.Spot[]} spots @param {Context} ctx */
function tablesView(spots, ctx) {
  const first = new Map([...spots].reverse().map((spot) => [spot.table, spot]));
  const title = (/** @type {string} */ id) => ctx.store.setting.tables.find((table) => table.id === id)?.title ?? id;
  const links = [...first.values()].map((spot) => el("button.rule", { onclick: () => ctx.showTable(spot) }, title(spot.table)));
  return links.length ? el("p.small.row.odds-by", ODDS.tables, ...links) : null;
}

/**
 * Slider over the range of unknown strengths.
 * @param {readonly T.OddsCase[]} cases @param {number} at @param {(index: number) => void} show
 */
function sliderView(cases, at, show) {
  const id = `odds-${(count += 1)}`;
  const label = el("output", { htmlFor: id }, cases[at]?.label ?? "");
  const onInput = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const text = cases[Number(input.value)]?.label ?? "";
    label.textContent = text;
    input.setAttribute("aria-valuetext", text);
    show(Number(input.value));
  };
  const input = el("input", {
    id,
    type: "range",
    min: 0,
    max: cases.length - 1,
    step: 1,
    value: String(at),
    "aria-valuetext": cases[at]?.label ?? "",
    dataset: { keep: "odds-case" },
    oninput: onInput,
  });
  return el("div.odds-slider", el("label", { htmlFor: id }, ODDS.suppose, label), input);
}

/** All cases side by side, small. @param {readonly T.OddsCase[]} cases @param {(index: number) => void} show */
function overviewView(cases, show) {
  const rows = cases.map((one, index) =>
    el(
      "tr",
      el("th", { scope: "row" }, el("button.rule", { onclick: () => show(index) }, one.label)),
      el("td.odds-mini", resultBar(one.results)),
      ...one.results.map((part) => el("td.number", percent(part.chance))),
    ),
  );
  const heads = (cases[0]?.results ?? []).map((part) => el("th", { scope: "col" }, part.label));
  return el(
    "details",
    el("summary", ODDS.allCases),
    el("div.scroll-x", el("table.small", el("thead", el("tr", el("th", ODDS.case), el("td"), ...heads)), el("tbody", ...rows))),
  );
}

/** @param {T.OddsCase | undefined} one @param {Context} ctx */
function caseView(one, ctx) {
  if (!one) return null;
  return el(
    "div",
    resultBar(one.results),
    el("ul.plain.odds-results", ...one.results.map(resultLine)),
    ...(one.spreads ?? []).map((spread) => spreadView(spread, ctx)),
    one.rolls?.length ? el("details", el("summary", ODDS.rolls), listOf("plain.small", ...one.rolls)) : null,
  );
}

/** @param {T.OddsResult} part @param {number} index */
const resultLine = (part, index) =>
  el(
    "li",
    el("span.swatch", { dataset: { part: String(index % 4) }, "aria-hidden": true }),
    `${part.label}: `,
    el("strong.number", { title: part.odds }, percent(part.chance)),
  );

/** @param {readonly T.OddsResult[]} parts */
function resultBar(parts) {
  const pieces = parts.map((part, index) => el("span", { dataset: { part: String(index % 4) }, style: { "flex-grow": part.chance } }));
  return el("div.odds-bar", { "aria-hidden": true }, ...pieces);
}

/** A distribution: numbers as bars in order, with unlikely ends; anything else as a line. @param {T.Spread} spread @param {Context} ctx */
function spreadView(spread, ctx) {
  const side = spread.side < 2 ? `${sentence(ctx.store.sideName(spread.side))}: ` : "";
  const isNumber = spread.parts.length > 1 && spread.parts.every((part) => typeof part.value === "number");
  const title = el("figcaption", side, spread.label, isNumber ? meanOf(spread) : null);
  return el("figure.spread", { dataset: { side: String(spread.side) } }, title, isNumber ? barsView(spread.parts) : lineView(spread.parts));
}

/** @param {readonly T.OddsResult[]} parts */
function barsView(parts) {
  const most = Math.max(...parts.map((part) => part.chance), 0.0001);
  const bars = parts.map((part) => {
    const bar = el("span.bar", { style: { height: `${Math.max(2, (100 * part.chance) / most)}%` } });
    return el(
      "li",
      { title: part.odds },
      el("span.small.number", percent(part.chance)),
      el("span.bar-room", { "aria-hidden": true }, bar),
      el("strong.number", part.label),
    );
  });
  return el("ol.plain.spread-bars", ...bars);
}

/** @param {readonly T.OddsResult[]} parts */
const lineView = (parts) =>
  el(
    "ul.plain.spread-line",
    ...parts.map((part) => el("li", { title: part.odds }, `${part.label} `, el("strong.number", percent(part.chance)))),
  );

/** @param {T.Spread} spread */
function meanOf(spread) {
  const mean = spread.parts.reduce((sum, part) => sum + (part.value ?? 0) * part.chance, 0);
  return el("span.muted.small", format(ODDS.average, { mean: mean.toFixed(1) }));
}

/** @param {number} chance */
export function percent(chance) {
  if (chance > 0 && chance < 0.01) return "< 1 %";
  if (chance < 1 && chance > 0.99) return "> 99 %";
  return `${Math.round(100 * chance)} %`;
}
