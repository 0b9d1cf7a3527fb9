"""Reach: the hexes that a force can enter in one leg, each with a cheapest path."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, Self

from leuthen.engine.choice import Refusal
from leuthen.screen.values import Reached
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.ways import path_to


class Entry(NamedTuple):
    """The step into a hex: the hex before it, the MP spent by then, and whether the leg ends there."""

    before: Hex
    spent: int
    stops: bool


def find_reach(
    starts: Mapping[Hex, int], onward: Callable[[Hex, int, set[Hex]], Iterable[tuple[Hex, int, bool]]]
) -> dict[Hex, Entry]:
    """Return all hexes that can be entered from any of the starts by a cheapest path, without the starts.

    `onward` yields the hexes that can be entered from one, each with the MP spent by then and whether the leg ends
    there; it may leave out the settled ones.
    """
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
        for there, then, stops in onward(here, spent, settled):
            if there not in settled and there not in starts and (there not in found or then < found[there].spent):
                found[there] = Entry(here, then, stops)
                heappush(queue, (then, there))
    return found


class Leg(ABC):
    """The rest of a march from the force's present hex."""

    here: Hex
    most: int
    """The MP of the whole leg, spent ones included."""

    @abstractmethod
    def reach(self) -> dict[Hex, Entry]:
        """Return all hexes that the force can enter in this leg."""

    @abstractmethod
    def price(self, there: Hex, found: Mapping[Hex, Entry]) -> str:
        """Return the price of the last step to a hex of the reach."""

    @abstractmethod
    def after(self, path: Sequence[Hex], entry: Entry) -> Self:
        """Return the leg that continues from the end of a path."""

    @abstractmethod
    def why_not(self, goal: Hex, found: Mapping[Hex, Entry]) -> Refusal:
        """Return the refusal for a hex out of reach."""

    def shown(self) -> dict[str, Reached]:
        """Return the reach as the client shows it."""
        shown: dict[str, Reached] = {}
        found = self.reach()
        for there, entry in found.items():
            left = max(0, self.most - entry.spent)
            before = hex_name(entry.before)
            shown[hex_name(there)] = Reached(before, self.price(there, found), left, self.most - left, entry.stops)
        return shown

    def through(self, goals: Sequence[Hex]) -> list[Hex] | Refusal:
        """Return a cheapest path through some hexes in order, or the refusal."""
        path: list[Hex] = []
        leg = self
        for goal in goals:
            if goal == leg.here:
                continue
            found = leg.reach()
            if goal not in found:
                return leg.why_not(goal, found)
            way = path_to(found, leg.here, goal)
            path += way
            leg = leg.after(way, found[goal])
        return path
