"""O10.1–O10.3, O10.9, O10.13: sources, links and paths of supply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from leuthen.engine.memo import memo_of, memoized
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.frederick.model.data import GERMAN_STATES, NO_POWER, TERRITORIES
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN, Depot, Stack
from leuthen.rulesets.frederick.model.state import Position, presence
from leuthen.rulesets.frederick.rules.o07_zones import zone_for_supply
from leuthen.wargame.board import Hex, Hexes, hex_set
from leuthen.wargame.strength import Bag, PowerId

Fields = Mapping[int, Hexes]
"""The hexes in supply, by length of path."""
_MOST: Final = 500
"""Fields that are stored with the data."""


@memoized("lasting")
def neutral_ground(pos: Position) -> Hexes:
    """Territory of neutral powers, and the German States before they are open (O5.19, C9.5); no retreat (C3.6)."""
    board, ground = pos.data.board, 0
    for territory, power in TERRITORIES.items():
        if is_neutral_land(pos, territory, power):
            ground |= board.region(territory)
    return ground


def is_neutral_land(pos: Position, territory: str, power: PowerId) -> bool:
    """Whether entering a territory would be a violation (C3.3), save for C9.1 and C9.2.

    A side's own land, the enemy's and that of surrendered powers are free to it (C1.4, C11.5); East Prussia is Prussian
    (C9.4).
    """
    if territory == GERMAN_STATES and pos.german_open:  # C9.2
        return False
    return pos.allegiance[power] == NOBODY and power not in pos.surrendered


def violated_by(pos: Position, here: Hex) -> PowerId:
    """The neutral power that whoever enters a hex violates, or -1 (O5.19, C3.6); in the lands of C9.1 nobody."""
    territory = pos.data.board.territory[here]
    power = TERRITORIES.get(territory, NO_POWER)
    return power if power >= 0 and is_neutral_land(pos, territory, power) else NO_POWER


def is_besieged(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether a fortress that belongs to `side` is besieged: enemy field SP, and no friendly ones (O13.1, O2.7, O4.4).

    A siege roll asks no less (O13.8).
    """
    if pos.owners.get(here) != side:
        return False
    field = presence(pos)
    return bool(field[OTHER[side]][0] & ~field[side][0] & 1 << here)


def depot_side(pos: Position, depot: Depot) -> OwnerId:
    """Whose depot it is."""
    return pos.side_of(depot.power)


def sources(pos: Position, side: OwnerId) -> Hexes:
    """The fortresses that supply by themselves: home, friendly, not besieged (O10.1, O10.7, O10.13)."""
    field = presence(pos)
    besieged = field[OTHER[side]][0] & ~field[side][0]  # O13.1
    return _friendly_homes(pos, side) & ~besieged


@memoized("by_owners")
def _friendly_homes(pos: Position, side: OwnerId) -> Hexes:
    return hex_set(here for here in pos.homes(side) if pos.owners[here] == side)


def links(pos: Position, side: OwnerId) -> Iterator[tuple[Hex, int]]:
    """What passes supply on if it has some: captured fortresses with a garrison, and complete depots.

    Each with the length of its own path: that of the power that holds or built it (O10.2, O10.5, O10.9).
    """
    field, inside = presence(pos)[OTHER[side]]
    enemy = field | inside
    for here in captured(pos, side):
        garrison = pos.inside(here, side)
        if garrison and garrison.sp:
            yield here, path_length(pos, garrison.sp, garrison.nation)
    for here, length in complete_depots(pos, side):
        if not enemy >> here & 1:
            yield here, length


@memoized("by_depots")
def complete_depots(pos: Position, side: OwnerId) -> tuple[tuple[Hex, int], ...]:
    """The complete depots of a side, each with the length of its path (O10.2)."""
    return tuple(
        (here, pos.data.powers[depot.power].supply)
        for here, depot in sorted(pos.depots.items(), key=lambda item: item[0])
        if depot.complete and depot_side(pos, depot) == side
    )


@memoized("by_owners")
def captured(pos: Position, side: OwnerId) -> tuple[Hex, ...]:
    """The fortresses of a side that are not home fortresses of its powers (O10.1)."""
    homes = pos.homes(side)
    return tuple(here for here, owner in pos.owners.items() if owner == side and here not in homes)


@memoized("known")
def supply(pos: Position, side: OwnerId) -> Fields:
    """All hexes in supply for a side, by length of path: 4 and 5 hexes (O10.2)."""
    working, passable, ends = sources(pos, side), open_hexes(pos, side), tuple(links(pos, side))
    # the same sources, links and open hexes give the same fields, whoever has moved meanwhile
    traced = memo_of(pos.data, "supply", _MOST)
    return traced.once((working, passable, ends), lambda: _chain(pos, working, passable, ends))


def _chain(pos: Position, working: Hexes, passable: Hexes, ends: tuple[tuple[Hex, int], ...]) -> Fields:
    """A link supplies if it has a path to a source or to a working link (O10.1)."""
    waiting = list(ends)
    while True:
        fields = _widen(pos, working, passable)
        found = [link for link in waiting if fields[link[1]] >> link[0] & 1]
        if not found:
            return fields
        waiting = [link for link in waiting if link not in found]
        for here, _ in found:
            working |= 1 << here


def open_hexes(pos: Position, side: OwnerId) -> Hexes:
    """The hexes that a path of supply may enter (O10.3)."""
    enemy = presence(pos)[OTHER[side]]
    zone = zone_for_supply(pos) if side == PRUSSIAN else 0
    return pos.data.board.land & ~(enemy[0] | enemy[1] | zone | neutral_ground(pos))


def _widen(pos: Position, working: Hexes, passable: Hexes) -> dict[int, Hexes]:
    """The path counts every hex but the stack's own, which is never tested (O10.9); at a source it is 0."""
    spread = pos.data.board.spread
    reached, edge = working, working & passable
    seen = edge
    fields: dict[int, Hexes] = {}
    for length in range(1, 6):
        fresh = spread(edge)
        reached |= fresh
        edge = fresh & passable & ~seen
        seen |= edge
        fields[length] = reached
    return fields


def path_length(pos: Position, sp: Bag, leader_power: PowerId) -> int:
    """The length of path of a stack: the shortest among its powers (O10.2); leaders alone by their own (O10.12)."""
    if not sp:
        return pos.data.powers[leader_power].supply
    for length, theirs in pos.data.paths:
        if sp & theirs:
            return length
    raise ValueError("SP of no power")


def is_supplied(pos: Position, stack: Stack) -> bool:
    """Whether a stack is in supply (O10.2); a garrison also if not besieged (O10.8) or small enough (O13.6)."""
    if stack.inside:
        return not is_besieged(pos, stack.hex, stack.side) or not is_overcrowded(pos, stack)
    return bool(supply(pos, stack.side)[path_length(pos, stack.sp, stack.nation)] >> stack.hex & 1)


def is_overcrowded(pos: Position, garrison: Stack) -> bool:
    """Whether a besieged garrison is larger than the place feeds: its VP, or 5 if it has none (O13.6)."""
    return garrison.strength > feeds(pos, garrison.hex)


def feeds(pos: Position, here: Hex) -> int:
    """How many besieged SP a fortress feeds (O13.6)."""
    return pos.data.fortresses[here].vp or 5
