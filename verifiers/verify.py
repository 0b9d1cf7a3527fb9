#!/usr/bin/env python3
# Checks a game of Leuthen with its proof, by docs/decisions/accountable.md: `python3 verify.py FILE [RECEIPT…]`.
# It needs Python 3.11 and nothing else, and shares no code with the game. What the rules allow it does not know, and of
# a seat's receipt it compares the block, not the seat's own head: `leuthen verify` does both.
import hashlib
import hmac
import re
import sys
from pathlib import Path

MOST, TALK = 16_000_000, ("resign", "agree-draw", "adopt-rulings", "standing")
OPENING = "leuthen proof 1", "commit WORD", "key WORD", "strict (both|yes|no)"
FORMS = ("chain [^ ]+ [1-9][0-9]{0,2} NUMBER WORD (first|device|lost|used-up)", "bare [^ ]+ (program|lost)", "table",
         "link [^ ]+ NUMBER NUMBER WORD NUMBER WORD", "brought", "line NUMBER WORD( NUMBER [1-9][0-9]{0,76})?",
         "end WORD", "block NUMBER WORD( waits NUMBER [^ ]+)?")
RECEIPT = "(leuthen checkpoint 1\ngame (.+)\nblocks NUMBER (.+)\n(?:seat .+\n)?)signed (.+)\n"


class Broken(Exception):
    """The first bad line of the file (0: none in particular), and what is wrong with it."""


