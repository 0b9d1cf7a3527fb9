// SHA-256 (FIPS 180-4). The browser's own is there only on pages that came by https, and a table at home comes by http.

const ROOTS = constants();

/** The first 32 bits of the fractional parts of cube roots of the first 64 primes, and of square roots of the first 8. */
function constants() {
  /** @type {number[]} */
  const primes = [];
  for (let n = 2; primes.length < 64; n += 1) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (/** @type {number} */ x) => ((x - Math.floor(x)) * 2 ** 32) | 0;
  return { cube: primes.map((prime) => fraction(Math.cbrt(prime))), square: primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime))) };
}

/** @param {number} word @param {number} by */
const turn = (word, by) => (word >>> by) | (word << (32 - by));

/** @param {Uint8Array} data @returns {Uint8Array} the data with its end and length, in whole blocks of 64 bytes */
function padded(data) {
  const whole = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
  whole.set(data);
  whole[data.length] = 0x80;
  new DataView(whole.buffer).setUint32(whole.length - 4, data.length * 8);
  return whole;
}

/** @param {DataView} block @param {number} at @returns {number[]} the 64 words of a block's schedule */
function schedule(block, at) {
  const words = Array.from({ length: 16 }, (_, n) => block.getInt32(at + 4 * n));
  for (let n = 16; n < 64; n += 1) {
    const [a, b] = [word(words, n - 15), word(words, n - 2)];
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    words.push((word(words, n - 16) + low + word(words, n - 7) + high) | 0);
  }
  return words;
}

/** @param {readonly number[]} words @param {number} n */
const word = (words, n) => words[n] ?? 0;

/** @param {number[]} state @param {readonly number[]} words @returns {number[]} */
function compressed(state, words) {
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let n = 0; n < 64; n += 1) {
    const chosen = (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g));
    const first = (h + chosen + word(ROOTS.cube, n) + word(words, n)) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((value, n) => (value + word(state, n)) | 0);
}

/** @param {Uint8Array} data @returns {Uint8Array} the digest, 32 bytes */
export function sha256(data) {
  const blocks = new DataView(padded(data).buffer);
  let state = ROOTS.square;
  for (let at = 0; at < blocks.byteLength; at += 64) state = compressed(state, schedule(blocks, at));
  const digest = new DataView(new ArrayBuffer(32));
  for (const [n, value] of state.entries()) digest.setInt32(4 * n, value);
  return new Uint8Array(digest.buffer);
}

/** @param {Uint8Array} bytes @returns {string} in hexadecimal digits */
export function hexOf(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const encoder = new TextEncoder();

/** The hash of some text, its parts joined by line ends, as the game's proof has it. @param {...(string | number)} parts */
export function digest(...parts) {
  return hexOf(sha256(encoder.encode(parts.join("\n"))));
}
