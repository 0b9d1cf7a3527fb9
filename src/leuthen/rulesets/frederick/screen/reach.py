"""Where a force can go in one leg: every hex that the rules of the walk let it enter, and the cheapest way there."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final, NamedTuple

from leuthen.engine.choice import Refusal
from leuthen.rulesets.frederick.rules.o05_march.walk import Walk, enemy_in_field
from leuthen.screen import Reached
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.paths import way_to

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
        return Refusal("O5.8", "the leg ends at {}", (hex_name(walk.here),), walk.here)
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
    return Refusal("O5.4", "there is no way to {}", (hex_name(goal),), goal)
