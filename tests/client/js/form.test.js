// What a form says: which questions belong together, what is open, which way was chosen.

import assert from "node:assert/strict";
import test from "node:test";
import * as forms from "../../../src/leuthen/client/js/order/form.js";

/** A question as the server asks it; what is at its default may be left out. @param {object} given @returns {any} */
const field = (given) => ({ key: "x", name: "x", kind: "count", label: "X", choices: [], ...given });
/** @param {readonly object[]} fields @param {object} [rest] @returns {any} */
const form = (fields, rest = {}) => ({ fields: fields.map(field), ...rest });
const choice = (/** @type {string} */ token, place = "") => ({ token, label: token, place });

const MARCH = form(
  [
    { key: "do", name: "do", kind: "word", value: "march", choices: [choice("march"), choice("done")] },
    { key: "leader", name: "leader", kind: "leader", value: "3", choices: [choice("3", "2221")] },
    { key: "others.0", name: "others", kind: "leader", value: "4", choices: [choice("4"), choice("-1")] },
    { key: "others.1", name: "others", kind: "leader", value: "-1", choices: [choice("-1")] },
    { key: "path.0", name: "path", kind: "path", value: "2120" },
    { key: "path.1", name: "path", kind: "path", value: "" },
  ],
  { start: "2221", reach: { 2120: { before: "2221" }, 2019: { before: "2120" } } },
);

test("questions of one name are grouped", () => {
  const groups = forms.groupsOf(MARCH).map((group) => [group.name, group.fields.length]);
  assert.deepEqual(groups, [
    ["do", 1],
    ["leader", 1],
    ["others", 2],
    ["path", 2],
  ]);
});

test("the last question is open until it is answered or the order is whole", () => {
  assert.equal(forms.openField(MARCH)?.key, "path.1");
  assert.equal(forms.openField({ ...MARCH, order: "march 2120" }), undefined);
  assert.equal(forms.openField(form([{ value: "1" }])), undefined);
});

test("a path leads step by step to a reachable hex", () => {
  assert.deepEqual(forms.pathTo(MARCH, "2019"), ["2120", "2019"]);
  assert.deepEqual(forms.pathTo(MARCH, "9999"), []);
  const circle = form([], { reach: { a: { before: "b" }, b: { before: "a" } } });
  assert.deepEqual(forms.pathTo(circle, "a"), ["b", "a"]);
});

test("the chosen path begins in the force's hex", () => {
  assert.deepEqual(forms.chosenPath(MARCH), ["2221", "2120"]);
  assert.deepEqual(forms.chosenPath(form([{ kind: "path", value: forms.STOP }])), []);
});

test("the marchers are the leader and the companions", () => {
  const crew = forms.marchersOf(MARCH);
  assert.equal(crew?.lead.value, "3");
  assert.deepEqual(
    crew?.list.map((one) => one.key),
    ["others.0", "others.1"],
  );
  assert.equal(forms.marchersOf(form([{ kind: "leader", value: "" }])), undefined);
});

test("an order is plain without choices after its last hex", () => {
  const hex = { kind: "hex", value: "2019" };
  const flag = (/** @type {number} */ count) => ({ kind: "flag", choices: Array(count).fill(choice("yes")) });
  assert.ok(forms.isPlain(form([hex, flag(1)], { order: "x" })));
  assert.ok(!forms.isPlain(form([hex, flag(2)], { order: "x" })));
  assert.ok(!forms.isPlain(form([hex], {})));
  assert.ok(!forms.isPlain(form([hex], { order: "x", odds: {} })));
});

test("a kind of order without names needs no more answers", () => {
  const word = { kind: "word", value: "done" };
  assert.ok(forms.needsNoMore(form([word], { order: "done" })));
  assert.ok(!forms.needsNoMore(form([word, { kind: "leader" }], { order: "x" })));
  assert.ok(!forms.needsNoMore(form([word], { order: "x", odds: {} })));
});

