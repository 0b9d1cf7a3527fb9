#!/usr/bin/env python3
# Checks a game of Leuthen with its proof, by docs/proof.md: `python3 verify.py FILE [RECEIPT…]`.
# It needs Python 3.11 and nothing else, and shares no code with the game. It knows no rules: so it says at best that a
# game is sound, and what it did not check; only `leuthen verify` asks the rules too.
# Exit codes: 0 whole (everything was checked), 1 broken, or nothing of the kind, 2 not read, 3 sound, not all checked.
import hashlib
import hmac
import re
import sys
import unicodedata
from pathlib import Path

MOST, LONGEST, TALK = 16_000_000, 20_000, ("resign", "agree-draw", "standing")
MOST_LINES = 100_000
CONSENTS = "agree-draw", "take-back"
COUNTED = ("bare", "rolls", "draws", "unlisted", "sealed", "old", "early", "strayed", "agreed", "back", "unasked",
           "live", "correspondence", "alone")
HEADER = (("leuthen record 1",), ("ruleset NAME NAME",), ("scenario NAME",), ("data NAME",), ("game NAME",),
          ("takebacks (never|consent|free)",), ("option NAME TEXT", "seat NAME TEXT"))
OPENING = {"leuthen proof 1": ("commit WORD", "key WORD", "strict (both|yes|no)"),
           "leuthen proof 2": ("commit WORD", "key WORD", "pace (live|correspondence)")}
STRICT = {"live": "both", "correspondence": "no"}  # what version 1 says for a pace
FORMS = ("chain NAME [1-9][0-9]{0,2} NUMBER WORD (first|device|lost|used-up)", "bare NAME (program|lost)", "table",
         "link NAME NUMBER NUMBER WORD NUMBER WORD", "line NUMBER WORD( back| NUMBER [1-9][0-9]{0,8}( TEXT)?)?",
         "brought", "end WORD", "block NUMBER WORD( waits NUMBER NAME)?", "pace NUMBER NAME (live|correspondence|no)",
         "alone NAME NUMBER")
RECEIPT = "(leuthen checkpoint 1\ngame ([^\n]+)\nblocks NUMBER WORD\n(?:seat NAME NUMBER WORD\n)?)signed WORDWORD\n"
SAVED = "a program has changed its line ends or its beginning: fetch it from its server again"


class Broken(Exception):
    """The first bad line of the file (0: none in particular), and what is wrong with it."""


class Unusable(Broken):
    """The same of a file that is nothing of the kind, which says nothing against a game."""


def fits(form, text):
    form = form.replace("NUMBER", "(0|[1-9][0-9]{0,8})").replace("WORD", "([0-9a-f]{64})")
    return re.fullmatch(form.replace("NAME", "([^ \n]+)").replace("TEXT", "[^\n]+"), text)


def is_plain(text):  # visible characters, one space between words; digits are ASCII, letters composed (NFC)
    seen = (c in " " or "!" <= c <= "~" or (c > "\x7f" and unicodedata.category(c)[0] in "LMPS") for c in text)
    return all(text.split(" ")) and (text.isascii() or unicodedata.is_normalized("NFC", text)) and all(seen)


def sha(*parts):
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def keyed(secret, *parts):
    return hmac.digest(bytes.fromhex(secret), "\n".join(parts).encode(), "sha256").hex()


def fallen(secret, game, place, links, cases):
    numbers = (int(keyed(secret, "die", game, str(place), str(again), *links), 16) for again in range(10_000))
    return next(number for number in numbers if number < 2**256 // cases * cases) % cases


# Ed25519 (RFC 8032): whether a text was signed by the owner of a key
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)
BASE = (4 * pow(5, -1, P) % P).to_bytes(32, "little")


def add(p, q):
    a, b, c, d = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0]), 2 * p[3] * q[3] * D, 2 * p[2] * q[2]
    return (b - a) * (d - c) % P, (d + c) * (b + a) % P, (d - c) * (d + c) % P, (b - a) * (b + a) % P


def times(number, p):
    q = (0, 1, 1, 0)
    while number:
        q, p, number = add(q, p) if number & 1 else q, add(p, p), number >> 1
    return q


