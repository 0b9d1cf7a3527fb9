"""The record of a game: a readable text file with a line per action, flushed to disk before the action counts.

docs/record.md explains it line by line. Every line ends with a running checksum of all lines so far, so that a line
that was changed, added, moved or removed is found and named. An incomplete last line after a crash is cut off and
reported.
"""

import contextlib
import hashlib
import io
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, Self

import msgspec

from leuthen.engine.refusal import Invalid, lines_of, number_of, plain_spaces

FORMAT: Final = 1
UNDO: Final = "undo"
RESIGN: Final = "resign"
AGREE: Final = "agree-draw"
TAKE_BACK: Final = "take-back"
STANDING: Final = "standing"
TITLE: Final = "leuthen record"
NEVER: Final = "never"
CONSENT: Final = "consent"
FREE: Final = "free"
TAKEBACKS: Final = {
    NEVER: "no takeback after a roll or after its player has learned a secret",
    CONSENT: "takebacks need the opponent's consent; a machine refuses after a roll",
    FREE: "each side may take back anything, for practice",
}
"""The rules for takebacks, chosen when a game is created and recorded."""
_BEYOND: Final = 1 << 40  # an offset beyond the end of any record
_END: Final = "end"
_PROOF: Final = b"\nleuthen proof "
_MARK: Final = "  #"
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_COPIED: Final = "has other spaces than the record, as a copy from a page or a word processor has; use the file itself"
_SINGLE: Final = ("ruleset", "scenario", "data", "game", "takebacks")
_HEAD: Final = re.compile(f"({'|'.join(_SINGLE)}|option|seat) .")


class RecordError(Invalid):
    """A record that cannot be used. The message names the file and, if there is one, the line."""

    def __init__(self, path: Path, reason: str, line: int = 0) -> None:
        where = f"{path}, line {line}" if line else f"{path}"
        super().__init__(f"{where}: {reason}")
        self.path = path
        self.line = line


def expect(holds: object, path: Path, reason: str, line: int = 0, *, error: type[RecordError] = RecordError) -> None:
    """Raise RecordError unless something holds."""
    if not holds:
        raise error(path, reason, line)


class Header(msgspec.Struct, frozen=True):
    """The setup of a game: rule set and version, scenario, data digest, options, and players by side.

    `game` is the id from which its dice are derived; `takebacks` a key of `TAKEBACKS`.
    """

    ruleset: str
    version: str
    scenario: str
    data: str
    options: Mapping[str, str]
    seats: Mapping[str, str]
    game: str
    takebacks: str = CONSENT

    def lines(self) -> list[str]:
        return [
            f"{TITLE} {FORMAT}",
            f"ruleset {self.ruleset} {self.version}",
            f"scenario {self.scenario}",
            f"data {self.data}",
            f"game {self.game}",
            f"takebacks {self.takebacks}",
            *(f"option {name} {value}" for name, value in self.options.items()),
            *(f"seat {side} {who}" for side, who in self.seats.items()),
        ]


class RecordEntry(msgspec.Struct, frozen=True):
    """An action: its line in the file, its number, its actor (a side or `chance`), and its notation."""

    line: int
    number: int
    actor: str
    text: str


class Record(msgspec.Struct, frozen=True):
    """A record as read, with every line checked."""

    path: Path
    header: Header
    entries: tuple[RecordEntry, ...]
    end: str  # the outcome's words, or "" while the game goes on
    lines: tuple[str, ...]  # all complete lines without their checksums
    size: int  # number of bytes of the complete lines
    torn: bytes  # the incomplete last line, which does not count
    proof: bytes = b""  # the unparsed proof after the record (`play.proof`)

    @property
    def notice(self) -> str:
        """A note about an incomplete last line, or ""."""
        torn = self.torn.decode(errors="replace")
        return f'{self.path}: the last line was torn and does not count: "{torn}"' if torn else ""


def new_chain() -> hashlib.blake2b:
    """Return a new running checksum over the lines of a record."""
    return hashlib.blake2b(digest_size=4, person=b"leuthen record")


def seal(chain: hashlib.blake2b, line: str) -> str:
    """Return the next line of a record with its checksum."""
    chain.update(line.encode() + b"\n")
    return f"{line}{_MARK}{chain.hexdigest()}"


