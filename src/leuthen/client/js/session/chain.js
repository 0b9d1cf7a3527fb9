// This browser's share in the dice of a seat: a chain of numbers that it alone knows, given out one after another. Each
// is the hash of the next, so that nobody can foretell the next one, and anybody can see that it is the next one.

import { kept } from "../keep.js";
import { digest, hexOf } from "./sha256.js";

/** Links of a chain; when they are used up, another chain begins. */
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

  /** What is known of the chain before a link is given out. */
  get top() {
    return this.links[0] ?? "";
  }

  /** The link of this number; "" if the chain is used up. @param {number} number */
  link(number) {
    return this.links[number] ?? "";
  }
}

/** The chain of a seat that this browser keeps, made if there is none. @param {string} seat @param {Keep} [keep] */
export function chainOf(seat, keep = kept) {
  const seed = keep.getItem(nameOf(seat)) ?? "";
  return /^[0-9a-f]{64}$/.test(seed) ? Chain.from(seed) : newChain(seat, keep);
}

/** Another chain instead of the one that is used up or unknown. @param {string} seat @param {Keep} [keep] */
export function newChain(seat, keep = kept) {
  const { chain, keepFor } = chainToBe();
  keepFor(seat, keep);
  return chain;
}

/** A chain for a seat that is yet to be made, and what keeps it for that seat. */
export function chainToBe() {
  const seed = hexOf(crypto.getRandomValues(new Uint8Array(32)));
  return {
    chain: Chain.from(seed),
    keepFor: (/** @type {string} */ seat, /** @type {Keep} */ keep = kept) => keep.setItem(nameOf(seat), seed),
  };
}

/** @param {string} seat */
const nameOf = (seat) => `leuthen.chain.${seat}`;
