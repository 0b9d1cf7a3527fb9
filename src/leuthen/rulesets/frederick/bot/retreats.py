"""Retreats: towards friends and fortresses, inside where the walls feed the army, never nearer to the enemy."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.model.actions import Done, Refuge, Retreat, Shelter
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply.supply import feeds
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.wargame.board import Hex
from leuthen.wargame.ways import FAR


def rout_actions(s: Situation, frame: Routed) -> Iterator[Action]:
    """Inside the fortress of the battle hex if it feeds all; else away."""
    stack = s.pos.field(frame.hex, s.side)
    if stack is not None and s.has("shelter"):
        inside = s.garrison(frame.hex, s.side)
        if stack.strength + inside <= feeds(s.pos, frame.hex):
            yield Shelter(True)
    yield Done()
    yield Shelter(True)


def retreat_actions(s: Situation, frame: Retreating) -> Iterator[Action]:
    """Ends at the first place of safety, or goes on where it is safest."""
    force = s.pos.moving
    assert force is not None
    here = force.hex
    if s.has("shelter"):
        fits = s.pos.owners.get(here) == s.side and force.strength + s.garrison(here, s.side) <= feeds(s.pos, here)
        if fits:
            yield Shelter(True)
        yield from (Retreat(there) for there in ways(s, here))
    yield Shelter(False)
    yield Shelter(True)


def ways(s: Situation, here: Hex) -> list[Hex]:
    """The neighbours, the safest first: far from enemies, near to an own fortress, not among sound friends."""

    def burden(there: Hex) -> tuple[float, int, Hex]:
        friend = s.pos.field(there, s.side)
        shaken = friend.strength if friend is not None and not friend.demoralized else 0
        forts = min((s.distance(there, fort) for fort in s.forts if not s.is_besieged(fort)), default=FAR)
        return s.foes_near(there, 2) + shaken + 2.0 * forts, forts, there

    return sorted(s.board.neighbours[here], key=burden)


def refuge_actions(s: Situation, frame: RefugeChoice) -> Iterator[Action]:
    """A leader flees to the strongest of the nearest friends."""

    def size(haven: tuple[Hex, bool]) -> tuple[int, Hex]:
        stack = s.pos.at(haven[0], s.side, haven[1])
        return -(stack.strength if stack is not None else 0), haven[0]

    for here, inside in sorted(frame.havens, key=size):
        yield Refuge(here, inside)
