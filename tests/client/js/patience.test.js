// What a server has no time for is asked again when the server said when, for a while.

import assert from "node:assert/strict";
import test from "node:test";
import { Refused, SeatApi, untilAnswered } from "../../../src/leuthen/client/js/session/api.js";

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
