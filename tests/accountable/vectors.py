"""The published vectors of `verifiers/`: made by this program, and checked by all three readers of the protocol."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Protocol, cast

from leuthen.load import load
from leuthen.play.accountable import protocol
from leuthen.play.accountable.chain import Chain
from leuthen.play.accountable.check import check
from leuthen.play.accountable.section import parse_receipt
from leuthen.play.record import RecordError, parse
from tests.accountable.forgery import BLIND, BY_RECEIPT, FOUND, Book
from tests.accountable.umpire import SIGNER, Umpire

HOME = Path(__file__).parents[2] / "verifiers"
FOLDER = HOME / "vectors"
CASES = (1, 2, 6, 36, 1000, 2**64 + 1, 2**255 + 1)


class Verifier(Protocol):
    """The module `verifiers/verify.py`, as far as tests use it."""

    def verify(self, data: bytes, receipts: list[str] = ...) -> tuple[int, str, list[str]]:
        """The first bad line (0: none in particular), why it is bad (""), and what holds."""
        ...


def verifier() -> Verifier:
    """The Python verifier, loaded from its file as it stands."""
    spec = importlib.util.spec_from_file_location("leuthen_verify", HOME / "verify.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Verifier", module)


def words() -> dict[str, object]:
    """Each word of the protocol, with what it is made of."""
    secret, chain = bytes.fromhex(protocol.digest("a secret")), Chain(protocol.digest("a seed"), 4)
    head = protocol.genesis(["leuthen record 1", "game g"], ["leuthen proof 1"])
    text = protocol.checkpoint("g", 1, head, ("prussia", 2, protocol.first_own("prussia")))
    links = (chain.link(1), protocol.NO_LINK)
    return {
        "secret": secret.hex(),
        "commit": protocol.seal_secret(secret, "g"),
        "chain": [chain.link(number) for number in range(5)],
        "line": protocol.commit_line(secret, "g", 7, "prussia", "march Keith 1 ü"),
        "end": protocol.commit_end("draw time 1757 C13.2 00"),
        "genesis": head,
        "body": protocol.body_of(["table", "line 1 00"]),
        "block": protocol.next_head(1, head, protocol.body_of(["table"]), "3 austria"),
        "own": protocol.next_own("prussia", 1, protocol.first_own("prussia"), ["table"]),
        "links": links,
        "dice": [
            [place, str(of), str(protocol.number_at(secret, "g", place, links, of))] for place in (0, 9) for of in CASES
        ],
        "key": SIGNER.public,
        "checkpoint": text,
        "signature": SIGNER.sign(text),
    }


def small(*, is_strict: bool = False, waits_for_both: bool = True) -> Umpire:
    """A short game with dice, resigned."""
    umpire = Umpire(
        load("campaigns"), is_strict=is_strict, waits_for_both=waits_for_both, seed=f"vector-{is_strict}"
    ).play_at_random(Random(3), requests=40)
    while umpire.ledger.waiting:
        umpire.share()
    umpire.say(0, "resign")
    return umpire


def unlinked() -> Umpire:
    """A short game in which instructions answer, and a program without links."""
    umpire = Umpire(load("campaigns"), seed="vector-unlinked").play_at_random(Random(6), requests=40, instructs=0.3)
    umpire.ask("prussia", lambda deed: deed.say(0, "resign"), "bare prussia program")
    return umpire


def games() -> list[dict[str, object]]:
    """Whole files: sound ones, and one of every forgery."""
    return [_told(*one) for one in _files()]


def _files() -> Iterator[tuple[str, str, list[str]]]:
    loose, strict = small(), small(is_strict=True)
    old = small(is_strict=True, waits_for_both=False)
    going = Umpire(load("campaigns"), seed="vector-going").play_at_random(Random(4), requests=6)
    yield "sound", loose.file(), loose.receipts[-2:]
    yield "sound and strict", strict.file(), strict.receipts[-2:]
    yield "sound and strict, as before", old.file(), old.receipts[-2:]
    yield "goes on", going.file(), going.receipts[:1]
    bare = unlinked()
    yield "sound, with lines without a link", bare.file(), bare.receipts[-2:]
    for name, change in BLIND.items():
        yield f"blindly: {name}", "\n".join(change(Random(f"blindly {name}"), strict.file().splitlines())) + "\n", []
    for name, forge in {**FOUND, **BY_RECEIPT}.items():
        book = Book(strict)
        if forge(Random(name), book):
            yield f"by the host: {name}", book.file(), [] if name in FOUND else strict.receipts[-2:]
    text, receipt, proof = loose.file(), loose.receipts[-1], "leuthen proof 1"
    yield "a receipt of another game", text, strict.receipts[-1:]
    yield "a receipt that was changed", text, [receipt.replace("\nblocks ", "\nblocks 1")]
    yield "no receipt", text, ["leuthen checkpoint 2\n"]
    yield "another record", text.replace("leuthen record 1", "leuthen record 2"), []
    yield "another proof", text.replace(proof, "leuthen proof 2"), []
    yield "joined from two", text.partition(proof)[0] + proof + strict.file().partition(proof)[2], []


def _told(name: str, text: str, receipts: list[str]) -> dict[str, object]:
    line, why, holds = verifier().verify(text.encode(), receipts)
    return {
        "name": name,
        "line": line,
        "why": why,
        "holds": holds,
        "here": line_here(text, receipts),
        "receipts": receipts,
        "file": text,
    }


def line_here(text: str, receipts: list[str]) -> int:
    """The line that this program names; 0 for none in particular, -1 if all holds."""
    try:
        kept = [parse_receipt(Path("receipt"), receipt) for receipt in receipts]
        check(parse(Path("game"), text.encode()), kept)
    except RecordError as error:
        return error.line
    except ValueError:  # no receipt at all
        return 0
    return -1


def main() -> None:
    """Writes the vectors anew."""
    FOLDER.mkdir(exist_ok=True)
    for name, found in (("words", words()), ("games", games())):
        (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
