"""Keys of stacks: a hex, a side or neutrals, in the field or inside, in one number that nobody else takes apart."""

from __future__ import annotations

from typing import Any, NewType

from leuthen.engine.ruleset import OwnerId
from leuthen.wargame.board import Hex

StackKey = NewType("StackKey", int)
"""Which stack or force it is. In order they go by hex, then by side, the field before the inside."""


def stack_key(here: Hex, side: OwnerId, inside: int) -> StackKey:
    """The key of a side's stack in a hex."""
    number: Any = here << 3 | side << 1 | inside  # no call, because keys are made by the thousand
    key: StackKey = number
    return key


def key_hex(key: StackKey) -> Hex:
    """The hex of a stack."""
    return Hex(key >> 3)


def key_side(key: StackKey) -> OwnerId:
    """The side of a stack, or that of neutrals."""
    side: Any = key >> 1 & 3
    owner: OwnerId = side
    return owner


def key_inside(key: StackKey) -> bool:
    """Whether it is inside."""
    return bool(key & 1)
