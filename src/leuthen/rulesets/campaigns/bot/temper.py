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


PLANNER: Final = Temper()
