"""Runs of many games that can be resumed from a file of JSON lines, and matches of two bots.

`simulate` plays the games of the command line and may write a Parquet table; `run_ladder` plays pairs of games with the
same dice and changed sides, until a test decides.
"""

import importlib
import json
import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple, TypeVar

import msgspec
from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from leuthen.engine.refusal import Invalid, require
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.run import LOCAL, GameTask, Line, Match, play_many

T = TypeVar("T")


def simulate(
    ruleset: TableRuleset,
    one: GameTask,
    games: Sequence[int],
    jobs: int,
    on: str,
    keep: Path | None,
    table: Path | None,
) -> None:
    """Play the games that are missing in the file `keep`, each as `one`; write a JSON line for each to that file, or
    else to standard output, and all of them to the Parquet file `table`.

    Raise GameFailed when a game breaks off, Invalid for a file of another run or one that cannot be written.
    """
    if table:
        _parquet()
    with locked(keep):
        kept = begin(keep, one.match) if keep else {}
        tasks = [one._replace(game=game) for game in games if game not in kept]
        for line in progress(play_many(ruleset, tasks, jobs, on), len(games) - len(tasks), len(games)):
            if keep:
                add_line(keep, msgspec.json.encode(line))
            else:
                print(json.dumps(line, ensure_ascii=False), flush=True)
            kept[int(str(line["game"]))] = line
        if table:
            write_parquet(table, one.match, [kept[game] for game in games])


def progress(results: Iterable[T], done: int, total: int) -> Iterator[T]:
    """Yield the results, with a progress bar on standard error."""
    with progress_bars() as bar:
        task = bar.add_task("games", total=total, completed=done)
        for result in results:
            yield result
            bar.advance(task)


def progress_bars(*, has_thread: bool = True) -> Progress:
    """Return progress bars on standard error; without a thread they must be refreshed."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), auto_refresh=has_thread)


# --- the file of a run ------------------------------------------------------------------------------------------------


def read_results(keep: Path | None, kind: type[T]) -> list[T]:
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
        first_line = lines.setdefault(key, number)
        twice = f"{file}, line {number}: the same game as in line {first_line}; remove one of the two lines"
        require(first_line == number, twice)


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
    try:
        kept = msgspec.json.decode(lines[0], type=dict[str, Match])["run"]
    except (msgspec.DecodeError, KeyError) as error:
        raise Invalid(f"{file}, line 1: it does not name its run") from error
    for name in match.__struct_fields__:
        here, there = getattr(match, name), getattr(kept, name)
        require(here == there, f"{file} belongs to another run: its {name} is {there}, not {here}; name another file")
    games = [_decode_line(f"{file}, line {number}", line, Line) for number, line in enumerate(lines[1:], 2)]
    for number, game in enumerate(games, 2):
        require(isinstance(game.get("game"), int), f"{file}, line {number}: it is not the line of a game")
    expect_single(file, [line["game"] for line in games], 2)
    return {int(str(line["game"])): line for line in games}


def _parquet() -> tuple[ModuleType, ModuleType]:
    try:
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError as error:
        raise Invalid("--parquet needs pyarrow: pip install 'leuthen[parquet]'") from error


def write_parquet(file: Path, match: Match, lines: Sequence[Line]) -> None:
    """Write the games as a table with the run in its metadata. Raise Invalid."""
    arrow, parquet = _parquet()
    text = partial(json.dumps, ensure_ascii=False)
    flat = [
        {name: text(one) if isinstance(one, (list, Mapping)) else one for name, one in line.items()} for line in lines
    ]
    table = arrow.Table.from_pylist(flat)
    about = {"leuthen.run": msgspec.json.encode(match)}
    try:
        parquet.write_table(table.replace_schema_metadata(about), file)
    except OSError as error:
        raise Invalid(f"{file}: cannot be written: {error}") from error


# --- matches of two bots ----------------------------------------------------------------------------------------------


EQUAL, BETTER = 0.5, 0.6  # scores between which the test decides: equal, and better by a level
SURE: Final = math.log(19)  # threshold of Wald's sequential probability ratio test for an error rate of 1 in 20
LEAST: Final = 8  # pairs before the test may end
LEAST_SPREAD: Final = 0.02  # lower limit of the variance of a pair's score, because few equal pairs prove nothing
LEVEL: Final = 1.96


class Pair(msgspec.Struct, frozen=True):
    """Two games with the same dice: the first bot's scores on both sides, a draw as half, and the ends."""

    match: Match
    number: int
    scores: tuple[float, float]
    ends: tuple[str, str]
    seconds: float
    leads: tuple[float, float] | None = None  # VP by which the first bot led at the end, on both sides; None if unknown

    @property
    def score(self) -> float:
        return sum(self.scores) / 2


