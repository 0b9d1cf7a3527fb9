"""A position with what a viewer knows, to be asked of the rules."""

from __future__ import annotations

import msgspec

from leuthen.rulesets.frederick.knowledge.view import SeenStack, View, bag_of
from leuthen.rulesets.frederick.knowledge.worlds import open_values
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.stacks import changed, make_stack
from leuthen.rulesets.frederick.model.state import Draft, Position, Stack, State, state_of
from leuthen.wargame.strength import bag


def as_seen(data: GameData, view: View) -> State:
    """A position with what a viewer knows: hidden stacks have the least SP that they may have, and no juniors."""
    values = open_values(view)
    pos = state_of(data, values)
    values["stacks"] = {stack.key: _least(pos, stack) for stack in view.stacks}
    values["moving"] = _least(pos, view.moving) if view.moving is not None else None
    return state_of(data, values)


def _least(pos: Position, seen: SeenStack) -> Stack:
    leaders = seen.leaders if seen.leaders is not None else (seen.commander,) if seen.commander >= 0 else ()
    sp = bag_of(seen.sp) if seen.sp is not None else bag(seen.nation, seen.least) if not seen.alone else 0
    band = (seen.low, seen.high, seen.since) if seen.low else (1, 999, 0)
    stack = make_stack(pos, seen.hex, seen.side, seen.inside, sp, leaders, None, band, bag_of(seen.marched or ()))
    state = {"demoralized": seen.demoralized, "quartered": seen.quartered, "hungry": seen.hungry}
    return msgspec.structs.replace(stack, **state, resting=bag_of(seen.resting or ()), resters=seen.resters or ())


def with_strength(pos: Position, stack: Stack, points: int) -> Draft:
    """The position if a stack had so many SP, all of the nation that it shows."""
    draft = Draft(pos)
    draft.put(changed(pos, stack, bag(stack.nation, points), stack.leaders, (points, points, pos.now)))
    draft.touched.clear()
    return draft
