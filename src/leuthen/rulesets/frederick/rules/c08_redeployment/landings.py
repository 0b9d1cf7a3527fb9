"""C5.5, C8.6–C8.8, C8.10: where SP and leaders of a power may be put, between the years."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from leuthen.engine.choice import Refusal, Token
from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.state import Position, enemy_of, is_present
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import has_added_places
from leuthen.rulesets.frederick.rules.c11_allegiance.allegiance import home_fortresses
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.wargame.board import Hex, StackKey, chosen_hex, key_hex, key_inside
from leuthen.wargame.strength import PowerId, all_of, of

Landings: TypeAlias = Mapping[Hex, tuple[int, ...]]
"""Where somebody may arrive: by hex, in the order of the board, in the field (0) or inside (1)."""
BOTH: Final = (0, 1)
INSIDE: Final = (1,)
FIELD: Final = (0,)


def sp_at(pos: Position, here: Hex, side: OwnerId, power: PowerId) -> int:
    """How many SP of a power stand in a hex, in the field and inside; Saxon SP are no Imperial ones (C1.5)."""
    stacks = (pos.field(here, side), pos.inside(here, side))
    return sum(of(stack.sp, power) for stack in stacks if stack is not None)


def is_barred(pos: Position, here: Hex, side: OwnerId) -> bool:
    """Whether enemy SP are in a hex, in the field or inside, or its fortress is the enemy's (O2.7, C5.9, C8.8)."""
    enemy = enemy_of(side)
    return pos.owners[here] == enemy or is_present(pos, here, enemy)


def gates(pos: Position, here: Hex, side: OwnerId) -> tuple[int, ...]:
    """How one arrives at a friendly fortress: if besieged inside only, or not at all (C8.7, C8.10)."""
    if not is_besieged(pos, here, side):
        return BOTH
    return INSIDE if pos.options.besieged_redeployment == "allowed" else ()


def garrisoned(pos: Position, side: OwnerId, power: PowerId) -> dict[Hex, tuple[int, ...]]:
    """The friendly fortress hexes with SP of a power, and how one arrives there (C8.6, C8.7, C8.10)."""
    theirs = all_of((power,))
    held = {stack.hex for stack in pos.own(side) if stack.sp & theirs and pos.owners.get(stack.hex) == side}
    return {here: gates(pos, here, side) for here in sorted(held)}


def added_places(pos: Position, side: OwnerId, power: PowerId) -> dict[Hex, tuple[int, ...]]:
    """The fortresses of C5.5, neither with enemy SP nor the enemy's own; SP of the power need not be there (C5.9)."""
    if not has_added_places(pos, power):
        return {}
    forts = sorted(here for here, fort in pos.data.fortresses.items() if fort.star == power)
    return {here: BOTH for here in forts if not is_barred(pos, here, side)}


def destinations(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Where SP and leaders of a power may be re-deployed (C8.6)."""
    places = {**added_places(pos, side, power), **garrisoned(pos, side, power)}
    return {here: places[here] for here in sorted(places) if places[here]}


def arrivals(pos: Position, side: OwnerId, power: PowerId) -> Landings:
    """Where new SP and leaders of a power may come on the map (C8.7); with no SP on any fortress hex, C8.8."""
    places = garrisoned(pos, side, power)
    if places:
        return {here: ways for here, ways in places.items() if ways}
    return dict.fromkeys(empty_homes(pos, side, power), BOTH)


def empty_homes(pos: Position, side: OwnerId, power: PowerId) -> list[Hex]:
    """A power's home fortresses, without enemy SP, not the enemy's (C8.8); those of C5.5 while they are its (C5.9)."""
    forts = pos.data.fortresses
    homes = [here for here in home_fortresses(pos, power) if forts[here].power == power or pos.owners[here] == side]
    return sorted(here for here in homes if not is_barred(pos, here, side))


def for_leaders(pos: Position, places: Landings, side: OwnerId) -> Landings:
    """Leaders alone take nothing (O2.7), so they go inside only where the fortress is friendly."""
    return {here: ways if pos.owners[here] == side else FIELD for here, ways in places.items()}


def without(places: Landings, start: StackKey, side: OwnerId) -> Landings:
    """The landings that differ from where somebody stands."""
    here, inside = key_hex(start), key_inside(start)
    if here not in places:
        return places
    ways = tuple(way for way in places[here] if way != inside)
    return {**places, here: ways} if ways else {there: both for there, both in places.items() if there != here}


def not_a_landing(pos: Position, side: OwnerId, power: PowerId, rule: str, token: Token) -> Refusal:
    """Why somebody of a power cannot arrive in a hex."""
    here = chosen_hex(token)
    if here not in pos.data.fortresses:
        return Refusal(rule, "they go to fortress hexes only")
    name, fort = pos.data.powers[power].name, pos.data.fortresses[here].name
    opens = _opening(pos, side, power, here, rule)
    if pos.owners[here] != side:
        return Refusal(opens, "{} is not yours", (fort,), here)
    if opens != "C8.10" and is_present(pos, here, enemy_of(side)):
        return Refusal(opens, "enemy SP are at {}", (fort,), here)
    if not sp_at(pos, here, side, power):
        return Refusal(rule, "no SP of {} are at {}", (name, fort), here)
    if is_besieged(pos, here, side):
        return Refusal("C8.7", "{} is besieged", (fort,), here)
    return Refusal(rule, "they are at {} already", (fort,), here)


def _opening(pos: Position, side: OwnerId, power: PowerId, here: Hex, rule: str) -> str:
    """The rule that says to whom a fortress is open: those of C5.9 and C8.8 also without SP of the power there."""
    fort = pos.data.fortresses[here]
    if rule == "C8.6":
        return "C5.9" if fort.star == power and has_added_places(pos, power) else "C8.10"
    return "C8.8" if fort.power == power and not garrisoned(pos, side, power) else "C8.10"