def play_pairs(
    ruleset: TableRuleset, task: GameTask, numbers: Sequence[int], jobs: int = 1, on: str = LOCAL
) -> Iterator[Pair]:
    """Yield the pairs of these numbers in order, played as by `play_many`. Raise GameFailed when a game breaks off."""
    other_way = msgspec.structs.replace(task.match, bots=task.match.bots[::-1])
    ways = [(way, number) for number in numbers for way in (task.match, other_way)]
    tasks = [task._replace(match=way, game=number) for way, number in ways]
    lines = play_many(ruleset, tasks, jobs, on)
    for number, one, other in zip(numbers, lines, lines, strict=True):
        mine = zip((one, other), ruleset.sides, strict=True)
        scores = [0.5 if line["winner"] is None else float(line["winner"] == side) for line, side in mine]
        ends = [f"{line['winner'] or 'nobody'}, {line['how']}, {line['year']}" for line in (one, other)]
        seconds = round(float(str(one["seconds"])) + float(str(other["seconds"])), 3)
        first, second = _ahead(one), _ahead(other)
        leads = None if first is None or second is None else (first, -second)
        yield Pair(task.match, number, (scores[0], scores[1]), (ends[0], ends[1]), seconds, leads)


def _ahead(line: Line) -> float | None:
    points = line.get("vp")
    if not isinstance(points, Sequence):
        return None
    mine, theirs = (float(str(one)) for one in points)
    return mine - theirs


class LadderRow(NamedTuple):
    """A summary of pairs for the first bot: scores, half of the 95 % interval, verdict or "", and mean lead in VP."""

    pairs: int
    by_side: tuple[float, float]
    score: float
    spread: float
    verdict: str
    lead: tuple[float, float] | None = None

    def __str__(self) -> str:
        sides = " and ".join(f"{score:.0%}" for score in self.by_side)
        found = f"{self.pairs} pairs: {self.score:.1%} ± {self.spread:.1%} ({sides} by side)"
        if self.lead is not None:
            found += f", {self.lead[0]:+.1f} ± {self.lead[1]:.1f} VP"
        return f"{found}; {self.verdict or 'no certain result yet'}"


def standing(pairs: Sequence[Pair]) -> LadderRow:
    """Return the summary of a match. Raise Invalid for no pairs."""
    require(pairs, "a match needs at least one pair")
    scores = [pair.score for pair in pairs]
    by_side = tuple(statistics.mean(pair.scores[side] for pair in pairs) for side in (0, 1))
    spread = LEVEL * math.sqrt(_variance(scores) / len(scores))
    leads = [sum(pair.leads) / 2 for pair in pairs if pair.leads is not None]
    error = LEVEL * statistics.stdev(leads) / math.sqrt(len(leads)) if len(leads) > 1 else 0.0
    lead = (statistics.mean(leads), error) if len(leads) > 1 else None
    return LadderRow(len(pairs), (by_side[0], by_side[1]), statistics.mean(scores), spread, verdict(scores), lead)


def verdict(scores: Sequence[float]) -> str:
    """Return the hypothesis that the scores of pairs support; "" if the test has not decided."""
    if len(scores) < LEAST:
        return ""
    # The logarithm of how much more probable the scores are if the bot is a level better, by normal distributions.
    middle = (EQUAL + BETTER) / 2
    ratio = len(scores) * (BETTER - EQUAL) * (statistics.mean(scores) - middle) / _variance(scores)
    if ratio >= SURE:
        return "better by a level"
    return "not better by a level" if ratio <= -SURE else ""


def _variance(scores: Sequence[float]) -> float:
    return max(LEAST_SPREAD, statistics.variance(scores)) if len(scores) > 1 else 0.25


def run_ladder(
    ruleset: TableRuleset,
    task: GameTask,
    most: int,
    jobs: int,
    file: Path | None,
    on: str = LOCAL,
    *,
    all_pairs: bool = False,
) -> Iterator[LadderRow]:
    """Play pairs until the test decides or there are `most`; yield the summary after each.

    Stopping early is slightly biased in favour of the leader; `all_pairs` plays all of them. Pairs of the same match in
    the file are not repeated; new ones are appended as JSON lines. Raise Invalid for a file that cannot be used or has
    a pair twice; GameFailed when a game breaks off.
    """
    with locked(file):
        played_before = read_results(file, Pair)
        expect_single(file, [(msgspec.json.encode(pair.match), pair.number) for pair in played_before], 1)
        known = {pair.number: pair for pair in played_before if pair.match == task.match}
        missing = [number for number in range(most) if number not in known]
        played = play_pairs(ruleset, task, missing, jobs, on)
        pairs: list[Pair] = []
        for pair in (known[number] if number in known else next(played) for number in range(most)):
            if file is not None and pair.number not in known:
                add_line(file, msgspec.json.encode(pair))
            pairs.append(pair)
            yield standing(pairs)
            if not all_pairs and verdict([one.score for one in pairs]):
                return
