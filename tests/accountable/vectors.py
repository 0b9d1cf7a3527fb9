"""The published vectors of `verifiers/`: made by this program, and checked by all three readers of the protocol."""

import importlib.util
import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Protocol, cast

from leuthen.load import load
from leuthen.play.proof import protocol
from leuthen.play.proof.check import check
from leuthen.play.proof.protocol import Chain
from leuthen.play.proof.section import expect_checkable, parse_receipt
from leuthen.play.record import RecordError, parse
from tests.accountable.attacks import attacks
from tests.accountable.forgery import BLIND, BY_RECEIPT, FOUND, Book
from tests.accountable.umpire import SIGNER, Umpire

HOME = Path(__file__).parents[2] / "verifiers"
FOLDER = HOME / "vectors"
CASES = (1, 2, 6, 36, 1000, 2**64 + 1, 2**255 + 1)


class Verifier(Protocol):
    def verify(self, data: bytes, receipts: list[str] = ...) -> tuple[str, int, str, list[str], list[str]]: ...


def verifier() -> Verifier:
    spec = importlib.util.spec_from_file_location("leuthen_verify", HOME / "verify.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Verifier", module)


def words() -> dict[str, object]:
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


def small(*, is_strict: bool = False) -> Umpire:
    umpire = Umpire(load("campaigns"), is_strict=is_strict, seed=f"vector-{is_strict}")
    umpire.play_at_random(Random(3), requests=40)
    while umpire.ledger.waiting:
        umpire.share()
    umpire.say(0, "resign")
    return umpire


def unlinked() -> Umpire:
    umpire = Umpire(load("campaigns"), seed="vector-unlinked").play_at_random(Random(6), requests=40, instructs=0.3)
    umpire.ask("prussia", lambda deed: deed.say(0, "resign"), "bare prussia program")
    return umpire


def taken_back() -> Umpire:
    umpire = Umpire(load("campaigns"), is_strict=True, seed="vector-back")
    umpire.play_at_random(Random(3), requests=50, undoes=0.5)
    umpire.say(0, "resign")
    return umpire


def short(*, is_strict: bool) -> Umpire:
    for number in count():
        umpire = Umpire(load("campaigns"), is_strict=is_strict, seed=f"vector-short-{is_strict}")
        umpire.play_at_random(Random(number), requests=16)
        said = [text for _, text in umpire.entries]
        if any(text.startswith("roll ") for text in said) and (is_strict or ("undo" in said and "é" in "".join(said))):
            while umpire.ledger.waiting:
                umpire.share()
            umpire.say(0, "resign")
            return umpire
    raise AssertionError


def games() -> list[dict[str, object]]:
    return [_told(*one) for one in _files()]


def _files() -> Iterator[tuple[str, bytes, Sequence[str]]]:
    loose, strict = small(), small(is_strict=True)
    going = Umpire(load("campaigns"), seed="vector-going").play_at_random(Random(4), requests=6)
    yield "sound", loose.file().encode(), loose.receipts[-2:]
    yield "sound and strict", strict.file().encode(), strict.receipts[-2:]
    yield "goes on", going.file().encode(), going.receipts[:1]
    back = taken_back()
    yield "sound, with orders taken back while a die waited", back.file().encode(), back.receipts[-2:]
    bare = unlinked()
    yield "sound, with lines without a link", bare.file().encode(), bare.receipts[-2:]
    for name, change in BLIND.items():
        blind = change(Random(f"blindly {name}"), strict.file().splitlines())
        yield f"blindly: {name}", ("\n".join(blind) + "\n").encode(), []
    for name, forge in {**FOUND, **BY_RECEIPT}.items():
        book = Book(strict)
        if forge(Random(name), book):
            yield f"by the host: {name}", book.file().encode(), [] if name in FOUND else strict.receipts[-2:]
    for attack in attacks(short(is_strict=False), short(is_strict=True)):
        yield f"{attack.actor}: {attack.name}", attack.file, attack.receipts


def _told(name: str, file: bytes, receipts: Sequence[str]) -> dict[str, object]:
    verdict, line, why, holds, left = verifier().verify(file, list(receipts))
    found = {"name": name, "verdict": verdict, "line": line, "why": why, "holds": holds, "left": left}
    try:
        whole = {"file": file.decode()}
    except UnicodeDecodeError:
        whole = {"base64": b64encode(file).decode()}
    return {**found, "here": line_here(file, receipts), "receipts": list(receipts), **whole}


def file_of(game: Mapping[str, str]) -> bytes:
    return game["file"].encode() if "file" in game else b64decode(game["base64"])


def line_here(file: bytes, receipts: Sequence[str]) -> int:
    path = Path("game")
    try:
        expect_checkable(path, file)
        check(parse(path, file), [parse_receipt(Path("receipt"), receipt) for receipt in receipts])
    except RecordError as error:
        return error.line
    return -1


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, found in (("words", words()), ("games", games())):
        (FOLDER / f"{name}.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
