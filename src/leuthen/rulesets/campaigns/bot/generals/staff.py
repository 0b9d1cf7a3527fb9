"""Who has how many men: the ablest leader most, and those under him enough for a corps of their own (R3.2, V2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.staff import best_shares, merit
from leuthen.rulesets.campaigns.model.actions import Arrange, Done
from leuthen.rulesets.campaigns.rules.r02_leaders.shares import Shares
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging

LARGE: Final = 25
"""TP of a force from which a leader without men gets two, else one: more would weaken him who fights."""


def arrange_actions(s: Situation, frame: Arranging) -> Iterator[Action]:
    """The men of each force, as its staff divides them; then no more."""
    for stand in frame.stands(s.pos):
        share = Shares(s.pos, stand)
        points = divided(s, share)
        if points is not None:
            yield Arrange(*stand, points)
    yield Done()


def divided(s: Situation, share: Shares) -> tuple[int, ...] | None:
    """How the TP of a force are divided: none who would command in the ablest one's place gets any."""
    now = [unit.strength for unit in share.units]
    stands = (*now, share.garrison) if share.is_open else tuple(now)
    points = list(best_shares(s, share) or stands)
    chief = next((n for n in range(len(now)) if points[n]), None)
    if chief is None:
        return None
    shared_out(s, share, points, [n for n in range(chief + 1, len(now)) if not points[n]])
    return tuple(points) if tuple(points) != stands else None


def shared_out(s: Situation, share: Shares, points: list[int], lacking: Sequence[int]) -> None:
    """Those who lack men get a few of him who has most, the ablest first."""
    led = len(share.units)
    part = 1 + (sum(points[:led]) >= LARGE)
    for place in sorted(lacking, key=lambda n: (-merit(s, share.units[n]), n)):
        giver = max(range(led), key=lambda n: (points[n], -n))
        if points[giver] > 2 * part:
            points[giver] -= part
            points[place] += part
