// Checks a game of Leuthen with its proof: `node verify.mjs FILE [RECEIPT…]`. The page /verify runs the same module.
import { readFileSync, statSync } from "node:fs";
import { MOST, verify } from "../src/leuthen/client/js/verify/proof.js";

/** @param {string} path */
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() && statSync(path).size <= MOST;
const [file = "", ...receipts] = process.argv.slice(2).map((path) => (isFile(path) ? readFileSync(path, "utf8") : ""));
const { line, why, holds } = await verify(file, receipts);
console.log(why ? `${line ? `Broken at line ${line}` : "Not whole"}: ${why}.` : `Whole: ${holds.join("; ")}.`);
process.exitCode = why ? 1 : 0;
