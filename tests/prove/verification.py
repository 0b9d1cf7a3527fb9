"""Verification of whole games: sound ones must not be called broken, nor forged ones sound."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from leuthen.engine.ruleset import as_side
from leuthen.load import load
from leuthen.play.proof import protocol
from leuthen.play.proof.check import Receipt, check, parse_receipt
from leuthen.play.proof.protocol import Chain
from leuthen.play.proof.rules import check_rules
from leuthen.play.record import RecordError, parse
from tests.proof.forgery import BLIND, BY_RECEIPT, FOUND, Book, is_named
from tests.proof.umpire import Umpire
from tests.proof.vectors import Verifier, load_verifier

Result: TypeAlias = dict[str, Any]
RULESETS = ("frederick", "campaigns")
FORGERIES = 100
GAMES = 100
SECRETS = 1 << 20
_FILE = Path("game")


def random_game(seed: str, requests: int) -> Umpire:
    rng = Random(seed)
    name = rng.choice(RULESETS)
    options = {"last-year": "1757"} if name == "frederick" else {}
    chains = rng.choice([(True, True), (True, True), (True, False), (False, True)])
    umpire = Umpire(load(name), options=options, seed=seed, is_strict=rng.random() < 0.5, chains=chains)
    umpire.play_at_random(rng, requests=requests)
    while umpire.ledger.waiting is not None:
        umpire.share()
    if umpire.table.outcome is None:
        umpire.say(as_side(rng.randrange(2)), "resign")
    return umpire


def find_contradiction(reader: Verifier, umpire: Umpire) -> str:
    text = umpire.file()
    try:
        recorded = parse(_FILE, text.encode())
        check_rules(umpire.ruleset, recorded, check(recorded, parse_receipts(umpire.receipts)))
    except RecordError as error:
        return str(error)
    _, line, why, *_ = reader.verify(text.encode(), umpire.receipts[-2:])
    return f"verifier: {line}: {why}" if why else ""


def parse_receipts(receipts: list[str]) -> list[Receipt]:
    return [parse_receipt(Path(f"receipt {number}"), text) for number, text in enumerate(receipts)]


def sound_games(folder: Path, number: int, count: int = GAMES) -> Result:
    reader, lines, dice = load_verifier(), 0, 0
    for one in range(count):
        rng = Random(f"{number} {one}")
        umpire = random_game(f"{number}-{one}", rng.choice([5, 20, 60, 120]))
        lines, dice = lines + len(umpire.entries), dice + umpire.table.chances
        if fault := find_contradiction(reader, umpire):
            (folder / f"unsound-{number}-{one}.leuthen").write_text(umpire.file(), encoding="utf-8")
            return {"games": one + 1, "fault": f"game {number}-{one}: {fault}"}
    return {"games": count, "lines": lines, "dice": dice, "fault": ""}


def forgeries(folder: Path, number: int, count: int = FORGERIES) -> Result:
    umpire, rng, reader, found = (
        random_game(f"forged-{number}", 150),
        Random(f"forge {number}"),
        load_verifier(),
        Counter[str](),
    )
    text, receipts = umpire.file(), parse_receipts(umpire.receipts[-2:])
    for name, forged in _make_forgeries(umpire, rng, text, count):
        alone, is_whole = find_fault(forged, []), not reader.verify(forged.encode())[2]
        fault = ""
        if alone is None and not (name in BY_RECEIPT and receipts and find_fault(forged, receipts)):
            fault = "is not found"
        elif is_whole != (alone is None):
            fault = "is judged otherwise by the small verifier"
        elif alone is not None and not is_named(name, alone.line, text, forged):
            fault = f"is named by line {alone.line}"
        if fault:
            (folder / f"forged-{number}.leuthen").write_text(forged, encoding="utf-8")
            return {"forged": found.total(), "fault": f"{name} {fault}: game forged-{number}"}
        found[f"{name}{', by receipt' if alone is None else ''}"] += 1
    return {"forged": found.total(), "found": dict(found), "fault": ""}


def _make_forgeries(umpire: Umpire, rng: Random, text: str, count: int) -> Iterator[tuple[str, str]]:
    names = [*BLIND, *FOUND, *BY_RECEIPT]
    made = tried = 0
    while made < count and tried < 20 * count:
        tried += 1
        name = names[tried % len(names)]
        book = Book(umpire)
        if name in BLIND:
            other = "\n".join(BLIND[name](rng, text.splitlines())) + "\n"
        elif not {**FOUND, **BY_RECEIPT}[name](rng, book) or not (umpire.devices or name in FOUND):
            continue
        else:
            other = book.file()
        if other != text:
            made += 1
            yield name, other


def find_fault(text: str, receipts: list[Receipt]) -> RecordError | None:
    try:
        check(parse(_FILE, text.encode()), receipts)
    except RecordError as error:
        return error
    return None


def ground_secrets(folder: Path, number: int, count: int = SECRETS) -> Result:
    reckoned = [tuple(Chain(protocol.digest(f"{side} {n}"), 0).top for side in "pa") for n in range(10)]
    best = max(range(count), key=lambda one: _sixes(_secret(number, one), reckoned))
    come = [tuple(Chain(protocol.digest(f"come {side} {n}"), 0).top for side in "pa") for n in range(6000)]
    rolls = Counter(_die(_secret(number, best), n % 10, links) for n, links in enumerate(come))
    chi_square = sum((rolls[face] - 1000) ** 2 / 1000 for face in range(6))
    line = {"secrets": count, "reckoned": _sixes(_secret(number, best), reckoned), "chi2": round(chi_square, 2)}
    return {**line, "fault": "" if chi_square < 20.5 else "the dice are not even"}


def _secret(number: int, one: int) -> bytes:
    return bytes.fromhex(protocol.digest("grind", str(number), str(one)))


def _die(secret: bytes, place: int, links: tuple[str, ...]) -> int:
    return protocol.number_at(secret, "g", place, (links[0], links[1]), 6)


def _sixes(secret: bytes, links: list[tuple[str, ...]]) -> int:
    return next((place for place, pair in enumerate(links) if _die(secret, place, pair) != 5), len(links))
