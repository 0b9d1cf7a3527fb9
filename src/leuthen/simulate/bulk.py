"""A run as the command line asks for it: what was played before is read, the rest played, and all of it kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Protocol

import msgspec

from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.game import GameTask, Line, Match
from leuthen.simulate.keep import add_line, begin, expect_parquet, locked, write_parquet
from leuthen.simulate.run import play_many


class Wishes(Protocol):
    """Where it is played, by how many processes, and what is kept: lines, a table, a record of each game."""

    jobs: int
    on: str
    keep: Path | None
    parquet: Path | None
    records: Path | None
    isolated: bool
    patience: float


def simulate(
    ruleset: TableRuleset, match: Match, games: Sequence[int], wishes: Wishes, out: IO[str], err: IO[str]
) -> None:
    """Plays what is not kept yet; a line of JSON for each game goes to the file that keeps, or else to `out`.

    Raises GameFailed when a game breaks off, Invalid for a file that is another run's or cannot be written.
    """
    expect_parquet(wishes.parquet)
    with locked(wishes.keep):
        kept = begin(wishes.keep, match) if wishes.keep else {}
        one = GameTask(match, 0, wishes.records, isolated=wishes.isolated, patience=wishes.patience)
        tasks = [one._replace(game=game) for game in games if game not in kept]
        write = _adder(wishes.keep) if wishes.keep else _printer(out)
        for line in progress(
            play_many(ruleset, tasks, wishes.jobs, wishes.on), len(games) - len(tasks), len(games), err
        ):
            write(line)
            kept[int(str(line["game"]))] = line
        if wishes.parquet:
            write_parquet(wishes.parquet, match, [kept[game] for game in games])


def _adder(file: Path) -> Callable[[Line], None]:
    return lambda line: add_line(file, msgspec.json.encode(line))


def _printer(out: IO[str]) -> Callable[[Line], None]:
    return lambda line: print(json.dumps(line, ensure_ascii=False), file=out, flush=True)


def progress(lines: Iterable[Line], done: int, total: int, err: IO[str]) -> Iterator[Line]:
    """The lines as they come, and a progress bar on `err`."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=err), transient=False) as bar:
        task = bar.add_task("games", total=total, completed=done)
        for line in lines:
            yield line
            bar.advance(task)
