"""How a general weighs things: the numbers in which the generals of this rule set differ."""

from __future__ import annotations

from typing import Final, NamedTuple


class Temper(NamedTuple):
    """What a general shuns, and what he holds to."""

    quarters: float = 0.02
    """What a night of winter in the open costs, for each TP (R17.6)."""
    loyalty: float = 1.0
    """What it adds to a mission that the army has it already."""
    abroad: float = 1.0
    """What is left of the worth of what lies outside of a nation's country."""
    corps: int = 1
    """TP from which a leader goes his own way."""
    spare: int = 6
    """TP that an army keeps for each that it leaves behind."""
    escort: bool = False
    """Whether who slips away takes wagons along that would be lost where they are."""
    walls: int = 1000
    """TP from which a force does not go behind walls where the enemies about could shut it in (R10.5)."""
    blockade: float = 0.0
    """How well a force does its work that shuts in more men than it has itself."""


PLANNER: Final = Temper()
