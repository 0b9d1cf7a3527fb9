"""Where a force can get in this phase, and by which way."""

from __future__ import annotations

from typing import NamedTuple

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o05_march.walk import barred_to, interrupts, tether
from leuthen.wargame.board import NOWHERE, Hex, Hexes


class Reach(NamedTuple):
    """The movement points to each hex that a force can get to, its own included, and what bars and stops it."""

    start: Hex
    points: int
    found: dict[Hex, int]
    stops: Hexes
    zone: Hexes


def reach_of(s: Situation, force: Stack, points: int, *, first: bool, was_supplied: bool = True) -> Reach:
    """Where the force can get with so many movement points; at least to a neighbour if it is `first` (O5.6)."""
    stops, barred = s.foe_hexes, closed_to(s, force, was_supplied)
    found = s.board.reach(force.hex, max(points, 0), s.zone, stops, barred)
    if first and points >= 1:
        for there in s.board.neighbours[force.hex]:
            if there not in found and not barred >> there & 1:
                found[there] = points
    return Reach(force.hex, points, found, stops, s.zone)


def closed_to(s: Situation, force: Stack, was_supplied: bool) -> Hexes:
    """Neutral ground; for some forces enemies, or what lies out of supply."""
    closed = s.neutral | barred_to(s.pos, force)
    leash = tether(s.pos, force, was_supplied=was_supplied)
    return closed if leash is None else closed | (s.board.land & ~leash)


def leg_to(s: Situation, reach: Reach, there: Hex) -> tuple[Hex, ...]:
    """A cheapest way as far as one leg goes: it ends where something intervenes (O5.8, O5.10)."""
    path = path_to(s, reach, there)
    for number, here in enumerate(path, 1):
        if interrupts(s.pos, here, s.side):
            return path[:number]
    return path


def path_to(s: Situation, reach: Reach, there: Hex) -> tuple[Hex, ...]:
    """A cheapest way, without its first hex; empty if there is none."""
    path = [there]
    while path[0] != reach.start:
        before = _before(s, reach, path[0])
        if before < 0:
            minimum = len(path) == 1 and there in s.board.steps[reach.start]
            return (there,) if minimum else ()
        path.insert(0, before)
    return tuple(path[1:])


def _before(s: Situation, reach: Reach, last: Hex) -> Hex:
    for here in s.board.neighbours[last]:
        spent = reach.found.get(here)
        passable = here == reach.start or not reach.stops >> here & 1
        if spent is not None and passable and spent + _cost(s, reach, here, last) == reach.found[last]:
            return here
    return NOWHERE


def _cost(s: Situation, reach: Reach, here: Hex, there: Hex) -> int:
    return s.board.steps[here].get(there, 99) + (reach.zone >> there & 1)