class Writer:
    """Appends to a record. A line is on disk when the call returns; a failed write leaves no trace.

    With `durable=False` the system decides when lines reach the disk: for bulk play.
    """

    def __init__(self, path: Path, file: io.FileIO, recorded: Record | None, *, durable: bool) -> None:
        self.path = path
        self.number = len(recorded.entries) if recorded else 0
        self._file = file
        self._chain = new_chain()
        self._size = recorded.size if recorded else 0
        self._durable = durable
        for line in recorded.lines if recorded else ():
            seal(self._chain, line)

    @classmethod
    def create(cls, path: Path, header: Header, *, durable: bool = True) -> Self:
        """Create a record. Raise RecordError if the file exists or cannot be written."""
        expect(not path.exists(), path, "this file already exists; choose another name or resume it")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            writer = cls(path, io.FileIO(path, "xb"), None, durable=durable)
        except OSError as error:
            raise RecordError(path, f"cannot be written: {error.strerror}") from error
        _lock(path, writer._file)
        writer._put(header.lines())
        with contextlib.suppress(OSError):
            handle = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        return writer

    @classmethod
    def append(cls, recorded: Record, *, durable: bool = True) -> Self:
        """Continue a record that was read, without an incomplete last line.

        Raise RecordError if the game has ended, is being played elsewhere, or the file cannot be written.
        """
        path = recorded.path
        expect(not recorded.end, path, "this game has ended", len(recorded.lines))
        expect(not recorded.proof, path, "has a server's proof and can only be continued by that server")
        try:
            file = io.FileIO(path, "r+b")
        except OSError as error:
            raise RecordError(path, f"cannot be written: {error.strerror}") from error
        _lock(path, file)
        if os.fstat(file.fileno()).st_size != recorded.size + len(recorded.torn):
            file.close()
            raise RecordError(path, "has changed since it was read")
        file.truncate(recorded.size)
        file.seek(recorded.size)
        return cls(path, file, recorded, durable=durable)

    def write(self, actor: str, text: str) -> None:
        """Write an action. Raise RecordError if that fails; the action does not count then."""
        self._put([f"{self.number + 1:>5} {actor} {text}"])
        self.number += 1

    def end(self, words: str) -> None:
        self._put([f"{_END} {words}"])

    def close(self) -> None:
        self._file.close()

    def _put(self, lines: Sequence[str]) -> None:
        chain = self._chain.copy()
        data = "".join(seal(chain, line) + "\n" for line in lines).encode()
        try:
            left = data
            while left:
                left = left[self._file.write(left) :]
            if self._durable:
                _flush_to_disk(self._file.fileno())
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.truncate(self._size)
                self._file.seek(self._size)
            raise RecordError(self.path, f"cannot be written: {error.strerror}") from error
        self._chain = chain
        self._size += len(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def text_of(header: Header, entries: Iterable[tuple[str, str]], end: str) -> str:
    """Return a whole record as text: `entries` are actors' names with their actions, `end` the outcome's words or
    ""."""
    chain = new_chain()
    lines = [f"{number:>5} {actor} {text}" for number, (actor, text) in enumerate(entries, 1)]
    last = [f"{_END} {end}"] if end else []
    return "".join(seal(chain, line) + "\n" for line in [*header.lines(), *lines, *last])


def _lock(path: Path, file: io.FileIO) -> None:
    try:
        if sys.platform == "win32":
            import msvcrt

            file.seek(_BEYOND)  # there a locked byte keeps nobody from reading; what is written goes to the end anyway
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise RecordError(path, "this game is open in another process") from None


def _flush_to_disk(handle: int) -> None:
    """Flush a file to the disk itself; on macOS `fsync` only reaches the drive's cache."""
    if sys.platform == "darwin":
        import fcntl

        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def read(path: Path) -> Record:
    """Read a record and check every line. Raise RecordError, which names the line."""
    try:
        return parse(path, path.read_bytes())
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror}") from error


