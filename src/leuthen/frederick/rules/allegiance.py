"""C1, C3, C5.7, C7.6–C7.7, C11.2–C11.5: powers that are violated, join, react, change sides, surrender."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import msgspec

from leuthen.core.board import Hex
from leuthen.core.ruleset import Outcome
from leuthen.core.strength import EMPTY, Bag, bag, of
from leuthen.frederick.decisions import Decision, DieRoll
from leuthen.frederick.events.operations import Joined, Reacted, Surrendered, Violated
from leuthen.frederick.gamedata import AUSTRIA, FRANCE, HANOVER, MINORS, NOBODY, PRUSSIA, RUSSIA, SAXONY
from leuthen.frederick.rules.captives import capture
from leuthen.frederick.rules.diplomacy_table import diplomacy_result, note_star
from leuthen.frederick.stacks import changed, join_stack, make_stack
from leuthen.frederick.state import ABSENT, PRUSSIAN, SIDES, WAITING, Draft, Position, Stack, field_key, inside_key


def violate(draft: Draft, power: int, violator: int, here: Hex) -> None:
    """Entering neutral land brings its power to the opponent's side at once (C3.3); in 1756 it is remembered.

    Whoever enters does it, a lone leader or a victor who follows as well, and before anything else happens (C3.6).
    """
    draft.emit(Violated(side=violator, power=power, hex=here))
    if draft.year == 1756:  # C3.4
        draft.invaded |= {power}
        if power == SAXONY:
            draft.saxon_invader = violator  # C5.6
    join(draft, power, 1 - violator)


def join(draft: Draft, power: int, side: int) -> None:
    """A power joins a side with its SP, leaders, depots and home fortresses (C1.6, C5.8, O8.7)."""
    draft.set_allegiance(power, side)
    draft.emit(Joined(power=power, joins=side))
    if power in (FRANCE, HANOVER):
        draft.german_open = True  # C9.2
        draft.forget()
    for stack in [found for found in draft.stacks_of(NOBODY) if found.nation == power]:
        draft.remove(stack)
        join_stack(draft, msgspec.structs.replace(stack, side=side))
    for here, fort in draft.data.fortresses.items():
        if fort.power == power and not holds_sp(draft, here, 1 - side):  # those of C5.9 are nobody's until entered
            draft.set_owner(here, side)
            draft.touched.add(here)


def home_fortresses(pos: Position, power: int) -> Iterator[Hex]:
    """The fortresses that a power controlled at the start (C11.4), and those of the notes of C5.5 (C11.2)."""
    for here, fort in pos.data.fortresses.items():
        if fort.power == power or (fort.star == power and pos.has_star(power)):
            yield here


def holds_sp(pos: Position, here: Hex, side: int) -> bool:
    """Whether a side has SP in a hex, in the field or inside."""
    field, inside = pos.stacks.get(field_key(here, side)), pos.stacks.get(inside_key(here, side))
    return bool((field and field.sp) or (inside and inside.sp))


class Reaction(Decision, frozen=True, gc=False, tag="reaction"):
    """Every power still neutral rolls because another was violated (C5.7)."""

    RULE: ClassVar[str] = "C5.7"
    NAME: ClassVar[str] = "Reaction"
    violator: int
    left: tuple[int, ...] = MINORS

    def step(self, draft: Draft) -> None:
        """The next power that is still neutral rolls, in the order of the table."""
        for number, power in enumerate(self.left):
            if draft.allegiance[power] == NOBODY and power not in draft.surrendered:
                draft.swap(Reaction(self.violator, self.left[number + 1 :]))
                draft.push(ReactionRoll(power, self.violator))
                return
        draft.pop()


class ReactionRoll(DieRoll, frozen=True, gc=False, tag="reaction-roll"):
    """A neutral power's die: +2 if the Prussian side violated, −2 if the Austrian, and no other modifier (C5.7)."""

    RULE: ClassVar[str] = "C5.7"
    NAME: ClassVar[str] = "Reaction"
    power: int
    violator: int

    def rolled(self, draft: Draft, die: int) -> None:
        """A power that joins in this way causes no further reaction."""
        modifier = 2 if self.violator == PRUSSIAN else -2
        rolled, side = diplomacy_result(draft.data, self.power, die, modifier)
        note_star(draft, self.power, rolled)
        draft.emit(Reacted(power=self.power, violator=self.violator, die=die, modifier=modifier, result=side))
        if side != NOBODY:
            join(draft, self.power, side)


def check_surrender(draft: Draft) -> None:
    """Every power on a side whose fortresses have all fallen into enemy hands surrenders (C11.2, C11.4)."""
    for power, nature in enumerate(draft.data.powers):
        side = draft.side_of(power)
        if not nature.surrenders or side == NOBODY:
            continue
        homes = list(home_fortresses(draft, power))
        if homes and all(draft.owners[here] == 1 - side for here in homes):
            surrender(draft, power)


