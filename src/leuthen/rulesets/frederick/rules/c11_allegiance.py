"""C3.3, C5.7, C11.2–C11.5: violation, reaction and surrender of powers."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from leuthen.engine.ruleset import NOBODY, OTHER, Outcome, Side
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, MINORS, PRUSSIA, RUSSIA, SAXONY
from leuthen.rulesets.frederick.model.decisions import Decision, DieRoll, reform, revise
from leuthen.rulesets.frederick.model.events import ForceLeft, Reacted, Surrendered, Violated
from leuthen.rulesets.frederick.model.pieces import ABSENT, PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.stacks import changed
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.c01_joining import join
from leuthen.rulesets.frederick.rules.c05_table import diplomacy_result, note_star
from leuthen.rulesets.frederick.rules.o10_supply import remove_depot
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, Bag, PowerId, bag, of


def violate(draft: Draft, power: PowerId, violator: Side, here: Hex) -> None:
    """Bring the power of entered neutral land to the opponent's side at once (C3.3); in 1756 it is remembered.

    Every force violates, a lone leader or a victor who follows too, and before anything else happens (C3.6).
    """
    draft.emit(Violated(side=violator, power=power, hex=here))
    if draft.year == 1756:  # C3.4
        draft.invaded |= {power}
        if power == SAXONY:
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
    left: tuple[PowerId, ...] = MINORS

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
        rolled, side = diplomacy_result(draft.data, self.power, die, modifier)
        note_star(draft, self.power, rolled)
        draft.emit(Reacted(power=self.power, violator=self.violator, die=die, modifier=modifier, result=side))
        if side != NOBODY:
            join(draft, self.power, side)


def check_surrender(draft: Draft) -> None:
    """Let every power surrender whose fortresses have all fallen into enemy hands (C11.2, C11.4).

    On a part of the map no power surrenders (C14.4).
    """
    for power, nature in zip(ALL_POWERS, draft.data.powers, strict=True):
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
    _strike_off(draft, power)
    if before is not None:
        reform(draft, before)
    revise(draft)
    if power in (PRUSSIA, AUSTRIA):
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
        draft.emit(ForceLeft.of(stack.side, power, chief, part, whole=whole))
    return changed(draft, stack, stack.sp - sp, tuple([number for number in stack.leaders if number not in leaders]))


def _strike_off(draft: Draft, power: PowerId) -> None:
    """Its men in enemy hands are struck off, and so are those that wait (C11.3)."""
    first, second = (held - bag(power, of(held, power)) for held in draft.prisoners)
    draft.prisoners = (first, second)
    draft.release(draft.data.generals[power])
    draft.waiting -= bag(power, of(draft.waiting, power))
    draft.roster = tuple(
        ABSENT if leader.power == power else status
        for leader, status in zip(draft.data.leaders, draft.roster, strict=True)
    )


def switch(draft: Draft) -> None:
    """Bring Russia to the other side with all it has (C7.6, C7.7), perhaps the end of its late ally (C11.2)."""
    join(draft, RUSSIA, OTHER[draft.allegiance[RUSSIA]])
    check_surrender(draft)
