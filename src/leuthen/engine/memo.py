"""Values that are computed once: the one cache of the engine and of the rule sets.

A `Memo` belongs to the object whose facts its values are computed from, and lasts as long as they do. A draft that
changes them gets an empty one; states and drafts that agree in them share it.

    pos.known               as long as the position stands as it is; the decisions in progress are no part of that
    pos.lasting             as long as what changes rarely, such as who fights on which side: it outlives a move
    data.memo               as long as the data of the game
    memo_of(data, "pieces") so too, beside other memos, and with a limit of its own

A function of a position, or of the data, is declared with its memo; its arguments, given by place, are the key:

    @memoized("known")
    def supply(pos: Position, side: Side) -> Hexes: ...

Elsewhere `memo.once(key, make)` returns the value of a key. None is a value like any other. A key names all that its
value depends on beside the facts of the memo's owner.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

O_contra = TypeVar("O_contra", contravariant=True)
"""What has the memo."""
P = ParamSpec("P")
V = TypeVar("V")
MOST: Final = 5000
"""Values in a memo before it is emptied."""
_MISSING: Final[Any] = object()


class Memo(dict[Hashable, Any]):
    """Values by key."""

    most = MOST

    @classmethod
    def bounded(cls, most: int) -> Self:
        """Return an empty memo for so many values."""
        memo = cls()
        memo.most = most
        return memo

    def once(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value of a key; `make` computes it the first time."""
        value: V = self.get(key, _MISSING)
        if value is _MISSING:
            value = make()
            if len(self) >= self.most:
                self.clear()
            self[key] = value
        return value

    def latest(self, key: Hashable, facts: object, make: Callable[[], V]) -> V:
        """Return the value of a key while its facts are equal to those of last time; only the last value is stored."""
        last = self.get(key)
        if last is None or last[0] != facts:
            last = self[key] = facts, make()
        value: V = last[1]
        return value


def memo_of(owner: Any, name: str, most: int = MOST) -> Memo:
    """Return the memo of that name of a rule set's data, or of any object with attributes."""
    attribute = f"memo of {name}"  # no identifier, so no field
    memo: Memo | None = owner.__dict__.get(attribute)
    if memo is None:
        memo = owner.__dict__[attribute] = Memo.bounded(most)
    return memo


def memoized(
    attribute: str,
) -> Callable[[Callable[Concatenate[O_contra, P], V]], Callable[Concatenate[O_contra, P], V]]:
    """Declare a function to be computed once for each of its arguments; the first has the memo in that attribute."""

    def declare(function: Callable[Concatenate[O_contra, P], V]) -> Callable[Concatenate[O_contra, P], V]:
        def remembered(owner: O_contra, /, *rest: P.args, **named: P.kwargs) -> V:
            memo: Memo = getattr(owner, attribute)
            key = (function, *rest)
            value: V = memo.get(key, _MISSING)
            if value is _MISSING:
                value = memo[key] = function(owner, *rest, **named)
            return value

        update_wrapper(remembered, function)
        return remembered

    return declare
