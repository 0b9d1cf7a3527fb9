// Requests: what an address says, however it was passed on; how many of a kind are on their way at once; and what a server has no time for
// is asked again when the server said when, for a while.

import assert from "node:assert/strict";
import test from "node:test";
import { Gate, Refused, SeatApi, decoded, idIn, seatIn, untilAnswered } from "../../../src/leuthen/client/js/session/api.js";

test("characters that a messenger appends to a link are ignored", () => {
  for (const link of ["k3_Ab-9.", "k3_Ab-9)", "k3_Ab-9).", "k3_Ab-9%29", "k3_Ab-9>", "k3_Ab-9\u201d"]) assert.equal(idIn(link), "k3_Ab-9");
  assert.equal(seatIn("/table/k3_Ab-9."), "k3_Ab-9");
  assert.equal(seatIn("/table/k3_Ab-9/"), "k3_Ab-9");
});

test("malformed percent signs are kept", () => {
  assert.equal(decoded("frederick%2FO5.3"), "frederick/O5.3");
  assert.equal(decoded("%E0%A4%A"), "%E0%A4%A");
  assert.equal(seatIn("/table/%ZZ"), "%ZZ");
});

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

const api = new SeatApi("seat");

/** Answers with these statuses, one after the other; how often it was asked. @param {test.TestContext} t @param {number[]} statuses @param {string} wait */
function serving(t, statuses, wait) {
  const asked = t.mock.fn(async () => {
    const status = statuses.shift() ?? 200;
    return new Response(JSON.stringify({ detail: "busy" }), { status, headers: status === 429 && wait ? { "Retry-After": wait } : {} });
  });
  t.mock.method(globalThis, "fetch", asked);
  return asked;
}

test("a page waits for the news of its request", async (t) => {
  const asked = serving(t, [429, 429], "0.01");
  await api.story();
  assert.equal(asked.mock.callCount(), 3);
});

test("a wait has an end, and starts only for a promise", async (t) => {
  const asked = serving(t, Array(99).fill(429), "0.001");
  await assert.rejects(api.story(), /busy/);
  assert.equal(asked.mock.callCount(), 7);
  const once = serving(t, [429], "");
  await assert.rejects(api.story(), /busy/);
  assert.equal(once.mock.callCount(), 1);
});

test("a request that was not accepted is resent", async (t) => {
  const asked = serving(t, [429], "0.01");
  await api.form({});
  assert.equal(asked.mock.callCount(), 2);
});

test("a long wait is reported instead", async (t) => {
  const asked = serving(t, [429], "3600");
  await assert.rejects(api.form({}), /busy/);
  assert.equal(asked.mock.callCount(), 1);
});

test("an order is resent until it is answered", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let tries = 0;
  const answer = untilAnswered(async () => {
    tries += 1;
    if (tries < 60) throw new Refused({ status: 0, title: "", detail: "", rule: "", place: "", n: -1 });
    return "done";
  });
  for (let n = 0; n < 60; n += 1) {
    await Promise.resolve();
    await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(10_000);
  }
  assert.equal(await answer, "done");
});
