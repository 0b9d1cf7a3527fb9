// BLAKE2b (RFC 7693) as far as the running check of a record needs it: a digest of four bytes, with a personal word.

/** SHA-512's initial state. */
const START = BigUint64Array.from([
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]);
const places = (/** @type {string} */ digits) => Uint8Array.from(digits, (digit) => Number.parseInt(digit, 16));
/** Order of a block's words in each of the ten rounds; the first two rounds follow once more. */
const ROUNDS = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
].map(places);
/** Word indexes of the eight mixings of a round, four each: columns, then diagonals. */
const MIXINGS = places("048c159d26ae37bf05af16bc278d349e");
const BLOCK = 128;
const words = new BigUint64Array(16);

/** XOR a working word with another and rotate it right. @param {number} a @param {number} b @param {bigint} by */
function turn(a, b, by) {
  const both = words[a] ^ words[b];
  words[a] = (both >> by) | (both << (64n - by));
}

/** Process a block. @param {BigUint64Array} state @param {Uint8Array} bytes @param {number} length in bytes, with it @param {boolean} isLast */
function compress(state, bytes, length, isLast) {
  const block = wordsOf(bytes);
  words.set(state);
  words.set(START, 8);
  words[12] ^= BigInt(length);
  if (isLast) words[14] = ~words[14];
  for (const row of [...ROUNDS, ROUNDS[0], ROUNDS[1]])
    for (let n = 0; n < 8; n += 1) {
      const [a, b, c, d] = MIXINGS.subarray(4 * n);
      words[a] += words[b] + block[row[2 * n]];
      turn(d, a, 32n);
      words[c] += words[d];
      turn(b, c, 24n);
      words[a] += words[b] + block[row[2 * n + 1]];
      turn(d, a, 16n);
      words[c] += words[d];
      turn(b, c, 63n);
    }
  for (let n = 0; n < 8; n += 1) state[n] ^= words[n] ^ words[n + 8];
}

/** A running checksum. */
export class RunningCheck {
  /** @param {string} person the personal word, at most 16 letters */
  constructor(person) {
    this.state = START.slice();
    this.rest = new Uint8Array(BLOCK);
    new TextEncoder().encodeInto(person, this.rest);
    const [first, second] = wordsOf(this.rest);
    this.state[0] ^= 0x01010004n;
    this.state[6] ^= first;
    this.state[7] ^= second;
    this.held = 0;
    this.length = 0;
  }

  /** Add text and return the checksum so far: eight hexadecimal digits. @param {string} text */
  add(text) {
    for (const byte of new TextEncoder().encode(text)) {
      if (this.held === BLOCK) {
        compress(this.state, this.rest, this.length, false);
        this.held = 0;
      }
      this.rest[this.held] = byte;
      this.held += 1;
      this.length += 1;
    }
    const state = this.state.slice();
    compress(state, this.rest.fill(0, this.held), this.length, true);
    return [0n, 8n, 16n, 24n]
      .map((by) =>
        Number((state[0] >> by) & 255n)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("");
  }
}

/** @param {Uint8Array} bytes */
function wordsOf(bytes) {
  const view = new DataView(bytes.buffer);
  return BigUint64Array.from({ length: bytes.length / 8 }, (_, n) => view.getBigUint64(8 * n, true));
}
