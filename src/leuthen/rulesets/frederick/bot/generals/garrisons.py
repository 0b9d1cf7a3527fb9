"""How many men a fortress should have: by what it is worth, and by who could come."""

from __future__ import annotations

from typing import Final

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.wargame.board import Hex

THREAT: Final = 5
"""Fewer SP than these besiege nothing (O10.4)."""


def garrison_of(s: Situation, here: Hex) -> int:
    """One SP to hold it; within reach of an army that can besiege three, in a great fortress five (O13.2)."""
    fort = s.data.fortresses[here]
    if s.foes_near(here, s.temper.exposed) < THREAT:
        return 1
    return s.temper.great_garrison if fort.great else s.temper.garrison
