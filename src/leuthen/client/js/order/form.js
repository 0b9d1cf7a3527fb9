// Reads forms: which questions belong together, what is still open, what a hex stands for. Knows no rule.

/** @import * as T from "../../types" */

/** The token that ends a list. */
export const STOP = "-1";

/** The order that ends a phase, in every rule set's record. */
export const ENDING = "done";

/** Questions of one name, in turn: a list of leaders, SP power by power, the hexes of a way. */
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

/** The question that waits for an answer. @param {T.Form} form */
export function openField(form) {
  const last = form.fields.at(-1);
  return last && !last.value && !form.order ? last : undefined;
}

/** The field that says what is to be done. @param {T.Form} form */
export function kindField(form) {
  return form.fields.find((field) => field.kind === "word");
}

/** Whether a question belongs to a list. @param {T.FormField} field */
export function isListed(field) {
  return field.key !== field.name;
}

/** Whether a question leaves nothing to choose. @param {T.FormField} field */
export function isSettled(field) {
  return field.choices.length <= 1 && !field.barred?.length;
}

/** The hexes from where the force stands to a place that it can reach. @param {T.Form} form @param {string} place */
export function wayTo(form, place) {
  const reach = form.reach ?? {};
  /** @type {string[]} */
  const way = [];
  for (let here = place; reach[here] && !way.includes(here); here = /** @type {T.Reached} */ (reach[here]).before) way.unshift(here);
  return way;
}

/** The way that was chosen, from where the force stands; empty if none is. @param {T.Form} form @returns {string[]} */
export function wayOf(form) {
  const steps = form.fields.filter((field) => field.kind === "path" && field.value && field.value !== STOP);
  return steps.length ? [form.start ?? "", ...steps.map((field) => field.value ?? "")] : [];
}

/** The places of a form's answers that may be given. @param {T.FormField} field */
export function placesOf(field) {
  return field.choices.flatMap((choice) => choice.place || []);
}

/** The answer of a field that a place stands for. @param {T.FormField} field @param {string} place */
export function choiceAt(field, place) {
  return field.choices.find((choice) => choice.place === place);
}

/** Why a place may not be chosen in a form. @param {T.Form} form @param {string} place @returns {T.Objection | undefined} */
export function barredAt(form, place) {
  const asked = openField(form) ?? form.fields.at(-1);
  return asked?.barred?.find((barred) => barred.place === place || barred.reason.place === place)?.reason;
}

/** Whether an order is so plain that a click on its last hex may send it. @param {T.Form} form */
export function isPlain(form) {
  const last = form.fields.findLastIndex((field) => field.kind === "hex" || field.kind === "path");
  return Boolean(form.order) && !form.odds && form.fields.slice(last + 1).every((field) => field.choices.length <= 1);
}

/** Whether a kind of order says all: there is nobody to name, no place, no number. @param {T.Form} form */
export function needsNoMore(form) {
  return (
    Boolean(form.order) &&
    !form.odds &&
    form.fields.every(({ kind, choices }) => kind === "word" || (kind === "flag" && choices.length <= 1))
  );
}

/** A list of leaders after a single one: all who go. @typedef {{lead: T.FormField, list: T.FormField[]}} Crew */

/** @param {T.Form} form @returns {Crew | undefined} */
export function crewOf(form) {
  const lead = form.fields.find((field) => field.kind === "leader" && !isListed(field) && field.value);
  if (!lead) return undefined;
  const listed = form.fields.filter((field) => field.kind === "leader" && isListed(field));
  return { lead, list: listed.filter((field) => field.name === listed[0]?.name) };
}

/** The answers for a list of tokens. @param {string} name @param {readonly string[]} tokens @returns {Record<string, string>} */
export function listAnswers(name, tokens) {
  return Object.fromEntries(tokens.map((token, index) => [`${name}.${index}`, token]));
}

/** The answers without those for fields of some names. @param {Record<string, string>} partialOrder @param {readonly string[]} names */
export function withoutNames(partialOrder, names) {
  return Object.fromEntries(Object.entries(partialOrder).filter(([key]) => !names.includes(key.split(".")[0] ?? "")));
}
