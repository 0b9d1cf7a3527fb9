"""Who has how many men, and the winter council: no more leaders than have men (R3.2, V2.1, R17.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.bot.staff import best_shares, merit
from leuthen.rulesets.campaigns.bot.winter import divisions
from leuthen.rulesets.campaigns.model.actions import Arrange, Dismiss, Done, Found
from leuthen.rulesets.campaigns.rules.r02_leaders.shares import Shares
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range
from leuthen.rulesets.campaigns.rules.r17_politics.council import Council


def council_actions(s: Situation, frame: Council) -> Iterator[Action]:
    """Depots where armies are, men for leaders who have none, and the least able of those who are left goes home."""
    fed = depot_range(s.pos, s.side)
    served = {unit.hex: unit.strength for unit in s.generals}
    for here in sorted(frame.sites(s.pos), key=lambda here: (-served.get(here, 0), here)):
        if not fed >> here & 1:
            yield Found(here)
    yield from divisions(s, frame)
    idle = [unit.number for unit in s.idle if s.pos.leader(unit.number).nation == frame.nation]
    able = frame.dismissable(s.pos)
    for number in sorted(idle, key=lambda n: (s.pos.leader(n).command, s.pos.leader(n).combat, n)):
        if number in able:
            yield Dismiss(number)
    yield Done()


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
