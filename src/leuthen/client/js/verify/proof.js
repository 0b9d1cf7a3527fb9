// Checks a game with its proof, by docs/decisions/accountable.md. It shares no code with the game and asks no server.
// What the rules allow it does not know; of a seat's receipt it compares the block: `leuthen verify` does the rest.

import { digest as sha, hexOf, sha256 } from "../session/sha256.js";
import { isSigned } from "../session/signed.js";

export const MOST = 16_000_000, TALK = ["resign", "agree-draw", "adopt-rulings", "standing"];
const OPENING = ["leuthen proof 1", "commit WORD", "key WORD", "strict (both|yes|no)"];
const FORMS = [
  "chain [^ ]+ [1-9][0-9]{0,2} NUMBER WORD (first|device|lost|used-up)", "link [^ ]+ NUMBER NUMBER WORD NUMBER WORD", "end WORD",
  "table", "brought", "line NUMBER WORD( NUMBER [1-9][0-9]{0,76})?", "bare [^ ]+ (program|lost)", "block NUMBER WORD( waits NUMBER [^ ]+)?"];
const RECEIPT = "(leuthen checkpoint 1\ngame (.+)\nblocks NUMBER (.+)\n(?:seat .+\n)?)signed (.+)\n";

/** @param {string} form @param {string} text */
const fits = (form, text) =>
  new RegExp(`^(?:${form.replaceAll("NUMBER", "(0|[1-9][0-9]{0,8})").replaceAll("WORD", "[0-9a-f]{64}")})$`).exec(text);

/** @param {string[]} parts */
const utf8 = (...parts) => new TextEncoder().encode(parts.join("\n"));

/** HMAC. @param {string} secret @param {string[]} parts */
export function keyed(secret, ...parts) {
  const key = Uint8Array.from({ length: 64 }, (_, i) => Number.parseInt(secret.slice(2 * i, 2 * i + 2) || "0", 16));
  const inner = sha256(Uint8Array.from([...key.map((byte) => byte ^ 0x36), ...utf8(...parts)]));
  return hexOf(sha256(Uint8Array.of(...key.map((byte) => byte ^ 0x5c), ...inner)));
}

/** @param {string} secret @param {string} game @param {number} place @param {string[]} links @param {string} of @returns {bigint} */
export function fallen(secret, game, place, links, of, again = 0) {
  const cases = BigInt(of), number = BigInt(`0x${keyed(secret, "die", game, `${place}`, `${again}`, ...links)}`);
  return number < (2n ** 256n / cases) * cases ? number % cases : fallen(secret, game, place, links, of, again + 1);
}

