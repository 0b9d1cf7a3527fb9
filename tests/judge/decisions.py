"""Decisions of the bots: about 5,000 of each rule set, played again from their seeds."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import SIDES, Answer, Pending, Player, Side
from leuthen.load import load
from leuthen.play.dice import Key
from leuthen.play.table import Game, Table
from tests.rows import rows


class War(NamedTuple):
    ruleset: str
    scenario: str
    bots: tuple[str, str]
    most: int
    options: dict[str, str]


WARS = tuple(War(*row) for row in rows("judge-wars"))


class Enough(Exception):
    """Raised when a game has made enough decisions."""


class RecordingBot:
    def __init__(self, bot: Player, side: Side, table: Table, lines: list[str], most: int) -> None:
        self._bot = bot
        self._side = side
        self._table = table
        self._lines = lines
        self._most = most

    def choose(self, look: Callable[[], Any], legal: Any, pending: Pending) -> Answer:
        answer = self._bot.choose(look, legal, pending)
        assert isinstance(answer, Action)
        ruleset, state = self._table.ruleset, self._table.state
        year, turn = ruleset.date(state)
        self._lines.append(f"{year}.{turn} {self._side} {ruleset.format_action(state, self._side, answer)}")
        if len(self._lines) >= self._most:
            raise Enough
        return answer


def name_of(war: War) -> str:
    return f"{war.ruleset}-{WARS.index(war) + 1:02}-{war.scenario}"


def decisions_of(war: War, most: int) -> list[str]:
    """Return the first decisions of a war, at most that many, with their turns and sides."""
    ruleset = load(war.ruleset)
    key, lines = Key.from_seed("judge", name_of(war)), list[str]()
    table = Table(ruleset, ruleset.new_game(war.scenario, war.options))
    seats = [
        RecordingBot(make_bot(bot, war.ruleset, side, key.bot_seed(str(side))), side, table, lines, most)
        for side, bot in zip(SIDES, war.bots, strict=True)
    ]
    with suppress(Enough):
        Game(table, seats, key.dice()).play()
    return lines


def decisions() -> Iterator[tuple[str, list[str]]]:
    for war in WARS:
        yield name_of(war), decisions_of(war, war.most)
