"""Forgeries of a game's file: random changes without keys, and complete rewrites by a host with all his keys."""

from collections.abc import Callable, Mapping, Sequence
from random import Random

from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import signed_line, text_of
from leuthen.play.proof.protocol import Signer
from leuthen.play.record import text_of as record_of
from leuthen.play.table import end_words
from tests.proof.umpire import SIGNER, Umpire

Blind = Callable[[Random, list[str]], list[str]]
Host = Callable[[Random, "Book"], bool]


class Book:
    def __init__(self, umpire: Umpire) -> None:
        self.umpire = umpire
        self.header = umpire.header
        self.entries = list(umpire.entries)
        self.proof = list(umpire.proof)
        self.secret, self.signer, self.opening = umpire.secret, SIGNER, list(umpire.opening)
        self.end = end_words(umpire.table)

    def at(self, kind: str) -> list[int]:
        return [number for number, line in enumerate(self.proof) if line.split(" ")[0] == kind]

    def file(self) -> str:
        record = record_of(self.header, self.entries, self.end)
        heads, body = [protocol.genesis(self.header.lines(), self.opening)], list[str]()
        lines = []
        for line in self.proof:
            words = self._anew(line.split(" "), heads)
            if words[0] == "block":
                waits = " ".join(words[4:])
                heads.append(protocol.next_head(len(heads), heads[-1], protocol.body_of(body), waits))
                words[1:3], body = [str(len(heads) - 1), heads[-1]], []
            else:
                body.append(" ".join(words))
            lines.append(" ".join(words))
        signature = self.signer.sign(protocol.checkpoint(self.umpire.game, len(heads) - 1, heads[-1]))
        signed = signed_line(len(heads) - 1, heads[-1], signature)
        return text_of(record, self.opening, lines, self.secret if self.end else None, signed)

    def _anew(self, words: list[str], heads: Sequence[str]) -> list[str]:
        if words[0] == "line" and int(words[1]) <= len(self.entries):
            number = int(words[1])
            commitment = protocol.commit_line(self.secret, self.umpire.game, number, *self.entries[number - 1])
            return [*words[:2], commitment, *words[3:]]
        if words[0] == "link":
            seen = min(int(words[5]), len(heads) - 1)
            return [*words[:5], str(seen), heads[seen]]
        if words[0] == "end":
            return ["end", protocol.commit_end(self.end)]
        return words


# --- blindly ----------------------------------------------------------------------------------------------------------


def change_letter(rng: Random, lines: list[str]) -> list[str]:
    number = rng.randrange(len(lines))
    line = lines[number]
    at = rng.randrange(len(line))
    other = rng.choice([sign for sign in "0123456789abcdef" if sign != line[at]])
    return [*lines[:number], line[:at] + other + line[at + 1 :], *lines[number + 1 :]]


def delete_line(rng: Random, lines: list[str]) -> list[str]:
    number = rng.randrange(len(lines))
    return lines[:number] + lines[number + 1 :]


def repeat_line(rng: Random, lines: list[str]) -> list[str]:
    number = rng.randrange(len(lines))
    return [*lines[: number + 1], *lines[number:]]


def move_line(rng: Random, lines: list[str]) -> list[str]:
    number = rng.randrange(len(lines) - 1)
    return [*lines[:number], lines[number + 1], lines[number], *lines[number + 2 :]]


def cut_end(rng: Random, lines: list[str]) -> list[str]:
    return lines[: rng.randrange(1, len(lines))]


BLIND: Mapping[str, Blind] = {
    "letter": change_letter,
    "gone": delete_line,
    "twice": repeat_line,
    "moved": move_line,
    "cut": cut_end,
}


# --- by the host ------------------------------------------------------------------------------------------------------
# Each changes the book and returns whether it found something to change.


def forge_die(rng: Random, book: Book) -> bool:
    sixes = {int(line.split(" ")[1]) - 1 for line in book.proof if line.startswith("line ") and line.endswith(" 6")}
    dice = [n for n in sorted(sixes) if book.entries[n][1].startswith("roll ")]
    if not dice:
        return False
    number = rng.choice(dice)
    fell = int(book.entries[number][1].removeprefix("roll "))
    book.entries[number] = ("chance", f"roll {rng.choice([n for n in range(1, 7) if n != fell])}")
    return True


def forge_secret(rng: Random, book: Book) -> bool:
    book.secret = rng.randbytes(32)
    book.opening[1] = f"commit {protocol.seal_secret(book.secret, book.umpire.game)}"
    return sum(text.startswith("roll ") for _, text in book.entries) >= 6  # fewer may fall alike by chance


def forge_opening(rng: Random, book: Book) -> bool:
    book.secret = rng.randbytes(32)
    return bool(book.end)


def repeat_link(rng: Random, book: Book) -> bool:
    return _change_link(rng, book, lambda words, before: before[4])


def invent_link(rng: Random, book: Book) -> bool:
    return _change_link(rng, book, lambda words, before: rng.randbytes(32).hex())


def _change_link(rng: Random, book: Book, other: Callable[[list[str], list[str]], str]) -> bool:
    links = book.at("link")
    if len(links) < 2:
        return False
    at = rng.randrange(1, len(links))
    words, before = book.proof[links[at]].split(" "), book.proof[links[at - 1]].split(" ")
    words[4] = other(words, before)
    book.proof[links[at]] = " ".join(words)
    return True