/** A record and its proof, read line after line. `at` is the line of the file that is being read. */
class Game {
  /** @param {string} text */
  constructor(text) {
    this.at = 0;
    const begin = text.indexOf("\nleuthen proof ") + 1;
    this.need(begin && text.length <= MOST, "there is no file, no proof in it, or it is too large");
    const record = text.slice(0, begin).split("\n"), proof = text.slice(begin).split("\n"), torn = proof.pop();
    this.lines = record.slice(0, -1).map((line) => line.slice(0, -11));
    this.begin = record.length;
    for (const [n, line] of record.slice(0, -1).entries())
      this.need(fits("  #[0-9a-f]{8}", line.slice(-11)), "this is no line of a record", n + 1);
    this.need(this.lines[0] === "leuthen record 1", "this is no record of version 1", 1);
    this.ending = this.lines.at(-1)?.startsWith("end ") ? /** @type {string} */ (this.lines.pop()).slice(4) : "";
    this.head = [...this.lines, "1 "].findIndex((line) => /^ *[0-9]+ /.test(line));
    const header = this.lines.slice(0, this.head);
    this.game = (header.find((line) => line.startsWith("game ")) ?? "").slice(5);
    this.sides = header.filter((line) => line.startsWith("seat ")).map((line) => line.split(" ")[1]);
    this.need(this.sides.length === 2, "the record does not name two seats", 1);
    this.need(!torn, "the file was cut off", this.begin + proof.length);
    for (const [n, form] of OPENING.entries()) this.need(fits(form, proof[n] ?? ""), "this is no proof of version 1", this.begin + n);
    this.opening = proof.slice(1, 4).map((line) => line.split(" ")[1]);
    this.heads = [sha(["genesis", ...header, ...proof.slice(0, 4)].join("\n"))];
    this.body = /** @type {string[]} */ ([]);
    this.chains = new Map(this.sides.map((side) => [side, /** @type {{length: number, given: number, last: string}[]} */ ([])]));
    this.force = new Map(this.sides.map((side) => [side, "-"]));
    this.places = /** @type {Map<number, string[]>} */ (new Map());
    this.waits = /** @type {{place: number, sides: string[], block: number, given: Map<string, string>} | null} */ (null);
    this.acted = /** @type {string[]} */ ([]);
    this.own = /** @type {Map<string, number[]>} */ (new Map());
    this.armed = /** @type {Set<string>} */ (new Set());
    this.now = { kind: "", owner: "", isAwaited: false };
    this.count = { done: 0, bare: 0, dice: 0, fell: 0, stands: 0, last: "", isEnded: false };
    const tail = proof.findIndex((line) => /^(open|signed) /.test(line));
    this.proof = tail < 0 ? proof.slice(4) : proof.slice(4, tail);
    this.tail = tail < 0 ? [] : proof.slice(tail);
    this.secret = this.tail.length === 2 ? this.tail[0].slice(5) : "";
  }

  /** @param {unknown} fact @param {string} why @param {number} at */
  need(fact, why, at = this.at) {
    if (!fact) throw Object.assign(new Error(why), { at });
    return true;
  }

  async run() {
    const after = (this.at = this.begin + 4 + this.proof.length);
    const kinds = this.tail.map((line) => line.split(" ")[0]).join(" ");
    this.need(kinds === "open signed" || kinds === "signed", "the file was cut off");
    const isBound = fits("WORD", this.secret) && sha("secret", this.game, this.secret) === this.opening[0];
    this.need(isBound || kinds === "signed", "this is not the secret that was bound before the game");
    for (const [n, text] of this.proof.entries()) {
      const [kind, ...words] = text.split(" ");
      this.at = this.begin + 4 + n;
      this.need(FORMS.some((form) => fits(form, text)), "this is no line of a proof");
      this.need(!this.count.isEnded || kind === "block", "nothing stands behind the end of the game");
      if (kind === "block") this.block(words);
      else this.body.push(text);
      if (kind === "line") this.line(words);
      else if (kind === "end") this.count.isEnded = this.need(words[0] === sha("end", this.ending), "the game did not end so", this.begin - 1);
      else if (kind !== "block") this.request(kind, words);
    }
    this.at = after;
    this.need(this.head + this.count.done === this.lines.length, "the proof binds no such line", this.head + this.count.done + 1);
    this.need(this.count.isEnded || !this.ending, "the proof does not bind this end", this.begin - 1);
    this.need(this.secret || !this.count.isEnded, "the game has ended, and its secret is not opened");
    this.need(!this.body.length, "no block binds the last lines");
    this.at = after + this.tail.length - 1;
    const last = `${this.heads.length - 1} ${this.heads.at(-1)}`, signed = /** @type {string} */ (this.tail.at(-1));
    this.need(signed === `signed ${last} ${signed.slice(-128)}`, "this is not the last block");
    const isTheirs = await isSigned(this.opening[1], `leuthen checkpoint 1\ngame ${this.game}\nblocks ${last}\n`, signed.slice(-128));
    this.need(isTheirs !== false, "the server has not signed this");
    return isTheirs;
  }

