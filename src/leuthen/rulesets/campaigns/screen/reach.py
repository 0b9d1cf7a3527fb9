"""Where a group can go in one leg: every hex that the rules let it enter, and the cheapest way there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from leuthen.engine.choice import Refusal
from leuthen.rulesets.campaigns.rules.r05_walk import Pace
from leuthen.screen.values import Reached
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.paths import way_to


class Entry(NamedTuple):
    """How a hex is entered: from where, the MP left then, and whether the leg ends there."""

    before: Hex
    left: int
    stops: bool


def reach(pace: Pace) -> dict[Hex, Entry]:
    """All hexes that can be entered from where a path has come to, each by a cheapest way."""
    found: dict[Hex, Entry] = {}
    settled: set[Hex] = set()
    queue = [(-pace.left, pace.here)]
    while queue:
        minus, here = heappop(queue)
        if here in settled:
            continue
        settled.add(here)
        onward = pace.onward(here, -minus)
        if here in found:
            found[here] = found[here]._replace(stops=not onward)
        for there, left in onward.items():
            if there not in settled and (there not in found or left > found[there].left):
                found[there] = Entry(here, left, False)
                heappush(queue, (-left, there))
    return found


def show_reach(pace: Pace) -> dict[str, Reached]:
    """A reach as it is shown."""
    found = reach(pace)
    before = {pace.here: pace.left, **{here: entry.left for here, entry in found.items()}}
    return {
        hex_name(there): Reached(
            hex_name(entry.before),
            f"{before[entry.before] - entry.left} MP",
            entry.left,
            pace.left - entry.left,
            entry.stops,
        )
        for there, entry in found.items()
    }


def leg_through(pace: Pace, goals: Sequence[Hex], steps: Sequence[Mapping[Hex, int]]) -> list[Hex] | Refusal:
    """A cheapest leg through some hexes one after another, or why there is none; `steps`: MP from hex to hex."""
    path: list[Hex] = []
    for goal in goals:
        if goal == pace.here:
            continue
        found = reach(pace)
        if goal not in found:
            return _no_way(pace, found, goal, steps)
        path += way_to(found, pace.here, goal)
        pace = pace._replace(here=goal, left=found[goal].left)
    return path


def _no_way(pace: Pace, found: Mapping[Hex, Entry], goal: Hex, steps: Sequence[Mapping[Hex, int]]) -> Refusal:
    """Why a hex is out of reach: what bars the last step from the nearest hex that can be reached, or the MP."""
    left = {pace.here: pace.left, **{here: entry.left for here, entry in found.items() if not entry.stops}}
    near = [here for here in left if goal in steps[here]]
    if near:
        here = max(near, key=lambda place: left[place])
        return pace.why(here, goal, left[here])
    return Refusal("R5.1", "{} is farther than {} MP", (hex_name(goal), pace.left), goal)
