// Checks a game with its proof, by docs/proof.md. It shares no code with the game and asks no server.
// It knows no rules: so it says at best that a game is sound, and what it did not check; only `leuthen verify` asks them.

import { digest as sha, hexOf, isSigned, sha256 } from "../session/hashes.js";
import { RunningCheck } from "./blake2b.js";

export const MOST = 16_000_000, LONGEST = 20_000, TALK = ["resign", "agree-draw", "standing"];
const MOST_LINES = 100_000;
const CONSENTS = ["agree-draw", "take-back"];
const HEADER = [["leuthen record 1"], ["ruleset NAME NAME"], ["scenario NAME"], ["data NAME"], ["game NAME"],
  ["takebacks (never|consent|free)"], ["option NAME TEXT", "seat NAME TEXT"]];
/** @type {Record<string, string[]>} */
const OPENING = {
  "leuthen proof 1": ["commit WORD", "key WORD", "strict (both|yes|no)"], "leuthen proof 2": ["commit WORD", "key WORD", "pace (live|correspondence)"] };
/** The words of version 1 for a pace. @type {Record<string, string>} */
const STRICT = { live: "both", correspondence: "no" };
const FORMS = [
  "chain NAME [1-9][0-9]{0,2} NUMBER WORD (first|device|lost|used-up)", "link NAME NUMBER NUMBER WORD NUMBER WORD", "end WORD",
  "table", "brought", "line NUMBER WORD( back| NUMBER [1-9][0-9]{0,8}( TEXT)?)?", "bare NAME (program|lost)",
  "block NUMBER WORD( waits NUMBER NAME)?", "pace NUMBER NAME (live|correspondence|no)", "alone NAME NUMBER"];
const RECEIPT = "(leuthen checkpoint 1\ngame ([^\n]+)\nblocks NUMBER WORD\n(?:seat NAME NUMBER WORD\n)?)signed WORDWORD\n";
const SAVED = "a program has changed its line ends or its beginning: fetch it from its server again";
const SUMS = [1, 2, 3, 4, 5, 6].flatMap((one) => [1, 2, 3, 4, 5, 6].map((other) => one + other)).sort((one, other) => one - other);
/** Faces of one die and of two dice, by number of cases. @type {Map<string, number[]>} */
const FACES = new Map([["6", [1, 2, 3, 4, 5, 6]], ["36", SUMS]]);

/** @param {string} form @param {string} text */
const fits = (form, text) =>
  new RegExp(`^(?:${form.replaceAll("NUMBER", "(0|[1-9][0-9]{0,8})").replaceAll("WORD", "([0-9a-f]{64})")
    .replaceAll("NAME", "([^ \n]+)").replaceAll("TEXT", "[^\n]+")})$`).exec(text);

/** True for visible characters with one space between words, ASCII digits and composed letters (NFC). @param {string} text */
const isPlain = (text) => text.normalize("NFC") === text && text.split(" ").every((word) => word && !/[^!-~\p{L}\p{M}\p{P}\p{S}]/u.test(word));

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

