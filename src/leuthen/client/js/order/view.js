// The order composer on the page: kinds of order, the questions of the one chosen, what it comes to, and the button
// that sends it. Everything is drawn again from the form; the focus stays where it is.

import { button, el, fill, format, listOf, placeName, rowOf, ruleLink, sentence } from "../dom.js";
import * as forms from "./form.js";
import { settingOf } from "../settings.js";
import { COMMON } from "../strings/common.js";
import { ODDS, ORDER } from "../strings/order.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Composer } from "./composer.js" */
/** @import { Desk } from "./form.js" */

/** @param {HTMLElement} host @param {Composer} composer @param {Context} ctx @param {(reason: T.Objection) => void} bar shows why */
export function mountOrder(host, composer, ctx, bar) {
  const { map, store } = ctx;
  /** Place of the selected force, or "". */
  let start = "";
  /** The question whose possible actors were shown. @type {string | null} */
  let question = null;
  const body = el("div.order-form");
  const way = el("div.order-hint");
  const act = el("div.row.act");
  const foot = el("div");

  const draw = () => {
    const { form } = composer;
    setStale(false);
    const desk = form && { composer, ctx, form, bar };
    fill(body, marching(), ...(desk ? content(desk) : []));
    drawFoot(desk);
    drawPointed();
    highlightHexes(form);
    if (form && composer.isBegun) {
      const open = forms.openField(form);
      const groups = [...body.querySelectorAll("fieldset.field")];
      const group = groups.find((one) => one instanceof HTMLElement && one.dataset.field === open?.key) ?? groups.at(-1);
      group?.scrollIntoView({ block: "nearest" });
    }
    showAble();
    const force = form?.start ?? "";
    if (force && force !== start) map.reveal(force);
    start = force;
  };
  /** Show who may act, once for each new question. */
  const showAble = () => {
    const asked = store.asked?.text ?? "";
    const { places } = composer.guide;
    if (asked === question || (asked && !places.size)) return;
    if (asked && question !== null && !composer.isBegun) map.reveal(...places);
    question = asked;
  };
  /** Disable the answers to an earlier question. @param {boolean} isStale */
  const setStale = (isStale) => {
    for (const part of [body, foot]) part.classList.toggle("is-stale", isStale);
    body.setAttribute("aria-busy", String(isStale));
  };
  /** Notice of a march that continues by itself, with a button to stop it. */
  const marching = () => {
    const goal = composer.sequel.march.way.at(-1);
    if (!goal) return null;
    const stop = button(ORDER.stopMarch, "stop-march", () => composer.halt());
    return el("div.note.row.marching", el("span", format(ORDER.marchingOn, { place: placeName(store, goal) })), stop);
  };

  const content = (/** @type {Desk} */ desk) => {
    const { form } = desk;
    const kind = forms.kindField(form);
    const groups = forms.groupsOf(form).filter((group) => group.kind !== "word");
    const others = store.table.awaited.map((awaited) => sentence(awaited.name)).join(COMMON.and);
    return [
      store.asked ? null : el("p.note.good", format(ORDER.sealed, { others })), // a choice is sealed, and others are asked
      kind ? kindsView(desk, kind) : null,
      ...groups.map((group) => forms.groupView(desk, group)),
      way,
      form.summary?.length ? listOf("plain.summary", ...form.summary) : null,
      haltsView(form),
      form.odds ? oddsView(form.odds, ctx) : null,
      forms.refusedView(ctx, form.refused ?? []),
    ];
  };
  /** The kinds of order, except the one that does nothing more, which has its place at the foot. @param {Desk} desk @param {T.FormField} field */
  const kindsView = (desk, field) => {
    const pass = forms.passOf(desk.form);
    const choices = field.choices.filter(({ token }) => token !== pass);
    const barred = field.barred?.filter(({ token }) => token !== forms.ENDING);
    if (!choices.length && !barred?.length) return null;
    if (field.choices.length === 1 && field.value && !barred?.length) return null;
    const group = forms.answersView(desk, { ...field, choices, barred }, (token) => void composer.chooseKind(token));
    group.classList.add("kinds");
    // The chosen kind is text: the send button is the only button of that name.
    for (const { token, label } of choices.filter((choice) => choice.token === field.value)) {
      const props = { tabindex: -1, "aria-current": true, dataset: { token, keep: `${field.key}=${token}` } };
      group.querySelector(`[data-token="${CSS.escape(token)}"]`)?.replaceWith(el("span.chosen", props, label));
    }
    return el("div", { role: "group", "aria-label": field.label, dataset: { field: field.key } }, group);
  };
  /** Answers that can be sent along with the order. @param {T.Form} form */
  const haltsView = ({ halts = [] }) => {
    if (!halts.length) return null;
    const buttons = halts.map((choice) => {
      const { token } = choice;
      const dataset = { halt: token, keep: `halt=${token}` };
      const props = { dataset, "aria-pressed": composer.ending === token, onclick: () => composer.follow(token) };
      return el("button", props, ...forms.priced(choice));
    });
    return el("div.row.answers.halts", { role: "group", "aria-label": ORDER.andThen }, ...buttons);
  };

  /** The part that is always visible below the questions: the hint, the send button, and the button to cancel or pass. @param {Desk | null} desk */
  const drawFoot = (desk) => {
    const sending = desk && sendButton(desk.form);
    const canCancel = desk && composer.isBegun && (forms.kindField(desk.form)?.choices.length ?? 0) > 1;
    const cancel = canCancel ? button(COMMON.cancel, "cancel", () => composer.cancel()) : null;
    const leave = desk && (sending ? cancel : passButton(desk));
    const ways = desk && composer.canSkip ? Object.entries(ORDER.leaves).map(([until, name]) => skipButton(desk.form, until, name)) : [];
    const hint = el("p.foot-hint.muted.small", desk && hintOf(desk.form));
    fill(act, sending ?? hint, leave);
    act.classList.toggle("sending", Boolean(sending));
    fill(foot, ways.length ? el("div.row.leaving", ...ways) : null, sending ? hint : null, act);
  };
  /** The chosen kind in words. @param {T.Form} form */
  const labelOf = (form) => {
    const kind = forms.kindField(form);
    return kind?.choices.find((choice) => choice.token === kind.value)?.label ?? ORDER.send;
  };
  const sendButton = (/** @type {T.Form} */ form) => {
    const kind = forms.kindField(form);
    if (kind && !kind.value) return null;
    const look = store.asked ? "primary" : "";
    const props = { class: look, dataset: { do: "send", keep: "send" }, "aria-disabled": form.order ? null : true };
    return el("button", { ...props, onclick: () => send(form) }, labelOf(form));
  };
  const passButton = (/** @type {Desk} */ desk) => {
    const kind = forms.kindField(desk.form);
    const choice = kind?.choices.find(({ token }) => token === forms.passOf(desk.form));
    const barred = kind?.barred?.find(({ token }) => token === forms.ENDING);
    const choose = (/** @type {string} */ token) => void composer.chooseKind(token);
    const pass = choice && kind ? forms.answerButton(kind, choice, choose) : barred && forms.barredButton(desk, barred);
    return pass ? el("div.pass", { dataset: { field: "do" } }, pass) : null;
  };
  /** The order together with the skipping of everything after it. @param {T.Form} form @param {string} until @param {string} name of what is left */
  const skipButton = (form, until, name) => {
    const dataset = { do: `send-${until}`, keep: `send-${until}` };
    return el("button.quiet", { dataset, "aria-label": `${labelOf(form)}, ${name}`, onclick: () => send(form, until) }, `… ${name}`);
  };
  /** Hint on the next step. @param {T.Form} form */
  const hintOf = (form) => {
    const open = forms.openField(form);
    if (open?.kind === "word") return composer.guide.places.size ? ORDER.chooseOrClick : null;
    if (open) return open.kind === "path" ? ORDER.whereToQuestion : format(ORDER.question, { label: open.label });
    return form.order && forms.chosenPath(form).length && settingOf("at-once") !== "yes" ? ORDER.clickAgain : null;
  };
  /** @param {T.Form} form @param {string} [until] */
  const send = (form, until) => {
    if (form.order) void composer.send(until);
    else bar(form.refused?.[0] ?? { rule: "", text: format(ORDER.chooseFirst, { what: forms.openField(form)?.label ?? ORDER.anOrder }) });
  };

  const drawPointed = () => {
    const { walking, pointed, sequel, form } = composer;
    const isPointed = walking && pointed.length > 0;
    fill(way, isPointed ? forms.pathCost(store, walking.reach ?? {}, pointed) : null);
    const chosen = sequel.march.way.length ? sequel.march.way : form ? forms.chosenPath(form) : [];
    map.overlay.setPath(isPointed ? [walking.start ?? "", ...pointed] : chosen);
  };
  /** Highlight legal, barred and chosen hexes. @param {T.Form | null} form */
  const highlightHexes = (form) => {
    const asked = form ? (forms.openField(form) ?? form.fields.findLast((field) => field.kind === "hex")) : undefined;
    const isOpen = asked?.kind === "word" || !asked;
    const hexes = form?.fields.filter((field) => field.kind === "hex" && field.value) ?? [];
    const picked = hexes.flatMap((field) => field.choices.find((choice) => choice.token === field.value)?.place || []);
    map.overlay.highlight(form ? (isOpen ? composer.guide.places : forms.placesOf(asked)) : [], "choice");
    map.overlay.highlight(asked?.kind === "hex" ? (asked.barred ?? []).flatMap((barred) => barred.place || []) : [], "barred");
    map.overlay.highlight([...picked, form?.start ?? ""], "picked");
    map.overlay.setReach(composer.walking);
  };

  fill(host, body, el("div.foot", foot, ...host.children));
  composer.addEventListener("change", draw);
  composer.addEventListener("stale", () => setStale(true));
  composer.addEventListener("point", drawPointed);
  composer.on("proposed", ([place]) => map.reveal(place));
}

