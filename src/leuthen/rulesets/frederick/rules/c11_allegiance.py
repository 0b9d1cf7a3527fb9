"""C1.6, C3.3, C5.3–C5.7, C7.6–C7.7, C11.2–C11.5, O8.5, O8.7: violation, reaction, joining, surrender of powers.

Also the Diplomacy Table, and leaders and stacks that become prisoners (O15.3).
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leuthen.engine.ruleset import NOBODY, OTHER, Outcome, OwnerId, Side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model import data as model
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, reform, revise
from leuthen.rulesets.frederick.model.events import ForceLeft, Joined, LeaderCaught, Reacted, Surrendered, Violated
from leuthen.rulesets.frederick.model.pieces import ABSENT, CAPTIVE, GONE, PRUSSIAN, SIDES, UNSEEN, WAITING, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position, is_inside, is_present
from leuthen.rulesets.frederick.rules.o10_supply import remove_depot
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId, bag, of, total


def capture(draft: Draft, leader: LeaderId, captor: Side) -> None:
    """Make a leader, who is in no stack, a prisoner till exchanged (O8.5, C11.1); a leader of C8.5 is lost."""
    if draft.data.powers[draft.leader(leader).power].most_leaders:
        draft.set_roster(leader, GONE)
        return
    draft.set_roster(leader, CAPTIVE)
    draft.hold_leader(captor, leader)


def imprison(draft: Draft, stack: Stack) -> None:
    """Make a whole stack, off the map already, prisoners of the other side (O5.9, O9.7, O13.4, O15.3)."""
    captor = OTHER[stack.side]
    draft.hold(captor, stack.sp)
    for leader in stack.leaders:
        capture(draft, leader, captor)


LOWEST, HIGHEST = -1, 7
"""Limits of a result (C5.3)."""


def diplomacy_result(data: model.GameData, power: PowerId, die: int, modifier: int) -> tuple[int, OwnerId]:
    """Return the result of a die within its limits, and the side it gives or NOBODY (C5.3, C5.4)."""
    rolled = max(LOWEST, min(HIGHEST, die + modifier))
    return rolled, data.diplomacy[rolled, power]


def note_star(draft: Draft, power: PowerId, rolled: int) -> None:
    """Store a power that a starred result brought to its side (C5.5, option `hanover-note`)."""
    if (rolled, power) in draft.data.stars:
        draft.starred |= {power}


def join(draft: Draft, power: PowerId, side: OwnerId) -> None:
    """Bring a power to a side with its SP, leaders, depots and fortresses (C1.6, C5.8, C7.7, O8.7)."""
    old = draft.allegiance[power]
    draft.set_allegiance(power, side)
    draft.emit(Joined(power=power, joins=side, by="C7.6" if old in SIDES else ""))
    if power in (model.FRANCE, model.HANOVER):
        draft.german_open = True  # C9.2
        draft.forget()
    parts = [part for stack in draft.own(old) if (part := _take_out(draft, stack, power)) is not None]
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
    # Its men held by their new friend come back by C8.7; all other prisoners stay where they are (C7.7).
    freed = bag(power, of(draft.prisoners[side], power))
    draft.hold(side, -freed)
    draft.waiting += freed
    back = [n for n in draft.captives[side] if draft.leader(n).power == power]
    draft.release(back)
    for leader in back:
        draft.set_roster(leader, WAITING)
    revise(draft)


def _take_out(draft: Draft, stack: Stack, power: PowerId) -> Stack | None:
    """Take a power's part out of a stack; its late side knows its SP, and both sides a neutral's (C2.6, C7.7)."""
    leaders = tuple(n for n in stack.leaders if draft.leader(n).power == power)
    sp: Bag = bag(power, of(stack.sp, power))
    if not sp and not leaders:
        return None
    rest = tuple(n for n in stack.leaders if n not in leaders)
    left = stack.sp - sp
    draft.put(draft.with_troops(stack, left, rest, UNSEEN if sp else stack.band))
    like = msgspec.structs.replace(stack, quartered=stack.quartered and not left)
    known = (total(sp), total(sp), draft.now) if sp else UNSEEN
    return draft.make_stack(stack.hex, stack.side, stack.inside, sp, leaders, like, known)


def _change_coat(draft: Draft, part: Stack, side: OwnerId) -> None:
    """In one fortress the larger part stays inside, equal: its side before; the other moves to the field (C7.7)."""
    old = draft.inside(part.hex, OTHER[side])
    part = msgspec.structs.replace(part, side=side)
    if part.inside and old is not None and old.sp:
        if part.strength > old.strength:
            draft.remove(old)
            draft.join_stack(msgspec.structs.replace(old, inside=False))
        else:
            part = msgspec.structs.replace(part, inside=False)
    draft.join_stack(part)
    if part.inside and part.sp:
        draft.set_owner(part.hex, side)  # a fortress follows the SP inside


def _is_lost(draft: Draft, here: Hex, power: PowerId, side: OwnerId) -> bool:
    """An enemy army beside a garrison of the power besieges the fortress, and does not hold it (C7.7, O13.1)."""
    if any(of(stack.sp, power) for stack in draft.stacks_at(here, side)):
        return is_inside(draft, here, OTHER[side])
    return is_present(draft, here, OTHER[side])


def _part_leaders(draft: Draft, here: Hex) -> None:
    """Leaders left without SP among new enemies leave them (C7.7).

    Each goes to the nearest fortress with SP of his nationality; if there is none he is captured.
    """
    distances = draft.data.board.distances(here)
    for side in SIDES:
        for stack in draft.stacks_at(here, side):
            if not stack.sp and is_present(draft, here, OTHER[side]):
                draft.remove(stack)
                for leader in stack.leaders:
                    power = draft.leader(leader).power
                    places = [
                        (distances[stack.hex], stack.hex, stack.inside)
                        for stack in draft.own(side)
                        if of(stack.sp, power) and stack.hex in draft.data.fortresses and stack.hex in distances
                    ]
                    if places:
                        _, there, inside = min(places)
                        draft.join_stack(draft.make_stack(there, side, inside, EMPTY, (leader,)))
                    else:
                        draft.emit(LeaderCaught(side=side, leader=leader, hex=here))
                        capture(draft, leader, OTHER[side])


def violate(draft: Draft, power: PowerId, violator: Side, here: Hex) -> None:
    """Bring the power of entered neutral land to the opponent's side at once (C3.3); in 1756 it is remembered.

    Every force violates, a lone leader or a victor who follows too, and before anything else happens (C3.6).
    """
    draft.emit(Violated(side=violator, power=power, hex=here))
    if draft.year == 1756:  # C3.4
        draft.invaded |= {power}
        if power == model.SAXONY:
            draft.saxon_invader = violator  # C5.6
    join(draft, power, OTHER[violator])


def home_fortresses(pos: Position, power: PowerId) -> Iterator[Hex]:
    """Yield the fortresses that a power controlled at the start (C11.4), and those of the notes of C5.5 (C11.2)."""
    for here, fort in pos.data.fortresses.items():
        if fort.power == power or (fort.star == power and pos.has_star(power)):
            yield here


class Reaction(Decision, rule="C5.7", name="Reaction"):
    """Every power still neutral rolls because another was violated (C5.7)."""

    violator: Side
    left: tuple[PowerId, ...] = model.MINORS

    def step(self, draft: Draft) -> None:
        for number, power in enumerate(self.left):
            if draft.is_neutral(power):
                draft.swap(Reaction(self.violator, self.left[number + 1 :]))
                draft.push(ReactionRoll(power, self.violator))
                return
        draft.pop()


class ReactionRoll(DieRoll, rule="C5.7", name="Reaction"):
    """A neutral power's die: +2 if the Prussian side violated, −2 if the Austrian, and no other modifier (C5.7)."""

    power: PowerId
    violator: Side

    def rolled(self, draft: Draft, die: int) -> None:
        """A power that joins in this way causes no further reaction."""
        modifier = 2 if self.violator == PRUSSIAN else -2
        row, side = diplomacy_result(draft.data, self.power, die, modifier)
        note_star(draft, self.power, row)
        rolled: Values = {"die": die, "modifier": modifier, "row": row, "result": side}
        draft.emit(Reacted(power=self.power, violator=self.violator, **rolled))
        if side != NOBODY:
            join(draft, self.power, side)


