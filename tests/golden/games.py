"""Plays the golden games and tells the digest of the position at the start of each turn.

Random games are played anew from their seeds. Games of planners are records that are replayed, with the data that they
were played with: they hold however the planner comes to play.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from leuthen.bots import make_bot
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Ruleset
from leuthen.load import load, load_with
from leuthen.play.dice import Key
from leuthen.play.drafts import Step
from leuthen.play.loop import Game
from leuthen.play.record import Writer, read
from leuthen.play.replay import Replay
from leuthen.play.table import Table, header_of

HERE = Path(__file__).parent
RANDOM, PLANNER = "random", "planner"

Turn = tuple[str, str]
"""The start of a turn, such as `1757.4`, and the digest of the position."""


class Golden(NamedTuple):
    """A golden game; its files stand in the folder of its rule set."""

    ruleset: str
    name: str
    scenario: str
    options: dict[str, str]
    bot: str = RANDOM

    @property
    def turns(self) -> Path:
        """The turns on file."""
        return HERE / self.ruleset / f"{self.name}.txt"

    @property
    def record(self) -> Path:
        """The record of a planners' game."""
        return HERE / self.ruleset / f"{self.name}.leuthen"


GAMES = (
    *(Golden("frederick", f"random-{number}", "campaign", {}) for number in (1, 2, 3)),
    Golden("frederick", "planner", "campaign", {"last-year": "1757"}, PLANNER),
    Golden("frederick", "random-from-1760", "from-1760", {}),
    Golden("frederick", "random-zorndorf-hochkirch", "zorndorf-hochkirch", {}),
    Golden("frederick", "planner-bohemia", "bohemia", {}, PLANNER),
    Golden("campaigns", "random-1757", "1757", {}),
    Golden("campaigns", "random-1758-base", "1758", {"rules": "base"}),
    Golden("campaigns", "random-1759-hidden", "1759", {"hidden": "yes"}),
    Golden("campaigns", "random-campaign", "campaign", {}),
    Golden("campaigns", "random-prague", "prague", {}),
    Golden("campaigns", "planner-1757", "1757", {}, PLANNER),
    Golden("campaigns", "planner-1756-base", "1756", {"rules": "base"}, PLANNER),
)


class Turns:
    """An observer that keeps the digest of each turn's first position."""

    def __init__(self, door: Ruleset, state: Any) -> None:
        self._door = door
        self.found: list[Turn] = [self._turn(state)]

    def _turn(self, state: Any) -> Turn:
        year, turn = self._door.date(state)
        return f"{year}.{turn}", digest_of(self._door, state)

    def acted(self, step: Step) -> None:
        before, after = step.before, step.transition.state
        if self._door.date(before) != self._door.date(after) or self._door.outcome(after) is not None:
            self.found.append(self._turn(after))

    def undone(self, step: Step) -> None:
        """No bot takes back."""

    def stood(self, steps: object) -> None:
        """It counts as soon as it is done."""


def _table(game: Golden) -> tuple[Table, Turns]:
    door = load(game.ruleset)
    state = door.new_game(game.scenario, game.options)
    turns = Turns(door, state)
    return Table(door, state, observers=[turns]), turns


def _play(table: Table, game: Golden) -> None:
    key = Key.from_seed("golden", game.name)
    seats = [make_bot(game.bot, game.ruleset, side, key.thinking(str(side))) for side in (0, 1)]
    Game(table, seats, key.dice()).play()


def play(game: Golden) -> list[Turn]:
    """The turns of a golden game as they are now. A record that the rules refuse ends with what they say."""
    if game.bot == PLANNER:
        return _replayed(game)
    table, turns = _table(game)
    _play(table, game)
    return turns.found


def _replayed(game: Golden) -> list[Turn]:
    found: list[Turn] = []
    try:
        recorded = read(game.record)
        replay = Replay(load_with(game.ruleset, recorded.header.data), recorded)
        turns = Turns(replay.table.ruleset, replay.table.state)
        found = turns.found
        replay.table.observers.append(turns)
        replay.run()
    except Invalid as error:
        found.append(("refused", str(error)))
    return found


def stored(game: Golden) -> list[Turn]:
    """The turns on file."""
    rows = game.turns.read_text().splitlines()
    return [(turn, digest) for turn, digest in (row.split() for row in rows)]


def renew() -> None:
    """Plays all games anew and writes them down."""
    for game in GAMES:
        if game.bot == PLANNER:
            _write_record(game)
        game.turns.write_text("".join(f"{turn} {digest}\n" for turn, digest in play(game)))


def _write_record(game: Golden) -> None:
    game.record.unlink(missing_ok=True)
    table, _ = _table(game)
    header = header_of(table.ruleset, game.scenario, game.options, (game.bot, game.bot))
    with Writer.create(game.record, header, durable=False) as record:
        table.record = record
        _play(table, game)
