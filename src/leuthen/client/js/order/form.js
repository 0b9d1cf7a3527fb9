// Reads forms: which questions belong together, what is still open, what a hex stands for. Knows no rule.

import { el, format, placeName, plural, reasonLine } from "../dom.js";
import { ORDER } from "../strings/order.js";
import { MAP } from "../strings/table.js";

/** @import * as T from "../../types" */
/** @import { Context } from "../main.js" */
/** @import { Store } from "../session/store.js" */
/** @import { Composer } from "./composer.js" */

/** The token that ends a list. */
export const STOP = "-1";

/** The order that ends a phase in every rule set's record. */
export const ENDING = "done";

/** Consecutive questions of one name: a list of leaders, SP by power, the hexes of a path. */
/** @typedef {{name: string, kind: string, fields: T.FormField[]}} Group */

/** @param {T.Form} form @returns {Group[]} */
export function groupsOf(form) {
  /** @type {Group[]} */
  const groups = [];
  for (const field of form.fields) {
    const last = groups.at(-1);
    if (last && last.name === field.name) last.fields.push(field);
    else groups.push({ name: field.name, kind: field.kind, fields: [field] });
  }
  return groups;
}

/** The question that needs an answer. @param {T.Form} form */
export function openField(form) {
  const last = form.fields.at(-1);
  return last && !last.value && !form.order ? last : undefined;
}

/** The field for the kind of order. @param {T.Form} form */
export const kindField = (form) => form.fields.find((field) => field.kind === "word");

/** The answer that does nothing more: it ends a phase or lets an enemy pass; "" if there is none beside others. @param {T.Form} form */
export function passOf(form) {
  const choices = kindField(form)?.choices ?? [];
  const found = [ENDING, form.neutral ?? ""].find((token) => choices.some((choice) => choice.token === token));
  return found && choices.length > 1 ? found : "";
}

/**
 * The answer to a question that needs no player: the only legal one, or the only one with a point.
 * @param {T.Form} form @param {ReadonlyMap<string, T.Form>} [forms] by kind of order @returns {string} "" if there is none
 */
export function evidentOf(form, forms = new Map()) {
  if (form.odds) return "";
  if (form.order && form.fields.every(({ choices }) => choices.length === 1)) return form.order === ENDING ? "" : form.order;
  const kind = kindField(form);
  const [only, ...others] = kind?.choices.filter((choice) => !choice.is_hopeless) ?? [];
  if (!kind || !only || others.length || kind.choices.length === 1) return "";
  if (only.token === passOf(form)) return form.neutral ?? "";
  const { fields = [], order = "" } = forms.get(only.token) ?? {};
  return fields.every(({ key, choices }) => key === kind.key || choices.length === 1) ? order : "";
}

/** True if a question belongs to a list. @param {T.FormField} field */
export const isListed = (field) => field.key !== field.name;

/** True if a question has only one possible answer. @param {T.FormField} field */
export const isSettled = (field) => field.choices.length <= 1 && !field.barred?.length;

/** The path of hexes from the force to a reachable place. @param {T.Form} form @param {string} place */
export function pathTo(form, place) {
  const reach = form.reach ?? {};
  /** @type {string[]} */
  const way = [];
  for (let here = place; reach[here] && !way.includes(here); here = /** @type {T.Reached} */ (reach[here]).before) way.unshift(here);
  return way;
}

/** The chosen path from the force's hex, or an empty list. @param {T.Form} form @returns {string[]} */
export function chosenPath(form) {
  const steps = form.fields.filter((field) => field.kind === "path" && field.value && field.value !== STOP);
  return steps.length ? [form.start ?? "", ...steps.map((field) => field.value ?? "")] : [];
}

/** Places of a field's legal answers. @param {T.FormField} field */
export const placesOf = (field) => field.choices.flatMap((choice) => choice.place || []);

/** The answer of a field for a place. @param {T.FormField} field @param {string} place */
export const choiceAt = (field, place) => field.choices.find((choice) => choice.place === place);

/** The reason why a place is barred in a form. @param {T.Form} form @param {string} place @returns {T.Objection | undefined} */
export function barredAt(form, place) {
  const asked = openField(form) ?? form.fields.at(-1);
  return asked?.barred?.find((barred) => barred.place === place || barred.reason.place === place)?.reason;
}

/** True if an order is so simple that a click on its last hex may send it. @param {T.Form} form */
export function isPlain(form) {
  const last = form.fields.findLastIndex((field) => field.kind === "hex" || field.kind === "path");
  return Boolean(form.order) && !form.odds && form.fields.slice(last + 1).every((field) => field.choices.length <= 1);
}

/** True if a kind of order needs no further answers. @param {T.Form} form */
export const needsNoMore = (form) =>
  Boolean(form.order) &&
  !form.odds &&
  form.fields.every(({ kind, choices }) => kind === "word" || (kind === "flag" && choices.length <= 1));

