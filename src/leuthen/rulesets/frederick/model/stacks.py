"""Command, joining and splitting of stacks and forces (O2.4–O2.6, O3.3, O11.4)."""

import msgspec

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.data import ALL_POWERS, NO_POWER, GameData
from leuthen.rulesets.frederick.model.events import MoraleChanged
from leuthen.rulesets.frederick.model.pieces import ABSENT, POOL, UNKNOWN, UNSEEN, Stack
from leuthen.rulesets.frederick.model.state import Draft, Position
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, LeaderId, PowerId, common, largest, of


def by_seniority(pos: Position, leaders: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
    """Return leaders by rank, then the order of C1.1, then time on the map (O2.5, O2.6, C8.2)."""
    table, arrival = pos.data.leaders, pos.arrival
    return tuple(sorted(leaders, key=lambda n: (table[n].rank, table[n].power, arrival[n])))


def commander_of(pos: Position, sp: Bag, leaders: tuple[LeaderId, ...]) -> LeaderId:
    """Return the senior leader of the power with most SP that has both (O2.5, O2.6); -1 without leaders.

    `leaders` are sorted by seniority.
    """
    if len(leaders) < 2 or not sp:
        return leaders[0] if leaders else NO_LEADER
    table = pos.data.leaders
    best, most = leaders[0], 0
    for number in leaders:
        points = of(sp, table[number].power)
        if points > most:
            best, most = number, points
    return best


def nation_of(pos: Position, sp: Bag, commander: LeaderId) -> PowerId:
    """Return the power a stack shows: that of most SP, without SP the commander's (O3.1); Saxon SP are Saxon (C1.5)."""
    if sp:
        return largest(sp)
    return pos.data.leaders[commander].power if commander >= 0 else NO_POWER


def make_stack(
    pos: Position,
    here: Hex,
    side: OwnerId,
    inside: bool,
    sp: Bag,
    leaders: tuple[LeaderId, ...],
    like: Stack | None = None,
    band: tuple[int, int, int] = UNSEEN,
    marched: Bag = EMPTY,
) -> Stack:
    """Return a stack with its commander (O2.5, O2.6) and its colours (O3.1), Saxon SP being Saxon (C1.5).

    Demoralization, quarters and hunger are those of `like`.

    Leaders without SP have none of these, and no strength that could be known (O10.12, O14.4, O2.7).
    """
    ranked = by_seniority(pos, leaders) if len(leaders) > 1 else leaders
    commander = commander_of(pos, sp, ranked) if len(ranked) > 1 else ranked[0] if ranked else NO_LEADER
    shape = here, side, inside, sp, ranked, commander, largest(sp) if sp else nation_of(pos, sp, commander)
    if not sp:
        return Stack(*shape)
    if like is None:
        return Stack(*shape, False, False, 0, marched, *band)
    state = like.demoralized, like.quartered, like.hungry, marched, *band
    if not like.resting:
        return Stack(*shape, *state)
    return Stack(*shape, *state, common(like.resting, sp), tuple([n for n in like.resters if n in ranked]))


def with_troops(
    pos: Position, stack: Stack, sp: Bag, leaders: tuple[LeaderId, ...], band: tuple[int, int, int] = UNSEEN
) -> Stack:
    """Return the stack with other SP and leaders; of the SP that have marched, those still present stay marched."""
    marched = common(stack.marched, sp) if stack.marched else EMPTY
    return make_stack(pos, stack.hex, stack.side, stack.inside, sp, leaders, stack, band, marched)


def join_stack(draft: Draft, comer: Stack, *, spent: bool = False) -> Stack:
    """End the move of a force in its hex, where it joins the stack of its side, if there is one (O11.4, O10.12).

    SP of one power are interchangeable (O2.3), and no stack is too large, in the field or inside (O8.1, O8.2).
    If one of the two is demoralized, the joint stack is; the higher hunger counts; shared quarters are judged later
    (O14.4). With `spent` the SP are done for the phase (O5.7). Knowledge of either strength lapses (O3.3).
    """
    marched = comer.marched + (comer.sp - comer.marched if spent else EMPTY)
    here = draft.stacks.get(comer.key)
    if here is None:
        stack = msgspec.structs.replace(comer, marched=marched)
    else:
        if here.demoralized != comer.demoralized and here.sp and comer.sp:
            draft.emit(MoraleChanged.of(comer))
        sp, leaders = here.sp + comer.sp, here.leaders + comer.leaders
        band = band_of(here)  # leaders alone do not change a strength that is known
        if comer.sp:
            band = UNSEEN if here.sp else band_of(comer)
        joins = here.quartered and comer.sp > 0  # the former members of a stack in quarters are remembered (O14.4)
        like = msgspec.structs.replace(
            comer,
            demoralized=comer.demoralized or here.demoralized,
            quartered=here.quartered,
            hungry=max(comer.hungry, here.hungry),
            resting=here.sp if joins else here.resting + comer.resting,
            resters=here.leaders if joins else here.resters + comer.resters,
        )
        stack = make_stack(draft, comer.hex, comer.side, comer.inside, sp, leaders, like, band, here.marched + marched)
    draft.put(stack)
    return stack


def detach(draft: Draft, stack: Stack, leaders: tuple[LeaderId, ...], sp: Bag) -> Stack:
    """Take a force out of a stack; it is in no stack until it joins one."""
    rest = tuple(number for number in stack.leaders if number not in leaders)
    whole, band = sp == stack.sp, band_of(stack)
    if rest or not whole:
        draft.put(with_troops(draft, stack, stack.sp - sp, rest, band if not sp else UNSEEN))
    else:
        draft.remove(stack)
    like = msgspec.structs.replace(stack, quartered=False, resting=EMPTY, resters=())
    return make_stack(draft, stack.hex, stack.side, stack.inside, sp, leaders, like, band if whole else UNSEEN)


def pools(data: GameData) -> list[int]:
    """Return a roster with all leaders in their pools; the nameless ones are in none (C8.4)."""
    nameless = {data.nameless(power) for power in ALL_POWERS}
    return [ABSENT if number in nameless else POOL for number in data.leader_ids]


def locate(pos: Position, leader: LeaderId) -> Stack | None:
    return next((stack for stack in pos.stacks.values() if leader in stack.leaders), None)


def narrow_band(draft: Draft, stack: Stack, low: int, high: int) -> bool:
    """Let the other side learn that a stack has `low` to `high` SP (O3.2); return whether that is news."""
    band = max(stack.low, low), min(stack.high, high)
    if band == (stack.low, stack.high):
        return False
    draft.put(with_band(stack, (*band, draft.now)))
    return True


def remove_one_sp(draft: Draft, stack: Stack, lost: Bag) -> Stack:
    """Return a stack without 1 SP, whose loss both sides see (O6.1, O13.2)."""
    high = stack.high - 1 if stack.high < UNKNOWN else UNKNOWN
    return with_troops(draft, stack, stack.sp - lost, stack.leaders, (max(1, stack.low - 1), high, stack.since))


def stack_of(pos: Position, leader: LeaderId) -> Stack:
    return next(stack for stack in pos.stacks.values() if leader in stack.leaders)


def remove_leader(draft: Draft, leader: LeaderId) -> Stack:
    """Take a leader out of his stack, whose strength stays known; return the stack as it was."""
    stack = stack_of(draft, leader)
    rest = tuple([number for number in stack.leaders if number != leader])
    draft.put(with_troops(draft, stack, stack.sp, rest, band_of(stack)))
    return stack


def with_band(stack: Stack, band: tuple[int, int, int]) -> Stack:
    low, high, since = band
    return msgspec.structs.replace(stack, low=low, high=high, since=since)


def with_open_strength(pos: Position, stack: Stack) -> Stack:
    """Return the stack with its strength known to the other side (O3.2, O3.3)."""
    return with_band(stack, (stack.strength, stack.strength, pos.now))


def band_of(stack: Stack) -> tuple[int, int, int]:
    """Return the other side's knowledge of a stack's strength, and its turn (O3.3)."""
    return stack.low, stack.high, stack.since


def free_sp(stack: Stack) -> Bag:
    """Return the SP of a stack that need not stay in place (O14.4)."""
    return stack.sp - stack.resting


def on_map(pos: Position, power: PowerId) -> int:
    return of(sum([stack.sp for stack in pos.stacks.values()]), power)
