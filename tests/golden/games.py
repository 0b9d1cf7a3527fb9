"""Plays the golden games and tells the digest of the position at the start of each turn.

Three are random games from a seed. The fourth is a record of two planners, replayed: it holds however the planner
comes to play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from leuthen.bots import make_bot
from leuthen.core.refusal import Invalid
from leuthen.dice import Key
from leuthen.drafts import Step
from leuthen.load import load
from leuthen.play import Game, Table, header_of
from leuthen.record import Writer, read
from leuthen.replay import Replay

HERE = Path(__file__).parent
RANDOM = ("random-1", "random-2", "random-3")
PLANNER = "planner"
RECORD = HERE / "planner.leuthen"
OPTIONS = {"last-year": "1757"}
"""Of the planner's game, which is slow."""

Turn = tuple[str, str]
"""The start of a turn, such as `1757.4`, and the digest of the position."""


class Turns:
    """An observer that keeps the digest of each turn's first position."""

    def __init__(self, door: Any, state: Any) -> None:
        self._door = door
        self.found: list[Turn] = [self._turn(state)]

    def _turn(self, state: Any) -> Turn:
        return f"{state.year}.{state.turn}", self._door.digest_of(state)

    def acted(self, step: Step) -> None:
        before, after = step.before, step.transition.state
        if (before.year, before.turn) != (after.year, after.turn) or after.outcome is not None:
            self.found.append(self._turn(after))

    def undone(self, step: Step) -> None:
        """No bot takes back."""

    def stood(self, steps: object) -> None:
        """It counts as soon as it is done."""


def _table(options: dict[str, str]) -> tuple[Table, Turns]:
    door: Any = load("frederick")
    state = door.new_game("campaign", options)
    turns = Turns(door, state)
    return Table(door, state, observers=[turns]), turns


def _play(table: Table, bot: str, name: str) -> None:
    key = Key.from_seed("golden", name)
    seats = [make_bot(bot, "frederick", side, key.thinking(str(side))) for side in (0, 1)]
    Game(table, seats, key.dice()).play()


def play(name: str) -> list[Turn]:
    """The turns of a golden game as they are now. A record that the rules refuse ends with what they say."""
    if name == PLANNER:
        return _replayed()
    table, turns = _table({})
    _play(table, "random", name)
    return turns.found


def _replayed() -> list[Turn]:
    found: list[Turn] = []
    try:
        replay = Replay(load("frederick"), read(RECORD))
        turns = Turns(replay.table.ruleset, replay.table.state)
        found = turns.found
        replay.table.observers.append(turns)
        replay.run()
    except Invalid as error:
        found.append(("refused", str(error)))
    return found


def stored(name: str) -> list[Turn]:
    """The turns on file."""
    rows = (HERE / f"{name}.txt").read_text().splitlines()
    return [(turn, digest) for turn, digest in (row.split() for row in rows)]


def renew() -> None:
    """Plays all games anew and writes them down."""
    RECORD.unlink(missing_ok=True)
    table, _ = _table(OPTIONS)
    header = header_of(table.ruleset, "campaign", OPTIONS, (PLANNER, PLANNER))
    with Writer.create(RECORD, header, durable=False) as record:
        table.record = record
        _play(table, PLANNER, PLANNER)
    for name in (*RANDOM, PLANNER):
        (HERE / f"{name}.txt").write_text("".join(f"{turn} {digest}\n" for turn, digest in play(name)))
