// Checks a game of Leuthen with its proof: `node verify.mjs FILE [RECEIPT…]`. The page /verify runs the same module.
import { readFileSync, statSync } from "node:fs";
import { verify } from "../src/leuthen/client/js/verify/proof.js";

const [file, ...receipts] = process.argv.slice(2).map((path) => (statSync(path).size > 16_000_000 ? "" : readFileSync(path, "utf8")));
const { line, why, holds } = await verify(file, receipts);
console.log(why ? `Broken at line ${line}: ${why}.` : `Whole: ${holds.join("; ")}.`);
process.exitCode = why ? 1 : 0;