def surrender(draft: Draft, power: int) -> None:
    """A power has no more part in the game (C11.3); the surrender of a major ends it (C12.1)."""
    draft.surrendered |= {power}
    draft.emit(Surrendered(side=draft.allegiance[power], power=power))
    draft.forget()
    for stack in list(draft.stacks.values()):
        _without(draft, stack, power)
    if draft.moving is not None:
        draft.moving = _stripped(draft, draft.moving, power)
    for here, depot in list(draft.depots.items()):
        if depot.power == power:
            draft.set_depot(here, None)
    _strike_off(draft, power)
    if power in (PRUSSIA, AUSTRIA):
        winner = 1 - draft.allegiance[power]
        draft.outcome = Outcome(winner, f"{draft.data.powers[power].name} surrenders", "C12.1", draft.year)


def _stripped(draft: Draft, stack: Stack, power: int) -> Stack:
    leaders = tuple(number for number in stack.leaders if draft.leader(number).power != power)
    return changed(draft, stack, stack.sp - bag(power, of(stack.sp, power)), leaders)


def _without(draft: Draft, stack: Stack, power: int) -> None:
    """What remains of a mixed stack is no longer known to the other side."""
    if of(stack.sp, power) or any(draft.leader(number).power == power for number in stack.leaders):
        draft.put(_stripped(draft, stack, power))


def _strike_off(draft: Draft, power: int) -> None:
    """Its men in enemy hands are struck off, and so are those who wait (C11.3)."""
    first, second = (held - bag(power, of(held, power)) for held in draft.prisoners)
    draft.prisoners = (first, second)
    one, two = (tuple(n for n in held if draft.leader(n).power != power) for held in draft.captives)
    draft.captives = (one, two)
    draft.waiting -= bag(power, of(draft.waiting, power))
    draft.roster = tuple(
        ABSENT if leader.power == power else status
        for leader, status in zip(draft.data.leaders, draft.roster, strict=True)
    )


def switch(draft: Draft) -> None:
    """Russia passes to the other side with all it has (C7.6, C7.7)."""
    old, new = draft.allegiance[RUSSIA], 1 - draft.allegiance[RUSSIA]
    draft.set_allegiance(RUSSIA, new)
    draft.emit(Joined(power=RUSSIA, joins=new))
    parts = [part for part in [_take_out(draft, stack) for stack in list(draft.stacks_of(old))] if part is not None]
    _return_fortresses(draft, new)
    for part in parts:
        _change_coat(draft, part, new)
    for here in dict.fromkeys(part.hex for part in parts):
        _part_leaders(draft, here)
    _free_countrymen(draft, new)
    check_surrender(draft)


def _take_out(draft: Draft, stack: Stack) -> Stack | None:
    """The Russian part of a stack of its late allies; what both parts are worth is known to both (C7.7)."""
    leaders = tuple(n for n in stack.leaders if draft.leader(n).power == RUSSIA)
    sp: Bag = bag(RUSSIA, of(stack.sp, RUSSIA))
    if not sp and not leaders:
        return None
    rest = tuple(n for n in stack.leaders if n not in leaders)
    draft.put(changed(draft, stack, stack.sp - sp, rest))
    return make_stack(draft, stack.hex, stack.side, stack.inside, sp, leaders, stack)


def _change_coat(draft: Draft, part: Stack, side: int) -> None:
    """In one fortress the larger part keeps it, equal: its side before; the other stands in the field (C7.7)."""
    old = draft.inside(part.hex, 1 - side)
    part = msgspec.structs.replace(part, side=side)
    if part.inside and old is not None and old.sp:
        if part.strength > old.strength:
            draft.remove(old)
            join_stack(draft, msgspec.structs.replace(old, inside=False))
            draft.set_owner(part.hex, side)
        else:
            part = msgspec.structs.replace(part, inside=False)
    join_stack(draft, part)
    if part.inside and part.sp:
        draft.set_owner(part.hex, side)  # conquered fortresses follow the SP inside


def _part_leaders(draft: Draft, here: Hex) -> None:
    """Leaders of either side whom the change left without SP among new enemies part from them (C7.7)."""
    for side in SIDES:
        for key in (field_key(here, side), inside_key(here, side)):
            stack = draft.stacks.get(key)
            if stack is None or stack.sp or not holds_sp(draft, here, 1 - side):
                continue
            draft.remove(stack)
            for leader in stack.leaders:
                _to_nearest_countrymen(draft, here, side, leader)


def _to_nearest_countrymen(draft: Draft, start: Hex, side: int, leader: int) -> None:
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
        capture(draft, leader, 1 - side)


def _return_fortresses(draft: Draft, side: int) -> None:
    """Russia brings its home fortresses, but not with its new enemies in them (C1.6)."""
    for here in home_fortresses(draft, RUSSIA):
        if not holds_sp(draft, here, 1 - side):
            draft.set_owner(here, side)


def _free_countrymen(draft: Draft, side: int) -> None:
    """Russians held by their new friend come back by C8.7; all other prisoners stay where they are (C7.7)."""
    held = list(draft.prisoners)
    freed = bag(RUSSIA, of(held[side], RUSSIA))
    held[side] -= freed
    draft.prisoners = (held[0], held[1])
    draft.waiting += freed
    back = tuple(n for n in draft.captives[side] if draft.leader(n).power == RUSSIA)
    captives = list(draft.captives)
    captives[side] = tuple(n for n in captives[side] if n not in back)
    draft.captives = (captives[0], captives[1])
    for leader in back:
        draft.set_roster(leader, WAITING)
