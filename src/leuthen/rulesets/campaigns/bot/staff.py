"""Who has how many men: TP are divided anew within a force, so that its ablest leader commands most (R3.2, V2.1)."""

from __future__ import annotations

from collections.abc import Iterator
from operator import mul
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.decision import Done
from leuthen.rulesets.campaigns.bot.convoys import path_of
from leuthen.rulesets.campaigns.bot.garrisons import wanted
from leuthen.rulesets.campaigns.bot.situation import Situation, skill
from leuthen.rulesets.campaigns.model.actions import Arrange, Lose, March
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging, Shares
from leuthen.rulesets.campaigns.rules.r04_command.command import is_shut, start_march, why_not_lead
from leuthen.rulesets.campaigns.rules.r09_supply.steps import Toll
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Losses
from leuthen.wargame.ways import FAR

CORPS: Final = 6
"""TP from which it is worth to make a corps out of a garrison."""
AFRAID: Final = 0.4
"""What is taken from the skill of a leader who is demoralized."""
MARGIN: Final = 0.05


def arrange_actions(s: Situation, frame: Arranging) -> Iterator[Action]:
    """The men of each force go to its ablest leader first; then no more."""
    if s.has("staff"):
        for stand in frame.stands(s.pos):
            points = best_shares(s, Shares(s.pos, stand))
            if points is not None:
                yield Arrange(*stand, points)
    yield Done()


def best_shares(s: Situation, share: Shares) -> tuple[int, ...] | None:
    """How the TP of a force are best divided; None if they stand well as they are."""
    now = tuple(unit.strength for unit in share.units)
    garrison = _garrison(s, share)
    if not any(now) and share.garrison - garrison < CORPS:
        return None
    rated: list[tuple[float, int, tuple[int, ...]]] = []
    for first in range(len(share.units)):
        points = _from(s, share, first, garrison)
        if points is not None:
            rated.append((merit(s, share.units[first]), -first, points))
    if not rated:
        return None
    value, _, points = max(rated)
    commander = next((n for n, tp in enumerate(now) if tp), None)
    stands = (*now, share.garrison) if share.is_open else now
    if commander is not None and points[commander] and merit(s, share.units[commander]) + MARGIN > value:
        points = _from(s, share, commander, garrison) or points
    return points if points != stands else None


def merit(s: Situation, unit: Unit) -> float:
    """How good a commander a leader is tonight."""
    return skill(s.pos.leader(unit.number)) - AFRAID * bool(unit.daunted or unit.shaken)


def _garrison(s: Situation, share: Shares) -> int:
    """The TP of this nation that should be in the garrison."""
    here = share.stand[0]
    if not share.is_open:
        return 0
    others = inside_tp(s.pos, here, s.side) - share.garrison
    own_inside = sum(unit.strength for unit in share.units if unit.inside)
    return min(share.most_garrison, max(0, wanted(s, here) - max(0, others - own_inside)), share.sum)


def _from(s: Situation, share: Shares, first: int, garrison: int) -> tuple[int, ...] | None:
    """All TP for this leader and those below him, the ablest first; what they cannot hold is left in the garrison."""
    left = share.sum - garrison * share.is_open
    points = [0] * len(share.units)
    below = sorted(range(first + 1, len(points)), key=lambda n: (-merit(s, share.units[n]), n))
    for place in (first, *below):
        points[place] = min(left, share.limit(place, place == first))
        left -= points[place]
    if not share.is_open:
        return tuple(points) if not left else None
    return (*points, garrison + left) if garrison + left <= share.most_garrison else None


def loss_actions(s: Situation, frame: Losses | Toll) -> Iterator[Action]:
    """The least able leaders lose most, as far as a rule leaves the choice (R12.6, V6.1)."""
    if not s.has("staff"):
        return
    leaders = frame.leaders(s.pos) if isinstance(frame, Losses) else frame.leaders
    units = [s.pos.units[number] for number in leaders]
    value = [merit(s, unit) for unit in units]
    splits = frame.splits(s.pos)
    if splits:
        yield Lose(min(splits, key=lambda split: (sum(map(mul, split, value)), split)))
        return
    left, points = frame.points, [0] * len(units)
    for place in sorted(range(len(units)), key=lambda n: (value[n], -n)):
        points[place] = min(left, units[place].strength)
        left -= points[place]
    yield Lose(tuple(points))


def idle_actions(s: Situation, command: int) -> Iterator[Action]:
    """Leaders without men go where men of their nation are who have none as able."""
    for unit in s.idle:
        if why_not_lead(s.pos, unit.number, s.side, command) or is_shut(s.pos, unit):
            continue
        nation = s.pos.leader(unit.number).nation
        hosts = {one.hex for one in s.generals if s.pos.leader(one.number).nation == nation}
        if not hosts or unit.hex in hosts:
            continue
        there = min(hosts, key=lambda here: (s.way(unit.hex, here), here))
        walk = start_march(s.pos, s.side, unit.number, ()).walk(s.pos)
        ends = [here for here in walk.reach if here != unit.hex and walk.can_end(here, walk.reach[here])]
        if ends and s.way(unit.hex, there) < FAR:
            best = min(ends, key=lambda here: (s.way(here, there), here))
            if s.way(best, there) < s.way(unit.hex, there) and not (best != there and s.threat(best)):
                yield March(unit.number, (), False, path_of(walk, best))
