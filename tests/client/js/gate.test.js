// How many requests of a kind are on their way at once.

import assert from "node:assert/strict";
import test from "node:test";

import { Gate } from "../../../src/leuthen/client/js/session/api.js";

const settled = () => new Promise((resolve) => setTimeout(resolve));

function server() {
  const answers = [];
  let open = 0;
  let most = 0;
  const ask = async () => {
    most = Math.max(most, (open += 1));
    await new Promise((resolve) => answers.push(resolve));
    open -= 1;
    return "answer";
  };
  return { answers, ask, most: () => most, asked: () => answers.length };
}

test("no more requests run at once than allowed", async () => {
  const { answers, ask, most, asked } = server();
  const gate = new Gate(2);
  const all = Array.from({ length: 6 }, () => gate.pass(ask));
  for (let n = 0; n < 6; n += 1) {
    await settled();
    answers[n]();
  }
  assert.deepEqual(await Promise.all(all), Array(6).fill("answer"));
  assert.deepEqual([most(), asked()], [2, 6]);
});

test("a request abandoned before its turn is never sent", async () => {
  const { answers, ask, asked } = server();
  const gate = new Gate(1);
  const first = gate.pass(ask);
  const leaving = new AbortController();
  const second = gate.pass(ask, leaving.signal);
  leaving.abort();
  answers[0]();
  await first;
  await assert.rejects(second, { name: "AbortError" });
  assert.equal(asked(), 1);
});

test("an abandoned request keeps its place until it is answered", async () => {
  const { answers, ask, asked } = server();
  const gate = new Gate(1);
  const leaving = new AbortController();
  const first = gate.pass(ask, leaving.signal);
  const second = gate.pass(ask);
  await settled();
  leaving.abort();
  await assert.rejects(first, { name: "AbortError" });
  assert.equal(asked(), 1);
  answers[0]();
  await settled();
  answers[1]();
  assert.equal(await second, "answer");
});