/** A record and its proof, read line by line. `at` is the current line of the file. */
class Game {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.at = 0;
    const rough = new TextDecoder("latin1").decode(bytes.subarray(0, MOST + 1)), begin = rough.indexOf("\nleuthen proof ") + 1;
    const first = rough.split("\n", 1)[0] ?? "", title = rough.slice(begin).split("\n", 1)[0] ?? "";
    this.expect(rough && rough.length <= MOST, "there is no such file, or it is too large to be a game");
    this.expect(!rough.startsWith("\xef\xbb\xbf") && ![first, title].some((line) => line.endsWith("\r")), SAVED);
    this.expect(/^leuthen record 1( {2}#|$)/.test(first), "this is no record of version 1", 1);
    this.expect(begin, "there is no proof in it");
    this.expect(title in OPENING, "this is no proof of version 1 or 2", rough.slice(0, begin).split("\n").length);
    const [record = [], proof = []] = [this.text(bytes, 0, begin), this.text(bytes, begin, bytes.length)], torn = proof.pop();
    this.begin = record.length;
    this.head = 0;
    this.game = "";
    this.sides = /** @type {string[]} */ ([]);
    this.lines = this.read(record.slice(0, -1));
    this.ending = this.lines.at(-1)?.startsWith("end ") ? /** @type {string} */ (this.lines.pop()).slice(4) : "";
    const header = this.lines.slice(0, this.head);
    this.isFree = header.includes("takebacks free");
    this.need(!torn, "the file was cut off", this.begin + proof.length);
    for (const [n, form] of (OPENING[title] ?? []).entries())
      this.need(fits(form, proof[n + 1] ?? ""), "this does not begin a proof", this.begin + n + 1);
    this.opening = proof.slice(1, 4).map((line) => line.split(" ")[1] ?? "");
    this.isNew = title === "leuthen proof 2";
    this.strict = STRICT[this.opening[2] ?? ""] ?? this.opening[2];
    this.asking = ""; // the side that asks for the other pace
    this.switches = 0;
    /** The rule of each die: a pace, or alone. @type {Map<number, string>} */
    this.rules = new Map();
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
    this.count = { done: 0, fell: 0, stands: 0, last: "", isEnded: false };
    this.found = { bare: 0, rolls: 0, draws: 0, unlisted: 0, sealed: 0, old: 0, early: 0, strayed: 0, agreed: 0, back: 0, unasked: 0 };
    this.paces = /** @type {Record<string, number>} */ ({ live: 0, correspondence: 0, alone: 0 });
    this.owns = new Map(this.sides.map((side) => [side, [sha("own", side)]]));
    this.group = /** @type {string[]} */ ([]);
    /** Owner of the newest actions and the number before them, and the sides that owe a new link. */
    this.newest = { of: "", since: 0, owing: /** @type {Set<string>} */ (new Set()) };
    /** Number of the chain that each side used last, now and when the die became pending. */
    this.used = /** @type {Map<string, string>} */ (new Map());
    this.due = new Map(this.used);
    const tail = proof.findIndex((line) => /^(open|signed) /.test(line));
    this.proof = tail < 0 ? proof.slice(4) : proof.slice(4, tail);
    this.tail = tail < 0 ? [] : proof.slice(tail);
    this.secret = this.tail.length > 1 ? this.tail.slice(0, -1).join("").slice(5) : "";
  }

  /** @param {unknown} fact @param {string} why @param {number} at */
  need(fact, why, at = this.at) {
    if (!fact) throw Object.assign(new Error(why), { at, verdict: "broken" });
    return true;
  }

  /** Like `need`, for a file of another kind. @param {unknown} fact @param {string} why */
  expect(fact, why, at = 0) {
    if (!fact) throw Object.assign(new Error(why), { at, verdict: "unusable" });
  }

  /** The lines of a part of the file. @param {Uint8Array} bytes @param {number} from @param {number} to */
  text(bytes, from, to) {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    try {
      return decoder.decode(bytes.subarray(from, to)).split("\n");
    } catch {
      for (let at = 0, line = 1; ; line += 1) {
        const end = bytes.indexOf(10, at), part = bytes.subarray(at, end < 0 ? undefined : end);
        at += part.length + 1;
        try {
          decoder.decode(part);
        } catch {
          this.need(false, "this is no text in UTF-8", line);
        }
      }
    }
  }

  /** The lines of the record without their checks, each in canonical form. @param {string[]} record */
  read(record) {
    const check = new RunningCheck("leuthen record"), texts = /** @type {string[]} */ ([]), options = /** @type {string[]} */ ([]);
    this.need(record.length <= MOST_LINES, "no record is so long", MOST_LINES + 1);
    for (const [at, line] of record.entries()) {
      const text = line.slice(0, -11), n = at + 1, step = `${at - this.head + 1}`, isLast = n === record.length;
      this.need(line === `${text}  #${check.add(`${text}\n`)}`, "this does not fit its check", n);
      this.need(isPlain(text.replace(/^ +/, "")), "this is not written as a record is", n);
      if (this.sides.length < 2) {
        const found = (HEADER[Math.min(at, HEADER.length - 1)] ?? []).map((form) => fits(form, text)), [word, name = ""] = text.split(" ");
        this.need(found.some(Boolean) && (!this.sides.length || found.at(-1)), "this is no line of a header", n);
        this.head = n;
        if (word === "game") this.game = name;
        if (n >= HEADER.length) (word === "seat" ? this.sides : options).push(name);
      } else if (!(isLast && text.startsWith("end "))) {
        const [actor = "", ...said] = text.slice(Math.max(5, step.length) + 1).split(" ");
        const isRight = said.length > 0 && text === `${step.padStart(5)} ${actor} ${said.join(" ")}`;
        this.need(isRight && said.join(" "), `this is not action ${step}`, n);
        this.need([...this.sides, "chance"].includes(actor), "nobody of that name plays", n);
      }
      texts.push(text);
    }
    const isRight = new Set([...this.sides, "chance"]).size === 3 && new Set(options).size === options.length;
    this.need(isRight && !this.sides.join("").includes(","), "the record does not name two seats", 1);
    return texts;
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
      const isLine = (text.length <= LONGEST || [...text].length <= LONGEST) && FORMS.some((form) => fits(form, text));
      this.need(isLine, "this is no line of a proof");
      this.need(!this.count.isEnded || kind === "block", "nothing stands behind the end of the game");
      const isOnPace = kind === "pace" || kind === "alone";
      this.need(this.isNew || !isOnPace, "this is no line of a proof");
      if (kind !== "line" && kind !== "end" && !isOnPace) this.endGroup();
      if (kind === "block") this.block(words);
      else [this.body, this.group].map((lines) => lines.push(text));
      if (kind === "line") this.line(words);
      else if (kind === "end") {
        const isSo = this.ending && words[0] === sha("end", this.ending);
        this.count.isEnded = this.need(isSo, "the game did not end so", this.begin - 1);
      }
      else if (kind === "pace") this.pace(words);
      else if (kind === "alone") this.alone(words);
      else if (kind !== "block") this.request(kind, words);
    }
    this.at = after;
    this.need(this.head + this.count.done === this.lines.length, "the proof binds no such line", this.head + this.count.done + 1);
    this.need(this.count.isEnded || !this.ending, "the proof does not bind this end", this.begin - 1);
    const isOpen = Boolean(this.secret) === this.count.isEnded;
    this.need(isOpen, "the secret is opened when the game has ended, and not before");
    this.need(!this.body.length, "no block binds the last lines");
    this.at = after + this.tail.length - 1;
    const last = `${this.heads.length - 1} ${this.heads.at(-1)}`, signed = /** @type {string} */ (this.tail.at(-1));
    this.need(signed === `signed ${last} ${signed.slice(-128)}`, "this is not the last block");
    const isTheirs = await isSigned(this.opening[1], `leuthen checkpoint 1\ngame ${this.game}\nblocks ${last}\n`, signed.slice(-128));
    this.need(isTheirs !== false, "the server has not signed this");
    return isTheirs;
  }

