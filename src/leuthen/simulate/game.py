"""One game of a bulk run, told as a line of JSON."""

from __future__ import annotations

import time
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import msgspec

from leuthen.bots import make_player
from leuthen.engine.ruleset import SIDES, Ruleset
from leuthen.play.dice import Key
from leuthen.play.loop import LIMIT, Game
from leuthen.play.record import Writer
from leuthen.play.table import Table, header_of

Line = dict[str, object]


class Match(msgspec.Struct, frozen=True):
    """What is played: the rule set with its data, scenario and options, both bots, the seed of all fates."""

    ruleset: str
    data: str
    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    seed: str


class GameTask(NamedTuple):
    """One game of a run: what is played, its number, the folder for its record or None, its most actions."""

    match: Match
    game: int
    records: Path | None = None
    limit: int = LIMIT

    def __str__(self) -> str:
        return f"game {self.game}"


class GameFailed(RuntimeError):
    """A game of a run broke off. The message tells which, why and where."""


def play_one(ruleset: Ruleset, task: GameTask) -> Line:
    """Plays a game of a run; the same number and match give the same game. Raises GameFailed."""
    start = time.process_time()
    try:
        line = _play(ruleset, task)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise GameFailed(f"{task} broke off: {reason}") from error
    return {**line, "seconds": round(time.process_time() - start, 3)}


def _play(ruleset: Ruleset, task: GameTask) -> Line:
    match, key = task.match, Key.from_seed(task.match.seed, task.game)
    table = Table(ruleset, ruleset.new_game(match.scenario, match.options), record=_record(ruleset, task, key))
    players = [
        make_player(bot, ruleset, side, key.thinking(ruleset.sides[side]))
        for side, bot in zip(SIDES, match.bots, strict=True)
    ]
    try:
        Game(table, players, key.dice(), limit=task.limit).play()
    finally:
        if isinstance(table.record, Writer):
            table.record.close()
    return _line(ruleset, table, task.game)


def _record(ruleset: Ruleset, task: GameTask, key: Key) -> Writer | None:
    if task.records is None:
        return None
    header = header_of(ruleset, task.match.scenario, task.match.options, task.match.bots, game=key.mark())
    return Writer.create(task.records / f"game-{task.game:05d}.leuthen", header, durable=False)


def _line(ruleset: Ruleset, table: Table, index: int) -> Line:
    outcome = ruleset.outcome(table.state)
    assert outcome is not None, "a bot left the game"
    winner = None if outcome.winner is None else ruleset.sides[outcome.winner]
    return {
        "game": index,
        "winner": winner,
        "how": outcome.how,
        "year": outcome.year,
        **ruleset.summary(table.state),
        "actions": table.actions,
        "chances": table.chances,
    }