// Odds before one commits: results as bars, losses as distributions with their tails, the enemy's strength as a slider
// where it is not known, and each die by itself. The numbers stand beside the bars, so nothing is in colour alone.

let count = 0;

/** @param {T.Odds} odds @param {Context} ctx @returns {HTMLElement} */
function oddsView({ title, rule, cases, notes = [], spots = [] }, ctx) {
  const host = el("div");
  const middle = Math.floor((cases.length - 1) / 2);
  const show = (/** @type {number} */ index) => fill(host, caseView(cases[index], ctx));
  show(middle);
  // The tables behind the odds, each with its first cell.
  const first = new Map(spots.toReversed().map((spot) => [spot.table, spot]));
  const titleOf = (/** @type {string} */ id) => ctx.store.setting.tables.find((table) => table.id === id)?.title ?? id;
  const links = [...first.values()].map((spot) => el("button.rule", { onclick: () => ctx.showTable(spot) }, titleOf(spot.table)));
  return el(
    "section.odds",
    { "aria-label": format(ODDS.title, { title }) },
    el("h3", title, " ", ruleLink(ctx, rule)),
    cases.length > 1 ? sliderView(cases, middle, show) : null,
    host,
    cases.length > 1 ? overviewView(cases, show) : null,
    ...notes.map((note) => el("p.muted.small", note)),
    links.length ? el("p.small.row.odds-by", ODDS.tables, ...links) : null,
  );
}