def fits(form, text):
    return re.fullmatch(form.replace("NUMBER", "(0|[1-9][0-9]{0,8})").replace("WORD", "[0-9a-f]{64}"), text)


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
        self.need(begin and len(data) <= MOST, "there is no file, no proof in it, or it is too large")
        record, proof = (part.decode(errors="replace").split("\n") for part in (data[:begin], data[begin:]))
        self.lines, self.begin, torn = [text[:-11] for text in record[:-1]], len(record), proof.pop()
        for n, text in enumerate(record[:-1], 1):
            self.need(re.fullmatch("  #[0-9a-f]{8}", text[-11:]), "this is no line of a record", n)
        self.need(self.lines[0] == "leuthen record 1", "this is no record of version 1", 1)
        self.ending = self.lines.pop()[4:] if self.lines[-1].startswith("end ") else ""
        self.head = next((n for n, text in enumerate(self.lines) if re.match(" *[0-9]+ ", text)), len(self.lines))
        self.game = next((text[5:] for text in self.lines[:self.head] if text.startswith("game ")), "")
        self.sides = [text.split(" ")[1] for text in self.lines[:self.head] if text.startswith("seat ")]
        self.need(len(self.sides) == 2, "the record does not name two seats", 1)
        self.need(not torn, "the file was cut off", self.begin + len(proof))
        for n, form in enumerate(OPENING):
            self.need(fits(form, "".join(proof[n:n + 1])), "this is no proof of version 1", self.begin + n)
        self.commit, self.key, self.strict = (text.split(" ")[1] for text in proof[1:4])
        self.heads, self.body, self.own = [sha("genesis", *self.lines[:self.head], *proof[:4])], [], {}
        self.chains, self.force = {side: [] for side in self.sides}, dict.fromkeys(self.sides, "-")
        self.kind, self.owner, self.places, self.waits, self.is_awaited, self.alone = "", "", {}, None, False, 0
        self.done, self.acted, self.last, self.armed, self.dice, self.fell, self.ended = 0, {}, "", set(), 0, 0, False
        tail = next((n for n, text in enumerate(proof) if text.startswith(("open ", "signed "))), len(proof))
        self.proof, self.tail, self.secret = proof[4:tail], proof[tail:], "".join(proof[tail:-1])[5:]

    def need(self, fact, why, at=None):
        if not fact:
            raise Broken(self.at if at is None else at, why)

    def run(self):
        self.at = self.begin + 4 + len(self.proof)
        kinds = [text.split(" ")[0] for text in self.tail]
        self.need(kinds in (["open", "signed"], ["signed"]), "the file was cut off")
        is_bound = fits("WORD", self.secret) and sha("secret", self.game, self.secret) == self.commit
        self.need(is_bound or len(kinds) == 1, "this is not the secret that was bound before the game")
        for n, text in enumerate(self.proof, self.begin + 4):
            self.at, (kind, *words) = n, text.split(" ")
            self.need(any(fits(form, text) for form in FORMS), "this is no line of a proof")
            self.need(not self.ended or kind == "block", "nothing stands behind the end of the game")
            self.body.append(text)
            getattr(self, kind, self.request)(kind, *words)
        self.at = self.begin + 4 + len(self.proof)
        self.need(not self.lines[self.head + self.done:], "the proof binds no such line", self.head + self.done + 1)
        self.need(self.ended or not self.ending, "the proof does not bind this end", self.begin - 1)
        self.need(self.secret or not self.ended, "the game has ended, and its secret is not opened")
        self.need(not self.body, "no block binds the last lines")
        self.at += len(self.tail) - 1
        last, signature = f"{len(self.heads) - 1} {self.heads[-1]}", self.tail[-1][-128:]
        self.need(self.tail[-1] == f"signed {last} {signature}", "this is not the last block")
        is_theirs = is_signed(self.key, f"leuthen checkpoint 1\ngame {self.game}\nblocks {last}\n", signature)
        self.need(is_theirs, "the server has not signed this")

    def request(self, kind, side="", *words):
        self.need(kind in ("table", "brought") or side in self.sides, "nobody of that name plays")
        self.need(kind != "brought" or not self.done, "an older record can be brought in only at the beginning")
        self.kind, self.owner, self.is_awaited = kind, side, False
        if kind == "chain":
            number, length, self.force[side], _ = words
            self.need(int(number) == len(self.chains[side]) + 1 and 1 <= int(length) <= 65536, "this is no next chain")
            self.chains[side].append([int(length), 0, self.force[side]])

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
            given |= {side: link} if int(seen) >= block else {}
            if len(given) == len(asked):
                self.force |= given
                self.is_awaited, self.waits, self.places[place] = True, None, tuple(self.force.values())

    def others(self):
        actor = self.last if self.strict == "yes" else "-"
        return [side for side in self.sides if actor and side != actor and self.chains[side] and self.strict != "no"]

    def line(self, _, number, bound, place="", cases=""):
        self.need(self.kind and int(number) == self.done + 1, f"line {self.done + 1} of the record is expected here")
        self.need(self.head + self.done < len(self.lines), f"the record has no line {number}")
        here, said = self.head + self.done + 1, self.lines[self.head + self.done].lstrip()
        self.need(re.match(f"{number} [^ ]+ ", said), f"this is not line {number}", here)
        is_bound = not self.secret or bound == keyed(self.secret, "line", self.game, said)
        self.need(is_bound, "this is not what was bound when it was written", here)
        _, actor, said = said.split(" ", 2)
        is_own, is_chance = self.owner == actor and self.kind != "chain", actor == "chance"
        is_given = is_chance or self.kind == "brought" or is_own or actor in self.armed or not self.chains.get(actor)
        self.need(is_given, f"{actor} gave no link for this", here)
        self.need(place == (str(self.fell) if is_chance else ""), "this is not the place of chance")
        self.alone += bool(self.chains.get(actor)) and (self.kind, self.owner) not in (("link", actor), ("brought", ""))
        verb, _, rest = said.partition(" ")
        self.need(is_chance or self.kind == "brought" or not self.waits or verb in TALK, "chance was waiting", here)
        self.is_awaited &= is_chance or self.strict == "yes"
        if is_chance:
            self.fall(here, int(place), said, int(cases))
        elif verb == "standing":
            (self.armed.discard if rest == "off" or rest.split(" ")[0] == "stop" else self.armed.add)(actor)
        elif verb in ("undo", "take-back"):
            own, is_back = self.own.get(actor), verb == "take-back"
            is_there = fits("NUMBER", rest) and int(rest) < len(self.acted) if is_back else own
            self.need(is_there, "there is nothing to take back", here)
            self.acted.pop(None if is_back else own.pop(), None)
            while is_back and len(self.acted) > int(rest):
                gone = self.acted.popitem()[1]
                self.fell, _ = self.fell - (gone == "chance"), self.own[gone].pop()
        if is_chance or verb not in (*TALK, "undo", "take-back"):
            self.acted[number], self.last = actor, self.last if is_chance else actor
            self.own.setdefault(actor, []).append(number)
        self.done += 1

    def fall(self, here, place, said, cases):
        is_free = self.kind == "brought" or place in self.places or self.is_awaited or not self.others()
        self.need(is_free, f"this die did not wait for the link of {' and '.join(self.others())}", here)
        links = self.places.setdefault(place, tuple(self.force.values()))
        self.fell += 1
        if self.kind != "brought" and self.secret:
            fell, self.dice = fallen(self.secret, self.game, place, links, cases) + 1, self.dice + 1
            is_die = cases == 6 and re.fullmatch("roll [0-9]+", said)
            self.need(not is_die or said == f"roll {fell}", f"a {fell} fell here", here)

    def end(self, _, told):
        self.need(told == sha("end", self.ending), "the game did not end so", self.begin - 1)
        self.ended = True

    def block(self, _, number, head, *waits):
        self.need(int(number) == len(self.heads), "this is not the next block")
        if waits:
            is_right = waits[1:] == (str(self.fell), ",".join(self.others())) and self.fell not in self.places
            self.need(is_right and not self.waits, "chance does not wait so")
            self.waits = self.fell, self.others(), int(number), {}
        theirs = sha("block", number, self.heads[-1], sha("body", *self.body[:-1]), " ".join(waits[1:]))
        self.need(head == theirs, "this does not bind the lines above it")
        self.heads.append(head)
        self.body, self.kind, self.owner, self.is_awaited = [], "", "", False

    def compare(self, receipt):
        self.at, found = 0, fits(RECEIPT, receipt)
        self.need(found and found[2] == self.game, "the receipt is of another game, or none at all")
        self.need(is_signed(self.key, found[1], found[5]), "the receipt is not of this server")
        is_seen = found[4] in self.heads[int(found[3]):][:1]
        self.need(is_seen, "the server showed this player another game, or the file was cut")


def verify(data, receipts=()):  # the first bad line (0: none in particular), why it is bad (""), and what holds
    try:
        game = Game(data)
        game.run()
        for receipt in receipts:
            game.compare(receipt)
    except Broken as broken:
        return *broken.args, []
    given = [f"{side} gave {sum(chain[1] for chain in game.chains[side])} links" for side in game.sides]
    given.append(f"lines without a link of their side: {game.alone}")
    opened = f"{game.done} lines are what was bound, {game.dice} dice fell as they had to" if game.secret else "sealed"
    return 0, "", [*given, f"{len(game.heads) - 1} blocks are signed", f"strict: {game.strict}", opened]


if __name__ == "__main__":
    files = [p.read_bytes() if p.is_file() and p.stat().st_size <= MOST else b"" for p in map(Path, sys.argv[1:])]
    line, why, holds = verify(b"".join(files[:1]), [receipt.decode(errors="replace") for receipt in files[1:]])
    where = f"Broken at line {line}" if line else "Not whole"
    sys.exit(f"{where}: {why}." if why else print(f"Whole: {'; '.join(holds)}."))
