"""Campaigns of the machine against itself, played from one spring to the next, and what stands on the map there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from leuthen.bots import make_bot
from leuthen.engine.ruleset import Ruleset
from leuthen.load import read_data
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.table import Step, Table
from leuthen.rulesets.campaigns.model.data import ALL_NATIONS, NATIONS
from leuthen.rulesets.campaigns.model.events import StepBegan
from leuthen.rulesets.campaigns.model.pieces import AT_WAR
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.simulate.run import do_many
from leuthen.wargame.strength import of

RULESET, SCENARIO = "campaigns", "campaign"
YEARLY: Final = "tables/yearly.csv"
FIRST, LAST = 1757, 1762
ARRIVALS, AFTER = "C", "D"
"""The step in which new troops come, and the next one (R3)."""

Numbers = Mapping[tuple[int, str], int]
"""TP of a year and a nation (R18.4)."""
Strengths = Mapping[str, int]
"""TP on the map by nation: of those at war now and in the year before."""


class Task(NamedTuple):
    """A game of a bot against itself to go on with, or to begin (no `state`), until the arrivals of a year's turn 1."""

    state: bytes | None
    year: int
    seed: str
    bot: str


class Spring(NamedTuple):
    """A game in spring: the position before the arrivals of turn 1, and what is on the map after them."""

    state: bytes
    strengths: Strengths


class _Reached(Exception):
    """The spring is there; the game need not go on."""


class _Watch:
    """An observer that keeps the last position before the arrivals of a year's turn 1, and counts after them."""

    def __init__(self, game: Ruleset, year: int) -> None:
        self._game, self._year = game, year
        self._before: Any = None
        self.found: Spring | None = None

    def acted(self, step: Step) -> None:
        after = step.transition.state
        if self._game.date(after) == (self._year, 1):
            begun = {fact.step for fact in step.transition.facts if isinstance(fact, StepBegan)}
            if ARRIVALS in begun:
                self._before = step.before
            if AFTER in begun:
                self.found = Spring(self._game.dump(self._before), strengths_of(after))
                raise _Reached

    def undone(self, step: Step) -> None:
        """No bot takes back."""

    def stood(self, steps: Sequence[Step]) -> None:
        """It counts as soon as it is done."""


def strengths_of(pos: Position) -> dict[str, int]:
    """TP on the map of each nation that is at war and was in the year before: leaders, wagons, garrisons."""
    held = [unit.tp for unit in pos.units.values()] + list(pos.garrisons.values())
    return {
        name: sum(of(tp, nation) for tp in held)
        for nation, name in zip(ALL_NATIONS, NATIONS, strict=True)
        if pos.status[nation] == AT_WAR and pos.joined[nation] < pos.clock and nation not in pos.conquered
    }


def yearly_text(numbers: Numbers) -> str:
    """The lines of the table of R18.4."""
    rows = [f"{year},{nation},{points},X\n" for (year, nation), points in numbers.items()]
    return "".join(["year,nation,points,mark\n", *rows])


def play_to(game: Ruleset, task: Task) -> Spring | None:
    """Plays a game until spring; None if it ended before."""
    state = game.new_game(SCENARIO, {}) if task.state is None else game.restore(task.state)
    watch = _Watch(game, task.year)
    key = Key.from_seed(task.seed, str(task.year))
    seats = [make_bot(task.bot, RULESET, side, key.thinking(game.sides[side])) for side in (0, 1)]
    try:
        Game(Table(game, state, observers=[watch]), seats, key.dice()).play()
    except _Reached:
        return watch.found
    return None


def play_all(tasks: Sequence[Task], jobs: int) -> Iterator[Spring | None]:
    """The springs of many games, in their order, over several processes, with the numbers that are on file now."""
    return do_many(partial(play_to, Campaigns(read_data(RULESET))), tasks, jobs)
