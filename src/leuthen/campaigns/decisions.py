"""What a decision of this rule set is. Each chapter's module defines its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from leuthen.campaigns.state import Position
from leuthen.core import decision
from leuthen.core.choice import Action
from leuthen.core.decision import NOONE as NOONE
from leuthen.core.decision import Done as Done
from leuthen.core.decision import Roll as Roll
from leuthen.core.decision import ask as ask
from leuthen.core.decision import never as never

TWO_DICE: Final[tuple[tuple[Action, Fraction], ...]] = tuple(
    (Roll(total), Fraction(6 - abs(7 - total), 36)) for total in range(2, 13)
)
"""Two dice, by their sum."""


class Decision(decision.Decision, frozen=True, gc=False):
    """A decision of this rule set."""


class DieRoll(decision.DieRoll, Decision, frozen=True, gc=False):
    """One die, in this rule set."""


class DiceRoll(DieRoll, frozen=True, gc=False):
    """Two dice."""

    def chances(self, pos: Position) -> tuple[tuple[Action, Fraction], ...]:
        """Eleven sums."""
        return TWO_DICE
