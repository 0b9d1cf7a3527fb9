"""O5.1, O5.15: which leaders and SP of a stack may form a force, asked slot by slot."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial

import msgspec

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.ruleset import NOBODY, OTHER, WATCHER, OwnerId
from leuthen.rulesets.frederick.model.actions import March, Shift
from leuthen.rulesets.frederick.model.data import ALL_POWERS
from leuthen.rulesets.frederick.model.events.operations import Regrouped
from leuthen.rulesets.frederick.model.pieces import DONE, Stack
from leuthen.rulesets.frederick.model.stacks import detach, free_sp, join_stack, locate
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.rulesets.frederick.rules.o05_march.walk import enemy_in_field
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.wargame.board import Hex, as_hex, chosen_hex, stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, as_leader, bag, common, of, powers


def ask_leaders(
    pos: Position,
    stack: Stack,
    pool: Sequence[LeaderId],
    *,
    field: str,
    whole: bool,
    some: bool = False,
    named: Sequence[LeaderId] = (),
) -> Generator[Slot, Token, tuple[LeaderId, ...]]:
    """Asks for leaders of `pool`, in ascending order; all of them with `whole`, at least one with `some`.

    `named` are those who go in any case.
    """
    left, chosen = sorted(pool), list[LeaderId]()

    def refuse(token: Token) -> Refusal:
        if token == STOP:
            return _must_go_along(pos, whole)
        if token in chosen or token in named:
            return Refusal("O5.15", "{} is named already", (pos.leader(as_leader(token)).name,), stack.hex)
        return _not_here(pos, stack, as_leader(token), pool, chosen)

    def others() -> list[Token]:
        return [number for number in stack.leaders if number not in pool and number not in named]

    while True:
        values: list[Token] = [left[0]] if whole and left else [*left]
        if not left or not (whole or (some and not chosen)):
            values.append(STOP)
        token = yield Slot(field, values, refuse, index=len(chosen), refused=others)
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(chosen[-1]) + 1 :]


def _must_go_along(pos: Position, whole: bool) -> Refusal:
    if whole:
        return Refusal("O11.1", "a demoralized stack does not divide: all its leaders go along")
    return Refusal("O5.1", "strength points move only with a leader: name one")


def _not_here(
    pos: Position, stack: Stack, leader: LeaderId, pool: Sequence[int], chosen: Sequence[LeaderId]
) -> Refusal:
    if not 0 <= leader < len(pos.data.leaders):
        return Refusal("O2.2", "there is no such leader")
    name = pos.leader(leader).name
    if leader not in stack.leaders:
        return Refusal("O5.15", "{} is not in that stack", (name,), stack.hex)
    if chosen and leader in pool:
        return Refusal("O5.15", "name {} before {}", (name, pos.leader(chosen[-1]).name), stack.hex)
    if leader in stack.resters:
        return Refusal("O14.4", "{} was in quarters that others joined, and stays for now", (name,), stack.hex)
    return Refusal("O5.13", "{} is done for the phase", (name,), stack.hex)


def ask_sp(
    pos: Position,
    stack: Stack,
    fresh: Bag,
    leaders: Sequence[LeaderId] | None,
    *,
    whole: bool = False,
    some: bool = False,
) -> Generator[Slot, Token, Bag]:
    """Asks how many of the `fresh` SP go, power by power; only with a leader of the power (O5.1), if `leaders` count.

    With `whole` all that may, with `some` at least one, if anything may.
    """
    led = None if leaders is None else {pos.leader(number).power for number in leaders}
    taken = EMPTY
    order = tuple(powers(stack.sp))
    for number, power in enumerate(order):
        most = of(fresh, power) if led is None or power in led else 0
        rest = any(of(fresh, later) and (led is None or later in led) for later in order[number + 1 :])
        least = most if whole else int(some and not taken and not rest and most > 0)
        count = yield _count(pos, stack, power, least, most, of(fresh, power), whole)
        taken += bag(power, int(count))
    return taken


def would_divide(pos: Position, stack: Stack, leaders: Sequence[LeaderId], limit: int) -> bool:
    """Whether a demoralized stack could only leave in part: some of it is done for the phase (O5.15, O11.1).

    SP of a power without a leader among `leaders` stay in any case (O5.1); a leader goes with fewer than `limit` MP.
    """
    led = {pos.leader(number).power for number in leaders}
    tired = any(pos.spent.get(number, 0) >= limit for number in stack.leaders)
    return tired or any(power in led for power in powers(stack.marched))


def absent_sp(pos: Position, march: March) -> Refusal | None:
    """A march takes SP of a power that has none in the stack: what `+20` without a power means (O2.4)."""
    stack = locate(pos, march.leader)
    if stack is None:
        return None
    absent = [power for power in ALL_POWERS if of(march.sp, power) and not of(stack.sp, power)]
    if not absent:
        return None
    there = " or ".join(f"«+{of(stack.sp, power)} {pos.data.powers[power].name}»" for power in powers(stack.sp))
    name, points = pos.data.powers[absent[0]].name, of(march.sp, absent[0])
    text = "no SP of {} are there: «+{}» means SP of the leader's power, and those of others are written {}"
    return Refusal("O2.4", text, (name, points, there or "with its name"), stack.hex)


def _count(pos: Position, stack: Stack, power: PowerId, least: int, most: int, fresh: int, whole: bool) -> Slot:
    name = pos.data.powers[power].name

    def refuse(token: Token) -> Refusal:
        if not isinstance(token, int) or token < 0:
            return Refusal("O2.1", "a number of strength points is expected", (), stack.hex)
        if token > of(stack.sp, power):
            return Refusal("O2.4", "only {} SP of {} are there", (of(stack.sp, power), name), stack.hex)
        if token > fresh and of(stack.resting, power):
            return Refusal(
                "O14.4", "only {} SP of {} were not in quarters that others joined", (fresh, name), stack.hex
            )
        if token > fresh:
            return Refusal("O5.7", "only {} SP of {} have not marched in this phase", (fresh, name), stack.hex)
        if token > most:
            return Refusal("O5.1", "SP of {} need a leader of {} in the force", (name, name), stack.hex)
        if whole:
            return Refusal("O11.1", "a demoralized stack does not divide: all {} SP go along", (most,), stack.hex)
        return Refusal("O5.15", "somebody has to go: at least {} SP of {}", (least, name), stack.hex)

    canon = sorted({least, most, max(least, most - 1)})
    return Slot("sp", range(least, most + 1), refuse, index=power, canon=canon)


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
