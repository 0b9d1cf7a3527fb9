"""How far stacks could come, as the rules of the walk have it: by the least die, and the worst of the enemy's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.ruleset import OTHER, OwnerId, ViewerId, is_side
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import SIDES, Position, Stack
from leuthen.rulesets.frederick.rules.o05_march.phase import walk_from
from leuthen.rulesets.frederick.rules.o05_march.walk import Walk, allowance, initiative
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.screen.reach import spread_out
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId, bag, of

WORST: Final = 6
"""The enemy's die that is the worst for you."""


SALLY: Final = 1
"""The MP of an overwhelming attack (O5.9)."""


class Marcher(NamedTuple):
    """Who would lead a march, with his initiative as it counts."""

    side: OwnerId
    leader: LeaderId
    initiative: int


class Ranged(NamedTuple):
    """How an enemy could come to a hex: who, from where, for how many MP, or only by march and force march."""

    leader: LeaderId
    start: Hex
    points: int
    is_twice: bool = False


def ranges(pos: Position, here: Hex, viewer: ViewerId) -> tuple[Marcher, dict[Hex, tuple[int, int]]] | None:
    """Who at a place would come farthest, and the hexes in reach with the least die and the MP; None if nobody marches.

    The viewer's own stacks come first; of others what is seen of them.
    """
    sides = (viewer, OTHER[viewer]) if is_side(viewer) else SIDES
    stacks = (pos.at(here, side, inside) for side in sides for inside in (0, 1))
    stack = next((stack for stack in stacks if stack is not None and stack.leaders), None)
    if stack is None:
        return None
    forces = [(leader, led) for leader in stack.leaders for led in (_led(pos, stack, leader),)]
    leader, sp = max(forces, key=lambda item: (bool(item[1]), _initiative(pos, stack, *item), -item[0]))
    least: dict[Hex, tuple[int, int]] = {}
    for die in range(1, 7):
        walk = walk_from(pos, stack, (leader,), sp, die, forced=False)
        walk.spent = 0
        for there, entry in spread_out(walk, {here: 0}, through=True).items():
            least.setdefault(there, (die, min(entry.spent, walk.allowance)))
    return Marcher(stack.side, leader, _initiative(pos, stack, leader, sp)), least


def _led(pos: Position, stack: Stack, leader: LeaderId) -> int:
    """The SP that a leader may take along by himself (O5.1); a demoralized stack goes whole (O11.1)."""
    if stack.demoralized:
        return stack.sp
    power = pos.leader(leader).power
    return bag(power, of(stack.sp, power))


def _initiative(pos: Position, stack: Stack, leader: LeaderId, sp: int) -> int:
    return initiative(pos, make_stack(pos, stack.hex, stack.side, False, sp, (leader,), stack))


def threats(pos: Position, side: OwnerId) -> dict[Hex, Ranged]:
    """The hexes to which stacks of a side could come with the worst die, each by who needs least."""
    able = [stack for stack in pos.own(side) if stack.sp and stack.commander >= 0 and not stack.quartered]
    stacks = [stack for stack in able if not (stack.inside and is_besieged(pos, stack.hex, stack.side))]
    found = {s.hex: Ranged(s.commander, s.hex, SALLY) for s in able if s not in stacks}  # O13.7
    for group in ([s for s in stacks if not s.demoralized], [s for s in stacks if s.demoralized]):
        if not group:
            continue
        walk = Walk(pos, msgspec.structs.replace(group[0], inside=False), 0, 0, forced=False, sally=False)
        walk.allowance = allowance(pos, WORST, walk.force)
        once = _origins(walk, {stack.hex: Ranged(stack.commander, stack.hex, 0) for stack in group})
        _keep_least(found, once.items())
        twice = _origins(walk, {here: ranged._replace(points=0) for here, ranged in once.items()})
        _keep_least(found, ((here, ranged._replace(is_twice=True)) for here, ranged in twice.items()))
    return found


def _origins(walk: Walk, starts: dict[Hex, Ranged]) -> dict[Hex, Ranged]:
    """What is reached from some hexes, each with whoever comes from there, and the starts themselves."""
    found = spread_out(walk, dict.fromkeys(starts, 0), through=True)
    origins = dict(starts)
    for here in sorted(found, key=lambda there: found[there].spent):
        origins.setdefault(here, origins[found[here].before]._replace(points=found[here].spent))
    return origins


def _keep_least(found: dict[Hex, Ranged], more: Iterable[tuple[Hex, Ranged]]) -> None:
    for here, ranged in more:
        if here not in found or (ranged.is_twice, ranged.points) < (found[here].is_twice, found[here].points):
            found[here] = ranged