def point(data):
    y, odd = int.from_bytes(data, "little") & (1 << 255) - 1, data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    x = P - x if x & 1 != odd else x
    return None if (x * x - square) % P or y >= P or x == P else (x, y, 1, x * y % P)


def is_signed(key, text, signature):
    if not (fits("WORD", key) and fits("WORDWORD", signature)):
        return False
    key, r, s = (bytes.fromhex(part) for part in (key, signature[:64], signature[64:]))
    k, s = (int.from_bytes(part, "little") for part in (hashlib.sha512(r + key + text.encode()).digest(), s))
    if not point(r) or not point(key) or s >= ORDER:
        return False
    one, two = times(s, point(BASE)), add(point(r), times(k % ORDER, point(key)))
    return not any((one[i] * two[2] - two[i] * one[2]) % P for i in (0, 1))


class Game:  # a record and its proof, read line after line; `at` is the line of the file that is being read
    def __init__(self, data):
        self.at, begin = 0, data.find(b"\nleuthen proof ") + 1
        first, title = (part.split(b"\n")[0] for part in (data, data[begin:]))
        self.expect(data, "there is no such file, or it is too large to be a game")
        is_saved = data.startswith(b"\xef\xbb\xbf") or any(line.endswith(b"\r") for line in (first, title))
        self.expect(not is_saved, SAVED)
        self.expect(re.match(b"leuthen record 1(  #|$)", first), "this is no record of version 1", 1)
        self.expect(begin, "there is no proof in it")
        version = title.decode("latin1")
        self.expect(version in OPENING, "this is no proof of version 1 or 2", data.count(b"\n", 0, begin) + 1)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            raise Broken(data.count(b"\n", 0, error.start) + 1, "this is no text in UTF-8") from None
        record, proof = (part.decode().split("\n") for part in (data[:begin], data[begin:]))
        self.begin, torn, self.game, self.sides, self.head = len(record), proof.pop(), "", [], 0
        self.lines, self.ending = self.read(record[:-1]), ""
        if self.lines[-1].startswith("end "):
            self.ending = self.lines.pop()[4:]
        self.need(not torn, "the file was cut off", self.begin + len(proof))
        for n, form in enumerate(OPENING[version], 1):
            self.need(fits(form, "".join(proof[n:n + 1])), "this does not begin a proof", self.begin + n)
        self.commit, self.key, self.first = (text.split(" ")[1] for text in proof[1:4])
        self.strict, self.is_new = STRICT.get(self.first, self.first), version == "leuthen proof 2"
        self.asking, self.switches, self.rules = "", 0, {}  # who asks for another pace; how each die was asked for
        self.heads, self.body, self.own = [sha("genesis", *self.lines[:self.head], *proof[:4])], [], {}
        self.chains, self.force = {side: [] for side in self.sides}, dict.fromkeys(self.sides, "-")
        self.kind, self.owner, self.places, self.waits, self.is_awaited = "", "", {}, None, False
        self.done, self.acted, self.last, self.armed, self.fell, self.ended = 0, {}, "", set(), 0, False
        self.run_of, self.since, self.owing = "", 0, set()  # whose newest actions these are, and who owes a new link
        self.owns, self.group = {side: [sha("own", side)] for side in self.sides}, []
        self.used, self.due = dict.fromkeys(self.sides, ""), {}  # the number of the chain used last, now and then
        self.count = dict.fromkeys(COUNTED, 0)
        tail = next((n for n, text in enumerate(proof) if text.startswith(("open ", "signed "))), len(proof))
        self.proof, self.tail, self.secret = proof[4:tail], proof[tail:], "".join(proof[tail:-1])[5:]

    def need(self, fact, why, at=None):
        if not fact:
            raise Broken(self.at if at is None else at, why)

    def expect(self, fact, why, at=0):
        if not fact:
            raise Unusable(at, why)

    def read(self, record):  # the lines of the record without their checks: each in the one way in which it is written
        check, texts, options = hashlib.blake2b(digest_size=4, person=b"leuthen record"), [], []
        self.need(len(record) <= MOST_LINES, "no record is so long", MOST_LINES + 1)
        for n, line in enumerate(record, 1):
            text, step, is_last = line[:-11], len(texts) - self.head + 1, n == len(record)
            check.update(f"{text}\n".encode())
            self.need(line == f"{text}  #{check.hexdigest()}", "this does not fit its check", n)
            self.need(is_plain(text.lstrip(" ")), "this is not written as a record is", n)
            if len(self.sides) < 2:
                found = [fits(form, text) for form in HEADER[min(n, len(HEADER)) - 1]]
                self.need(any(found) and (not self.sides or found[-1]), "this is no line of a header", n)
                self.head, word, name = n, *text.split(" ")[:2]
                self.game = name if word == "game" else self.game
                self.sides += [name] if n >= len(HEADER) and word == "seat" else []
                options += [name] if n >= len(HEADER) and word != "seat" else []
            elif not (is_last and text.startswith("end ")):
                actor, _, said = text[max(5, len(str(step))) + 1:].partition(" ")
                self.need(said and text == f"{step:>5} {actor} {said}", f"this is not action {step}", n)
                self.need(actor in (*self.sides, "chance"), "nobody of that name plays", n)
            texts.append(text)
        is_right = len({*self.sides, "chance"}) == 3 and len(set(options)) == len(options)
        self.need(is_right and "," not in "".join(self.sides), "the record does not name two seats", 1)
        return texts

    def run(self):
        self.at = self.begin + 4 + len(self.proof)
        kinds = [text.split(" ")[0] for text in self.tail]
        self.need(kinds in (["open", "signed"], ["signed"]), "the file was cut off")
        is_bound = fits("WORD", self.secret) and sha("secret", self.game, self.secret) == self.commit
        self.need(is_bound or len(kinds) == 1, "this is not the secret that was bound before the game")
        for n, text in enumerate(self.proof, self.begin + 4):
            self.at, (kind, *words) = n, text.split(" ")
            is_line = len(text) <= LONGEST and any(fits(form, text) for form in FORMS)
            self.need(is_line, "this is no line of a proof")
            self.need(not self.ended or kind == "block", "nothing stands behind the end of the game")
            self.need(self.is_new or kind not in ("pace", "alone"), "this is no line of a proof")
            if kind not in ("line", "end", "pace", "alone"):
                self.end_group()
            self.body.append(text)
            self.group.append(text)
            getattr(self, kind, self.request)(kind, *words)
        self.at = self.begin + 4 + len(self.proof)
        self.need(not self.lines[self.head + self.done:], "the proof binds no such line", self.head + self.done + 1)
        self.need(self.ended or not self.ending, "the proof does not bind this end", self.begin - 1)
        self.need(bool(self.secret) == self.ended, "the secret is opened when the game has ended, and not before")
        self.need(not self.body, "no block binds the last lines")
        self.at += len(self.tail) - 1
        last, signature = f"{len(self.heads) - 1} {self.heads[-1]}", self.tail[-1][-128:]
        self.need(self.tail[-1] == f"signed {last} {signature}", "this is not the last block")
        is_theirs = is_signed(self.key, f"leuthen checkpoint 1\ngame {self.game}\nblocks {last}\n", signature)
        self.need(is_theirs, "the server has not signed this")

    def end_group(self):  # the own head of a seat counts each group of lines that its requests brought about
        if self.owner:
            owns = self.owns[self.owner]
            owns.append(sha("own", self.owner, str(len(owns)), owns[-1], sha("group", *self.group)))
        self.owner, self.group = "", []

    def request(self, kind, side="", *words):
        self.need(kind in ("table", "brought") or side in self.sides, "nobody of that name plays")
        is_new = not self.done and len(self.heads) == 1 and not any(self.chains.values())
        self.need(kind != "brought" or is_new, "an older record can be brought in only at the beginning")
        self.kind, self.owner, self.is_awaited = kind, side, False
        self.owing -= {side} if kind != "chain" else set()
        if kind == "chain":
            number, length, self.force[side], _ = words
            self.need(int(number) == len(self.chains[side]) + 1 and 1 <= int(length) <= 65536, "this is no next chain")
            self.chains[side].append([int(length), 0, self.force[side]])
            self.used[side] = number

    def link(self, kind, side, number, k, link, seen, head):
        self.request(kind, side)
        self.need(int(seen) < len(self.heads) and self.heads[int(seen)] == head, f"{side} was shown another game")
        chain = [*self.chains[side][int(number) - 1:int(number)], [0, 0, ""]][0]
        self.need(int(k) == chain[1] + 1 <= chain[0], "this is not the next link of that chain")
        self.need(sha("link", link) == chain[2], "this link does not fit its chain")
        chain[1:], self.force[side] = [int(k), link], link
        place, asked, block, given = self.waits or (0, [], 0, {})
        if side in asked and side not in given:
            self.need(int(seen) >= block or self.strict == "yes", f"{side} had not seen that a die waits for this link")
            self.count["strayed"] += self.strict == "both" and number != self.due[side]
            given |= {side: link} if int(seen) >= block else {}
            if len(given) == len(asked):
                self.force |= given
                self.is_awaited, self.waits, self.places[place] = True, None, tuple(self.force.values())
                self.rules[place] = "live"
        self.used[side] = number

    def pace(self, _, number, side, said):  # a side asks for the other pace, agrees to it, or says no
        other = "correspondence" if self.strict == "both" else "live"
        self.need(self.owner == side and self.kind in ("link", "bare"), f"{side} did not say this")
        is_next = int(number) == self.switches + 1 and (said == other or (said == "no" and self.asking))
        self.need(is_next and (said == "no" or self.asking != side), f"the pace does not change so: {other} comes next")
        self.count["unasked"] += self.kind == "bare"
        if said == other and self.asking:
            self.strict, self.switches = STRICT[said], self.switches + 1
        self.asking = "" if self.asking else side

    def alone(self, _, side, number):  # a side rolls the die that waits without the other side's link
        place, asked, _, given = self.waits or (-1, [side], 0, {})
        self.need(self.owner == side and self.kind in ("link", "bare"), f"{side} did not say this")
        is_due = int(number) == place and (side in given or side not in asked)
        self.need(is_due, "no die waits there for the other side's link alone")
        self.count["unasked"] += self.kind == "bare"
        self.force |= given
        self.waits, self.places[place], self.rules[place] = None, tuple(self.force.values()), "alone"

    def others(self):
        actor = self.last if self.strict == "yes" else "-"
        is_asked = self.waits or self.strict != "no"
        return [side for side in self.sides if actor and side != actor and self.chains[side] and is_asked]

    def line(self, _, number, bound, place="", cases="", *answers):
        self.need(self.kind and int(number) == self.done + 1, f"line {self.done + 1} of the record is expected here")
        self.need(self.head + self.done < len(self.lines), f"the record has no line {number}")
        here, said = self.head + self.done + 1, self.lines[self.head + self.done].lstrip(" ")
        is_bound = not self.secret or bound == keyed(self.secret, "line", self.game, said)
        self.need(is_bound, "this is not what was bound when it was written", here)
        _, actor, said = said.split(" ", 2)
        is_own, is_chance = self.owner == actor and self.kind != "chain", actor == "chance"
        is_old = self.kind == "brought"
        is_given = is_chance or is_old or is_own or actor in self.armed or not self.chains[actor]
        self.need(is_given, f"{actor} gave no link for this", here)
        is_back = place == "back" and not is_chance
        self.need(place == (str(self.fell) if is_chance else "") or is_back, "this is not the place of chance")
        self.count["bare"] += not is_chance and not is_old and (self.kind, self.owner) != ("link", actor)
        self.count["old"] += is_old
        verb, _, rest = said.partition(" ")
        is_said = is_chance or is_old or is_back or verb in TALK
        self.need(is_said or not self.waits, "chance was waiting", here)
        self.need(is_said or actor not in self.owing, f"{actor} took an order back and gave no new link for this", here)
        if is_back:  # the side that has acted takes its order back, whose die waits: that waits no longer
            kept = int(rest) if verb == "take-back" and fits("NUMBER", rest) else -1
            is_own = self.waits and actor == self.run_of == self.owner and self.since <= kept < len(self.acted)
            self.need(is_own, f"this is no order of {actor}'s whose die waits", here)
            self.waits, self.owing = None, self.owing | {actor}
            self.count["back"] += 1
        self.is_awaited &= is_chance or self.strict == "yes"
        is_word = verb not in ("undo", "resign", "agree-draw") or said == verb
        self.need(is_word, "this is not written as a word of the table is", here)
        is_free = verb == "take-back" and "takebacks free" in self.lines[:self.head]
        self.count["agreed"] += verb in CONSENTS and not (is_chance or is_old or is_free or is_back)
        if is_chance:
            self.fall(here, int(place), said, int(cases), " ".join(answers).split(";") if answers else [])
        elif verb == "standing":
            is_right = all(part and part == part.strip() and ";" not in part for part in rest.split("; "))
            self.need(is_right, "this is not written as an instruction is", here)
            (self.armed.discard if rest == "off" or rest.split(" ")[0] == "stop" else self.armed.add)(actor)
        elif verb in ("undo", "take-back"):
            own, is_back = self.own.get(actor), verb == "take-back"
            is_there = fits("NUMBER", rest) and int(rest) < len(self.acted) if is_back else own
            self.need(is_there, "there is nothing to take back", here)
            self.run_of = ""
            self.acted.pop(None if is_back else own.pop(), None)
            while is_back and len(self.acted) > int(rest):
                gone = self.acted.popitem()[1]
                self.fell, _ = self.fell - (gone == "chance"), self.own[gone].pop()
        if is_chance or verb not in (*TALK, "undo", "take-back"):
            if actor != self.run_of:
                self.run_of, self.since = actor, len(self.acted)
            self.acted[number], self.last = actor, self.last if is_chance else actor
            self.own.setdefault(actor, []).append(number)
        self.done += 1

    def fall(self, here, place, said, cases, answers):
        is_free = self.kind == "brought" or place in self.places or self.is_awaited or not self.others()
        self.need(is_free, f"this die did not wait for the link of {' and '.join(self.others())}", here)
        links = self.places.setdefault(place, tuple(self.force.values()))
        self.fell += 1
        die, is_list = fits("roll NUMBER", said), len(set(answers)) == len(answers) == cases
        if self.kind == "brought":
            self.need(cases == 1 and not answers, "what was brought in is one of 1 case")
            return
        faces = {6: range(1, 7), 36: sorted(a + b for a in range(1, 7) for b in range(1, 7))}
        is_verb = die or (said.split(" ")[0] != "roll" and fits("[a-z]+(-[a-z]+)*( TEXT)?", said))
        self.need(is_verb, "this is not written as an answer of chance is", here)
        is_face = not die or int(die[1]) in faces.get(cases, ())
        self.need(is_face, f"a die has 6 cases, and two have 36: not {cases}", here)
        is_list = not answers or (is_list and not die and all(map(is_plain, answers)))
        self.need(is_list, f"a draw of {cases} cases lists {cases} answers, dice none")
        self.need(not any(answer.split(" ")[0] == "roll" for answer in answers), "dice need no list of answers")
        self.need(not answers or said in answers, "this is none of the answers that the proof lists", here)
        is_live = self.is_awaited or self.strict != "no"
        self.count[self.rules.setdefault(place, "live" if is_live else "correspondence")] += 1
        what = "sealed" if not self.secret else "rolls" if die else "draws" if answers else "unlisted"
        self.count[what] += 1
        self.count["early"] += links == ("-", "-")
        if what in ("rolls", "draws"):
            number = fallen(self.secret, self.game, place, links, cases)
            fell = f"roll {faces[cases][number]}" if die else answers[number]
            self.need(said == fell, f"{fell} fell here", here)

    def end(self, _, told):
        self.need(self.ending and told == sha("end", self.ending), "the game did not end so", self.begin - 1)
        self.ended = True

    def block(self, _, number, head, *waits):
        self.need(int(number) == len(self.heads), "this is not the next block")
        if waits:
            is_right = waits[1:] == (str(self.fell), ",".join(self.others())) and self.fell not in self.places
            self.need(is_right and not self.waits, "chance does not wait so")
            self.waits, self.due = (self.fell, self.others(), int(number), {}), dict(self.used)
        theirs = sha("block", number, self.heads[-1], sha("body", *self.body[:-1]), " ".join(waits[1:]))
        self.need(head == theirs, "this does not bind the lines above it")
        self.heads.append(head)
        self.body, self.kind, self.is_awaited, self.group = [], "", False, []

    def compare(self, receipt):
        self.at, found = 0, fits(RECEIPT, receipt)
        self.expect(found, "this is no receipt")
        signed, game, number, head, side, groups, own, *signature = found.groups()
        self.need(game == self.game, "the receipt is of another game")
        self.need(is_signed(self.key, signed, "".join(signature)), "the receipt is not of this server")
        is_seen = head in self.heads[int(number):][:1]
        self.need(is_seen, "the server showed this player another game, or the file was cut")
        is_asked = not side or own in self.owns.get(side, [])[int(groups):][:1]
        self.need(is_asked, f"this file does not say what {side} had asked for by then")

    def left(self, receipts):  # what is not checked, or not proved, with counts and reasons
        many = [f"{side} began {len(chains)} chains" for side, chains in self.chains.items() if len(chains) > 1]
        none = [f"{side} gave no links: it had no part in the dice" for side in self.sides if not self.chains[side]]
        left = ((self.done, "lines not compared with the rules, nor how chance was asked"),
                (self.done * (not self.secret), "lines sealed while the game goes on"),
                (self.count["sealed"], "answers of chance sealed while the game goes on"),
                (self.count["draws"], "draws checked by the answers that the proof lists, if these are right"),
                (self.count["unlisted"], "answers of chance that only the rules can check"),
                (self.count["old"], "lines brought in from an older record, with their dice"),
                (self.count["bare"], "lines without a link of their side"),
                (self.count["early"], "answers of chance from the server's secret alone"),
                (self.count["strayed"], "awaited links on another chain"),
                (self.count["back"], "orders taken back while a die waited: whoever ran the server may have known it"),
                (self.count["alone"], "answers of chance without a side that was awaited: the host may know them"),
                (self.count["correspondence"] * self.is_new, "answers of chance that waited for no side's link"),
                (self.count["unasked"], "words on the pace without a link of their side"),
                (self.count["agreed"], "answers to what the other side may never have asked (draws, takebacks)"))
        loose = ["the table did not wait for both players' links"] * (self.strict != "both" and not self.is_new)
        lone = ["no receipt was compared: anybody could have written such a file"] * (not receipts)
        return [f"{words}: {number}" for number, words in left if number] + none + many + loose + lone


