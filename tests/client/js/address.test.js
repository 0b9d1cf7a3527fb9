// What an address says, however it was passed on.

import assert from "node:assert/strict";
import test from "node:test";

import { decoded, idIn, seatIn } from "../../../src/leuthen/client/js/session/api.js";

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
