// Signatures of the table: Ed25519, which a browser has of its own, on pages that came by https or from this machine.

/** The key of a known pair, to see whether the browser knows the kind at all (RFC 8032, test 1). */
const KNOWN = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

/** @param {string} text */
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** @param {string} key */
const owner = (key) => crypto.subtle.importKey("raw", bytesOf(key), "Ed25519", false, ["verify"]);

/** Whether a text was signed; null where this browser cannot tell. What is no key or signature, in small letters,
 * has signed nothing.
 * @param {string} key @param {string} text @param {string} signature both in hexadecimal digits @returns {Promise<boolean | null>} */
export async function isSigned(key, text, signature) {
  try {
    await owner(KNOWN);
  } catch {
    return null;
  }
  if (!/^[0-9a-f]{64}$/.test(key) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    return await crypto.subtle.verify("Ed25519", await owner(key), bytesOf(signature), new TextEncoder().encode(text));
  } catch {
    return false;
  }
}
