"""Where a force can go in one leg: every hex that the rules of the walk let it enter, and the cheapest way there."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, NamedTuple

from leuthen.core.board import Hex, hex_name
from leuthen.core.refusal import Refusal
from leuthen.core.showing import Reached
from leuthen.frederick.rules.walk import Walk

BOUNDLESS: Final = 90
"""Movement points that reach across the whole board, and are fewer than DONE."""


class Entry(NamedTuple):
    """How a hex is entered: from where, what the step costs, what is spent then, and whether the leg ends."""

    before: Hex
    price: str
    spent: int
    stops: bool


def reach(walk: Walk) -> dict[Hex, Entry]:
    """All hexes that a force can enter from where it is, each by its cheapest way; equal: by fewer hexes."""
    walk = copy.copy(walk)
    found: dict[Hex, Entry] = {}
    queue = [(walk.spent, 0, walk.here)]
    settled: set[Hex] = set()
    while queue:
        spent, steps, here = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        if here in found and found[here].stops:
            continue
        for there, entry in _steps(walk, here, spent):
            if there not in settled and (there not in found or entry.spent < found[there].spent):
                found[there] = entry
                heappush(queue, (entry.spent, steps + 1, there))
    return found


def _steps(walk: Walk, here: Hex, spent: int) -> Iterator[tuple[Hex, Entry]]:
    """The hexes that may be entered next, as the walk itself judges them."""
    for there in walk.pos.data.board.neighbours[here]:
        walk.here, walk.spent, walk.ended = here, spent, False
        if not walk.bar(there):
            price = walk.price(there)
            walk.enter(there)
            yield there, Entry(here, price, walk.spent, walk.ended)


def way_to(found: Mapping[Hex, Entry], start: Hex, goal: Hex) -> list[Hex]:
    """The way to a hex of a reach, without the start."""
    path = [goal]
    while (before := found[path[0]].before) != start:
        path.insert(0, before)
    return path


def show_reach(walk: Walk) -> dict[str, Reached]:
    """A reach as it is shown."""
    return {
        hex_name(there): Reached(
            hex_name(entry.before), entry.price, max(0, walk.allowance - entry.spent), entry.spent, entry.stops
        )
        for there, entry in reach(walk).items()
    }


def leg_through(walk: Walk, goals: Sequence[Hex]) -> list[Hex] | Refusal:
    """A cheapest leg through some hexes one after another, or why there is none."""
    walk = copy.copy(walk)
    path: list[Hex] = []
    for goal in goals:
        if goal == walk.here:
            continue
        found = reach(walk) if not walk.ended else {}
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
        need, last = found[goal].spent - walk.spent, found[goal].price
        return Refusal("O5.3", "{} needs {} MP, has {}; its last hex {}", (hex_name(goal), need, left, last), goal)
    near = list(walk.pos.data.board.neighbours[goal]) if walk.pos.data.board.in_play(goal) else []
    for there in near:
        if there in found or there == walk.here:
            free.here, free.spent = there, 1
            if (refusal := free.forbids(goal)) is not None:
                return refusal
    return Refusal("O5.4", "there is no way to {}", (hex_name(goal),), goal)
