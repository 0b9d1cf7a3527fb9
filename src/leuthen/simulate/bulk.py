"""Runs of many games that can be resumed from a file of JSON lines.

`simulate` plays the games of the command line and may write a Parquet table; `run_missing` runs the games of any other
program.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import IO, Protocol, TypeVar

import msgspec
from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from leuthen.engine.refusal import Invalid
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.game import GameTask, Line, Match
from leuthen.simulate.run import LOCAL, play_many, run_tasks

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Wishes(Protocol):
    """The options of a run: processes, and files for lines, a table and records."""

    jobs: int
    on: str
    keep: Path | None
    parquet: Path | None
    records: Path | None
    isolated: bool
    patience: float


class FinishedMatch(Protocol[T_co]):
    """The result of a match."""

    @property
    def match(self) -> T_co: ...


R = TypeVar("R", bound=FinishedMatch[object])


def simulate(
    ruleset: TableRuleset, match: Match, games: Sequence[int], wishes: Wishes, out: IO[str], err: IO[str]
) -> None:
    """Play the games that are missing in the file `keep`; write a JSON line for each to that file, or else to `out`.

    Raise GameFailed when a game breaks off, Invalid for a file of another run or one that cannot be written.
    """
    if wishes.parquet:
        _parquet()
    with locked(wishes.keep):
        kept = begin(wishes.keep, match) if wishes.keep else {}
        one = GameTask(match, 0, wishes.records, isolated=wishes.isolated, patience=wishes.patience)
        tasks = [one._replace(game=game) for game in games if game not in kept]
        played = play_many(ruleset, tasks, wishes.jobs, wishes.on)
        for line in progress(played, len(games) - len(tasks), len(games), err):
            if wishes.keep:
                add_line(wishes.keep, msgspec.json.encode(line))
            else:
                print(json.dumps(line, ensure_ascii=False), file=out, flush=True)
            kept[int(str(line["game"]))] = line
        if wishes.parquet:
            write_parquet(wishes.parquet, match, [kept[game] for game in games])


def run_missing(
    do: Callable[[T], R], wanted: Sequence[T], kind: type[R], keep: Path | None, jobs: int = 1, on: str = LOCAL
) -> list[R]:
    """Return the results of all matches in order; results already in the file `keep` are reused, others added.

    Show progress. Raise Invalid for a file with a damaged or repeated line, or one in use by another run; GameFailed
    when a game breaks off.
    """
    with locked(keep):
        before = read_results(keep, kind)
        expect_single(keep, [result.match for result in before], 1)
        known = {result.match: result for result in before}
        missing = [match for match in wanted if match not in known]
        for result in progress(run_tasks(do, missing, jobs, on), 0, len(missing)):
            known[result.match] = result
            if keep is not None:
                add_line(keep, msgspec.json.encode(result))
        return [known[match] for match in wanted]


def progress(results: Iterable[T], done: int, total: int, err: IO[str] | None = None) -> Iterator[T]:
    """Yield the results, with a progress bar on `err`, by default standard error."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=err, stderr=err is None)) as bar:
        task = bar.add_task("games", total=total, completed=done)
        for result in results:
            yield result
            bar.advance(task)


# --- the file of a run ------------------------------------------------------------------------------------------------


def read_results(keep: Path | None, kind: type[R]) -> list[R]:
    """Return the results in a file. Raise Invalid with the number of a damaged line."""
    lines = [] if keep is None else read_lines(keep)
    return [_decode_line(f"{keep}, line {number}", line, kind) for number, line in enumerate(lines, 1)]


def _decode_line(place: str, line: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except msgspec.DecodeError as error:
        raise Invalid(f"{place}: {error}") from error


@contextmanager
def locked(file: Path | None) -> Iterator[None]:
    """Lock the file of a run within the block. Raise Invalid if another run holds it."""
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
    """Return the complete lines of a file, none if it does not exist, and remove a truncated last line.

    Raise Invalid for a file that cannot be read or written.
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
    """Raise Invalid if two lines have the same key. The first key is that of line `first`."""
    lines: dict[object, int] = {}
    for number, key in enumerate(keys, first):
        if lines.setdefault(key, number) != number:
            raise Invalid(f"{file}, line {number}: the same game as in line {lines[key]}; remove one of the two lines")


def add_line(file: Path, line: bytes) -> None:
    """Append a line. Raise Invalid if the file cannot be written."""
    try:
        with file.open("ab") as out:
            out.write(line + b"\n")
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error.strerror}") from error


def begin(file: Path, match: Match) -> dict[int, Line]:
    """Return the games in a file by number; write what is played to a new file.

    Raise Invalid for a file of another run, naming the difference, or with a damaged or repeated line.
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
        raise Invalid(f"{file}, line 1: it does not name its run") from error
    for name in match.__struct_fields__:
        here, there = getattr(match, name), getattr(kept, name)
        if here != there:
            raise Invalid(f"{file} belongs to another run: its {name} is {there}, not {here}; name another file")


def _games(file: Path, lines: Sequence[bytes]) -> Iterator[Line]:
    for number, line in enumerate(lines, 2):
        found = _decode_line(f"{file}, line {number}", line, dict[str, object])
        if not isinstance(found.get("game"), int):
            raise Invalid(f"{file}, line {number}: it is not the line of a game")
        yield found


def _parquet() -> tuple[ModuleType, ModuleType]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise Invalid("--parquet needs pyarrow: pip install 'leuthen[parquet]'") from error


def write_parquet(file: Path, match: Match, lines: Sequence[Line]) -> None:
    """Write the games as a table with the run in its metadata. Raise Invalid."""
    arrow, parquet = _parquet()
    table = arrow.Table.from_pylist([_flat(line) for line in lines])
    about = {"leuthen.run": msgspec.json.encode(match)}
    try:
        parquet.write_table(table.replace_schema_metadata(about), file)
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error}") from error


def _flat(line: Line) -> Line:
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, (list, Mapping)) else value
        for name, value in line.items()
    }
