"""The proof in a file: the record comes first, then the section that begins with "leuthen proof"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from leuthen.play.proof.ledger import OPENING, PACES, number_in
from leuthen.play.proof.protocol import is_word
from leuthen.play.record import FORMAT, RecordError
from leuthen.play.record import TITLE as RECORD

MOST_BYTES: Final = 16_000_000
"""Maximum size of a checked file; the longest wars take a tenth."""
MOST_LINE: Final = 20_000
_KIND: Final = "leuthen proof "
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_SIGNATURE: Final = re.compile("[0-9a-f]{128}")
_RECEIPT: Final = re.compile(
    r"(leuthen checkpoint 1\ngame ([^\n]+)\nblocks ([0-9]+) ([0-9a-f]{64})\n"
    r"(?:seat ([^ \n]+) ([0-9]+) ([0-9a-f]{64})\n)?)signed ([0-9a-f]{128})\n"
)
_TAILS: Final[Sequence[list[str]]] = (["open", "signed"], ["signed"], ["open"], [])


NO_PROOF: Final = (
    "has no proof behind it: a game at one screen, at a terminal or from before there were proofs cannot be checked; "
    "leuthen replay --verify says whether the rules were kept"
)


class UncheckableFile(RecordError):
    """A file that cannot be checked; that is no evidence against a game."""


class Section(NamedTuple):
    """A proof as a file has it. Line numbers are those of the whole file, from 1."""

    first: int
    opening: tuple[str, ...]
    lines: tuple[str, ...]
    """The lines for the ledger."""
    secret: str
    """The game's disclosed secret, or ""."""
    signed: tuple[int, str, str] | None
    """Number and head of the last block, and the signature; None if there is none."""

    @property
    def body(self) -> int:
        """The number of the first line for the ledger."""
        return self.first + OPENING

    @property
    def after(self) -> int:
        """The number of the line after the last one for the ledger."""
        return self.body + len(self.lines)


def text_of(record: str, opening: Sequence[str], lines: Sequence[str], secret: bytes | None, signed: str) -> str:
    """Return a file of a record and its proof. `secret` is given once the game has ended, `signed` is the
    `signed_line`."""
    opened = [f"open {secret.hex()}"] if secret is not None else []
    return record + "".join(f"{line}\n" for line in [*opening, *lines, *opened, signed])


def signed_line(blocks: int, head: str, signature: str) -> str:
    """Return the last line of a proof: the latest checkpoint for all."""
    return f"signed {blocks} {head} {signature}"


def read_file(path: Path) -> bytes:
    """Return the bytes of a file to check. Raise RecordError if it cannot be read or is too large."""
    try:
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            raise RecordError(path, f"is too large to be checked: no game takes more than {MOST_BYTES // 1_000_000} MB")
        return found
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from error


def expect_checkable(path: Path, data: bytes) -> None:
    """Raise NotChecked unless this is an unconverted record with a proof, in the supported versions."""
    if data.startswith(_BYTE_ORDER_MARK):
        raise UncheckableFile(
            path, "begins with a byte order mark: an editor has saved it; fetch it from its server again"
        )
    at = data.find(f"\n{_KIND}".encode()) + 1
    title, opening = (part.partition(b"\n")[0].decode(errors="replace") for part in (data, data[at:]))
    if title.endswith("\r") or opening.endswith("\r"):
        raise UncheckableFile(
            path, "has line ends of Windows: a program has converted it; fetch it from its server again"
        )
    title = title.partition("  #")[0]
    if not title.startswith(f"{RECORD} "):
        raise UncheckableFile(path, f'is no record of Leuthen, which begins with "{RECORD}"', 1)
    if title != f"{RECORD} {FORMAT}":
        found = title.removeprefix(RECORD).strip()[:40]
        raise UncheckableFile(path, f'is a record of format "{found}"; this program reads format {FORMAT}', 1)
    if not at:
        raise UncheckableFile(path, NO_PROOF)
    if opening not in PACES:
        found = opening.removeprefix(_KIND)[:40]
        line = data.count(b"\n", 0, at) + 1
        raise UncheckableFile(path, f'is a proof of version "{found}"; this program reads versions 1 and 2', line)


def read_section(path: Path, proof: bytes, first: int) -> Section:
    """Parse a proof whose first line is number `first` of the file. Raise RecordError."""
    lines = _lines(path, proof, first)
    if not lines or lines[0] not in PACES:
        raise RecordError(path, f'a proof begins with "{_KIND}" and its version', first)
    _expect_opening(path, lines, first)
    rest = lines[OPENING:]
    end = next((at for at, line in enumerate(rest) if line.startswith(("open ", "signed "))), len(rest))
    tail = dict(line.split(" ", 1) for line in rest[end:] if " " in line)
    if list(tail) != [line.split(" ")[0] for line in rest[end:]] or list(tail) not in _TAILS:
        raise RecordError(
            path, "a proof ends with the secret, if it is opened, and one signature", first + OPENING + end
        )
    if "open" in tail and not is_word(tail["open"]):
        raise RecordError(path, "this is no secret: it has 64 hexadecimal digits", first + OPENING + end)
    signed = _signed(f"signed {tail['signed']}") if "signed" in tail else None
    return Section(first, tuple(lines[:OPENING]), tuple(rest[:end]), tail.get("open", ""), signed)


def _lines(path: Path, proof: bytes, first: int) -> list[str]:
    try:
        *lines, torn = proof.decode().split("\n")
    except UnicodeDecodeError as error:
        at = first + proof.count(b"\n", 0, error.start)
        raise RecordError(path, "is no text", at) from None
    if torn:
        raise RecordError(path, "the last line has no end: the file was cut off", first + len(lines))
    for number, line in enumerate(lines, first):
        if len(line) > MOST_LINE:
            raise RecordError(path, "no line of a proof is so long", number)
    return lines


def _expect_opening(path: Path, lines: Sequence[str], first: int) -> None:
    for number, word in enumerate(("commit", "key", ""), 1):
        line = lines[number] if number < len(lines) else ""
        kind, _, rest = line.partition(" ")
        if not (kind == word and is_word(rest) if word else line in PACES[lines[0]]):
            raise RecordError(path, "a proof begins with its commit, its key, and its pace", first + number)


def _signed(line: str) -> tuple[int, str, str]:
    """Return number, head and signature; number -1 if the line is malformed."""
    words = line.split(" ")
    is_right = len(words) == 4 and _SIGNATURE.fullmatch(words[3]) is not None
    return (number_in(words[1]), words[2], words[3]) if is_right else (-1, "", "")


class Receipt(NamedTuple):
    """A signed checkpoint that a player stored. `side` is "" if it is for all."""

    path: Path
    text: str
    signature: str
    game: str
    blocks: int
    head: str
    side: str
    groups: int
    own: str


def parse_receipt(path: Path, text: str) -> Receipt:
    """Parse a receipt. Raise NotChecked."""
    found = _RECEIPT.fullmatch(text)
    if found is None:
        raise UncheckableFile(
            path, 'is not a receipt: "leuthen checkpoint 1", the game, blocks, perhaps a seat, signed'
        )
    signed, game, blocks, head, side, groups, own, signature = found.groups(default="")
    return Receipt(path, signed, signature, game, number_in(blocks), head, side, number_in(groups or "0"), own)
