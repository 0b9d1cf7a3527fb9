"""What is kept of a run, so that it goes on where it was stopped: a file of lines of JSON, and a table of Parquet."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import msgspec
from filelock import FileLock, Timeout

from leuthen.engine.refusal import Invalid
from leuthen.simulate.game import Line, Match


@contextmanager
def locked(file: Path | None) -> Iterator[None]:
    """Holds the file to which a run appends within the block. Raises Invalid if another run holds it."""
    if file is None:
        yield
        return
    lock = FileLock(f"{file}.lock", thread_local=False)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(blocking=False)
    except Timeout:
        raise Invalid(f"{file}: another run is writing to this file; wait for it, or name another file") from None
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error.strerror}") from error
    try:
        yield
    finally:
        lock.release()


def read_lines(file: Path) -> list[bytes]:
    """The whole lines of a file, none if there is no such file; a last one that was cut off is taken away.

    Raises Invalid for a file that cannot be read or written.
    """
    try:
        if not file.exists():
            return []
        *whole, cut_off = file.read_bytes().split(b"\n")
        if cut_off:
            file.write_bytes(b"".join(line + b"\n" for line in whole))
    except OSError as error:
        raise Invalid(f"{file}: cannot be read: {error.strerror}") from error
    return whole


def expect_single(file: Path | None, keys: Iterable[object], first: int) -> None:
    """Raises Invalid if two lines are of the same game. The first key is that of line `first`."""
    lines: dict[object, int] = {}
    for number, key in enumerate(keys, first):
        if lines.setdefault(key, number) != number:
            raise Invalid(f"{file}, line {number}: the same game as in line {lines[key]}; remove one of the two lines")


def add_line(file: Path, line: bytes) -> None:
    """Adds a line. Raises Invalid for a file that cannot be written."""
    try:
        with file.open("ab") as out:
            out.write(line + b"\n")
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error.strerror}") from error


def begin(file: Path, match: Match) -> dict[int, Line]:
    """The games that the file has already, by number; a new file says first what is played.

    Raises Invalid for a file of another run, which names what differs, or with a damaged or repeated line.
    """
    lines = read_lines(file)
    if not lines:
        add_line(file, msgspec.json.encode({"run": match}))
        return {}
    _expect(file, lines[0], match)
    games = list(_games(file, lines[1:]))
    expect_single(file, [line["game"] for line in games], 2)
    return {int(str(line["game"])): line for line in games}


def _expect(file: Path, line: bytes, match: Match) -> None:
    try:
        kept = msgspec.json.decode(line, type=dict[str, Match])["run"]
    except (msgspec.DecodeError, KeyError) as error:
        raise Invalid(f"{file}, line 1: it does not say which run it is of") from error
    for name in match.__struct_fields__:
        here, there = getattr(match, name), getattr(kept, name)
        if here != there:
            raise Invalid(f"{file} keeps another run: its {name} is {there}, not {here}; name another file")


def _games(file: Path, lines: Sequence[bytes]) -> Iterator[Line]:
    for number, line in enumerate(lines, 2):
        try:
            found = msgspec.json.decode(line, type=dict[str, object])
        except msgspec.DecodeError as error:
            raise Invalid(f"{file}, line {number}: {error}") from error
        if not isinstance(found.get("game"), int):
            raise Invalid(f"{file}, line {number}: it is no line of a game")
        yield found


def expect_parquet(file: Path | None) -> None:
    """Raises Invalid if a table of Parquet is wanted and its library is missing."""
    if file is not None:
        _parquet()


def _parquet() -> tuple[ModuleType, ModuleType]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise Invalid("--parquet needs pyarrow: pip install 'leuthen[parquet]'") from error


def write_parquet(file: Path, match: Match, lines: Sequence[Line]) -> None:
    """Writes the games as a table, a column for each field, with the run in its metadata. Raises Invalid."""
    arrow, parquet = _parquet()
    table = arrow.Table.from_pylist([_flat(line) for line in lines])
    about = {"leuthen.run": msgspec.json.encode(match)}
    try:
        parquet.write_table(table.replace_schema_metadata(about), file)
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error}") from error


def _flat(line: Line) -> Line:
    """What is more than a word or number stands as JSON."""
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, (list, Mapping)) else value
        for name, value in line.items()
    }