def verify(data, receipts=()):  # the verdict, the first bad line (0: none in particular), why, what holds, what is left
    try:
        game = Game(data)
        game.run()
        for receipt in receipts:
            game.compare(receipt)
    except Broken as broken:
        return "unusable" if isinstance(broken, Unusable) else "broken", *broken.args, [], []
    given = [f"links of {side}: {sum(chain[1] for chain in game.chains[side])}" for side in game.sides]
    fell = [f"rolls as they had to fall: {game.count['rolls']}", f"draws: {game.count['draws']}"]
    opened = [f"lines as they were bound: {game.done}", *fell] if game.secret else []
    left = game.left(receipts)
    paces = ", ".join(f"{game.count[pace]} {pace}" for pace in (*STRICT, "alone"))
    by_pace = [f"pace: {game.first}", f"changes of pace: {game.switches}", f"answers of chance by pace: {paces}"]
    strict = by_pace if game.is_new else [f"strict: {game.strict}"]
    holds = [*given, f"blocks signed: {len(game.heads) - 1}", *strict, *opened]
    return "sound" if left else "whole", 0, "", holds, left


if __name__ == "__main__":
    paths = [Path(path) for path in sys.argv[1:]]
    unread = next((path for path in paths if not path.is_file() or path.stat().st_size > MOST), None)
    if unread or not paths:
        print(f"Not read: {unread} is not there, or too large." if unread else "Usage: verify.py FILE [RECEIPT…]")
        sys.exit(2)
    files = [path.read_bytes() for path in paths]
    verdict, line, why, holds, left = verify(files[0], [receipt.decode(errors="replace") for receipt in files[1:]])
    where, holding = f"Broken{f' at line {line}' * bool(line)}", "; ".join(holds)
    print({"broken": f"{where}: {why}.", "unusable": f"Cannot be checked: {why}.", "whole": f"Whole: {holding}.",
           "sound": f"Sound, but not fully checked: {holding}.\nNot checked: {'; '.join(left)}."}[verdict])
    sys.exit({"whole": 0, "broken": 1, "unusable": 1, "sound": 3}[verdict])