def parse(path: Path, data: bytes) -> Record:
    """Parse a record and check every line; `path` names it in messages. Raise RecordError.

    A byte order mark and Windows line ends are accepted if no proof follows the record.
    """
    at = data.find(_PROOF) + 1
    data, proof = (data[:at], data[at:]) if at else (data, b"")
    is_converted = data.startswith(_BYTE_ORDER_MARK) or b"\r\n" in data
    converted = "was converted by another program; a record with a proof is read only as it was saved"
    expect(not (proof and is_converted), path, converted)
    size = data.rfind(b"\n") + 1
    lines = _checked(path, data[:size])
    torn, mark, _ = data[size:].decode(errors="replace").rpartition(_MARK)
    if not proof and torn.startswith(f"{_END} "):  # only its line break may be missing: editors and mail remove it
        chain = new_chain()
        for whole in lines:
            seal(chain, whole)
        if mark and seal(chain, torn).encode() == data[size:].rstrip(b"\r"):
            lines, size = [*lines, torn], len(data)
    header, first = _header(path, lines)
    is_over = lines[-1].startswith(f"{_END} ")
    end = lines[-1].removeprefix(f"{_END} ") if is_over else ""
    entries = []
    for line in range(first + 1, len(lines) + 1 - is_over):
        text, number = lines[line - 1], line - first
        words = text.split(maxsplit=2)
        expect(len(words) == 3 and _number(text) == number, path, f'is not action {number}: "{text}"', line)
        entries.append(RecordEntry(line, number, words[1], words[2]))
    return Record(path, header, tuple(entries), end, tuple(lines), size, data[size:], proof)


def _checked(path: Path, data: bytes) -> list[str]:
    try:
        lines = lines_of(data.decode())
    except UnicodeDecodeError as error:
        raise RecordError(path, "is no text", data.count(b"\n", 0, error.start) + 1) from None
    chain = new_chain()
    texts: list[str] = []
    for line, raw in enumerate(lines, 1):
        text, mark, _ = raw.rpartition(_MARK)
        title = text or raw
        if line == 1 and not title.startswith(TITLE):
            raise RecordError(path, f'is no record of Leuthen, which begins with "{TITLE}"', 1)
        if line == 1 and title != f"{TITLE} {FORMAT}":
            found = title.removeprefix(TITLE).strip()
            raise RecordError(path, f'is a record of format "{found}"; this program reads format {FORMAT}', 1)
        before = chain.copy()
        if not mark or seal(chain, text) != raw:
            mended = plain_spaces(raw).rstrip()
            is_copy = mended != raw and seal(before, mended.rpartition(_MARK)[0]) == mended
            raise RecordError(path, _COPIED if is_copy else _explain_damage(texts, text), line)
        texts.append(text)
    expect(texts, path, "is no record of Leuthen: it has no full line")
    return texts


def _explain_damage(before: Sequence[str], text: str) -> str:
    last = _number(before[-1]) if before else None
    found = _number(text)
    expected = (last or 0) + 1
    if found is None or found == expected:
        return "this line does not fit its check: it was changed, added or moved, or a line before it was taken away"
    if found > expected:
        return f"action {found} stands where action {expected} is expected: lines are missing or were moved"
    return f"action {found} stands where action {expected} is expected: a line was added or moved"


def _number(text: str) -> int | None:
    word = text.split(maxsplit=1)[:1]
    return number_of(word[0], 9) if word else None


def _header(path: Path, lines: Sequence[str]) -> tuple[Header, int]:
    heads = [line.split(" ", 2) for line in takewhile(_HEAD.match, lines[1:])]
    found = {word: rest for word, *rest in heads if word in _SINGLE}
    missing = [word for word in _SINGLE if word not in found]
    expect(not missing, path, f"the header does not name its {' and '.join(missing)}", len(heads) + 1)
    header = Header(
        ruleset=found["ruleset"][0],
        version=" ".join(found["ruleset"][1:]),
        scenario=found["scenario"][0],
        data=found["data"][0],
        options={rest[0]: " ".join(rest[1:]) for word, *rest in heads if word == "option"},
        seats={rest[0]: " ".join(rest[1:]) for word, *rest in heads if word == "seat"},
        game=found["game"][0],
        takebacks=found["takebacks"][0],
    )
    if header.takebacks not in TAKEBACKS:
        line = next(n for n, text in enumerate(lines, 1) if text.startswith("takebacks "))
        raise RecordError(path, f'"{header.takebacks}" is not a takeback rule: {", ".join(TAKEBACKS)}', line)
    return header, len(heads) + 1
