"""C10: the British Subsidy."""

from __future__ import annotations

from typing import Final

from leuthen.engine.ruleset import NOBODY
from leuthen.rulesets.frederick.model.data import HANOVER
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll
from leuthen.rulesets.frederick.model.events.grand import Modifiers, SubsidyRolled
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c06_increments import grant

MODIFIERS: Final = {1758: -1, 1759: -1, 1760: -2, 1761: -2}
"""By the year just ended (C10.2)."""


class SubsidyPhase(Decision, rule="C10.2", name="British Subsidy Phase"):
    """The British Subsidy Phase: no roll while Hanover is neutral or has surrendered (C10.2)."""

    def step(self, draft: Draft) -> None:
        """The die, if Hanover is on a side."""
        draft.pop()
        if draft.side_of(HANOVER) != NOBODY:
            draft.push(SubsidyRoll())


class SubsidyRoll(DieRoll, rule="C10.1", name="British Subsidy"):
    """The die of Hanover's side (C10.1)."""

    def rolled(self, draft: Draft, die: int) -> None:
        """RP that may be used from the next sequence on, because this phase follows the increment (C10.1)."""
        side = draft.side_of(HANOVER)
        row, points = subsidy(draft, die)
        grant(draft, side, points)
        modifiers = subsidy_modifiers(draft)
        draft.emit(SubsidyRolled(side=side, die=die, modifiers=modifiers, row=row, points=points, now=draft.rp[side]))


def subsidy_modifiers(pos: Position) -> Modifiers:
    """−1 after 1758 and 1759, −2 after 1760 and 1761 (C10.2)."""
    points = MODIFIERS.get(pos.year, 0)
    return ((f"after {pos.year}", points),) if points else ()


def subsidy(pos: Position, die: int) -> tuple[int, int]:
    """The row of the table, never below 1 (C10.2), and the Resource Points it gives (C10.1)."""
    row = max(1, die + sum(points for _, points in subsidy_modifiers(pos)))
    return row, pos.data.subsidy[row - 1]
