"""How a general weighs things: the numbers in which the generals of this rule set differ."""

from __future__ import annotations

from typing import Final, NamedTuple


class Temper(NamedTuple):
    """What a general risks and what he shuns."""

    danger: float = 0.8
    """How much the TP count that an enemy would gain by falling upon him."""
    least_win: float = 0.55
    """The least chance of victory at which he offers battle."""
    least_gain: float = 1.0
    """And the least gain, in TP."""
    hopeless: float = 0.15
    """Below this chance he breaks a battle off."""
    flight: float = 2.0
    """TP that the enemy should gain before he slips away from him."""
    quarters: float = 0.02
    """What a night of winter in the open costs, for each TP (R17.6)."""
    better: float = 0.7
    """How much better another hex has to be than the present one."""
    hunt: float = 0.8
    """What is left of the worth of enemies, who do not stand still."""
    loyalty: float = 1.25
    """What it adds to a mission that the army has it already."""
    abroad: float = 0.05
    """What is left of the worth of what lies outside of a nation's country."""
    corps: int = 8
    """TP from which a leader goes his own way."""
    vain: float = 0.7
    """What is too weak for its mission has less than this part of the might of the enemies who are about."""
    posts: tuple[int, int, int] = (1, 2, 3)
    """TP of the garrison that a city, a fort and a fortress should have."""


PLANNER: Final = Temper()
