"""Who has how many men, and the winter council: no more leaders than have men (R3.2, V2.1, R17.8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot import winter
from leuthen.rulesets.campaigns.bot.garrisons import wanted
from leuthen.rulesets.campaigns.bot.situation import Situation, skill
from leuthen.rulesets.campaigns.bot.staff import best_shares, merit
from leuthen.rulesets.campaigns.bot.winter import divisions
from leuthen.rulesets.campaigns.model.actions import GARRISON, Arrange, Assign, Bring, Dismiss, Found, Transfer
from leuthen.rulesets.campaigns.model.data import CITY
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging, Shares
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range
from leuthen.rulesets.campaigns.rules.r15_arrivals import Placing
from leuthen.rulesets.campaigns.rules.r17_politics.winter import Council
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId, of


def council_actions(s: Situation, frame: Council) -> Iterator[Action]:
    """Depots where armies are, the men of garrisons for the armies; and the least able leader without any goes home."""
    fed = depot_range(s.pos, s.side)
    served = {unit.hex: unit.strength for unit in s.generals}
    for here in sorted(frame.sites(s.pos), key=lambda here: (-served.get(here, 0), here)):
        if not fed >> here & 1:
            yield Found(here)
    yield from musters(s, frame)
    yield from divisions(s, frame)
    idle = [unit.number for unit in s.idle if s.pos.leader(unit.number).nation == frame.nation]
    able = frame.dismissable(s.pos)
    for number in sorted(idle, key=lambda n: (s.pos.leader(n).command, s.pos.leader(n).combat, n)):
        if number in able:
            yield Dismiss(number)
    yield Done()


FEW: Final = 3
"""TP that are not worth a leader's while."""


def reserves(s: Situation, nation: PowerId) -> dict[Hex, int]:
    """By place, the TP of a nation in the garrison beyond what the place needs; not where they are few."""
    spare = {
        here: min(of(men, nation), inside_tp(s.pos, here, s.side) - wanted(s, here))
        for here, men in s.pos.garrisons.items() if s.pos.owners[here] == s.side
    }  # fmt: skip
    return {here: points for here, points in spare.items() if points > FEW}


def musters(s: Situation, frame: Council) -> Iterator[Action]:
    """Leaders for men whom nobody can lead; and for the armies what garrisons can spare, the senior first (V2.2)."""
    spare = reserves(s, frame.nation)
    if not spare:
        return
    own = [n for n in frame.holders(s.pos) if n < s.data.wagons]
    if sum(spare.values()) > sum(frame.room(s.pos, n) for n in own):
        here = max(spare, key=lambda here: (spare[here], -here))
        for number in sorted(frame.unused(s.pos), key=lambda n: (-skill(s.pos.leader(n)), n)):
            yield Bring(number, here)
    able = [LeaderId(n) for n in own if n not in frame.moved and frame.room(s.pos, n) > FEW]
    for taker in sorted(able, key=lambda n: s.pos.ranks[n]):
        for here in sorted(spare, key=lambda here: (-spare[here], here)):
            points = min(spare[here], len(frame.amounts(s.pos, GARRISON + here, taker)))
            if points > FEW:
                yield Transfer(GARRISON + here, taker, points)


def arrival_actions(s: Situation, frame: Placing) -> Iterator[Action]:
    """New men go to leaders, or else near an army, to a city only if there is nothing else."""
    yield from sorted(winter.arrival_actions(s, frame), key=lambda action: is_open_town(s, action))


def is_open_town(s: Situation, action: Action) -> bool:
    """Whether men would be left alone in a city, which falls with all who are in it as soon as it is besieged."""
    if not isinstance(action, Assign) or action.leader != NO_LEADER:
        return False
    return s.data.strongholds[action.hex].kind == CITY


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
