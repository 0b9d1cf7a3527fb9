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
from leuthen.engine.seat import Player
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


class RunPlan(msgspec.Struct, frozen=True):
    """What is played in every game of a run: scenario, options, the bots by side, the seed of all."""

    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    seed: str
    records: Path | None = None
    """Folder for a record of every game, or None."""
    limit: int = LIMIT


class GameTask(NamedTuple):
    """One game of a run: its plan and its number."""

    plan: RunPlan
    game: int

    def __str__(self) -> str:
        return f"game {self.game}"


class GameFailed(RuntimeError):
    """A game of a run broke off. The message tells which, why and where."""


def play_task(ruleset: Ruleset, task: GameTask) -> Line:
    """Plays a game of a run. Raises GameFailed."""
    return play_one(ruleset, *task)


def play_one(ruleset: Ruleset, plan: RunPlan, index: int) -> Line:
    """Plays the game of that number; the same number and plan give the same game. Raises GameFailed."""
    start = time.process_time()
    try:
        line = _play(ruleset, plan, index)
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise GameFailed(f"game {index} broke off: {reason}") from error
    return {**line, "seconds": round(time.process_time() - start, 3)}


def _play(ruleset: Ruleset, plan: RunPlan, index: int) -> Line:
    key = Key.from_seed(plan.seed, index)
    table = Table(ruleset, ruleset.new_game(plan.scenario, plan.options), record=_record(ruleset, plan, index, key))
    try:
        Game(table, _seats(ruleset, plan, key), key.dice(), limit=plan.limit).play()
    finally:
        if isinstance(table.record, Writer):
            table.record.close()
    return _line(ruleset, table, index)


def _seats(ruleset: Ruleset, plan: RunPlan, key: Key) -> list[Player]:
    return [
        make_player(bot, ruleset, side, key.thinking(ruleset.sides[side]))
        for side, bot in zip(SIDES, plan.bots, strict=True)
    ]


def _record(ruleset: Ruleset, plan: RunPlan, index: int, key: Key) -> Writer | None:
    if plan.records is None:
        return None
    header = header_of(ruleset, plan.scenario, plan.options, plan.bots, game=key.mark())
    return Writer.create(plan.records / f"game-{index:05d}.leuthen", header, durable=False)


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