test("a barred place is found by the answer or by its reason", () => {
  const barred = [
    { token: "1", label: "1", place: "2018", reason: { rule: "O5.3", text: "too far" } },
    { token: "2", label: "2", place: "", reason: { rule: "O5.4", text: "a river", place: "2017" } },
  ];
  const asked = form([{ kind: "hex", barred }]);
  assert.equal(forms.barredAt(asked, "2018")?.rule, "O5.3");
  assert.equal(forms.barredAt(asked, "2017")?.rule, "O5.4");
  assert.equal(forms.barredAt(asked, "2016"), undefined);
});

test("answers of a list have its name and a number", () => {
  const answers = { do: "march", ...forms.listAnswers("others", ["4", "5"]), path: "2120" };
  assert.deepEqual(answers, { do: "march", "others.0": "4", "others.1": "5", path: "2120" });
  assert.deepEqual(forms.withoutNames(answers, ["others", "path"]), { do: "march" });
});

test("a question with one answer and no bar is settled", () => {
  assert.ok(forms.isSettled(field({ choices: [choice("1")] })));
  assert.ok(!forms.isSettled(field({ choices: [choice("1"), choice("2")] })));
  assert.ok(!forms.isSettled(field({ choices: [choice("1")], barred: [{}] })));
});

test("a question's places lead to their answers", () => {
  const asked = field({ choices: [choice("a", "2019"), choice("b"), choice("c", "2020")] });
  assert.deepEqual(forms.placesOf(asked), ["2019", "2020"]);
  assert.equal(forms.choiceAt(asked, "2020")?.token, "c");
  assert.equal(forms.choiceAt(asked, "2021"), undefined);
});

const REACTION = form([{ key: "do", name: "do", kind: "word", choices: [choice("hold"), { ...choice("react"), is_hopeless: true }] }], {
  neutral: "hold",
});
const asked = (/** @type {readonly object[]} */ ...choices) =>
  form([{ key: "do", name: "do", kind: "word", choices }], { neutral: "hold" });

test("the passing answer is one of several", () => {
  assert.equal(forms.passOf(MARCH), "done");
  assert.equal(forms.passOf(REACTION), "hold");
  assert.equal(forms.passOf(asked(choice("hold"))), "");
  assert.equal(forms.passOf(asked(choice("feed"), choice("starve"))), "");
});

test("a question answers itself if no other answer can succeed", () => {
  assert.equal(forms.evidentOf(REACTION), "hold");
  assert.equal(forms.evidentOf(asked(choice("hold"), choice("react"))), "");
  assert.equal(forms.evidentOf(asked(choice("feed"), choice("starve"))), "");
});

test("an answer is evident if declining gains nothing", () => {
  const question = asked({ ...choice("hold"), is_hopeless: true }, choice("declare"));
  const concentrate = { key: "concentrate", name: "concentrate", kind: "flag", choices: [choice("1")] };
  const ready = { ...form([...question.fields, concentrate]), order: "declare 1 0" };
  assert.equal(forms.evidentOf(question, new Map([["declare", ready]])), "declare 1 0");
  assert.equal(forms.evidentOf(question), "");
  const open = { ...ready, fields: [...question.fields, { ...concentrate, choices: [choice("0"), choice("1")] }] };
  assert.equal(forms.evidentOf(question, new Map([["declare", open]])), "");
});

test("a single answer is evident unless it ends a phase or rolls", () => {
  const only = (/** @type {string} */ order, rest = {}) => ({ ...asked(choice(order)), order, ...rest });
  assert.equal(forms.evidentOf(only("halt")), "halt");
  assert.equal(forms.evidentOf(only("done")), "");
  assert.equal(forms.evidentOf(only("attack", { odds: {} })), "");
  assert.equal(forms.evidentOf({ ...asked(choice("lose"), choice("keep")), order: "lose" }), "");
});
