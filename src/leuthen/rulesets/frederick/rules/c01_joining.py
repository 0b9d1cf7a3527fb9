"""C1.6, C7.6–C7.7, O8.7: a power joins a side, or changes sides, with all that it has.

Violations, reactions, diplomacy and Russia's change of sides all use this module.
"""

from __future__ import annotations

import msgspec

from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.model.data import FRANCE, HANOVER
from leuthen.rulesets.frederick.model.decisions import revise
from leuthen.rulesets.frederick.model.events import Joined, LeaderCaught
from leuthen.rulesets.frederick.model.pieces import SIDES, UNSEEN, WAITING, Stack
from leuthen.rulesets.frederick.model.stacks import band_of, changed, join_stack, make_stack
from leuthen.rulesets.frederick.model.state import Draft, is_inside, is_present
from leuthen.rulesets.frederick.rules.o08_captives import capture
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, of, total


def join(draft: Draft, power: PowerId, side: OwnerId) -> None:
    """Bring a power to a side with its SP, leaders, depots and fortresses (C1.6, C5.8, C7.7, O8.7)."""
    old = draft.allegiance[power]
    draft.set_allegiance(power, side)
    draft.emit(Joined(power=power, joins=side, by="C7.6" if old in SIDES else ""))
    if power in (FRANCE, HANOVER):
        draft.german_open = True  # C9.2
        draft.forget()
    taken = [_take_out(draft, stack, power) for stack in draft.own(old)]
    parts = [part for part in taken if part is not None]
    for part in parts:
        _change_coat(draft, part, side)
    # Its home fortresses come along, but not with its new enemies in them (C1.6); those of C5.9 are not its own yet.
    for here, fort in draft.data.fortresses.items():
        if fort.power == power and not _is_lost(draft, here, power, side):
            draft.set_owner(here, side)
            draft.touched.add(here)
    # Its depots under construction grow on only where its own SP hold them: its late allies held the rest (O10.10).
    for here, depot in list(draft.depots.items()):
        camp = draft.field(here, side)
        if depot.power == power and not depot.complete and (camp is None or not of(camp.sp, power)):
            draft.set_depot(here, msgspec.structs.replace(depot, held=False))
    for here in dict.fromkeys(part.hex for part in parts):
        _part_leaders(draft, here)
    _free_countrymen(draft, power, side)
    revise(draft)


def _take_out(draft: Draft, stack: Stack, power: PowerId) -> Stack | None:
    """Take a power's part out of a stack; its late side knows its SP, and both sides a neutral's (C2.6, C7.7)."""
    leaders = tuple(n for n in stack.leaders if draft.leader(n).power == power)
    sp: Bag = bag(power, of(stack.sp, power))
    if not sp and not leaders:
        return None
    rest = tuple(n for n in stack.leaders if n not in leaders)
    left = stack.sp - sp
    draft.put(changed(draft, stack, left, rest, UNSEEN if sp else band_of(stack)))
    like = msgspec.structs.replace(stack, quartered=stack.quartered and not left)
    known = (total(sp), total(sp), draft.now) if sp else UNSEEN
    return make_stack(draft, stack.hex, stack.side, stack.inside, sp, leaders, like, known)


def _change_coat(draft: Draft, part: Stack, side: OwnerId) -> None:
    """In one fortress the larger part stays inside, equal: its side before; the other moves to the field (C7.7)."""
    old = draft.inside(part.hex, OTHER[side])
    part = msgspec.structs.replace(part, side=side)
    if part.inside and old is not None and old.sp:
        if part.strength > old.strength:
            draft.remove(old)
            join_stack(draft, msgspec.structs.replace(old, inside=False))
        else:
            part = msgspec.structs.replace(part, inside=False)
    join_stack(draft, part)
    if part.inside and part.sp:
        draft.set_owner(part.hex, side)  # a fortress follows the SP inside


def _is_lost(draft: Draft, here: Hex, power: PowerId, side: OwnerId) -> bool:
    """An enemy army beside a garrison of the power besieges the fortress, and does not hold it (C7.7, O13.1)."""
    if any(of(stack.sp, power) for stack in draft.stacks_at(here, side)):
        return is_inside(draft, here, OTHER[side])
    return is_present(draft, here, OTHER[side])


def _part_leaders(draft: Draft, here: Hex) -> None:
    """Leaders left without SP among new enemies leave them (C7.7)."""
    for side in SIDES:
        for stack in draft.stacks_at(here, side):
            if not stack.sp and is_present(draft, here, OTHER[side]):
                draft.remove(stack)
                for leader in stack.leaders:
                    _to_nearest_countrymen(draft, here, side, leader)


def _to_nearest_countrymen(draft: Draft, start: Hex, side: OwnerId, leader: LeaderId) -> None:
    """He goes to the nearest fortress with SP of his nationality; if there is none he is captured (C7.7)."""
    distances, power = draft.data.board.distances(start), draft.leader(leader).power
    places = [
        (distances[stack.hex], stack.hex, stack.inside)
        for stack in draft.stacks_of(side)
        if of(stack.sp, power) and stack.hex in draft.data.fortresses and stack.hex in distances
    ]
    if places:
        _, here, inside = min(places)
        join_stack(draft, make_stack(draft, here, side, inside, EMPTY, (leader,)))
    else:
        draft.emit(LeaderCaught(side=side, leader=leader, hex=start))
        capture(draft, leader, OTHER[side])


def _free_countrymen(draft: Draft, power: PowerId, side: OwnerId) -> None:
    """Its men held by their new friend come back by C8.7; all other prisoners stay where they are (C7.7)."""
    freed = bag(power, of(draft.prisoners[side], power))
    draft.hold(side, -freed)
    draft.waiting += freed
    back = [n for n in draft.captives[side] if draft.leader(n).power == power]
    draft.release(back)
    for leader in back:
        draft.set_roster(leader, WAITING)