/** A leader followed by a list of leaders: all who march. @typedef {{lead: T.FormField, list: T.FormField[]}} Crew */

/** @param {T.Form} form @returns {Crew | undefined} */
export function marchersOf(form) {
  const lead = form.fields.find((field) => field.kind === "leader" && !isListed(field) && field.value);
  if (!lead) return undefined;
  const listed = form.fields.filter((field) => field.kind === "leader" && isListed(field));
  return { lead, list: listed.filter((field) => field.name === listed[0]?.name) };
}

/** Answers for a list of tokens. @param {string} name @param {readonly string[]} tokens @returns {Record<string, string>} */
export const listAnswers = (name, tokens) => Object.fromEntries(tokens.map((token, index) => [`${name}.${index}`, token]));

/** The answers without fields of certain names. @param {Record<string, string>} partialOrder @param {readonly string[]} names */
export const withoutNames = (partialOrder, names) =>
  Object.fromEntries(Object.entries(partialOrder).filter(([key]) => !names.includes(key.split(".")[0] ?? "")));

// The questions of an order as controls. Each group is a fieldset; what is barred can be pressed, and says why.

/** The owner of the choices. @typedef {{partialOrder: Record<string, string>, choose: Composer["choose"], begin: Composer["begin"]}} Maker */

/** Everything a control needs. @typedef {{composer: Maker, ctx: Context, form: T.Form, bar: (reason: T.Objection) => void}} Desk */

const FEW = 24;

/** @param {Desk} desk @param {Group} group @returns {HTMLElement | null} */
export function groupView(desk, group) {
  if (group.kind === "count") {
    if (group.fields.every((field) => isSettled(field) && field.value === "0")) return null;
    return el("div.counts", ...group.fields.map((field) => countView(desk, field)));
  }
  if (group.kind === "path") return pathView(desk, group);
  if (group.kind === "leader") return leadersView(desk, group);
  return el("div", ...group.fields.map((field) => fieldView(desk, field)));
}

/** @param {string} key @param {string} label @param {...(Node | null)} content */
const fieldset = (key, label, ...content) => el("fieldset.field", { dataset: { field: key } }, el("legend", label), ...content);

/** @param {Desk} desk @param {T.FormField} field */
function fieldView(desk, field) {
  if (field.kind === "hex") return hexView(desk, field);
  if (isSettled(field)) return null;
  // After another power, the answers to the later questions may no longer be legal.
  const later = field.kind === "power" ? desk.form.fields.slice(desk.form.fields.indexOf(field) + 1).map(({ name }) => name) : ["at"];
  return fieldset(
    field.key,
    field.label,
    answersView(desk, field, (token) => desk.composer.choose({ [field.key]: token }, later)),
  );
}

/** Answers as buttons, and the barred ones. @param {Desk} desk @param {T.FormField} field @param {(token: string) => void} choose */
export function answersView(desk, field, choose) {
  const free = field.choices.map((choice) => answerButton(field, choice, choose));
  const barred = (field.barred ?? []).slice(0, FEW).map((answer) => barredButton(desk, answer));
  return el("div.row.answers", ...free, ...barred);
}

/** A choice with its price. @param {T.Choice} choice */
export const priced = ({ label, price }) => [label, price ? el("small.muted", price) : null];

/** @param {T.FormField} field @param {T.Choice} choice @param {(token: string) => void} choose */
export function answerButton(field, choice, choose) {
  const { token } = choice;
  const dataset = { token, keep: `${field.key}=${token}` };
  return el("button", { dataset, "aria-pressed": field.value === token, onclick: () => choose(token) }, ...priced(choice));
}

/** @param {Desk} desk @param {T.Barred} answer */
export function barredButton(desk, answer) {
  const props = {
    dataset: { token: answer.token },
    "aria-disabled": true,
    title: `${answer.reason.text} (${answer.reason.rule})`,
    onclick: () => desk.bar(answer.reason),
  };
  return el("button", props, answer.label);
}

/** A hex, chosen on the map or here: by button, or in a list of many. Barred ones are folded. @param {Desk} desk @param {T.FormField} field */
function hexView(desk, field) {
  const choose = (/** @type {string} */ token) => desk.composer.choose({ [field.key]: token }, ["at"]);
  const few = el("div.row.answers.places", ...field.choices.map((choice) => answerButton(field, choice, choose)));
  const sorted = field.choices.toSorted(
    (a, b) => Number(/\d$/.test(a.label)) - Number(/\d$/.test(b.label)) || a.label.localeCompare(b.label),
  );
  const options = sorted.map(({ token, label }) => el("option", { value: token, dataset: { token } }, label));
  const many = [el("option", { value: "" }, ORDER.orHere), ...options];
  const barred = field.barred ?? [];
  const folded = barred.length
    ? el(
        "details.not-these",
        el("summary", format(ORDER.barredHexes, { hexes: plural(barred.length, MAP.hex, MAP.hexes) })),
        el("div.row.answers.places", ...barred.map((answer) => barredButton(desk, answer))),
      )
    : null;
  const choices = field.choices.length > FEW ? selectOf(field.label, field.key, field.value ?? "", many, choose) : few;
  return fieldset(field.key, field.label, choices, folded);
}

