// The published vectors of verifiers/: each word of the protocol, and whole files, sound and forged.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { digest, isSigned } from "../../../src/leuthen/client/js/session/hashes.js";
import { RunningCheck } from "../../../src/leuthen/client/js/verify/blake2b.js";
import { fallen, keyed, verify } from "../../../src/leuthen/client/js/verify/proof.js";

const read = (name) => JSON.parse(readFileSync(new URL(`../../../verifiers/vectors/${name}.json`, import.meta.url), "utf8"));

test("every word of the protocol agrees with the vectors", async () => {
  const words = read("words");
  assert.equal(digest("secret", "g", words.secret), words.commit);
  for (const [n, link] of words.chain.slice(1).entries()) assert.equal(digest("link", link), words.chain[n]);
  assert.equal(keyed(words.secret, "line", "g", "7 prussia march Keith 1 ü"), words.line);
  assert.equal(digest("end", "draw time 1757 C13.2 00"), words.end);
  assert.equal(digest("genesis", "leuthen record 1", "game g", "leuthen proof 1"), words.genesis);
  assert.equal(digest("body", "table", "line 1 00"), words.body);
  assert.equal(digest("block", "1", words.genesis, digest("body", "table"), "3 austria"), words.block);
  assert.equal(digest("own", "prussia", "1", digest("own", "prussia"), digest("group", "table")), words.own);
  for (const [place, cases, number] of words.dice) assert.equal(`${fallen(words.secret, "g", place, words.links, cases)}`, number);
  assert.equal(await isSigned(words.key, words.checkpoint, words.signature), true);
  assert.equal(await isSigned(words.key, `${words.checkpoint}x`, words.signature), false);
  for (const key of ["", `02${"00".repeat(31)}`, "ff".repeat(32), words.key.slice(2)])
    assert.equal(await isSigned(key, words.checkpoint, words.signature), false, "what is no key has signed nothing");
});

const bytesOf = ({ file, base64 }) => (file === undefined ? new Uint8Array(Buffer.from(base64, "base64")) : new TextEncoder().encode(file));

for (const vectors of ["games", "paces", "games-0.1"])
  for (const { name, receipts, verdict, line, why, holds, left, ...game } of read(vectors))
    test(`a file of ${vectors}: ${name}`, async () => {
      assert.deepEqual(await verify(bytesOf(game), receipts), { verdict, line, why, holds, left });
    });

test("the running checksum is BLAKE2b of all lines so far", () => {
  const check = new RunningCheck("leuthen record");
  assert.equal(check.add("leuthen record 1\n"), "45d07e94");
  assert.equal(check.add("ruleset campaigns 2\n"), "c324e043");
  assert.equal(check.add(`${"é".repeat(1000)}\n`), "e6ce0e9e");
});

test("a malformed key or signature is invalid", async () => {
  const { key, checkpoint, signature } = read("words");
  assert.equal(await isSigned(key, checkpoint, signature.toUpperCase()), false);
  assert.equal(await isSigned(key.toUpperCase(), checkpoint, signature), false);
  assert.equal(await isSigned(key, checkpoint, `${signature}00`), false);
});

test("a browser that cannot check signatures says so", async () => {
  const [sound] = read("games");
  const subtle = Object.getOwnPropertyDescriptor(globalThis, "crypto");
  Object.defineProperty(globalThis, "crypto", { configurable: true, value: {} });
  try {
    const found = await verify(bytesOf(sound), sound.receipts);
    assert.equal(found.verdict, "sound");
    assert.match(found.left.join(), /no signature can be checked here/);
  } finally {
    Object.defineProperty(globalThis, "crypto", subtle);
  }
});
