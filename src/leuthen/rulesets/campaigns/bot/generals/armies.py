"""Armies: a strong leader with the small corps about him; what goes its own way, and what joins another."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final, NamedTuple

import msgspec

from leuthen.rulesets.campaigns.bot.goals import NO_GOAL, Goal
from leuthen.rulesets.campaigns.bot.menaces import HORIZON
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.model.state import Unit
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.strength import EMPTY, LeaderId

ARMY: Final = 15
"""TP of a force that is worth joining."""
NEAR: Final = 24
"""Movement points to an army that is joined."""
COLUMN: Final = 2
"""TP that may go on an errand."""
ERRAND: Final = 9
"""Movement points of an errand."""
POST: Final = 2.0
"""VP that the loss of an own place costs from which a man is to stand in it."""
WATCH: Final = 0.5
"""What his standing there is worth, of what the loss costs."""
PRIZE: Final = 0.5
"""VP for which it is worth one: a place that counts for nothing is not."""


class Army(NamedTuple):
    """A leader and the smaller corps of his nation beside him; `whole` is he with all their TP and SP."""

    chief: Unit
    juniors: tuple[Unit, ...]
    whole: Unit

    @property
    def numbers(self) -> tuple[LeaderId, ...]:
        """Its leaders, the first commands."""
        return (self.chief.number, *[unit.number for unit in self.juniors])


def armies_of(s: Situation) -> list[Army]:
    """The armies that may go somewhere, the strongest first; who is demoralized goes by himself (V8.2)."""
    chiefs: dict[tuple[int, Hex, bool], Unit] = {}
    juniors: dict[LeaderId, list[Unit]] = {}
    for unit in s.generals:
        if unit.daunted:
            continue
        place = s.pos.leader(unit.number).nation, unit.hex, unit.inside
        chief = chiefs.setdefault(place, unit)
        if chief is unit or unit.strength >= s.temper.corps:
            juniors[unit.number] = []
        else:
            juniors[chief.number].append(unit)
    found = [army_of(s.pos.units[number], tuple(others)) for number, others in juniors.items()]
    return sorted(found, key=lambda army: (-army.whole.strength, army.chief.number))


def army_of(chief: Unit, juniors: tuple[Unit, ...]) -> Army:
    """An army."""
    men = sum((unit.tp for unit in juniors), EMPTY)
    whole = msgspec.structs.replace(chief, tp=chief.tp + men, sp=chief.sp + sum(unit.sp for unit in juniors))
    return Army(chief, juniors, whole)


def is_corps(s: Situation, army: Army) -> bool:
    """Whether an army is large enough for a mission of its own."""
    return army.whole.strength >= s.temper.corps


def next_army(s: Situation, army: Army, armies: Sequence[Army]) -> Hex:
    """Where the nearest other army of the same nation is that is worth joining; -1 if none is near."""
    here, nation = army.chief.hex, s.pos.leader(army.chief.number).nation
    near = [
        other.chief.hex for other in armies
        if other.whole.strength >= ARMY and other.chief.hex != here and s.way(here, other.chief.hex) <= NEAR
        and s.pos.leader(other.chief.number).nation == nation
    ]  # fmt: skip
    return min(near, key=lambda there: (s.way(here, there), there), default=NOWHERE)


def detached(s: Situation, armies: Sequence[Army]) -> Iterator[tuple[LeaderId, Goal]]:
    """Small corps: to an empty place at hand, or to the next army; a guard inside a place stays."""
    taken: set[Hex] = set()
    for army in armies:
        small = army.juniors if is_corps(s, army) else (army.chief, *army.juniors)
        for unit in small:
            errand = errand_of(s, unit, taken)
            if errand.hex >= 0:
                taken.add(errand.hex)
                yield unit.number, errand
            elif unit not in army.juniors and not unit.inside:
                host = next_army(s, army, armies)
                yield unit.number, Goal("join", host, 1.0) if host >= 0 else NO_GOAL


def errand_of(s: Situation, unit: Unit, taken: Container[Hex]) -> Goal:
    """The empty place at hand, with nobody about, that is worth most: to take, or to leave a man there."""
    if unit.strength < COLUMN or unit.inside:
        return NO_GOAL
    way = s.memory.ways.table(unit.hex)
    found = [
        Goal(kind, here, worth / (4 + way[here])) for kind, here, worth in empty_places(s)
        if way[here] <= ERRAND and here not in taken and not s.threat(here)
    ]  # fmt: skip
    return max(found, key=lambda goal: (goal.value, -goal.hex), default=NO_GOAL)


def empty_places(s: Situation) -> Iterator[tuple[str, Hex, float]]:
    """Places of the enemy that count and have nobody inside, and own ones whose loss would cost much; their worth."""
    for here, worth in s.worths.items():
        if worth > PRIZE and not s.guards(here):
            yield "take", here, worth
    for here, stake in s.stakes.items():
        if stake >= POST and not inside_tp(s.pos, here, s.side) and any(way[here] <= HORIZON for _, way in s.reaches):
            yield "guard", here, WATCH * stake
