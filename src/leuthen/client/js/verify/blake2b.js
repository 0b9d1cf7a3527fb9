// BLAKE2b (RFC 7693) as far as the running check of a record needs it: a digest of four bytes, with a personal word.

/** SHA-512's initial state. A 64-bit word is stored as two 32-bit words, the low one first. */
const START = Uint32Array.from(
  [
    "f3bcc908 6a09e667 84caa73b bb67ae85 fe94f82b 3c6ef372 5f1d36f1 a54ff53a",
    "ade682d1 510e527f 2b3e6c1f 9b05688c fb41bd6b 1f83d9ab 137e2179 5be0cd19",
  ].flatMap((row) => row.split(" ")),
  (word) => Number.parseInt(word, 16),
);
const SCHEDULE = [
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
  "0123456789abcdef",
  "ea489fd61c02b753",
];
/** Word indexes of the eight mixings of a round, four each: columns, then diagonals. */
const MIXED = "048c159d26ae37bf05af16bc278d349e";

/** @param {string} digits */
const places = (digits) => Uint8Array.from(digits, (digit) => 2 * Number.parseInt(digit, 16));
const ROUNDS = SCHEDULE.map(places);
const MIXINGS = places(MIXED);
const BLOCK = 128;
const words = new Uint32Array(32);

/** @param {Uint32Array} from @param {number} at */
const word = (from, at) => from[at] ?? 0;

/** Add a word to a working word. @param {number} a @param {Uint32Array} from @param {number} b */
function add(a, from, b) {
  const low = word(words, a) + word(from, b);
  words[a] = low;
  words[a + 1] = word(words, a + 1) + word(from, b + 1) + (low > 0xffffffff ? 1 : 0);
}

/** XOR a working word with another and rotate it right. @param {number} a @param {number} b @param {number} by */
function turn(a, b, by) {
  let low = word(words, a) ^ word(words, b);
  let high = word(words, a + 1) ^ word(words, b + 1);
  if (by >= 32) [low, high] = [high, low];
  const left = by % 32;
  words[a] = left ? (low >>> left) | (high << (32 - left)) : low;
  words[a + 1] = left ? (high >>> left) | (low << (32 - left)) : high;
}

/** Process a block. @param {Uint32Array} state @param {Uint32Array} block @param {number} length in bytes, with it @param {boolean} isLast */
function compress(state, block, length, isLast) {
  words.set(state);
  words.set(START, 16);
  words[24] = word(words, 24) ^ length;
  if (isLast) [words[28], words[29]] = [~word(words, 28), ~word(words, 29)];
  for (const row of ROUNDS)
    for (let n = 0; n < 8; n += 1) {
      const [a, b] = [MIXINGS[4 * n] ?? 0, MIXINGS[4 * n + 1] ?? 0];
      const [c, d] = [MIXINGS[4 * n + 2] ?? 0, MIXINGS[4 * n + 3] ?? 0];
      add(a, words, b);
      add(a, block, row[2 * n] ?? 0);
      turn(d, a, 32);
      add(c, words, d);
      turn(b, c, 24);
      add(a, words, b);
      add(a, block, row[2 * n + 1] ?? 0);
      turn(d, a, 16);
      add(c, words, d);
      turn(b, c, 63);
    }
  for (let n = 0; n < 16; n += 1) state[n] = word(state, n) ^ word(words, n) ^ word(words, n + 16);
}

/** A running checksum. */
export class RunningCheck {
  /** @param {string} person the personal word, at most 16 letters */
  constructor(person) {
    this.state = START.slice();
    const bytes = new Uint8Array(16);
    bytes.set(new TextEncoder().encode(person));
    const own = wordsOf(bytes);
    this.state[0] = word(this.state, 0) ^ 0x01010004;
    for (let n = 0; n < 4; n += 1) this.state[12 + n] = word(this.state, 12 + n) ^ word(own, n);
    this.rest = new Uint8Array(BLOCK);
    this.held = 0;
    this.length = 0;
  }

  /** Add text and return the checksum so far: eight hexadecimal digits. @param {string} text */
  add(text) {
    for (const byte of new TextEncoder().encode(text)) {
      if (this.held === BLOCK) {
        compress(this.state, wordsOf(this.rest), this.length, false);
        this.held = 0;
      }
      this.rest[this.held] = byte;
      this.held += 1;
      this.length += 1;
    }
    const state = this.state.slice();
    compress(state, wordsOf(this.rest.fill(0, this.held)), this.length, true);
    return [0, 8, 16, 24].map((by) => ((word(state, 0) >>> by) & 255).toString(16).padStart(2, "0")).join("");
  }
}

/** @param {Uint8Array} bytes */
const wordsOf = (bytes) => {
  const view = new DataView(bytes.buffer);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, n) => view.getUint32(4 * n, true));
};