/**
 * @param {string} label @param {string} keep @param {string} value @param {readonly HTMLOptionElement[]} options
 * @param {(value: string) => void} choose
 */
export function selectOf(label, keep, value, options, choose) {
  const select = el("select", { "aria-label": label, dataset: { keep }, onchange: () => choose(select.value) }, ...options);
  select.value = value;
  return select;
}

// --- leaders ---

/** @param {Desk} desk @param {Group} group */
function leadersView(desk, group) {
  const crew = marchersOf(desk.form);
  const first = group.fields[0];
  if (!first) return null;
  if (crew && group.fields.includes(crew.lead)) return marchersView(desk, crew);
  if (crew?.list.includes(first)) return null;
  if (isListed(first)) return listView(desk, group);
  return stacksView(desk, first);
}

/** Possible leaders, by place. @param {Desk} desk @param {T.FormField} field */
function stacksView(desk, field) {
  const places = [...new Set(field.choices.map((choice) => choice.place ?? ""))];
  const stacks = places.map((place) => {
    const leaders = field.choices.filter((choice) => (choice.place ?? "") === place);
    const buttons = leaders.map((choice) =>
      answerButton(field, choice, (token) => void desk.composer.begin({ ...desk.composer.partialOrder, [field.key]: token })),
    );
    return el("div.stack-choice", place ? el("span.muted", placeName(desk.ctx.store, place)) : null, el("div.row", ...buttons));
  });
  const barred = (field.barred ?? []).map((answer) => barredButton(desk, answer));
  return fieldset(field.key, field.label, ...stacks, barred.length ? el("div.row", ...barred) : null);
}

/** All who march: the first leader and the companions, in one list. @param {Desk} desk @param {Crew} crew */
function marchersView(desk, { lead, list }) {
  const first = list[0];
  const here = lead.choices.find((choice) => choice.token === lead.value);
  const pool = [...(here ? [{ ...here, price: "" }] : []), ...(first?.choices ?? [])];
  const barred = (first?.barred ?? []).filter((answer) => answer.token !== lead.value);
  const listName = first?.name ?? "companions";
  return checksView(desk, "leaders", list.length ? ORDER.leaders : lead.label, pool, barred, [lead, ...list], ([leader, ...rest]) => {
    if (leader === undefined) desk.composer.choose({}, [lead.name, listName, "sp", "path", "at"]);
    else desk.composer.choose({ [lead.key]: leader, ...listAnswers(listName, [...rest, STOP]) }, [listName, "path", "at"]);
  });
}

/** @param {Desk} desk @param {Group} group */
function listView(desk, { name, fields }) {
  const { label, choices, barred = [] } = /** @type {T.FormField} */ (fields[0]);
  if (choices.every((choice) => choice.token === STOP) && !barred.length) return null;
  return checksView(desk, name, label, choices, barred, fields, (rest) => desk.composer.choose(listAnswers(name, [...rest, STOP]), [name]));
}

/**
 * A list of which any may be chosen.
 * @param {Desk} desk @param {string} key @param {string} label @param {readonly T.Choice[]} pool @param {readonly T.Barred[]} barred
 * @param {readonly T.FormField[]} fields answered so far @param {(tokens: string[]) => void} choose
 */
function checksView(desk, key, label, pool, barred, fields, choose) {
  const going = fields.flatMap(({ value }) => (value && value !== STOP ? value : []));
  const toggle = (/** @type {string} */ token) =>
    choose(going.includes(token) ? going.filter((other) => other !== token) : [...going, token]);
  const checks = pool.flatMap((choice) => {
    const { token } = choice;
    if (token === STOP) return [];
    const props = { type: "checkbox", checked: going.includes(token), dataset: { token, keep: `${key}=${token}` } };
    return el("label.check", el("input", { ...props, onchange: () => toggle(token) }), ...priced(choice));
  });
  const out = barred.map((answer) => barredButton(desk, answer));
  return fieldset(key, label, el("div.checks", ...checks), out.length ? el("div.row", ...out) : null);
}

// --- numbers ---