  /** Add a group of lines to the own head of the seat that requested them. */
  endGroup() {
    const owns = this.owns.get(this.now.owner);
    owns?.push(sha("own", this.now.owner, owns.length, owns.at(-1) ?? "", sha("group", ...this.group)));
    [this.now.owner, this.group] = ["", []];
  }

  /** @param {string} kind @param {string[]} words */
  request(kind, [side = "", number, length, top, ...seen]) {
    const chains = this.chains.get(side);
    this.need(kind === "table" || kind === "brought" || chains, "nobody of that name plays");
    const isNew = !this.count.done && this.heads.length === 1 && ![...this.chains.values()].some((own) => own.length);
    this.need(kind !== "brought" || isNew, "an older record can be brought in only at the beginning");
    this.now = { kind, owner: side, isAwaited: false };
    if (kind !== "chain") this.newest.owing.delete(side);
    if (kind === "link" && chains) this.link(side, chains, Number(number), Number(length), top, seen);
    if (kind !== "chain" || !chains) return;
    this.need(Number(number) === chains.length + 1 && Number(length) >= 1 && Number(length) <= 65536, "this is no next chain");
    chains.push({ length: Number(length), given: 0, last: top });
    this.force.set(side, top);
    this.used.set(side, number ?? "");
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
    const waits = this.waits, isOther = `${number}` !== this.due.get(side);
    this.used.set(side, `${number}`);
    if (!waits?.sides.includes(side) || waits.given.has(side)) return;
    this.need(Number(seen) >= waits.block || this.strict === "yes", `${side} had not seen that a die waits for this link`);
    this.found.strayed += Number(isOther && this.strict === "both");
    if (Number(seen) >= waits.block) waits.given.set(side, link);
    if (waits.given.size < waits.sides.length) return;
    [this.now.isAwaited, this.waits, this.force] = [true, null, new Map([...this.force, ...waits.given])];
    this.places.set(waits.place, [...this.force.values()]);
    this.rules.set(waits.place, "live");
  }

