"""O14.1, O14.4, O14.5: entering, sharing and leaving winter quarters."""

from __future__ import annotations

import msgspec

from leuthen.engine.choice import Refusal
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import OTHER, OwnerId
from leuthen.rulesets.frederick.model import state
from leuthen.rulesets.frederick.model.events import Quartered
from leuthen.rulesets.frederick.model.pieces import DONE, SIDES, Stack
from leuthen.rulesets.frederick.rules.o10_supply import depot_side, is_besieged, is_supplied
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import EMPTY, common


def why_not_quarter(pos: state.Position, stack: Stack) -> Refusal | None:
    """Return the rule that bars a stack from going into winter quarters, or None (O14.1)."""
    if stack.quartered or not stack.sp:
        return Refusal("O14.1", "that stack has no quarters to take", (), stack.hex)
    return has_quarters(pos, stack)


def has_quarters(pos: state.Position, stack: Stack) -> Refusal | None:
    """Return why a stack has no quarters in its hex, or None: all conditions of O14.1 except the phase (O14.4)."""
    here, side = stack.hex, stack.side
    if not _is_roof(pos, here, side):
        return Refusal("O14.1", "quarters are taken in or at a friendly fortress or working depot", (), here)
    if not is_supplied(pos, stack):
        return Refusal("O14.1", "the stack is out of supply", (), here)
    if _is_watched(pos, here, side):
        return Refusal("O14.1", "an enemy field stack is within 1 hex", (), here)
    return None


def _is_roof(pos: state.Position, here: Hex, side: OwnerId) -> bool:
    """A friendly fortress, or a working depot without enemies."""
    depot = pos.depots.get(here)
    works = depot is not None and depot.complete and depot_side(pos, depot) == side
    return pos.owners.get(here) == side or (works and not state.is_present(pos, here, OTHER[side]))


def _is_watched(pos: state.Position, here: Hex, side: OwnerId) -> bool:
    return bool(state.occupied_hexes(pos)[OTHER[side]][0] & (pos.data.board.rings[here] | 1 << here))


def is_near_quarters(pos: state.Position, stack: Stack) -> bool:
    """Return whether a stack could have quarters by what both sides see; they may not know its supply (O10.12)."""
    here, side = stack.hex, stack.side
    free = bool(stack.sp) and not stack.quartered
    return free and _is_roof(pos, here, side) and not _is_watched(pos, here, side)


def is_sheltered(pos: state.Position, stack: Stack) -> bool:
    """Return whether a stack is in quarters, or inside an unbesieged fortress (O14.2, O14.5)."""
    return stack.quartered or (stack.inside and not is_besieged(pos, stack.hex, stack.side))


def all_in_quarters(pos: state.Position) -> bool:
    """Return whether every stack with SP is in winter quarters, which ends the year (C4.3, O14.3, O14.5).

    Never before turn 15, when quarters open.
    """
    stacks = (stack for side in SIDES for stack in pos.own(side) if stack.sp)
    return pos.is_winter and all(is_sheltered(pos, stack) for stack in stacks)


def judge_quarters(draft: state.Draft, here: Hex) -> None:
    """End quarters if an enemy field stack enters the hex, or too many join the stack (O14.4)."""
    for side in SIDES:
        for stack in draft.stacks_at(here, side):
            if not stack.quartered:
                continue
            if state.is_in_field(draft, here, OTHER[side]):
                _leave(draft, msgspec.structs.replace(stack, resting=EMPTY, resters=()))
            elif stack.resting and has_quarters(draft, stack) is None:
                _keep(draft, msgspec.structs.replace(stack, resting=EMPTY, resters=()))
            elif stack.resting:
                _leave(draft, stack)


def _leave(draft: state.Draft, stack: Stack) -> None:
    """Troops that were in the quarters before others joined stay in the hex (O14.4)."""
    marched = common(stack.sp, stack.marched + stack.resting) if stack.resting else stack.marched
    _keep(draft, msgspec.structs.replace(stack, quartered=False, marched=marched))
    draft.spent = {**draft.spent, **dict.fromkeys(stack.resters, DONE)}
    draft.emit(Quartered.of(stack, by="O14.4", enters=False))


def _keep(draft: state.Draft, stack: Stack) -> None:
    draft.put(stack)
    draft.touched.discard(stack.hex)


def release_resting(draft: state.Draft, side: OwnerId) -> None:
    """Free the troops that had to stay, as the Reinforcement Phase begins (O14.4)."""
    for stack in draft.own(side):
        if stack.resting and not stack.quartered:
            draft.stacks[stack.key] = msgspec.structs.replace(stack, resting=EMPTY, resters=())
            draft.known = Memo()
