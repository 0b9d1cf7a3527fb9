"""A second implementation of supply, zones, sieges and reach: with names and plain dictionaries, directly from the
rules' text.

It is slow and simple on purpose, and does not use the engine: it reads positions from their canonical text.
"""

import csv
import heapq
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

import msgspec

from leuthen.load import read_data

Name: TypeAlias = str
"""A hex as RRCC."""
FOE = {"prussian": "austrian", "austrian": "prussian"}
LANDS = {
    "brandenburg": "prussia",
    "silesia": "prussia",
    "east-prussia": "prussia",
    "bohemia": "austria",
    "moravia": "austria",
    "austria": "austria",
    "saxony": "saxony",
    "hanover": "hanover",
    "france": "france",
    "sweden": "sweden",
    "russia": "russia",
    "german-states": "empire",
}
LENGTH = dict.fromkeys(("austria", "france", "russia", "sweden", "saxony", "empire"), 4) | {"prussia": 5, "hanover": 5}
ORDER = ("prussia", "austria", "france", "hanover", "russia", "sweden", "saxony", "empire")


def rows(path: str) -> Iterator[dict[str, str]]:
    lines = [line for line in read_data("frederick")[path].splitlines() if not line.startswith("#")]
    return iter(csv.DictReader(lines))


@cache
def hexes() -> dict[Name, dict[str, str]]:
    return {row["hex"]: row for row in rows("map/hexes.csv")}


@cache
def sides() -> dict[frozenset[Name], dict[str, str]]:
    return {frozenset((row["a"], row["b"])): row for row in rows("map/sides.csv")}


@cache
def forts() -> dict[Name, dict[str, str]]:
    return {row["hex"]: row for row in rows("map/fortresses.csv")}


@cache
def around(here: Name) -> tuple[Name, ...]:
    row, column = int(here[:2]), int(here[2:])
    shift = 0 if row % 2 == 0 else -1
    found = [(row, column + 1), (row, column - 1)]
    found += [(row + up, column + shift + east) for up in (1, -1) for east in (0, 1)]
    return tuple(f"{r:02d}{c:02d}" for r, c in found if r >= 0 and c >= 0)


@cache
def is_in_play(here: Name) -> bool:
    row = hexes().get(here)
    return row is not None and row["terrain"] != "water" and row["territory"] != "off"


@cache
def crossing(here: Name, there: Name) -> int | None:
    """O5.3, O5.4: movement points without zones, or None if the hexside cannot be crossed."""
    side = sides().get(frozenset((here, there)), {"river": "", "ridge": "", "pass": "", "water": ""})
    if not is_in_play(here) or not is_in_play(there) or side["water"] == "1":
        return None
    if side["ridge"] == "1" and not side["pass"]:
        return None
    return 1 + (side["river"] != "") + (side["pass"] != "")


@cache
def neighbours(here: Name) -> tuple[Name, ...]:
    return tuple(there for there in around(here) if crossing(here, there) is not None)


Stack: TypeAlias = Mapping[str, Any]


def strength(stack: Stack) -> int:
    return sum(stack["sp"].values())


