"""V2.2: the force of the senior commander is the largest of its nation, unless he is Frederick."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeAlias

from leuthen.engine.choice import Refusal
from leuthen.engine.memo import memoized
from leuthen.rulesets.campaigns.model.forces import senior
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId, PowerId, of

Place: TypeAlias = tuple[Hex, bool]
"""Where a force stands: hex, and inside or not."""
Where: TypeAlias = Mapping[LeaderId, tuple[Place, int]]
"""Leaders of a nation with the place and the TP of each."""
EXEMPT = "Frederick"


@memoized("lasting")
def leaders_of(pos: Position, nation: PowerId) -> Where:
    """The leaders of a nation, and where they stand with how many TP."""
    there = [pos.units[number] for number in pos.data.generals[nation] if number in pos.units]
    return {unit.number: ((unit.hex, unit.inside), of(unit.tp, nation) if unit.tp else 0) for unit in there}


def is_bound(pos: Position, nation: PowerId) -> bool:
    """Whether the rule applies to a nation now."""
    if not pos.options.einhorn:
        return False
    first = senior(pos, nation)
    return first >= 0 and pos.data.leaders[first].name != EXEMPT


def why_not_shift(pos: Position, nation: PowerId, before: Where, after: Where) -> Refusal | None:
    """The rule that forbids a voluntary shift of TP between the forces of a nation, or None (V2.2).

    (a) A force that grows is afterwards no larger than the senior's; (b) if the senior's shrinks, it is afterwards
    larger than any other. A force that goes to where nobody stands does not grow by that. Who is senior stays so for
    this test, even if he gives all his men away: his force is then none.
    """
    first = senior(pos, nation)
    if first not in after:
        return None
    old, new = _sums(before), _sums(after)
    here, there = before[first][0] if first in before else None, after[first][0]
    name = pos.data.leaders[first].name
    leads = any(tp and at == there and pos.ranks[n] <= pos.ranks[first] for n, (at, tp) in after.items())
    mine = new.get(there, 0) if leads else 0  # it is none if nobody of his rank or above leads men in his place
    for place, points in new.items():
        if place != there and points > mine and points > _size_before(place, old, before, after):
            return Refusal(
                "V2.2", "{} TP would stand there, and with {}, who is senior, {}", (points, name, mine), place[0]
            )
    if here is not None and mine < old.get(here, 0):
        most = max((points for place, points in new.items() if place != there), default=0)
        if most and mine <= most:
            return Refusal("V2.2", "{}, who is senior, would have {} TP, and another force {}", (name, mine, most))
    return None


def why_not_part(pos: Position, numbers: Collection[LeaderId], place: Place) -> Refusal | None:
    """The rule that forbids some leaders to go to a place without the others of their force, or None (V2.2)."""
    generals = [number for number in numbers if not pos.data.is_wagon(number)]
    for nation in sorted({pos.leader(number).nation for number in generals}):
        if not is_bound(pos, nation):
            continue
        before = leaders_of(pos, nation)
        gone = {n: (place, before[n][1]) for n in generals if n in before}
        if refusal := why_not_shift(pos, nation, before, {**before, **gone}):
            return refusal
    return None


def can_complete(
    chosen: tuple[LeaderId, ...],
    later: Sequence[LeaderId],
    why_not: Callable[[Sequence[LeaderId]], Refusal | None],
) -> bool:
    """Whether these leaders may go, if need be with some of those who are named after them; somebody has to."""
    if chosen and not why_not(chosen):
        return True
    return any(can_complete((*chosen, n), later[place + 1 :], why_not) for place, n in enumerate(later))


def _size_before(place: Place, old: Mapping[Place, int], before: Where, after: Where) -> int:
    """The TP of the force that stands in a place now: of who stood there, else of the force from which it has come."""
    if old.get(place):
        return old[place]
    return max((old[before[n][0]] for n, (at, tp) in after.items() if at == place and tp and n in before), default=0)


def _sums(where: Where) -> dict[Place, int]:
    found: dict[Place, int] = {}
    for place, points in where.values():
        found[place] = found.get(place, 0) + points
    return found
