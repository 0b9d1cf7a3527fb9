// SHA-256 (FIPS 180-4). The browser's own is there only on pages that came by https, and a table at home comes by http.

import { deviceStorage } from "../dom.js";

/** @type {number[]} */
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n += 1) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);

/** The first 32 bits of the fractional parts of numbers. @param {number[]} roots */
const fractions = (roots) => Int32Array.from(roots, (x) => ((x - Math.floor(x)) * 2 ** 32) | 0);
const ROOTS = { cube: fractions(PRIMES.map(Math.cbrt)), square: fractions(PRIMES.slice(0, 8).map(Math.sqrt)) };

const turn = (/** @type {number} */ word, /** @type {number} */ by) => (word >>> by) | (word << (32 - by));

/** The message schedule of a block, reused because allocating one per block takes longer than filling it. */
const WORDS = new Int32Array(64);

/** Fill the schedule with the 64 words of a block. @param {DataView} block @param {number} at */
function schedule(block, at) {
  for (let n = 0; n < 16; n += 1) WORDS[n] = block.getInt32(at + 4 * n);
  for (let n = 16; n < 64; n += 1) {
    const a = WORDS[n - 15];
    const b = WORDS[n - 2];
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    WORDS[n] = WORDS[n - 16] + low + WORDS[n - 7] + high;
  }
}

/** Process the block in the schedule. @param {Int32Array} state */
function compress(state) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let n = 0; n < 64; n += 1) {
    const chosen = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + chosen + ROOTS.cube[n] + WORDS[n]) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  for (const [n, value] of [a, b, c, d, e, f, g, h].entries()) state[n] += value;
}

/** @param {Uint8Array} data @returns {Uint8Array} the digest, 32 bytes */
export function sha256(data) {
  const whole = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64); // the data, its end and its length
  whole.set(data);
  whole[data.length] = 0x80;
  const blocks = new DataView(whole.buffer);
  blocks.setUint32(whole.length - 4, data.length * 8);
  const state = ROOTS.square.slice();
  for (let at = 0; at < blocks.byteLength; at += 64) {
    schedule(blocks, at);
    compress(state);
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [n, value] of state.entries()) digest.setInt32(4 * n, value);
  return new Uint8Array(digest.buffer);
}

const PAIRS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** @param {Uint8Array} bytes @returns {string} in hexadecimal digits */
export function hexOf(bytes) {
  let digits = "";
  for (const byte of bytes) digits += PAIRS[byte];
  return digits;
}

const encoder = new TextEncoder();

/** The hash of texts joined by line ends, as in the game's proof. @param {...(string | number)} parts */
export const digest = (...parts) => hexOf(sha256(encoder.encode(parts.join("\n"))));

// Signatures of the table: Ed25519, which a browser has of its own, on pages that came by https or from this machine.

/** Key of a known pair, to test whether the browser supports Ed25519 (RFC 8032, test 1). */
const KNOWN = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

const bytesOf = (/** @type {string} */ text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

const owner = (/** @type {string} */ key) => crypto.subtle.importKey("raw", bytesOf(key), "Ed25519", false, ["verify"]);

/**
 * Check a signature; null if this browser cannot. A malformed key or signature (hex in small letters) is invalid.
 * @param {string} key @param {string} text @param {string} signature both in hexadecimal digits @returns {Promise<boolean | null>}
 */
export async function isSigned(key, text, signature) {
  try {
    await owner(KNOWN);
  } catch {
    return null;
  }
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    return await crypto.subtle.verify("Ed25519", await owner(key), bytesOf(signature), encoder.encode(text));
  } catch {
    return false;
  }
}

// This browser's share in the dice of a seat: a chain of numbers that it alone knows, given out one after another. Each
// is the hash of the next, so that nobody can foretell the next one, and anybody can see that it is the next one.

/** Links per chain; a used-up chain is followed by another. */
export const LENGTH = 4096;

/** @typedef {{getItem(key: string): string | null, setItem(key: string, value: string): void}} Keep */

export class Chain {
  /** @param {readonly string[]} links in the order in which they are given out; the first is the top */
  constructor(links) {
    this.links = links;
  }

  /** A chain from its seed. @param {string} seed 32 bytes in hexadecimal digits @param {number} [length] */
  static from(seed, length = LENGTH) {
    const links = [seed];
    for (let last = seed; links.length <= length; links.push(last)) last = digest("link", last);
    return new Chain(links.reverse());
  }

  /** The public top of the chain, known before any link is used. */
  get top() {
    return this.links[0] ?? "";
  }

  /** The link of this number, or "" if the chain is used up. @param {number} number */
  link(number) {
    return this.links[number] ?? "";
  }
}

/** The seat's chain stored in this browser, created if missing. @param {string} seat @param {Keep} [keep] */
export function chainOf(seat, keep = deviceStorage) {
  const seed = keep.getItem(nameOf(seat)) ?? "";
  return /^[0-9a-f]{64}$/.test(seed) ? Chain.from(seed) : newChain(seat, keep);
}

/** A new chain instead of a used-up or unknown one. @param {string} seat @param {Keep} [keep] */
export function newChain(seat, keep = deviceStorage) {
  const { chain, keepFor } = chainToBe();
  keepFor(seat, keep);
  return chain;
}

/** A chain for a seat that does not exist yet, and a function that stores it for that seat. */
export function chainToBe() {
  const seed = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  return {
    chain: Chain.from(seed),
    keepFor: (/** @type {string} */ seat, /** @type {Keep} */ keep = deviceStorage) => keep.setItem(nameOf(seat), seed),
  };
}

const nameOf = (/** @type {string} */ seat) => `leuthen.chain.${seat}`;
