// Checks a game of Leuthen with its proof: `node verify.mjs FILE [RECEIPT…]`. The page /verify runs the same module.
// Exit codes: 0 whole (everything was checked), 1 broken, or nothing of the kind, 2 not read, 3 sound, not fully checked.
import { readFileSync, statSync } from "node:fs";
import { MOST, verify } from "../src/leuthen/client/js/verify/proof.js";

/** @param {string} path */
const isRead = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() && statSync(path).size <= MOST;
const paths = process.argv.slice(2), unread = paths.find((path) => !isRead(path));
if (unread || !paths.length) {
  console.log(unread ? `Not read: ${unread} is not there, or too large.` : "Usage: verify.mjs FILE [RECEIPT…]");
  process.exit(2);
}
const [file = new Uint8Array(), ...receipts] = paths.map((path) => readFileSync(path));
const { verdict, line, why, holds, left } = await verify(file, receipts.map((receipt) => receipt.toString("utf8")));
const words = { broken: `Broken${line ? ` at line ${line}` : ""}: ${why}.`, unusable: `Cannot be checked: ${why}.` };
const holding = holds.join("; "), sound = `Sound, but not fully checked: ${holding}.\nNot checked: ${left.join("; ")}.`;
console.log({ ...words, whole: `Whole: ${holding}.`, sound }[verdict]);
process.exitCode = { whole: 0, broken: 1, unusable: 1, sound: 3 }[verdict];