  /** Record a side's request for the other pace, its consent or its refusal. @param {string[]} words */
  pace([number, side = "", said = ""]) {
    const other = this.strict === "both" ? "correspondence" : "live", { kind, owner } = this.now;
    this.need(owner === side && (kind === "link" || kind === "bare"), `${side} did not say this`);
    const isNext = Number(number) === this.switches + 1 && (said === other || (said === "no" && this.asking));
    this.need(isNext && (said === "no" || this.asking !== side), `the pace does not change so: ${other} comes next`);
    this.found.unasked += Number(kind === "bare");
    if (said === other && this.asking) [this.strict, this.switches] = [STRICT[said], this.switches + 1];
    this.asking = this.asking ? "" : side;
  }

  /** Record that a side rolls a waiting die without the other side's link. @param {string[]} words */
  alone([side = "", number]) {
    const { waits, now: { kind, owner } } = this;
    this.need(owner === side && (kind === "link" || kind === "bare"), `${side} did not say this`);
    const isDue = waits && Number(number) === waits.place && (waits.given.has(side) || !waits.sides.includes(side));
    this.need(isDue, "no die waits there for the other side's link alone");
    this.found.unasked += Number(kind === "bare");
    this.force = new Map([...this.force, ...(waits?.given ?? [])]);
    this.places.set(Number(number), [...this.force.values()]);
    this.rules.set(Number(number), "alone");
    this.waits = null;
  }

  /** Sides whose links a die waits for. */
  get others() {
    const { strict } = this, actor = strict === "yes" ? this.count.last : "-";
    return this.sides.filter((side) => (this.waits || strict !== "no") && actor && side !== actor && this.chains.get(side)?.length);
  }

  /** @param {string[]} words */
  line([number, bound, place = "", cases = "", ...answers]) {
    this.need(this.now.kind && Number(number) === this.count.done + 1, `line ${this.count.done + 1} of the record is expected here`);
    this.need(this.head + this.count.done < this.lines.length, `the record has no line ${number}`);
    const here = this.head + this.count.done + 1, whole = (this.lines[here - 1] ?? "").replace(/^ +/, ""), [, actor = "", verb = "", ...more] = whole.split(" "), rest = more.join(" ");
    this.need(!this.secret || bound === keyed(this.secret, "line", this.game, whole), "this is not what was bound when it was written", here);
    const isChance = actor === "chance", isOld = this.now.kind === "brought", isOwn = this.now.owner === actor && this.now.kind !== "chain";
    const isGiven = isOwn || this.armed.has(actor) || !this.chains.get(actor)?.length;
    this.need(isChance || isOld || isGiven, `${actor} gave no link for this`, here);
    this.found.bare += Number(!isOld && !isChance && !(isOwn && this.now.kind === "link"));
    this.found.old += Number(isOld);
    const isBack = place === "back" && !isChance, isSaid = isChance || isOld || isBack || TALK.includes(verb);
    this.need(isBack || place === (isChance ? `${this.count.fell}` : ""), "this is not the place of chance");
    this.need(isSaid || !this.waits, "chance was waiting", here);
    this.need(isSaid || !this.newest.owing.has(actor), `${actor} took an order back and gave no new link for this`, here);
    if (isBack) this.endWait(here, actor, verb === "take-back" && fits("NUMBER", rest) ? Number(rest) : -1);
    this.now.isAwaited &&= isChance || this.strict === "yes";
    const isWord = !["undo", "resign", "agree-draw"].includes(verb) || !more.length;
    this.need(isWord, "this is not written as a word of the table is", here);
    const isFree = verb === "take-back" && (this.isFree || isBack);
    this.found.agreed += Number(CONSENTS.includes(verb) && !isChance && !isOld && !isFree);
    if (isChance) this.fall(here, Number(place), [verb, ...more].join(" "), cases, answers.length ? answers.join(" ").split(";") : []);
    else if (verb === "standing") {
      const isRight = rest.split("; ").every((part) => part && part === part.trim() && !part.includes(";"));
      this.need(isRight, "this is not written as an instruction is", here);
      rest === "off" || more[0] === "stop" ? this.armed.delete(actor) : this.armed.add(actor);
    } else if (verb === "undo" || verb === "take-back") this.takeBack(here, verb === "undo" ? (this.own.get(actor) ?? []) : null, rest);
    else if (!TALK.includes(verb)) this.count.last = actor;
    const isAction = isChance || ![...TALK, "undo", "take-back"].includes(verb);
    if (isAction && actor !== this.newest.of) Object.assign(this.newest, { of: actor, since: this.count.stands });
    if (isAction) this.own.set(actor, this.own.get(actor) ?? []).get(actor)?.push(this.acted.push(actor) - 1);
    [this.count.stands, this.count.done] = [this.count.stands + Number(isAction), this.count.done + 1];
  }

