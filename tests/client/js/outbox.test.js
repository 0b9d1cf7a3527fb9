// What was said and has not reached the table yet.

import assert from "node:assert/strict";
import test from "node:test";

import { Emitter } from "../../../src/leuthen/client/js/dom.js";
import { Refused } from "../../../src/leuthen/client/js/session/api.js";
import { Outbox } from "../../../src/leuthen/client/js/session/sender.js";

const refusal = (status, detail) => new Refused({ status, title: "", detail, rule: "", place: "", n: -1 });

/** A table that answers as it is told to: with a line, or by throwing. */
function table(...answers) {
  const said = [];
  const store = new Emitter();
  const api = {
    seat: "seat",
    say: async (text, key) => {
      said.push([text, key]);
      const answer = answers.shift();
      if (answer) throw answer;
      return { n: said.length, side: 0, at: "", text };
    },
  };
  const outbox = new Outbox(api, store);
  const live = async () => {
    store.tell("connection", "live");
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { outbox, said, live };
}

test("chat lines are sent in order, each once", async () => {
  const { outbox, said } = table();
  await Promise.all(["one", "two", "three"].map((text) => outbox.add(text)));
  assert.deepEqual(
    said.map(([text]) => text),
    ["one", "two", "three"],
  );
  assert.deepEqual(outbox.lines, []);
});

test("an unanswered line is resent with its key", async () => {
  const { outbox, said, live } = table(refusal(0, "no connection"));
  await outbox.add("one");
  await live();
  assert.equal(said.length, 2);
  assert.deepEqual(said[0], said[1]);
  assert.deepEqual(outbox.lines, []);
});

test("a refused line keeps its text, and the next is sent", async () => {
  const { outbox, said } = table(refusal(403, "You only watch."));
  await outbox.add("one");
  await outbox.add("two");
  assert.deepEqual(
    outbox.lines.map(({ text, problem }) => [text, problem]),
    [["one", "You only watch."]],
  );
  await outbox.resend(said[0][1]);
  assert.deepEqual(outbox.lines, []);
});