def delete_request(rng: Random, book: Book) -> bool:
    links = book.at("link")[:-1]
    if not links:
        return False
    first = rng.choice(links)
    last = next(n for n in range(first + 1, len(book.proof)) if book.proof[n].split(" ")[0] not in ("line", "end"))
    numbers = [int(line.split(" ")[1]) for line in book.proof[first:last] if line.startswith("line ")]
    later = [n for n in book.at("link") if n > first and book.proof[n].split(" ")[1] == book.proof[first].split(" ")[1]]
    if not later:
        return False
    book.entries = [entry for n, entry in enumerate(book.entries, 1) if n not in numbers]
    del book.proof[first:last]
    number_lines(book)
    return True


def swap_requests(rng: Random, book: Book) -> bool:
    pairs = [
        (one, two)
        for one, two in zip(book.at("link"), book.at("link")[1:], strict=False)
        if book.proof[one].split(" ")[1] == book.proof[two].split(" ")[1]
    ]
    if not pairs:
        return False
    one, two = rng.choice(pairs)
    book.proof[one], book.proof[two] = book.proof[two], book.proof[one]
    return True


def invent_order(rng: Random, book: Book) -> bool:
    return _invent(rng, book, "table")


def invent_order_without_link(rng: Random, book: Book) -> bool:
    return _invent(rng, book, "bare {} program")


def _invent(rng: Random, book: Book, cause: str) -> bool:
    blocks, sides = book.at("block")[2:-1], list(book.umpire.devices)
    if not blocks or not sides:
        return False
    side = rng.choice(sides)
    at = rng.choice(blocks) + 1
    number = sum(line.startswith("line ") for line in book.proof[:at])
    book.entries.insert(number, (side, f"march {rng.randrange(1000)} 1"))
    book.proof[at:at] = [cause.format(side), "line 1 00"]
    number_lines(book)
    return True


def number_lines(book: Book) -> None:
    for number, at in enumerate(book.at("line"), 1):
        words = book.proof[at].split(" ")
        book.proof[at] = " ".join(["line", str(number), *words[2:]])


def forge_order(rng: Random, book: Book) -> bool:
    orders = [
        n for n, (actor, text) in enumerate(book.entries) if actor != "chance" and any(sign.isdigit() for sign in text)
    ]
    if not orders:
        return False
    number = rng.choice(orders)
    actor, text = book.entries[number]
    at = rng.choice([n for n, sign in enumerate(text) if sign.isdigit()])
    book.entries[number] = (actor, text[:at] + str((int(text[at]) + rng.randrange(1, 10)) % 10) + text[at + 1 :])
    return book.entries[number][1].split(" ")[0] not in ("take-back", "standing")


def shorten_game(rng: Random, book: Book) -> bool:
    blocks = book.at("block")[2:-1]
    if not blocks:
        return False
    del book.proof[rng.choice(blocks) + 1 :]
    book.entries = book.entries[: len(book.at("line"))]
    book.end = ""
    return True


def replace_key(rng: Random, book: Book) -> bool:
    book.signer = Signer(rng.randbytes(32))
    book.opening[2] = f"key {book.signer.public}"
    return True


def forge_seen_block(rng: Random, book: Book) -> bool:
    links = [n for n in book.at("link") if int(book.proof[n].split(" ")[5]) > 0]
    if not links:
        return False
    number = rng.choice(links)
    words = book.proof[number].split(" ")
    words[5] = str(int(words[5]) - 1)
    book.proof[number] = " ".join(words)
    return True


def forge_winner(rng: Random, book: Book) -> bool:
    if not book.end:
        return False
    first, _, rest = book.end.partition(" ")
    book.end = f"{rng.choice([word for word in ('draw', *book.umpire.ruleset.sides) if word != first])} {rest}"
    return True


def forge_awaited_side(rng: Random, book: Book) -> bool:
    waits = [n for n in book.at("block") if "," in book.proof[n]]
    if not waits:
        return False
    at = rng.choice(waits)
    before, _, sides = book.proof[at].rpartition(" ")
    book.proof[at] = f"{before} {rng.choice(sides.split(','))}"
    return True


FOUND: Mapping[str, Host] = {
    "die": forge_die,
    "secret": forge_secret,
    "opening": forge_opening,
    "link again": repeat_link,
    "own link": invent_link,
    "struck out": delete_request,
    "swapped": swap_requests,
    "invented": invent_order,
    "waits alone": forge_awaited_side,
}
BY_RECEIPT: Mapping[str, Host] = {
    "order": forge_order,
    "shorter": shorten_game,
    "key": replace_key,
    "invented without link": invent_order_without_link,
    "seen": forge_seen_block,
    "winner": forge_winner,
}


# --- where it is ------------------------------------------------------------------------------------------------------

EXACT = ("die", "own link", "link again", "invented", "waits alone")


def differs_at(text: str, other: str) -> int:
    pairs = zip(text.splitlines(), other.splitlines(), strict=False)
    common = min(len(text.splitlines()), len(other.splitlines()))
    return next((number for number, (a, b) in enumerate(pairs, 1) if a != b), common + 1)


def bound_line(line: int, text: str) -> int:
    lines = text.splitlines()
    word = lines[line - 1].split()[0] if line <= len(lines) else ""
    bound = [at for at, other in enumerate(lines, 1) if word.isdigit() and other.startswith(f"line {word} ")]
    bound += [at for at, other in enumerate(lines, 1) if word == "end" and other.startswith("end ")][-1:]
    return bound[0] if bound else line


def is_named(name: str, line: int, text: str, other: str) -> bool:
    at = differs_at(text, other)
    if name in EXACT:
        return line == at
    first = min(bound_line(at, other), bound_line(at, text))
    return name not in BLIND or name in ("cut", "twice") or bound_line(line, other) >= first