  /** @param {string} kind @param {string[]} words */
  request(kind, [side = "", number, length, top, ...seen]) {
    const chains = this.chains.get(side);
    this.need(kind === "table" || kind === "brought" || chains, "nobody of that name plays");
    this.need(kind !== "brought" || !this.count.done, "an older record can be brought in only at the beginning");
    this.now = { kind, owner: side, isAwaited: false };
    if (kind === "link" && chains) this.link(side, chains, Number(number), Number(length), top, seen);
    if (kind !== "chain" || !chains) return;
    this.need(Number(number) === chains.length + 1 && Number(length) >= 1 && Number(length) <= 65536, "this is no next chain");
    chains.push({ length: Number(length), given: 0, last: top });
    this.force.set(side, top);
  }

  /** @param {string} side @param {{length: number, given: number, last: string}[]} chains @param {number} number @param {number} k
   * @param {string} link @param {string[]} seen */
  link(side, chains, number, k, link, [seen, head]) {
    this.need(this.heads[Number(seen)] === head, `${side} was shown another game`);
    const chain = chains[number - 1];
    this.need(chain && k === chain.given + 1 && k <= chain.length, "this is not the next link of that chain");
    this.need(sha("link", link) === chain.last, "this link does not fit its chain");
    [chain.given, chain.last] = [k, link];
    this.force.set(side, link);
    const waits = this.waits;
    if (!waits?.sides.includes(side) || waits.given.has(side)) return;
    this.need(Number(seen) >= waits.block || this.opening[2] === "yes", `${side} had not seen that a die waits for this link`);
    if (Number(seen) >= waits.block) waits.given.set(side, link);
    if (waits.given.size < waits.sides.length) return;
    [this.now.isAwaited, this.waits, this.force] = [true, null, new Map([...this.force, ...waits.given])];
    this.places.set(waits.place, [...this.force.values()]);
  }

  /** For whose links a die waits. */
  get others() {
    const strict = this.opening[2], actor = strict === "yes" ? this.count.last : "-";
    return this.sides.filter((side) => strict !== "no" && actor && side !== actor && this.chains.get(side)?.length);
  }

  /** @param {string[]} words */
  line([number, bound, place = "", cases = ""]) {
    this.need(this.now.kind && Number(number) === this.count.done + 1, `line ${this.count.done + 1} of the record is expected here`);
    this.need(this.head + this.count.done < this.lines.length, `the record has no line ${number}`);
    const here = this.head + this.count.done + 1, whole = this.lines[here - 1].trimStart(), [told, actor, verb, ...more] = whole.split(" "), rest = more.join(" ");
    this.need(told === number && actor && verb !== undefined, `this is not line ${number}`, here);
    this.need(!this.secret || bound === keyed(this.secret, "line", this.game, whole), "this is not what was bound when it was written", here);
    const isChance = actor === "chance", isOld = this.now.kind === "brought", isOwn = this.now.owner === actor && this.now.kind !== "chain";
    const isGiven = isOwn || this.armed.has(actor) || !this.chains.get(actor)?.length;
    this.need(isChance || isOld || isGiven, `${actor} gave no link for this`, here);
    this.count.bare += Number(!isOld && !(isOwn && this.now.kind === "link") && (this.chains.get(actor)?.length ?? 0) > 0);
    this.need(place === (isChance ? `${this.count.fell}` : ""), "this is not the place of chance");
    this.need(isChance || isOld || !this.waits || TALK.includes(verb), "chance was waiting", here);
    this.now.isAwaited &&= isChance || this.opening[2] === "yes";
    if (isChance) this.fall(here, Number(place), `${verb} ${rest}`, cases);
    else if (verb === "standing") rest === "off" || more[0] === "stop" ? this.armed.delete(actor) : this.armed.add(actor);
    else if (verb === "undo" || verb === "take-back") this.takeBack(here, verb === "undo" ? (this.own.get(actor) ?? []) : null, rest);
    else if (!TALK.includes(verb)) this.count.last = actor;
    const isAction = isChance || ![...TALK, "undo", "take-back"].includes(verb);
    if (isAction) this.own.set(actor, this.own.get(actor) ?? []).get(actor)?.push(this.acted.push(actor) - 1);
    [this.count.stands, this.count.done] = [this.count.stands + Number(isAction), this.count.done + 1];
  }

