"""What the enemy is likely to go for: the own places that each of his forces could take soonest and best."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from leuthen.rulesets.campaigns.bot.situation import FieldForce, Situation
from leuthen.rulesets.campaigns.model.data import CITY, FORT, FORTRESS
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.wargame.board import Hex

STEP: Final = 5.0
"""Movement points that an army is taken to have a turn."""
DELAY: Final = 0.88
"""What a place is worth that falls a turn later."""
HOLDS: Final = {CITY: 0.9, FORT: 0.8, FORTRESS: 0.75}
"""What a siege takes from the worth of a place."""
MARCH: Final = 0.75
"""What is worth going to a turn farther away: until then much may change."""
LEAST: Final = 0.3
CHOICES: Final = 2
"""Places that one force is taken to have in mind."""
HORIZON: Final = 20
"""Movement points beyond which nobody is feared."""


class Menace(NamedTuple):
    """An own place that an enemy force may be after, and how much it would cost, in VP."""

    hex: Hex
    force: FieldForce
    cost: float


def menaces(s: Situation) -> list[Menace]:
    """For each enemy force the places that it threatens most."""
    if s.menaces is None:
        s.menaces = []
        for force, way in s.reaches:
            feared = sorted(_feared(s, force, way), key=lambda menace: (-menace.cost, menace.hex))
            s.menaces += feared[:CHOICES]
    return s.menaces


def _feared(s: Situation, force: FieldForce, way: bytes) -> Iterator[Menace]:
    for here, stake in s.stakes.items():
        far = way[here]
        if far > HORIZON:
            continue
        place, guards = s.data.strongholds[here], inside_tp(s.pos, here, s.side)
        cost = stake * MARCH ** (far / STEP)
        if guards:
            least = s.data.kinds[place.kind].besieger
            cost *= HOLDS[place.kind] if force.tp >= least and force.tp > guards else 0.0
        if cost > LEAST:
            yield Menace(here, force, cost)
