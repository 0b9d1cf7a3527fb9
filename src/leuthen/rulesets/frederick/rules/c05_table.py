"""C5.3–C5.5: the Diplomacy Table, used after 1756 and for neutrals that react to a violation (C5.7)."""

from __future__ import annotations

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.wargame.strength import PowerId

LOWEST, HIGHEST = -1, 7
"""Limits of a result (C5.3)."""


def diplomacy_result(data: GameData, power: PowerId, die: int, modifier: int) -> tuple[int, OwnerId]:
    """Return the result of a die within its limits, and the side it gives or NOBODY (C5.3, C5.4)."""
    rolled = max(LOWEST, min(HIGHEST, die + modifier))
    return rolled, data.diplomacy[rolled, power]


def note_star(draft: Draft, power: PowerId, rolled: int) -> None:
    """Store a power that a starred result brought to its side (C5.5, option `hanover-note`)."""
    if (rolled, power) in draft.data.stars:
        draft.starred |= {power}
