"""One game of a bulk run, with its result as a JSON line."""

from __future__ import annotations

import time
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from leuthen.bots import make_player
from leuthen.bots.guard import PATIENCE, GuardedBot
from leuthen.engine.ruleset import SIDES, Side
from leuthen.engine.seat import Player, PlayFailed
from leuthen.play.dice import Key
from leuthen.play.loop import LIMIT, Game
from leuthen.play.record import Writer
from leuthen.play.table import Table, make_header
from leuthen.screen.presenter import TableRuleset
from leuthen.simulate.isolated import IsolatedBot, begin_bot
from leuthen.ticking import ticking

Line = dict[str, object]
SLACK: Final = 30  # additional seconds for an isolated bot's process: to start, and to report a slow bot


class Match(msgspec.Struct, frozen=True):
    """The parameters of a run: rule set with data, scenario and options, both bots, the seed."""

    ruleset: str
    data: str
    scenario: str
    options: Mapping[str, str]
    bots: tuple[str, str]
    seed: str


class GameTask(NamedTuple):
    """A game of a run: its number, the folder for its record or None, and the limit of actions.

    `isolated`: each bot has its own process; `patience`: seconds for a decision.
    """

    match: Match
    game: int
    records: Path | None = None
    limit: int = LIMIT
    isolated: bool = False
    patience: float = PATIENCE

    def __str__(self) -> str:
        return f"game {self.game}"


class GameFailed(PlayFailed):
    """A game of a run that broke off. The message names it with the reason and place."""


def play_one(ruleset: TableRuleset, task: GameTask) -> Line:
    """Play a game of a run, the same one for the same number and match. Raise GameFailed."""
    start = time.process_time()
    try:
        line = _play(ruleset, task)
    except PlayFailed as error:
        raise GameFailed(f"{task} broke off: {error}", error.trace) from error
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        raise GameFailed(f"{task} broke off: {reason}", traceback.format_exc()) from error
    return {**line, "seconds": round(time.process_time() - start, 3)}


def _play(ruleset: TableRuleset, task: GameTask) -> Line:
    match, key = task.match, Key.from_seed(task.match.seed, task.game)
    table = Table(ruleset, ruleset.new_game(match.scenario, match.options), record=_record(ruleset, task, key))
    with _seat_bots(table, task, key) as players:
        Game(table, players, key.dice(), limit=task.limit).play()
    return _line(ruleset, table, task.game)


@contextmanager
def _seat_bots(table: Table, task: GameTask, key: Key) -> Iterator[list[GuardedBot]]:
    begun, is_over = list[IsolatedBot](), False

    def made(bot: str, side: Side) -> Player:
        seed = key.bot_seed(table.ruleset.sides[side])
        if not task.isolated:
            return make_player(bot, table.ruleset, side, seed)
        told = begin_bot(bot, table.ruleset, side, seed, task.patience)
        begun.append(IsolatedBot(table.ruleset, lambda: table.state, told))
        return begun[-1]

    try:
        with ticking(task.patience + (SLACK if task.isolated else 0)):
            yield [GuardedBot(bot, partial(made, bot, side)) for side, bot in zip(SIDES, task.match.bots, strict=True)]
        is_over = True
    finally:
        for isolated in begun:
            isolated.close(is_over=is_over)
        if isinstance(table.record, Writer):
            table.record.close()


def _record(ruleset: TableRuleset, task: GameTask, key: Key) -> Writer | None:
    if task.records is None:
        return None
    header = make_header(ruleset, task.match.scenario, task.match.options, task.match.bots, game=key.game_id())
    return Writer.create(task.records / f"game-{task.game:05d}.leuthen", header, durable=False)


def _line(ruleset: TableRuleset, table: Table, index: int) -> Line:
    outcome = ruleset.outcome(table.state)
    assert outcome is not None, "a bot stopped playing"
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