/** Slider over the range of unknown strengths. @param {readonly T.OddsCase[]} cases @param {number} at @param {(index: number) => void} show */
function sliderView(cases, at, show) {
  const id = `odds-${(count += 1)}`;
  const text = (/** @type {number} */ index) => cases[index]?.label ?? "";
  const label = el("output", { htmlFor: id }, text(at));
  const oninput = () => {
    const index = Number(input.value);
    label.textContent = text(index);
    input.setAttribute("aria-valuetext", text(index));
    show(index);
  };
  const range = { type: "range", min: 0, max: cases.length - 1, step: 1, value: String(at) };
  const input = el("input", { id, ...range, "aria-valuetext": text(at), dataset: { keep: "odds-case" }, oninput });
  return el("div.odds-slider", el("label", { htmlFor: id }, ODDS.suppose, label), input);
}

/** All cases side by side, small. @param {readonly T.OddsCase[]} cases @param {(index: number) => void} show */
function overviewView(cases, show) {
  const rows = cases.map((one, index) =>
    rowOf(
      el("button.rule", { onclick: () => show(index) }, one.label),
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

const resultLine = (/** @type {T.OddsResult} */ part, /** @type {number} */ index) =>
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
  const mean = spread.parts.reduce((sum, part) => sum + (part.value ?? 0) * part.chance, 0);
  const average = isNumber ? el("span.muted.small", format(ODDS.average, { mean: mean.toFixed(1) })) : null;
  const title = el("figcaption", side, spread.label, average);
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

const lineView = (/** @type {readonly T.OddsResult[]} */ parts) =>
  el(
    "ul.plain.spread-line",
    ...parts.map((part) => el("li", { title: part.odds }, `${part.label} `, el("strong.number", percent(part.chance)))),
  );

/** @param {number} chance */
export function percent(chance) {
  if (chance > 0 && chance < 0.01) return "< 1 %";
  if (chance < 1 && chance > 0.99) return "> 99 %";
  return `${Math.round(100 * chance)} %`;
}
