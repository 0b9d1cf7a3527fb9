"""Attacks on a game's file by each kind of participant, with the verdict that a checker must reach.

The host has all keys and can rewrite the whole file. A player has his own links and receipts; both players together
have all links. After the end of the game, all of them, and a stranger with the file, also know the opened secret, but
no other key.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from random import Random
from typing import NamedTuple

import msgspec

from leuthen.engine.ruleset import OTHER, SIDES, Side
from leuthen.load import load
from leuthen.play.proof import protocol
from leuthen.play.proof.ledger import LIVE, SWITCHABLE
from leuthen.play.proof.protocol import Signer
from leuthen.play.table import end_words
from tests.proof.forgery import Book, number_lines
from tests.proof.umpire import SIGNER, Umpire, UmpireTransaction

HOST, PLAYER, BOTH, STRANGER = "the host", "a player", "both players", "a stranger"
OTHER_SIGNER = Signer(b"a key that anybody may have: 32.")


class Attack(NamedTuple):
    actor: str
    name: str
    file: bytes
    receipts: Sequence[str] = ()
    verdict: str = "broken"
    by_rules: str = ""


def attacks(loose: Umpire, strict: Umpire) -> Iterator[Attack]:
    yield from _by_the_host(loose)
    yield from _while_a_die_waits()
    yield from _by_a_player(loose, strict)
    yield from _by_both(loose, strict)
    yield from _by_a_stranger(loose, strict)


# --- the host ---------------------------------------------------------------------------------------------------------


def _by_the_host(umpire: Umpire) -> Iterator[Attack]:
    for name, text, cases in (
        ("one of 12 cases where 6 are due", "roll {}", 12),
        ("a capital letter", "Roll {}", 6),
        ("two spaces", "roll  {}", 6),
        ("a digit of full width", "roll \uff10{}", 6),
        ("an Arabic digit", "roll \u0660{}", 6),
        ("a sign", "roll +{}", 6),
        ("a leading zero", "roll 0{}", 6),
        ("a tab", "roll\t{}", 6),
        ("a space that does not break", "roll\u00a0{}", 6),
        ("a word more", "roll {} 6", 6),
        ("two dice where one is due", "roll {}", 36),
        ("one case, as if brought in", "roll {}", 1),
        ("a fraction", "roll {}.0", 6),
        ("no number", "roll", 6),
    ):
        yield Attack(HOST, f"each die as he likes it, by {name}", forge_dice(umpire, text, cases))
    yield Attack(
        HOST, "each die as he likes it, as a draw of its own list", forge_dice(umpire, "roll {}", 1, listed=True)
    )
    hidden = forge_dice(umpire, "throw {}", 6)
    yield Attack(HOST, "each die as he likes it, by another word", hidden, verdict="sound", by_rules="broken")
    book = Book(umpire)
    yield Attack(HOST, "data that nobody has", with_header(book, data="0123456789abcdef"), verdict="sound")
    yield Attack(HOST, "another version", with_header(Book(umpire), version="99"), verdict="sound")
    yield Attack(HOST, "rules that nobody has", with_header(Book(umpire), ruleset="nobody"), verdict="sound")
    book = Book(umpire)
    turn_all_dice(book, "roll {}", 6)
    yield Attack(HOST, "dice as he likes, with data that nobody has", with_header(book, data="0123456789abcdef"))
    seats = dict(reversed(list(umpire.header.seats.items())))
    yield Attack(HOST, "the seats in another order", with_header(Book(umpire), seats=seats))
    options = dict(reversed(list(umpire.header.options.items())))
    other = with_header(Book(umpire), options=options)
    yield Attack(HOST, "the options in another order", other, verdict="sound", by_rules="broken")
    some = dict(list(umpire.header.options.items())[1:])
    yield Attack(
        HOST, "an option left out", with_header(Book(umpire), options=some), verdict="sound", by_rules="broken"
    )
    yield Attack(HOST, "no game named", with_header(Book(umpire), game=""))
    book = Book(umpire)
    at = draws(book)[0]
    book.proof[at] = swap_answers(book, at)
    yield Attack(HOST, "another order of what may be drawn", book.file().encode(), verdict="sound", by_rules="broken")
    book = Book(umpire)
    at = draws(book)[0]
    book.proof[at] = " ".join(book.proof[at].split(" ")[:5])
    yield Attack(HOST, "no list of what may be drawn", book.file().encode(), verdict="sound", by_rules="broken")
    book = Book(umpire)
    at = draws(book)[0]
    book.proof[at] = " ".join([*book.proof[at].split(" ")[:4], "1", text_at(book, at)])
    yield Attack(HOST, "one thing alone that may be drawn", book.file().encode(), verdict="sound", by_rules="broken")
    for name, answers in (("twice", "{0};{0}"), ("and nothing", "{};"), ("with a die", "{};roll 6")):
        book = Book(umpire)
        at = draws(book)[0]
        book.proof[at] = " ".join([*book.proof[at].split(" ")[:4], "2", answers.format(text_at(book, at))])
        yield Attack(HOST, f"a list of what may be drawn that says one thing {name}", book.file().encode())
    book = Book(umpire)
    at = next(n for n, (actor, _) in enumerate(book.entries) if actor == "chance")
    book.entries[at] = ("Chance", book.entries[at][1])
    yield Attack(HOST, "chance by another name", book.file().encode())
    brought = import_everything(umpire)
    yield Attack(HOST, "all of it as an older record", brought, verdict="sound")
    book = Book(umpire)
    book.proof.insert(book.at("link")[0], "brought")
    yield Attack(HOST, "an older record after the players sat down", book.file().encode())
    book = Book(umpire)
    book.proof[book.at("link")[-1]] = "bare prussia lost"
    yield Attack(HOST, "a resignation that a player never gave", book.file().encode(), verdict="sound")
    book = Book(umpire)
    book.proof = [line for line in book.proof if not line.startswith("chain coalition ")]
    book.proof = ["table" if line.startswith("link coalition ") else line for line in book.proof]
    turn_all_dice(book, "roll {}", 6)
    yield Attack(HOST, "a player without a chain", book.file().encode())
    book = Book(umpire)
    agree_on_draw(book)
    unasked = book.file().encode()
    yield Attack(HOST, "a draw that the other never offered", unasked, verdict="sound", by_rules="whole")
    text = Book(umpire).file()
    yield Attack(HOST, "the end of the game taken away", reseal(text, lambda lines: lines[:-1]))
    book = Book(umpire)
    book.proof = [line for line in book.proof if not line.startswith("end ")]
    book.end = ""
    opened = book.file().replace("\nsigned ", f"\nopen {umpire.secret.hex()}\nsigned ")
    yield Attack(HOST, "the secret opened before the end", opened.encode())
    book = Book(umpire)
    for at in [n for n, (_, said) in enumerate(book.entries) if said == "undo"][:1]:
        book.entries[at] = (book.entries[at][0], "undo all")
        yield Attack(HOST, "a word too many behind undo", book.file().encode())


def waiting() -> tuple[Umpire, Side, int]:
    for requests in count(1):
        umpire = Umpire(load("campaigns"), is_strict=True, seed="waiting").play_at_random(Random(1), requests=requests)
        for side in SIDES if umpire.ledger.waiting else ():
            if (kept := umpire.table.waiting_order(side)) is not None:
                return umpire, side, kept
    raise AssertionError


def _while_a_die_waits() -> Iterator[Attack]:

    def ended(umpire: Umpire) -> bytes:
        umpire.say(0, "resign")
        return umpire.file().encode()

    def by_the_other(umpire: Umpire, side: Side, kept: int) -> None:
        umpire.say(OTHER[side], f"take-back {kept}")

    def too_much(umpire: Umpire, side: Side, kept: int) -> None:
        before = next(at for at in range(kept - 1, -1, -1) if umpire.table.log[at].actor != side)
        umpire.say(side, f"take-back {before}")

    def at_once(umpire: Umpire, side: Side, kept: int) -> None:
        order = next(text for actor, text in reversed(umpire.entries) if actor == umpire.ruleset.sides[side])

        def work(deed: UmpireTransaction) -> None:
            deed.say(side, f"take-back {kept}")
            deed.act(side, order)

        umpire.ask(umpire.ruleset.sides[side], work)

    for name, forge in (
        ("an order of the other side taken back while its die waits", by_the_other),
        ("more than his order taken back while its die waits", too_much),
        ("another order under the link with which he took one back", at_once),
    ):
        umpire, side, kept = waiting()
        forge(umpire, side, kept)
        yield Attack(HOST, name, ended(umpire))
    umpire, side, kept = waiting()
    umpire.say(side, f"take-back {kept}")
    sound = ended(umpire)
    yield Attack(HOST, "his order taken back while its die waits", sound, verdict="sound")
    book = Book(umpire)
    book.proof = [line.removesuffix(" back") for line in book.proof]
    yield Attack(HOST, "an order taken back as if no die had waited", book.file().encode())
    book = Book(umpire)
    book.proof = [re.sub(" waits .*", "", line) for line in book.proof]
    yield Attack(HOST, "an order taken back as if a die had waited", book.file().encode())
    book = Book(umpire)
    at = next(n for n in book.at("line") if book.proof[n].endswith(" back"))
    book.entries[int(book.proof[at].split(" ")[1]) - 1] = (umpire.ruleset.sides[side], "undo")
    yield Attack(HOST, "an order taken back by another word while its die waits", book.file().encode())


def on_the_pace(umpire: Umpire) -> Iterator[Attack]:
    """Attacks on a live game in which the pace was switched twice and a die rolled alone."""

    def without(book: Book, *numbers: int) -> None:
        at = book.at("pace")
        book.proof = [line for n, line in enumerate(book.proof) if n not in {at[number] for number in numbers}]

    def later(book: Book) -> None:
        agreed = book.proof.pop(book.at("pace")[3])
        book.proof.insert(book.at("link")[-1] + 1, agreed)

    def earlier(book: Book) -> None:
        asks, agrees = (book.proof[book.at("pace")[number]] for number in (2, 3))
        without(book, 0, 1, 2, 3)
        book.proof.insert(book.at("link")[0] + 1, asks)
        book.proof.insert(book.at("link")[1] + 1, agrees)

    def replaced(book: Book, number: int, old: str, new: str, kind: str = "pace") -> None:
        at = book.at(kind)[number]
        assert old in book.proof[at]
        book.proof[at] = book.proof[at].replace(old, new)

    def at_once(book: Book) -> None:
        at = next(n for n, line in enumerate(book.proof) if " waits " in line)
        book.proof[at] = re.sub(" waits .*", "", book.proof[at])

    def waits(book: Book) -> None:
        begun, ended = book.at("pace")[3], book.at("pace")[5]
        at = next(n for n in book.at("block") if begun < n < ended)
        place = (
            max(int(line.split(" ")[3]) for line in book.proof[:at] if re.match("line [0-9]+ .{64} [0-9]", line)) + 1
        )
        book.proof[at] += f" waits {place} {','.join(umpire.ruleset.sides)}"

    def as_before(book: Book) -> None:
        book.opening[0], book.opening[3] = "leuthen proof 1", "strict both"

    one, other = umpire.ruleset.sides
    for name, forge in (
        ("a switch of pace removed", lambda book: without(book, 2, 3)),
        ("a switch of pace without the line that asks", lambda book: without(book, 2)),
        ("a switch of pace without the line that agrees", lambda book: without(book, 3)),
        ("a switch of pace moved before the first die", earlier),
        ("a switch of pace agreed to in a later request", later),
        ("a switch of pace agreed to by the side that asks", lambda book: replaced(book, 3, other, one)),
        ("a switch of pace to the pace that is kept", lambda book: replaced(book, 3, "correspondence", "live")),
        ("a switch of pace under another number", lambda book: replaced(book, 3, "pace 1", "pace 2")),
        ("a switch of pace that was declined, as agreed", lambda book: replaced(book, 1, "no", "correspondence")),
        ("a switch of pace declined though none was asked for", lambda book: without(book, 0)),
        ("a live die that did not wait", at_once),
        ("a die by correspondence that waited", waits),
        ("a die rolled alone by the side that was awaited", lambda book: replaced(book, 0, other, one, "alone")),
        ("a die rolled alone at another place", lambda book: replaced(book, 0, f"{other} 1", f"{other} 2", "alone")),
        ("a die rolled alone as if both had given their links", lambda book: book.proof.pop(book.at("alone")[0])),
        ("the words on the pace in a file of version 1", as_before),
    ):
        book = Book(umpire)
        forge(book)
        yield Attack(HOST, name, book.file().encode())
    hushed = Umpire(load("campaigns"), seed="hushed", title=SWITCHABLE).play_at_random(Random(1), requests=9)
    hushed.switch(0, LIVE)
    hushed.switch(1, LIVE, f"bare {other} lost")
    hushed.say(0, "resign")
    yield Attack(HOST, "a switch of pace to which a player never agreed", hushed.file().encode(), verdict="sound")


def agree_on_draw(book: Book) -> None:
    book.entries[-1] = (book.entries[-1][0], "agree-draw")
    book.end = book.end.replace("coalition resignation", "draw agreement")


def forge_dice(umpire: Umpire, text: str, cases: int, *, listed: bool = False) -> bytes:
    book = Book(umpire)
    turn_all_dice(book, text, cases, listed=listed)
    return book.file().encode()


def turn_all_dice(book: Book, text: str, cases: int, *, listed: bool = False) -> None:
    for at in book.at("line"):
        words = book.proof[at].split(" ")
        number = int(words[1]) - 1
        actor, said = book.entries[number]
        if actor == "chance" and said.startswith("roll "):
            shown = text.format(int(said.removeprefix("roll ")) % 6 + 1)
            book.entries[number] = (actor, shown)
            book.proof[at] = " ".join([*words[:4], str(cases), *([shown] if listed else [])])


def draws(book: Book) -> list[int]:
    return [at for at in book.at("line") if ";" in book.proof[at]]


def text_at(book: Book, at: int) -> str:
    return book.entries[int(book.proof[at].split(" ")[1]) - 1][1]


def swap_answers(book: Book, at: int) -> str:
    words = book.proof[at].split(" ")
    answers, number = " ".join(words[5:]).split(";"), int(words[1]) - 1
    fell = answers.index(book.entries[number][1])
    other = (fell + 1) % len(answers)
    answers[fell], answers[other] = answers[other], answers[fell]
    book.entries[number] = ("chance", answers[fell])
    return " ".join([*words[:5], ";".join(answers)])


def with_header(book: Book, **changed: object) -> bytes:
    book.header = msgspec.structs.replace(book.header, **changed)
    return book.file().encode()


def import_everything(umpire: Umpire) -> bytes:
    book, places, lines = Book(umpire), 0, list[str]()
    for number, (actor, _) in enumerate(book.entries[:-1], 1):
        lines.append(f"line {number} 00" + (f" {places} 1" if actor == "chance" else ""))
        places += actor == "chance"
    link, last, end, block = book.proof[-4:]
    chains = [line for line in book.proof if line.startswith(("chain ", "block ", "link "))][:-2]
    used = [line for line in chains if not line.startswith("block ")]
    book.proof = ["brought", *lines, "block 1 00", *used, link, last, end, block]
    return book.file().encode()


# --- a player ---------------------------------------------------------------------------------------------------------


def _by_a_player(loose: Umpire, strict: Umpire) -> Iterator[Attack]:
    text, receipt = loose.file(), loose.receipts[-1]
    order = next(
        n for n, (actor, said) in enumerate(loose.entries) if actor != "chance" and any(map(str.isdigit, said))
    )
    first = len(loose.header.lines())
    for name, change in (
        (
            "his order said something else",
            lambda lines: replace_line(lines, first + order, lines[first + order] + " 1"),
        ),
        ("his order was never given", lambda lines: replace_line(lines, first + order, f"{order + 1:>5} prussia done")),
        ("a die after his order fell otherwise", lambda lines: [turn_die(line) for line in lines]),
        ("the other has resigned", lambda lines: replace_line(lines, -2, lines[-2].replace("prussia", "coalition"))),
        ("he has won", lambda lines: replace_line(lines, -1, lines[-1].replace("coalition", "prussia", 1))),
        (
            "the other had agreed to a draw",
            lambda lines: replace_line(lines, -1, lines[-1].replace("coalition", "draw", 1)),
        ),
        ("nobody took anything back", lambda lines: [line.replace(" undo", " done") for line in lines]),
        ("two of his orders change places", lambda lines: swap_lines(lines, first + order)),
    ):
        if (changed := reseal(text, change)) != text.encode():
            yield Attack(PLAYER, f"{name}, in the record", changed, [receipt])
    own = protocol.checkpoint(loose.game, loose.ledger.blocks, loose.ledger.head, ("prussia", 3, "0" * 64))
    for name, other in (
        ("that says that he asked for something else", re.sub(r"(seat \S+ \S+) \S+", rf"\1 {'0' * 64}", receipt)),
        ("of a seat that was the other's", re.sub(r"seat \w+", "seat nobody", receipt)),
        ("of an earlier block", re.sub(r"blocks \d+", "blocks 1", receipt)),
        ("that he has signed", f"{own}signed {OTHER_SIGNER.sign(own)}\n"),
        ("of another game", strict.receipts[-1]),
    ):
        yield Attack(PLAYER, f"a receipt {name}", text.encode(), [other])
    signed = f"{own}signed {SIGNER.sign(own)}\n"
    yield Attack(PLAYER, "a receipt, with the host, of what nobody had asked for", text.encode(), [signed])
    for name, other in (
        ("twice in one file", receipt * 2),
        ("with a word behind it", f"{receipt}more\n"),
        ("empty", ""),
    ):
        yield Attack(PLAYER, f"a receipt {name}", text.encode(), [other], "unusable")
    book = Book(loose)
    book.signer = OTHER_SIGNER
    book.opening[2] = f"key {OTHER_SIGNER.public}"
    yield Attack(PLAYER, "a file with a key of his own", book.file().encode(), [receipt])


def replace_line(lines: list[str], at: int, line: str) -> list[str]:
    changed = lines.copy()
    changed[at] = line
    return changed


def turn_die(line: str) -> str:
    return re.sub(r"chance roll (\d)", lambda found: f"chance roll {int(found[1]) % 6 + 1}", line)


def swap_lines(lines: list[str], at: int) -> list[str]:
    one, other = lines[at], lines[at + 1]
    return [*lines[:at], one[:6] + other[6:], other[:6] + one[6:], *lines[at + 2 :]]


def reseal(text: str, change: Callable[[list[str]], list[str]]) -> bytes:
    begin = text.index("leuthen proof ")
    check, lines = hashlib.blake2b(digest_size=4, person=b"leuthen record"), list[str]()
    for line in change([line[:-11] for line in text[:begin].split("\n")[:-1]]):
        check.update(f"{line}\n".encode())
        lines.append(f"{line}  #{check.hexdigest()}\n")
    return ("".join(lines) + text[begin:]).encode()


# --- both players -----------------------------------------------------------------------------------------------------


def _by_both(loose: Umpire, strict: Umpire) -> Iterator[Attack]:

    def die(book: Book) -> None:
        turn_all_dice(book, "roll {}", 6)

    def secret(book: Book) -> None:
        book.secret = bytes(range(32))
        book.opening[1] = f"commit {protocol.seal_secret(book.secret, book.umpire.game)}"

    def not_strict(book: Book) -> None:
        book.opening[3] = "strict no"

    def shorter(book: Book) -> None:
        block = book.at("block")[-4]
        book.proof = [*book.proof[: block + 1], *book.proof[-4:]]
        lines = len(book.at("line"))
        book.entries = [*book.entries[: lines - 1], book.entries[-1]]
        number_lines(book)

    def other_order(book: Book) -> None:
        at = next(n for n, (actor, said) in enumerate(book.entries) if actor != "chance" and said == "done")
        book.entries[at] = (book.entries[at][0], "hold")

    def without_block(book: Book) -> None:
        del book.proof[book.at("block")[3]]

    def at_once(book: Book) -> None:
        book.proof = [re.sub(" waits .*", "", line) for line in book.proof]

    def places(book: Book) -> None:
        one, other, *_ = [at for at in book.at("line") if len(book.proof[at].split(" ")) > 3]
        words, others = book.proof[one].split(" "), book.proof[other].split(" ")
        words[3], others[3] = others[3], words[3]
        book.proof[one], book.proof[other] = " ".join(words), " ".join(others)

    def new_chain(book: Book) -> None:
        book.proof.insert(book.at("link")[3], f"chain prussia 2 9 {'7' * 64} lost")

    def takebacks(book: Book) -> None:
        book.header = msgspec.structs.replace(book.header, takebacks="free")

    for umpire, name, change in (
        (loose, "other dice", die),
        (loose, "another secret, with its dice", secret),
        (loose, "a draw by agreement", agree_on_draw),
        (strict, "a table that was not strict", not_strict),
        (loose, "an earlier resignation", shorter),
        (loose, "an order that was not given", other_order),
        (loose, "two blocks made one", without_block),
        (strict, "no die that waits", at_once),
        (loose, "the places of two dice exchanged", places),
        (loose, "a chain more", new_chain),
        (loose, "takebacks as they like", takebacks),
    ):
        book = Book(umpire)
        change(book)
        signature = umpire.file()[-129:-1]
        yield Attack(BOTH, f"{name}, under the old signature", f"{book.file()[:-129]}{signature}\n".encode())
    for name, change in (("an order that was not given", other_order), ("takebacks as they like", takebacks)):
        book = Book(strict)
        change(book)
        book.signer = OTHER_SIGNER
        book.opening[2] = f"key {OTHER_SIGNER.public}"
        yield Attack(BOTH, f"{name}, against a watcher's receipt", book.file().encode(), [strict.receipt()])


# --- a stranger -------------------------------------------------------------------------------------------------------


def _by_a_stranger(loose: Umpire, strict: Umpire) -> Iterator[Attack]:
    text = loose.file()
    data, begin = text.encode(), text.index("leuthen proof ")
    accented = next((n for n, line in enumerate(text.split("\n")) if "é" in line), len(loose.header.lines()))
    yield Attack(
        STRANGER,
        "a digit of a check",
        text.replace("  #", "  #0", 1).replace(text.partition("\n")[0][-8:], "", 1).encode(),
    )
    changes: Sequence[tuple[str, Callable[[str], str]]] = (
        ("a space that does not break", lambda line: line[:12] + line[12:].replace(" ", "\u00a0", 1)),
        ("a letter and its accent apart", lambda line: unicodedata.normalize("NFD", line)),
        ("a mark that nobody sees", lambda line: f"{line}\u200b"),
        ("a separator of lines", lambda line: f"{line}\u2028"),
        ("a space at the end", lambda line: f"{line} "),
        ("a number that stands elsewhere", lambda line: line.lstrip(" ")),
        ("a character that is none", lambda line: f"{line} \x7f"),
    )
    for name, change in changes:
        line = change(text.split("\n")[accented][:-11])
        changed = reseal(text, partial(replace_line, at=accented, line=line))
        if changed != data:
            yield Attack(STRANGER, f"{name} in the record", changed)
    twice = reseal(text, lambda lines: [*lines[:3], lines[3], *lines[3:]])
    yield Attack(STRANGER, "a line of the header twice", twice)
    yield Attack(
        STRANGER, "a line of the header more", reseal(text, lambda lines: [*lines[:2], "note well", *lines[2:]])
    )
    yield Attack(STRANGER, "a byte that is no letter", data.replace(b" done", b" d\xf6ne", 1))
    yield Attack(STRANGER, "the signature in capitals", (text[:-129] + text[-129:].upper()).encode())
    signed = text.rindex("signed ") + len("signed ")
    yield Attack(STRANGER, "a zero before the last number", (text[:signed] + "0" + text[signed:]).encode())
    yield Attack(STRANGER, "a second signature", (text + text[text.rindex("signed ") :]).encode())
    yield Attack(STRANGER, "words behind the end", (text + "whole\n").encode())
    yield Attack(STRANGER, "no last line end", text[:-1].encode())
    yield Attack(STRANGER, "the proof twice", (text + text[begin:]).encode())
    yield Attack(
        STRANGER,
        "the record of another game",
        (strict.file()[: strict.file().index("leuthen proof ")] + text[begin:]).encode(),
    )
    yield Attack(STRANGER, "a shorter game", (text[: text.rindex("block ")] + text[text.rindex("open ") :]).encode())
    yield Attack(STRANGER, "the line ends of Windows", text.replace("\n", "\r\n").encode(), verdict="unusable")
    yield Attack(STRANGER, "the mark of an editor", b"\xef\xbb\xbf" + data, verdict="unusable")
    yield Attack(STRANGER, "no proof", text[:begin].encode(), verdict="unusable")
    yield Attack(STRANGER, "nothing", b"", verdict="unusable")
    yield Attack(
        STRANGER,
        "line ends of Windows in the proof",
        (text[:begin] + text[begin:].replace("\n", "\r\n")).encode(),
        verdict="unusable",
    )
    assert end_words(loose.table)
