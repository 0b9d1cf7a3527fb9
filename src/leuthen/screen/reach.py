"""Where a force can go in one leg: every hex that the rules of its walk let it enter, and a cheapest way there."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import heappop, heappush
from typing import NamedTuple, Self

from leuthen.engine.choice import Refusal
from leuthen.screen.values import Reached
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.paths import way_to


class Entry(NamedTuple):
    """How a hex is entered: from where, the MP spent by then, and whether the leg ends there."""

    before: Hex
    spent: int
    stops: bool


def spread_out(
    starts: Mapping[Hex, int], onward: Callable[[Hex, int, set[Hex]], Iterable[tuple[Hex, int, bool]]]
) -> dict[Hex, Entry]:
    """All hexes that can be entered from any of the starts, each by a cheapest way; without the starts.

    `onward` tells the hexes that can be entered from one, each with the MP spent then, and whether the leg ends there;
    those that are settled it may leave out.
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
    """The rest of a march, from where a force has come to: what a form shows of it, and how it is completed."""

    here: Hex
    most: int
    """The MP that the force may spend, those among them that it has spent."""

    @abstractmethod
    def reach(self) -> dict[Hex, Entry]:
        """All hexes that the force can enter in this leg."""

    @abstractmethod
    def price(self, there: Hex, found: Mapping[Hex, Entry]) -> str:
        """The price of the last step to a hex of the reach."""

    @abstractmethod
    def after(self, path: Sequence[Hex], entry: Entry) -> Self:
        """The leg from the end of a path on, which is entered so."""

    @abstractmethod
    def why_not(self, goal: Hex, found: Mapping[Hex, Entry]) -> Refusal:
        """Why a hex is out of reach."""

    def shown(self) -> dict[str, Reached]:
        """The reach as it is shown."""
        shown: dict[str, Reached] = {}
        found = self.reach()
        for there, entry in found.items():
            left = max(0, self.most - entry.spent)
            before = hex_name(entry.before)
            shown[hex_name(there)] = Reached(before, self.price(there, found), left, self.most - left, entry.stops)
        return shown

    def through(self, goals: Sequence[Hex]) -> list[Hex] | Refusal:
        """A cheapest way through some hexes one after another, or why there is none."""
        path: list[Hex] = []
        leg = self
        for goal in goals:
            if goal == leg.here:
                continue
            found = leg.reach()
            if goal not in found:
                return leg.why_not(goal, found)
            way = way_to(found, leg.here, goal)
            path += way
            leg = leg.after(way, found[goal])
        return path