class Naive:
    """A position as a player would write it down."""

    def __init__(self, text: bytes) -> None:
        found = msgspec.json.decode(text)
        self.surrendered = set(found["surrendered"])
        self.allegiance: dict[str, str] = found["allegiance"]
        self.stacks: list[Stack] = found["stacks"]
        self.depots: dict[Name, dict[str, Any]] = found["depots"]
        self.owners: dict[Name, str] = found["owners"]
        self.german_open: bool = found["german_open"]
        present = [*self.stacks, *self._on_the_march(found)]
        self.held = {(s["hex"], s["side"], s["inside"]) for s in present if strength(s)}
        self.zones = {there for s in present if self.has_zone(s) for there in neighbours(s["hex"])}
        self._supply: dict[str, set[Name]] = {}

    def _on_the_march(self, found: Mapping[str, Any]) -> list[Stack]:
        """O4.4, O12.4: a marching force is in its hex; a force whose retreat continues is in none."""
        gone = any(frame["frame"] == "retreating" and len(frame["left"]) > 1 for frame in found["frames"])
        return [found["moving"]] if found["moving"] is not None and not gone else []

    def side_of(self, power: str) -> str:
        return "nobody" if power in self.surrendered else self.allegiance[power]

    def stands(self, here: Name, side: str, *, field: bool = True, inside: bool = True) -> bool:
        """Return True if SP of a side are in a hex; leaders alone do not count (O2.7)."""
        return (field and (here, side, False) in self.held) or (inside and (here, side, True) in self.held)

    def besieged(self, here: Name, side: str) -> bool:
        """O13.1: an enemy field stack is in the hex of a side's fortress and no friendly field stack is."""
        if self.owners[here] != side:
            return False
        return self.stands(here, FOE[side], inside=False) and not self.stands(here, side, inside=False)

    def neutral_ground(self, here: Name) -> bool:
        """O5.19, C9.1, C9.2, C9.5."""
        land = hexes()[here]["territory"]
        if land not in LANDS or (land == "german-states" and self.german_open):
            return False
        power = LANDS[land]
        return power not in self.surrendered and self.allegiance[power] == "nobody"

    def violated(self, here: Name) -> str:
        return LANDS[hexes()[here]["territory"]] if self.neutral_ground(here) else ""

    # zones (O7)

    def has_zone(self, stack: Stack) -> bool:
        """O7.1, O7.5: a field stack on Austria's side whose largest contingent is Austrian."""
        if stack["side"] != "austrian" or stack["inside"] or not strength(stack):
            return False
        most = max(stack["sp"].values())
        return next(power for power in ORDER if stack["sp"].get(power) == most) == "austria"

    def zone(self, here: Name) -> bool:
        """Return True if a hex is in a zone for the Prussian side's movement (O7.1, O7.2)."""
        if here in forts() and self.stands(here, "prussian"):
            return False
        return here in self.zones

    # supply (O10)

    def passable(self, here: Name, side: str) -> bool:
        """O10.3: return True if a supply path may enter a hex."""
        if self.neutral_ground(here) or self.stands(here, FOE[side]):
            return False
        cancelled = self.stands(here, side, inside=False)  # O7.4
        return side != "prussian" or cancelled or not self.zone(here)

    def is_home(self, here: Name, side: str) -> bool:
        """O10.1, O10.13, C5.9: a fortress of a power of the side, or one of C5.5 in that alliance."""
        fort = forts()[here]
        if fort["power"] in ORDER and self.side_of(fort["power"]) == side:
            return True
        friend = {"france": "austrian", "hanover": "prussian"}.get(fort["star"])
        return friend == side and self.side_of(fort["star"]) == side

    def sources(self, side: str) -> set[Name]:
        return {
            here
            for here in forts()
            if self.is_home(here, side) and self.owners[here] == side and not self.besieged(here, side)
        }

    def links(self, side: str) -> dict[tuple[str, Name], int]:
        """O10.1, O10.2, O10.5: captured fortresses with a garrison, complete depots; with the length of their path."""
        found: dict[tuple[str, Name], int] = {}
        for stack in self.stacks:
            here = stack["hex"]
            garrison = stack["side"] == side and stack["inside"] and strength(stack)
            if garrison and self.owners[here] == side and not self.is_home(here, side):
                found["fortress", here] = min(LENGTH[power] for power in stack["sp"])
        for here, depot in self.depots.items():
            if depot["complete"] and self.side_of(depot["power"]) == side and not self.stands(here, FOE[side]):
                found["depot", here] = LENGTH[depot["power"]]
        return found

    def working(self, side: str) -> set[Name]:
        """Sources, and every link with a path to a source or to a working link."""
        if side not in self._supply:
            working, waiting = self.sources(side), self.links(side)
            while fed := [link for link, far in waiting.items() if self.path(link[1], far, side, working)]:
                for link in fed:
                    working = working | {link[1]}
                    del waiting[link]
            self._supply[side] = working
        return self._supply[side]

    def path(self, here: Name, length: int, side: str, goals: set[Name]) -> bool:
        """O10.9: a path counts every hex but its first, which is never tested."""
        edge, seen = {here}, {here}
        for _ in range(length + 1):
            if edge & goals:
                return True
            ahead = {there for place in edge for there in neighbours(place)} - seen
            edge = {there for there in ahead if self.passable(there, side)}
            seen |= ahead
        return False

    def supplied_at(self, here: Name, length: int, side: str) -> bool:
        return self.path(here, length, side, self.working(side))

    def supplied(self, stack: Stack) -> bool:
        """O10.2, O10.8, O13.6."""
        if stack["inside"]:
            feeds = int(forts()[stack["hex"]]["vp"]) or 5
            return not self.besieged(stack["hex"], stack["side"]) or strength(stack) <= feeds
        return self.supplied_at(stack["hex"], min(LENGTH[power] for power in stack["sp"]), stack["side"])

    # marches (O5)

    def meets(self, here: Name, side: str) -> bool:
        """O5.8, O5.19: a field stack of the enemy, or of a neutral who would be violated."""
        if self.stands(here, FOE[side], inside=False):
            return True
        power = self.violated(here)
        return any(
            s["hex"] == here and s["side"] == "nobody" and not s["inside"] and s["sp"].get(power) for s in self.stacks
        )

    def garrisoned(self, here: Name, side: str) -> bool:
        """O5.18: SP of the enemy, or of a neutral who would be violated, inside."""
        power = self.violated(here)
        return self.stands(here, FOE[side], field=False) or any(
            s["hex"] == here and s["side"] == "nobody" and s["inside"] and s["sp"].get(power) for s in self.stacks
        )

    def may_enter(self, here: Name, side: str, *, alone: bool, demoralized: bool) -> bool:
        if alone:
            return not self.meets(here, side) and not self.garrisoned(here, side)
        return not (demoralized and self.meets(here, side))

    def price(self, here: Name, there: Name, side: str) -> int:
        """O5.3, O5.16; only the Prussian side encounters zones."""
        cost = crossing(here, there)
        assert cost is not None
        return cost + (side == "prussian" and self.zone(there))

    def reach(self, start: Name, side: str, points: int, may_enter: Callable[[Name], bool]) -> dict[Name, int]:
        """O5.3, O5.6, O5.8: the hexes that a fresh force can enter, with the fewest MP spent there."""
        found: dict[Name, int] = {}
        queue = [(0, start)]
        while queue:
            spent, here = heapq.heappop(queue)
            if found.get(here, 99) < spent or (here in found and here != start and self.meets(here, side)):
                continue
            for there in neighbours(here):
                total = spent + self.price(here, there, side)
                if here == start and spent == 0 and points >= 1:
                    total = min(total, points)  # O5.6
                if total <= points and may_enter(there) and total < found.get(there, 99):
                    found[there] = total
                    heapq.heappush(queue, (total, there))
        return found
