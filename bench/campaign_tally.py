"""What is counted of a war of the second rule set while it is played (`bench.campaign_wars`)."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.play.table import Step
from leuthen.rulesets.campaigns.bot.theatres import is_astray
from leuthen.rulesets.campaigns.model.data import NATIONS
from leuthen.rulesets.campaigns.model.events import BattleEnded, LoneFate, PlaceFell, PlaceTaken, StepBegan
from leuthen.rulesets.campaigns.model.pieces import TURNS, WINTER, Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r09_supply import is_near
from tools.strengths.games import strengths_of

GREAT, SOME = 20, 10
"""TP of either side in a great battle, and in a battle of some size."""
ARMY: Final = 5
"""TP from which a force counts."""
SPRING, LAST_STEP = "D", "I"
"""The step of turn 1 in which what stands on the map is counted, and that which ends a turn (R3)."""


class Year(msgspec.Struct):
    """A year of a war. `turns` of it were played; counts of leaders and forces are sums over its turns."""

    year: int
    turns: int = 0
    great: int = 0
    battles: int = 0
    fallen: int = 0
    taken: int = 0
    wagons: int = 0
    leaders: int = 0
    idle: int = 0
    forces: int = 0
    astray: int = 0
    winterers: int = 0
    open: int = 0
    springs: tuple[int, ...] = ()
    """TP by nation on turn 1, 0 of those who are not counted."""

    @property
    def part(self) -> float:
        """By how much a count is multiplied for a whole year."""
        return TURNS / self.turns


class Tally:
    """An observer that counts."""

    def __init__(self) -> None:
        self.years: list[Year] = []

    def acted(self, step: Step) -> None:
        """Counts what an action did."""
        after: Position = step.transition.state
        if not self.years or self.years[-1].year != after.year:
            self.years.append(Year(after.year))
        year = self.years[-1]
        for fact in step.transition.facts:
            if isinstance(fact, StepBegan):
                self._began(year, fact.step, after)
            elif isinstance(fact, BattleEnded):
                year.great += min(fact.began) >= GREAT
                year.battles += min(fact.began) >= SOME
            elif isinstance(fact, LoneFate):
                year.wagons += after.data.is_wagon(fact.unit)
            else:
                year.fallen += isinstance(fact, PlaceFell)
                year.taken += isinstance(fact, PlaceTaken)

    def undone(self, step: Step) -> None:
        """Bots do not take back."""

    def stood(self, steps: object) -> None:
        """Nothing to do."""

    def _began(self, year: Year, step: str, pos: Position) -> None:
        if step == SPRING and pos.turn == 1:
            found = strengths_of(pos)
            year.springs = tuple(found.get(nation, 0) for nation in NATIONS)
        elif step == LAST_STEP:
            year.turns += 1
            _muster(year, pos)


def _muster(year: Year, pos: Position) -> None:
    """Leaders with and without men, forces in and outside their theatres."""
    generals = [unit for number, unit in pos.units.items() if not pos.data.is_wagon(number)]
    year.leaders += len(generals)
    year.idle += sum(not unit.tp for unit in generals)
    for unit in generals:
        if not unit.inside and unit.strength >= ARMY:
            year.forces += 1
            year.astray += is_astray(pos.data, pos.leader(unit.number).nation, unit.hex)
            if pos.turn >= WINTER:
                year.winterers += 1
                year.open += _is_open(pos, unit)


def _is_open(pos: Position, unit: Unit) -> bool:
    side = pos.side(unit.number)
    return pos.owners.get(unit.hex) != side and not is_near(pos, unit.hex, side, False)
