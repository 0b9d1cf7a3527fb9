// What an address says, however it was passed on: messengers add a full stop or a bracket, and break percent signs.

/** What was found behind the end of a link where it was pasted from. */
const AFTER = /[^\w-]+$/;

/** A part of an address, decoded; as it stands where its percent signs are malformed. @param {string} text */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The public id or the secret at the end of a link, without what a messenger has put behind it. @param {string} text */
export function idIn(text) {
  return decoded(text).replace(AFTER, "");
}

/** The last part of a path, as the id of a seat. @param {string} path */
export function seatIn(path) {
  return idIn(path.split("/").filter(Boolean).at(-1) ?? "");
}