/** A number: typed, stepped, or all, all but one, none. @param {Desk} desk @param {T.FormField} field */
function countView(desk, field) {
  const numbers = field.choices.map((choice) => Number(choice.token));
  const [least, most] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
  const now = Number(field.value || least);
  const set = (/** @type {number} */ number) => desk.composer.choose({ [field.key]: String(number) }, field.name === "sp" ? ["path"] : []);
  /** A barred number can still be requested: the answer explains the reason. @param {string} sign @param {number} number @param {string} label */
  const step = (sign, number, label = sign) => {
    const isFree = field.choices.some((choice) => choice.token === String(number));
    const props = { "aria-label": `${field.label}: ${label}`, "aria-disabled": isFree ? null : true, onclick: () => set(number) };
    return el("button.quiet", { ...props, dataset: { keep: `${field.key} ${sign}` } }, sign);
  };
  const input = el("input", {
    type: "text",
    inputmode: "numeric",
    class: "number",
    size: 3,
    role: "spinbutton",
    value: field.value || (desk.composer.partialOrder[field.key] ?? ""),
    "aria-label": field.label,
    "aria-valuenow": now,
    "aria-valuemin": least,
    "aria-valuemax": most,
    dataset: { keep: field.key, count: field.key },
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      set(Math.min(most, Math.max(least, now + by)));
    },
    oninput: (/** @type {Event} */ event) => {
      const text = /** @type {HTMLInputElement} */ (event.target).value.trim();
      if (/^\d+$/.test(text)) set(Number(text));
    },
  });
  const { price, label = "" } = field.choices.find((choice) => choice.token === field.value) ?? {};
  const named = label === field.value ? undefined : label;
  const shortcuts = most > least + 2 ? shortcutsOf(field, least, most).map(([sign, number]) => step(sign, number)) : [];
  return fieldset(
    field.key,
    field.label,
    el(
      "div.row.count",
      step("−", now - 1, ORDER.less),
      input,
      step("+", now + 1, ORDER.more),
      ...shortcuts,
      el("span.muted.small", price ?? named ?? format(ORDER.ofMost, { most })),
    ),
  );
}

/**
 * Shortcuts: all, all but one and none for troops; the labelled ends for anything else.
 * @param {T.FormField} field @param {number} least @param {number} most @returns {[string, number][]}
 */
function shortcutsOf({ choices }, least, most) {
  const [first, last] = [choices[0]?.label ?? "", choices.at(-1)?.label ?? ""];
  if (first !== String(least) || last !== String(most))
    return [
      [last, most],
      [first, least],
    ];
  return [
    [ORDER.all, most],
    [ORDER.allButOne, most - 1],
    [least ? String(least) : ORDER.none, least],
  ];
}

// --- the way ---

/** @param {Desk} desk @param {Group} group */
function pathView(desk, { fields }) {
  const { form, ctx, composer } = desk;
  const way = chosenPath(form);
  const reach = Object.entries(form.reach ?? {}).sort(([, a], [, b]) => a.spent - b.spent);
  const options = reach.map(([place, { left, stops }]) => {
    const text = format(ORDER.reached, { place: placeName(ctx.store, place), left, stops: stops ? ORDER.endsThere : "" });
    return el("option", { value: place, dataset: { token: place } }, text);
  });
  const all = [el("option", { value: "" }, ORDER.orHere), ...options];
  const select = selectOf(ORDER.whereTo, "path", way.at(-1) ?? "", all, (path) => composer.choose({ path }, ["path", "at"]));
  const open = fields.find((field) => !field.value);
  const choose = (/** @type {string} */ token) => open && composer.choose({ [open.key]: token }, ["at"]);
  const stays = open?.choices.filter((choice) => choice.token === STOP) ?? [];
  const steps = open && !reach.length ? answersView(desk, open, choose) : null;
  const stay = open && reach.length && stays.length ? answersView(desk, { ...open, choices: stays, barred: [] }, choose) : null;
  return fieldset("path", ORDER.whereTo, reach.length ? select : null, steps, stay);
}

/** Cost of a path, hex by hex. @param {Store} store @param {Record<string, T.Reached>} reach @param {readonly string[]} way the hexes after the start */
export function pathCost(store, reach, way) {
  const last = reach[way.at(-1) ?? ""];
  const hexes = way.map((place) => el("li", placeName(store, place), " ", el("span.muted", reach[place]?.price ?? "")));
  const spent = last && format(ORDER.spent, { spent: last.spent, left: last.left, stops: last.stops ? ORDER.legEnds : "" });
  return el("div.way", el("ol.plain", ...hexes), spent && el("p.number", spent));
}

/** Refused answers with their reasons. @param {Context} ctx @param {readonly T.Objection[]} refused */
export function refusedView(ctx, refused) {
  if (!refused.length) return null;
  return el("ul.plain.note.bad", { role: "alert" }, ...refused.map((reason) => el("li", reasonLine(ctx, reason))));
}
