"""Where a force can go: every hex that the rules of the walk let it enter in a leg, the cheapest way, and threats."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, NamedTuple

import msgspec

from leuthen.engine.choice import Refusal
from leuthen.engine.ruleset import OTHER, OwnerId, ViewerId, is_side
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.stacks import make_stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.o05_march.phase import walk_from
from leuthen.rulesets.frederick.rules.o05_march.walk import (
    Walk,
    allowance,
    comes_out,
    enemy_in_field,
    initiative,
    why_ended,
)
from leuthen.screen.values import Reached
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.paths import way_to
from leuthen.wargame.strength import LeaderId, bag, of

BOUNDLESS: Final = 90
"""Movement points that reach across the whole board, and are fewer than DONE."""


class Entry(NamedTuple):
    """How a hex is entered: from where, what is spent then, and whether the leg ends."""

    before: Hex
    spent: int
    stops: bool


def reach(walk: Walk) -> dict[Hex, Entry]:
    """All hexes that a force can enter from where it is, in one leg, each by a cheapest way."""
    return {} if walk.ended else spread_out(walk, {walk.here: walk.spent})


def spread_out(walk: Walk, starts: Mapping[Hex, int], *, through: bool = False) -> dict[Hex, Entry]:
    """All hexes that a force can enter from any of the starts, with what it has spent there; without the starts.

    A leg ends where the walk says so; `through` goes on with another one, unless an enemy field stack is there (O5.8).
    """
    walk = copy.copy(walk)
    found: dict[Hex, Entry] = {}
    settled: set[Hex] = set()
    queue = sorted((spent, here) for here, spent in starts.items())
    while queue:
        spent, here = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        if here in found and found[here].stops:
            continue
        walk.here, walk.spent = here, spent
        for there in walk.next_hexes():
            if there in settled or there in starts:
                continue
            walk.here, walk.spent = here, spent
            walk.enter(there)
            if there not in found or walk.spent < found[there].spent:
                found[there] = Entry(here, walk.spent, _stops(walk, through))
                heappush(queue, (walk.spent, there))
    return found


def _stops(walk: Walk, through: bool) -> bool:
    if not walk.ended or not through:
        return walk.ended
    return enemy_in_field(walk.pos, walk.here, walk.side) is not None


def show_reach(walk: Walk) -> dict[str, Reached]:
    """A reach as it is shown."""
    shown: dict[str, Reached] = {}
    for there, entry in reach(walk).items():
        left = max(0, walk.allowance - entry.spent)
        price = price_of_step(walk, entry.before, there) + _least_move(walk, entry)
        shown[hex_name(there)] = Reached(hex_name(entry.before), price, left, walk.allowance - left, entry.stops)
    return shown


def price_of_step(walk: Walk, before: Hex, there: Hex) -> str:
    """What the last step to a hex costs, with what makes it dear."""
    step = copy.copy(walk)
    step.here = before
    return step.price(there)


def _least_move(walk: Walk, entry: Entry) -> str:
    """Said of a hex that costs more than the force has (O5.6)."""
    return ", the one hex that is always allowed (O5.6)" if entry.spent > walk.allowance else ""


def leg_through(walk: Walk, goals: Sequence[Hex]) -> list[Hex] | Refusal:
    """A cheapest leg through some hexes one after another, or why there is none."""
    walk = copy.copy(walk)
    path: list[Hex] = []
    for goal in goals:
        if goal == walk.here:
            continue
        found = reach(walk)
        if goal not in found:
            return _no_way(walk, goal)
        for there in way_to(found, walk.here, goal):
            walk.enter(there)
            path.append(there)
    return path


def _no_way(walk: Walk, goal: Hex) -> Refusal:
    """Why a hex is out of reach: what the way would cost, or what bars the last step."""
    left = max(0, walk.allowance - walk.spent)
    if walk.ended:
        return why_ended(walk)
    free = copy.copy(walk)
    free.allowance = BOUNDLESS
    found = reach(free)
    if goal in found:
        path = [walk.here, *way_to(found, walk.here, goal)]
        steps = "; ".join(f"{hex_name(b)} {price_of_step(walk, a, b)}" for a, b in pairwise(path))
        need = found[goal].spent - walk.spent
        return Refusal("O5.3", "{} needs {} MP, has {} ({})", (hex_name(goal), need, left, steps), goal)
    near = list(walk.pos.data.board.neighbours[goal]) if walk.pos.data.board.in_play(goal) else []
    for there in near:
        if there in found or there == walk.here:
            free.here, free.spent = there, 1
            if goal not in free.next_hexes():
                return free.forbids(goal)
    far = walk.pos.data.board.distances(goal)
    if stops := [(far[there], there) for there, entry in found.items() if entry.stops and there in far]:
        there = min(stops)[1]
        free.here, free.spent = found[there].before, 1
        free.enter(there)
        return why_ended(free)
    return Refusal("O5.4", "there is no way to {}", (hex_name(goal),), goal)


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
    stacks = [stack for stack in able if not comes_out(pos, stack)]
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
