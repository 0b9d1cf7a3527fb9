"""O5.11, O5.20, O13.7: going inside a fortress and coming out without a march."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import msgspec

from leuthen.engine.choice import Refusal, Script, Slot, Token
from leuthen.engine.ruleset import OTHER, WATCHER, OwnerId
from leuthen.rulesets.frederick.model.actions import Shift
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.events.operations import Regrouped
from leuthen.rulesets.frederick.model.stacks import detach, free_sp, join_stack
from leuthen.rulesets.frederick.model.state import DONE, Draft, Position, Stack
from leuthen.rulesets.frederick.rules.o05_march.forces import ask_leaders, ask_sp
from leuthen.rulesets.frederick.rules.o05_march.walk import enemy_in_field
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, as_hex, chosen_hex, stack_key
from leuthen.wargame.strength import Bag, LeaderId, bag, common, of, powers


def fortress_changes(pos: Position, side: OwnerId, *, forced: bool) -> Iterator[tuple[Hex, bool]]:
    """Where somebody may go in (True) or come out (False) without a march (O5.11, O5.20)."""
    owners, shifted, met = pos.owners, pos.shifted, pos.marks[OTHER[side]][0] | pos.marks[NOBODY][0]
    for stack in pos.own(side):
        here = stack.hex
        if owners.get(here) != side or here in shifted or stack.quartered:  # O14.1
            continue
        if not (met >> here & 1 or stack.resting) or _may_change(pos, stack, forced=forced):
            yield here, not stack.inside


def _may_change(pos: Position, stack: Stack, *, forced: bool) -> bool:
    """Not at a besieged fortress (O5.11), save for a sally in the own March Phase (O13.7)."""
    if is_besieged(pos, stack.hex, stack.side) and (forced or not stack.inside):
        return False
    sp, leaders = _changing_sp(pos, stack), _changing_leaders(pos, stack)
    if stack.demoralized and (sp != stack.sp or len(leaders) < len(stack.leaders)):  # O11.1
        return False
    return bool(sp or leaders)


def _changing_sp(pos: Position, stack: Stack) -> Bag:
    """Who entered a hex with an enemy field stack in this phase cannot go inside in it (O5.20, O13.9)."""
    entered = not stack.inside and enemy_in_field(pos, stack.hex, stack.side) is not None
    return common(free_sp(stack), stack.sp - stack.marched) if entered else free_sp(stack)


def _changing_leaders(pos: Position, stack: Stack) -> list[LeaderId]:
    entered = not stack.inside and enemy_in_field(pos, stack.hex, stack.side) is not None
    leaders = [number for number in stack.leaders if number not in stack.resters]
    return [number for number in leaders if pos.spent.get(number, 0) < DONE] if entered else leaders


def shift_script(pos: Position, side: OwnerId, gates: list[tuple[Hex, bool]]) -> Script[Shift]:
    """Who goes inside or comes out, with or without a leader (O5.20, O8.6); a demoralized stack goes whole."""
    places = list(dict.fromkeys(here for here, _ in gates))
    refuse = partial(_no_gate, pos, side)
    here = as_hex((yield Slot("hex", places, refuse, refused=lambda: _forts_with_men(pos, side))))
    ways = [int(inside) for there, inside in gates if there == here]
    inside = int((yield Slot("inside", ways, lambda token: Refusal("O5.20", "nobody there may do that", (), here))))
    stack = pos.stacks[stack_key(here, side, not inside)]
    pool, whole = _changing_leaders(pos, stack), stack.demoralized
    leaders = yield from ask_leaders(pos, stack, pool, field="leaders", whole=whole, some=not stack.sp)
    sp = yield from ask_sp(pos, stack, _changing_sp(pos, stack), None, whole=whole, some=not leaders)
    if not leaders and not sp:
        yield Slot("sp", (), lambda _: Refusal("O5.20", "nobody moves"), index=stack.nation)
    return Shift(here, bool(inside), leaders, sp)


def _forts_with_men(pos: Position, side: OwnerId) -> list[Hex]:
    return list(dict.fromkeys(stack.hex for stack in pos.own(side) if pos.owners.get(stack.hex) == side))


def _no_gate(pos: Position, side: OwnerId, token: Token) -> Refusal:
    here = chosen_hex(token)
    if pos.owners.get(here) != side:
        return Refusal("O5.11", "there is no friendly fortress", (), here)
    if here in pos.shifted:
        return Refusal("O5.20", "somebody went in or out there in this phase already", (), here)
    if is_besieged(pos, here, side):
        return Refusal("O5.11", "the fortress is besieged", (), here)
    stacks = [stack for stack in pos.own(side) if stack.hex == here]
    if stacks and all(stack.quartered for stack in stacks):
        return Refusal("O14.1", "a stack in winter quarters stays where it is", (), here)
    return Refusal("O5.20", "nobody there may go in or out", (), here)


def shift(draft: Draft, side: OwnerId, action: Shift) -> None:
    """The change itself; who sallies from a besieged fortress is done for the phase (O13.7)."""
    stack = draft.stacks[stack_key(action.hex, side, not action.inside)]
    sally = stack.inside and is_besieged(draft, action.hex, side)
    marched = stack.marched
    part = detach(draft, stack, action.leaders, action.sp)
    part = msgspec.structs.replace(part, inside=action.inside)
    if marched:
        part = msgspec.structs.replace(part, marched=_marched_part(stack, action.sp))
    join_stack(draft, part, spent=sally)
    if sally:
        draft.spent = {**draft.spent, **dict.fromkeys(action.leaders, DONE)}
        draft.sallied |= {action.hex}
    draft.shifted |= {action.hex}
    how = "enter" if action.inside else "come"
    draft.emit(
        Regrouped(
            side=side,
            by="O13.7" if sally else "O5.11",
            how=how,
            hex=action.hex,
            inside=action.inside,
            leaders=action.leaders,
            sp=action.sp,
        )
    )
    draft.learn(OTHER[side], WATCHER)
    resolve_hexes(draft)


def _marched_part(stack: Stack, sp: Bag) -> Bag:
    """Of the SP that change, as few as possible are taken to have marched."""

    fresh = stack.sp - stack.marched
    return sum(bag(power, max(0, of(sp, power) - of(fresh, power))) for power in powers(sp))