  /** Let the side that acted take back its order while its die is pending. @param {number} here @param {string} actor @param {number} kept */
  endWait(here, actor, kept) {
    const isOwn = this.waits && actor === this.newest.of && actor === this.now.owner && kept >= this.newest.since && kept < this.count.stands;
    this.need(isOwn, `this is no order of ${actor}'s whose die waits`, here);
    this.newest.owing.add(actor);
    [this.waits, this.found.back] = [null, this.found.back + 1];
  }

  /**
   * Actors of the actions, or "" where one was undone.
   * @param {number} here @param {number[] | null} own where, of who undoes @param {string} rest
   */
  takeBack(here, own, rest) {
    this.need(own ? own.length : fits("NUMBER", rest) && Number(rest) < this.count.stands, "there is nothing to take back", here);
    this.newest.of = "";
    if (own) [this.acted[own.pop() ?? 0], this.count.stands] = ["", this.count.stands - 1];
    while (!own && this.count.stands > Number(rest)) {
      const gone = this.acted.pop() ?? "", isGone = this.own.get(gone)?.pop() !== undefined;
      [this.count.stands, this.count.fell] = [this.count.stands - Number(isGone), this.count.fell - Number(gone === "chance")];
    }
  }

  /** @param {number} here @param {number} place @param {string} said @param {string} cases @param {string[]} answers */
  fall(here, place, said, cases, answers) {
    const isOld = this.now.kind === "brought", isFree = isOld || this.places.has(place) || this.now.isAwaited;
    this.need(isFree || !this.others.length, `this die did not wait for the link of ${this.others.join(" and ")}`, here);
    const links = this.places.get(place) ?? [...this.force.values()];
    this.places.set(place, links);
    this.count.fell += 1;
    this.need(!isOld || (cases === "1" && !answers.length), "what was brought in is one of 1 case");
    if (isOld) return;
    const die = fits("roll NUMBER", said), isNoDie = said.split(" ")[0] !== "roll" && fits("[a-z]+(-[a-z]+)*( TEXT)?", said);
    const isList = new Set(answers).size === answers.length && `${answers.length}` === cases && answers.every(isPlain), faces = FACES.get(cases);
    this.need(die || isNoDie, "this is not written as an answer of chance is", here);
    this.need(!die || faces?.includes(Number(die[1])), `a die has 6 cases, and two have 36: not ${cases}`, here);
    this.need(!answers.length || (isList && !die), `a draw of ${cases} cases lists ${cases} answers, dice none`);
    this.need(!answers.some((answer) => answer.split(" ")[0] === "roll"), "dice need no list of answers");
    this.need(!answers.length || answers.includes(said), "this is none of the answers that the proof lists", here);
    const rule = this.rules.get(place) ?? (this.now.isAwaited || this.strict !== "no" ? "live" : "correspondence");
    this.rules.set(place, rule);
    this.paces[rule] = (this.paces[rule] ?? 0) + 1;
    const what = !this.secret ? "sealed" : die ? "rolls" : answers.length ? "draws" : "unlisted";
    this.found[what] += 1;
    this.found.early += Number(links.join(" ") === "- -");
    if (what !== "rolls" && what !== "draws") return;
    const number = Number(fallen(this.secret, this.game, place, links, cases)), fell = die ? `roll ${faces?.[number]}` : answers[number];
    this.need(said === fell, `${fell} fell here`, here);
  }

  /** @param {string[]} words */
  block([number, head, ...waits]) {
    this.need(Number(number) === this.heads.length, "this is not the next block");
    if (waits.length) {
      const place = this.count.fell, isRight = waits.slice(1).join(" ") === `${place} ${this.others.join(",")}`;
      this.need(isRight && !this.places.has(place) && !this.waits, "chance does not wait so");
      this.due = new Map(this.used);
      this.waits = { place, sides: this.others, block: Number(number), given: new Map() };
    }
    const theirs = sha("block", number, this.heads.at(-1) ?? "", sha(["body", ...this.body].join("\n")), waits.slice(1).join(" "));
    this.need(head === theirs, "this does not bind the lines above it");
    this.heads.push(head);
    [this.body, this.group, this.now] = [[], [], { kind: "", owner: "", isAwaited: false }];
  }