  /** Who has acted, "" where it was undone. @param {number} here @param {number[] | null} own where, of who undoes @param {string} rest */
  takeBack(here, own, rest) {
    this.need(own ? own.length : fits("NUMBER", rest) && Number(rest) < this.count.stands, "there is nothing to take back", here);
    if (own) [this.acted[own.pop() ?? 0], this.count.stands] = ["", this.count.stands - 1];
    while (!own && this.count.stands > Number(rest)) {
      const gone = this.acted.pop() ?? "", isGone = this.own.get(gone)?.pop() !== undefined;
      [this.count.stands, this.count.fell] = [this.count.stands - Number(isGone), this.count.fell - Number(gone === "chance")];
    }
  }

  /** @param {number} here @param {number} place @param {string} said @param {string} cases */
  fall(here, place, said, cases) {
    const isOld = this.now.kind === "brought", isFree = isOld || this.places.has(place) || this.now.isAwaited;
    this.need(isFree || !this.others.length, `this die did not wait for the link of ${this.others.join(" and ")}`, here);
    const links = this.places.get(place) ?? [...this.force.values()];
    this.places.set(place, links);
    this.count.fell += 1;
    if (isOld || !this.secret) return;
    this.count.dice += 1;
    const fell = fallen(this.secret, this.game, place, links, cases) + 1n;
    this.need(cases !== "6" || !/^roll [0-9]+$/.test(said) || said === `roll ${fell}`, `a ${fell} fell here`, here);
  }

  /** @param {string[]} words */
  block([number, head, ...waits]) {
    this.need(Number(number) === this.heads.length, "this is not the next block");
    if (waits.length) {
      const place = this.count.fell, isRight = waits.slice(1).join(" ") === `${place} ${this.others.join(",")}`;
      this.need(isRight && !this.places.has(place) && !this.waits, "chance does not wait so");
      this.waits = { place, sides: this.others, block: Number(number), given: new Map() };
    }
    const theirs = sha("block", number, this.heads.at(-1) ?? "", sha(["body", ...this.body].join("\n")), waits.slice(1).join(" "));
    this.need(head === theirs, "this does not bind the lines above it");
    this.heads.push(head);
    [this.body, this.now] = [[], { kind: "", owner: "", isAwaited: false }];
  }

  /** @param {string} receipt */
  async compare(receipt) {
    const found = fits(RECEIPT, receipt), [, text, game, number, head, signature] = found ?? [];
    this.need(found && game === this.game, "the receipt is of another game, or none at all", 0);
    this.need((await isSigned(this.opening[1], text, signature)) !== false, "the receipt is not of this server", 0);
    this.need(this.heads[Number(number)] === head, "the server showed this player another game, or the file was cut", 0);
  }
}

/** The first bad line (0: none in particular), why it is bad (""), and what holds.
 * @param {string} file @param {string[]} receipts */
export async function verify(file, receipts = []) {
  try {
    const game = new Game(file), isSealed = await game.run();
    for (const receipt of receipts) await game.compare(receipt);
    const given = game.sides.map((side) => `${side} gave ${game.chains.get(side)?.reduce((sum, chain) => sum + chain.given, 0)} links`);
    const opened = game.secret ? `${game.count.done} lines are what was bound, ${game.count.dice} dice fell as they had to` : "sealed";
    given.push(`lines without a link of their side: ${game.count.bare}`);
    const signed = isSealed ? "are signed" : "hang together, their signature cannot be checked here";
    return { line: 0, why: "", holds: [...given, `${game.heads.length - 1} blocks ${signed}`, `strict: ${game.opening[2]}`, opened] };
  } catch (error) {
    if (error instanceof Error && "at" in error) return { line: Number(error.at), why: error.message, holds: [] };
    throw error;
  }
}
