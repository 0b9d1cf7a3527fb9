"""What is counted of a war of the first rule set while it is played (`bench.frederick_wars`)."""

from __future__ import annotations

from collections import deque
from typing import Final

import msgspec

from leuthen.engine.ruleset import NOBODY
from leuthen.play.table import Step
from leuthen.rulesets.frederick.model.data import PRUSSIA, SAXONY
from leuthen.rulesets.frederick.model.events import (
    BattleFought,
    DepotWork,
    Halted,
    Overwhelmed,
    SpLost,
    Taken,
    TurnBegan,
    Violated,
)
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SIDES
from leuthen.rulesets.frederick.model.state import Position
from leuthen.wargame.strength import LeaderId

TURNS: Final = 18
ARMY: Final = 8
"""SP from which a force is an army."""
SUMMER: Final = range(5, 12)
DECEMBER: Final = (16, 17)
LAST: Final = 4
"""So many halts of a leader are remembered."""
FORCED: Final = "O6.1"


class Year(msgspec.Struct):
    """A year of a war, of which `turns` were played."""

    year: int
    turns: int = 0
    battles: int = 0
    taken: int = 0
    largest: list[tuple[int, int]] = []
    """SP in the largest field stack of each side, turn by turn."""
    armies: list[int] = []
    """Prussian armies, on each turn of summer."""
    circles: int = 0
    """Halts where the leader stood in his last halts."""
    begun: int = 0
    given_up: int = 0
    forced: int = 0
    """SP lost by force march."""
    fallen: int = 0
    """SP lost in battle, prisoners included."""
    lone: int = 0
    """SP overwhelmed while alone."""
    winter: int = 0
    """Battles in December."""
    saxony: bool = False
    """Whether Prussia entered Saxony."""

    @property
    def part(self) -> float:
        """By how much a count is multiplied for a whole year."""
        return TURNS / max(1, self.turns)


class Tally:
    """An observer that counts."""

    def __init__(self) -> None:
        self.years: list[Year] = []
        self._halts: dict[int, deque[int]] = {}

    def acted(self, step: Step) -> None:
        """Counts what an action did."""
        after: Position = step.transition.state
        if not self.years:
            self.years.append(Year(after.year))
        for fact in step.transition.facts:
            self._count(fact, after)

    def undone(self, step: Step) -> None:
        """Bots do not take back."""

    def stood(self, steps: object) -> None:
        """Nothing to do."""

    def _count(self, fact: object, pos: Position) -> None:
        year = self.years[-1]
        match fact:
            case TurnBegan():
                self._turn(pos)
            case BattleFought():
                year.battles += 1
                year.winter += pos.turn in DECEMBER
                year.fallen += sum(fact.losses) + fact.prisoners
            case Overwhelmed():
                year.lone += fact.success and fact.against == 1
            case Taken():
                year.taken += fact.before != NOBODY
            case Halted():
                year.circles += self._returns(fact.leader, fact.hex)
            case DepotWork():
                year.begun += fact.how == "is begun"
                year.given_up += fact.how == "is given up"
            case SpLost():
                year.forced += fact.by == FORCED or (not fact.by and fact.RULE == FORCED)
            case Violated():
                year.saxony |= fact.power == SAXONY and fact.side == PRUSSIAN
            case _:
                pass

    def _turn(self, pos: Position) -> None:
        if self.years[-1].year != pos.year:
            self.years.append(Year(pos.year))
        year = self.years[-1]
        year.turns += 1
        sizes = [[stack.strength for stack in pos.own(side) if not stack.inside] for side in SIDES]
        year.largest.append((max(sizes[PRUSSIAN], default=0), max(sizes[AUSTRIAN], default=0)))
        if pos.turn in SUMMER:
            own = [stack for stack in pos.own(PRUSSIAN) if not stack.inside and stack.commander >= 0]
            year.armies.append(sum(stack.strength >= ARMY and stack.nation == PRUSSIA for stack in own))

    def _returns(self, leader: LeaderId, here: int) -> bool:
        halts = self._halts.setdefault(leader, deque(maxlen=LAST))
        returns = here in halts
        halts.append(here)
        return returns
