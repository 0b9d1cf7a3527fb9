// What is sent, and what its answer changes on the table.

import assert from "node:assert/strict";
import test from "node:test";

import { Sender } from "../../../src/leuthen/client/js/session/sender.js";

globalThis.document = { body: { classList: { add() {}, remove() {} } } };

function table() {
  return {
    table: { n: 1, staff: { is_at_work: false } },
    takeStaff(staff) {
      this.table = { ...this.table, staff };
    },
  };
}

test("the answer to a signed plan updates the staff", async () => {
  const store = table();
  await new Sender({ signStaff: async () => ({ is_at_work: true }) }, store, {}, assert.fail).signPlan();
  assert.equal(store.table.staff.is_at_work, true);
});

test("an answer older than the staff's news changes nothing", async () => {
  const store = table();
  const signStaff = async () => {
    store.takeStaff({ is_at_work: true });
    store.takeStaff({ is_at_work: false });
    return { is_at_work: true };
  };
  await new Sender({ signStaff }, store, {}, assert.fail).signPlan();
  assert.equal(store.table.staff.is_at_work, false);
});