  /** @param {string} receipt */
  async compare(receipt) {
    const found = fits(RECEIPT, receipt), [, signed = "", game, number, head, side, groups, own, r = "", s = ""] = found ?? [];
    this.expect(found, "this is no receipt");
    this.need(game === this.game, "the receipt is of another game", 0);
    this.need((await isSigned(this.opening[1] ?? "", signed, r + s)) !== false, "the receipt is not of this server", 0);
    this.need(this.heads[Number(number)] === head, "the server showed this player another game, or the file was cut", 0);
    const isAsked = !side || this.owns.get(side)?.[Number(groups)] === own;
    this.need(isAsked, `this file does not say what ${side} had asked for by then`, 0);
  }

  /** Unchecked or unproved facts, with counts and reasons. @param {string[]} receipts @param {boolean | null} isSealed */
  left(receipts, isSealed) {
    const { found, count } = this, chains = this.sides.map((side) => this.chains.get(side)?.length ?? 0);
    const none = this.sides.filter((_, n) => !chains[n]).map((side) => `${side} gave no links: it had no part in the dice`);
    const many = this.sides.map((side, n) => `${side} began ${chains[n]} chains`).filter((_, n) => (chains[n] ?? 0) > 1);
    const left = /** @type {[number, string][]} */ ([
      [count.done, "lines not compared with the rules, nor how chance was asked"],
      [this.secret ? 0 : count.done, "lines sealed while the game goes on"],
      [found.sealed, "answers of chance sealed while the game goes on"],
      [found.draws, "draws checked by the answers that the proof lists, if these are right"],
      [found.unlisted, "answers of chance that only the rules can check"],
      [found.old, "lines brought in from an older record, with their dice"],
      [found.bare, "lines without a link of their side"],
      [found.early, "answers of chance from the server's secret alone"],
      [found.strayed, "awaited links on another chain"],
      [found.back, "orders taken back while a die waited: whoever ran the server may have known it"],
      [this.paces.alone, "answers of chance without a side that was awaited: the host may know them"],
      [this.isNew ? this.paces.correspondence : 0, "answers of chance that waited for no side's link"],
      [found.unasked, "words on the pace without a link of their side"],
      [found.agreed, "answers to what the other side may never have asked (draws, takebacks)"]]);
    if (this.strict !== "both" && !this.isNew) many.push("the table did not wait for both players' links");
    if (!receipts.length) many.push("no receipt was compared: anybody could have written such a file");
    if (!isSealed) many.push("no signature can be checked here: this program knows no Ed25519");
    return [...left.filter(([number]) => number).map(([number, words]) => `${words}: ${number}`), ...none, ...many];
  }
}

/**
 * The verdict, the first bad line (0: none in particular) with the reason, the facts that hold, and those left
 * unchecked.
 * @param {Uint8Array} file @param {string[]} receipts
 */
export async function verify(file, receipts = []) {
  try {
    const game = new Game(file), isSealed = await game.run();
    for (const receipt of receipts) await game.compare(receipt);
    const { rolls, draws } = game.found;
    const holds = game.sides.map((side) => `links of ${side}: ${game.chains.get(side)?.reduce((sum, chain) => sum + chain.given, 0)}`);
    holds.push(`blocks ${isSealed ? "signed" : "that hang together"}: ${game.heads.length - 1}`);
    const { paces, opening, switches } = game, by = ["live", "correspondence", "alone"].map((pace) => `${paces[pace]} ${pace}`).join(", ");
    if (game.isNew) holds.push(`pace: ${opening[2]}`, `changes of pace: ${switches}`, `answers of chance by pace: ${by}`);
    else holds.push(`strict: ${opening[2]}`);
    if (game.secret) holds.push(`lines as they were bound: ${game.count.done}`, `rolls as they had to fall: ${rolls}`, `draws: ${draws}`);
    const left = game.left(receipts, isSealed);
    return { verdict: left.length ? "sound" : "whole", line: 0, why: "", holds, left };
  } catch (error) {
    if (!(error instanceof Error && "at" in error && "verdict" in error)) throw error;
    return { verdict: `${error.verdict}`, line: Number(error.at), why: error.message, holds: [], left: [] };
  }
}