def check_surrender(draft: Draft) -> None:
    """Let every power surrender whose fortresses have all fallen into enemy hands (C11.2, C11.4).

    On a part of the map no power surrenders (C14.4).
    """
    for power, nature in zip(model.ALL_POWERS, draft.data.powers, strict=True):
        side = draft.side_of(power)
        if not nature.surrenders or side == NOBODY:
            continue
        homes = list(home_fortresses(draft, power))
        if homes and all(draft.owners[here] == OTHER[side] for here in homes):
            surrender(draft, power)


def surrender(draft: Draft, power: PowerId) -> None:
    """Remove a power from the game (C11.3); the surrender of a major ends it (C12.1)."""
    draft.surrendered |= {power}
    held = tuple([n for captives in draft.captives for n in captives if draft.leader(n).power == power])
    men: Bag = sum(bag(power, of(prisoners, power)) for prisoners in draft.prisoners)
    waiting = bag(power, of(draft.waiting, power))
    draft.emit(Surrendered(side=draft.allegiance[power], power=power, sp=men, leaders=held, waiting=waiting))
    draft.forget()
    for stack in list(draft.stacks.values()):
        if of(stack.sp, power) or any(draft.leader(number).power == power for number in stack.leaders):
            draft.put(_without(draft, stack, power))
    before = draft.moving
    if before is not None:
        draft.set_moving(_without(draft, before, power))
    for here, depot in list(draft.depots.items()):
        if depot.power == power:
            remove_depot(draft, here, draft.allegiance[power], "leaves the game", by="C11.3")
    # Its men in enemy hands are struck off, and so are those that wait (C11.3).
    first, second = (prisoners - bag(power, of(prisoners, power)) for prisoners in draft.prisoners)
    draft.prisoners = (first, second)
    draft.release(draft.data.generals[power])
    draft.waiting -= waiting
    draft.roster = tuple(
        ABSENT if leader.power == power else status
        for leader, status in zip(draft.data.leaders, draft.roster, strict=True)
    )
    if before is not None:
        reform(draft, before)
    revise(draft)
    if power in (model.PRUSSIA, model.AUSTRIA):
        winner = OTHER[draft.allegiance[power]]
        draft.outcome = Outcome(winner, f"{draft.data.powers[power].name} surrenders", "C12.1", draft.year)


def _without(draft: Draft, stack: Stack, power: PowerId) -> Stack:
    """A power's part of a stack leaves the map (C11.3); knowledge of the rest lapses."""
    leaders = tuple([number for number in stack.leaders if draft.leader(number).power == power])
    sp: Bag = bag(power, of(stack.sp, power))
    if sp or leaders:
        whole = sp == stack.sp and leaders == stack.leaders
        chief = stack.commander if stack.commander in leaders else NO_LEADER
        part = msgspec.structs.replace(stack, sp=sp, leaders=leaders)
        draft.emit(ForceLeft.of(part, power=power, commander=chief, whole=whole))
    return draft.with_troops(stack, stack.sp - sp, tuple([number for number in stack.leaders if number not in leaders]))


def switch(draft: Draft) -> None:
    """Bring Russia to the other side with all it has (C7.6, C7.7), perhaps the end of its late ally (C11.2)."""
    join(draft, model.RUSSIA, OTHER[draft.allegiance[model.RUSSIA]])
    check_surrender(draft)
