"""The ways of supply, hex by hex: from each stack and link to what supplies it (O10.1, O10.2, O10.9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.o10_supply.supply import (
    is_supplied,
    links,
    open_hexes,
    path_length,
    sources,
    supply,
)
from leuthen.wargame.board import Hex, Hexes, hexes_of


class SupplyLine(NamedTuple):
    """A way from whoever is supplied to a source or a working link, and how many hexes it may have at the most."""

    side: OwnerId
    path: tuple[Hex, ...]
    most: int


def working_links(pos: Position, side: OwnerId) -> list[tuple[Hex, int]]:
    """The links that have supply to pass on, each with the length of its own path."""
    fields = supply(pos, side)
    return [(here, length) for here, length in links(pos, side) if fields[length] >> here & 1]


def working_places(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, str]]:
    """What supplies: the sources, then the working links, each with what it is."""
    for here in hexes_of(sources(pos, side)):
        yield here, "source"
    for here, _ in working_links(pos, side):
        yield here, "working depot" if here in pos.depots else "garrisoned fortress"


def supply_lines(pos: Position, side: OwnerId) -> list[SupplyLine]:
    """The shortest way of each link, then of each field stack in supply, to what supplies it."""
    passable, working = open_hexes(pos, side), sources(pos, side)
    found: list[SupplyLine] = []
    waiting = working_links(pos, side)
    while waiting:
        ways = [
            SupplyLine(side, way, most) for here, most in waiting if (way := _way(pos, here, working, passable, most))
        ]
        if not ways:
            break
        found += ways
        reached = {line.path[0] for line in ways}
        waiting = [(here, most) for here, most in waiting if here not in reached]
        for here in reached:
            working |= 1 << here
    for stack in pos.own(side):
        if stack.sp and not stack.inside and is_supplied(pos, stack):
            most = path_length(pos, stack.sp, stack.nation)
            way = _way(pos, stack.hex, working, passable, most)
            if len(way) > 1:
                found.append(SupplyLine(side, way, most))
    return found


def _way(pos: Position, start: Hex, working: Hexes, passable: Hexes, most: int) -> tuple[Hex, ...]:
    """A shortest way from a hex to one that supplies; empty if there is none of at most so many hexes."""
    if working >> start & 1:
        return (start,)
    before: dict[Hex, Hex] = {start: start}
    edge = [start]
    for _ in range(most):
        ahead: list[Hex] = []
        for here in edge:
            for there in pos.data.board.neighbours[here]:
                if there in before or not passable >> there & 1:
                    continue
                before[there] = here
                if working >> there & 1:
                    return _back(before, start, there)
                ahead.append(there)
        edge = ahead
    return ()


def _back(before: dict[Hex, Hex], start: Hex, end: Hex) -> tuple[Hex, ...]:
    path = [end]
    while path[0] != start:
        path.insert(0, before[path[0]])
    return tuple(path)
