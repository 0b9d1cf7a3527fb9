// Reads files with receipts as JSON lines, and answers each with what the module of the page /verify finds.
import { createInterface } from "node:readline";
import { verify } from "../../src/leuthen/client/js/verify/proof.js";

for await (const line of createInterface({ input: process.stdin })) {
  const { file, receipts } = JSON.parse(line);
  console.log(JSON.stringify(await verify(new Uint8Array(Buffer.from(file, "base64")), receipts)));
}
