"""Diplomacy Points and Resource Points."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import ceil
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Envoys, Raise
from leuthen.rulesets.frederick.model.data import FRANCE, MINORS, RUSSIA
from leuthen.rulesets.frederick.model.stacks import on_map
from leuthen.rulesets.frederick.model.state import PRUSSIAN
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import POINTS, diplomacy_modifiers, is_rolled
from leuthen.rulesets.frederick.rules.c05_diplomacy.table import diplomacy_result
from leuthen.wargame.strength import PowerId

EXPECTED: Final = ({FRANCE: 1, RUSSIA: 1}, {FRANCE: 2, RUSSIA: 2})
"""Where the other side is taken to send its envoys, by side."""
HASTE: Final = 0.45
"""Points spent this year over points left a year: recruits of an early year fight longest."""


def envoy_actions(s: Situation) -> Iterator[Action]:
    """The split that should bring most SP to this side and least to the other."""
    if s.has("points"):
        yield Envoys(max(splits(POINTS[s.side]), key=lambda split: (promise(s, split), split)))
    yield Envoys((0,) * len(MINORS))


def splits(points: int) -> Iterator[tuple[int, ...]]:
    """All ways to allocate so many points."""
    return (split for split in product(range(points + 1), repeat=len(MINORS)) if sum(split) == points)


def promise(s: Situation, split: tuple[int, ...]) -> float:
    """The mean balance of SP that a split brings."""
    return sum(_balance(s, power, points) for power, points in zip(MINORS, split, strict=True))


def _balance(s: Situation, power: PowerId, points: int) -> float:
    if not is_rolled(s.pos, power):
        return -0.1 * points
    theirs = EXPECTED[s.foe].get(power, 0)
    prussian, austrian = (points, theirs) if s.side == PRUSSIAN else (theirs, points)
    modifier = sum(part for _, part in diplomacy_modifiers(s.pos, power, prussian, austrian))
    sides = [diplomacy_result(s.data, power, die, modifier)[1] for die in range(1, 7)]
    return on_map(s.pos, power) * (sides.count(s.side) - sides.count(s.foe)) / 6


def raise_actions(s: Situation) -> Iterator[Action]:
    """Much in the first years, something every year."""
    have = s.pos.rp[s.side]
    years = max(1, s.pos.options.last_year - s.pos.year)
    if s.has("points"):
        yield Raise(have if years == 1 else min(have, ceil(have / max(1.0, years * HASTE))))
    yield Raise(0)
