"""The cache of the engine and of the rule sets.

A `Memo` belongs to the object that its values are computed from, and lasts as long as the object stays the same. A
draft that changes the object gets an empty memo; states and drafts with equal objects share it.

    pos.known               values of the position, without its decisions in progress
    pos.lasting             values of rarely changed facts, such as alliances, which outlive a move
    data.memo               values of the game's data
    memo_of(data, "pieces") the same with its own limit

Functions of a position or of the data declare their memo; the positional arguments are the key:

    @memoized("known")
    def supply(pos: Position, side: Side) -> Hexes: ...

Elsewhere `memo.get_or_compute(key, make)` returns the value of a key. None is a value like any other. A key
contains everything that its value depends on, except the memo's owner.
"""

from collections.abc import Callable, Hashable
from functools import update_wrapper
from typing import Any, Concatenate, Final, ParamSpec, Self, TypeVar

O_contra = TypeVar("O_contra", contravariant=True)  # the owner of the memo
P = ParamSpec("P")
V = TypeVar("V")
MOST: Final = 5000  # values in a memo before it is emptied
_MISSING: Final[Any] = object()


class Memo(dict[Hashable, Any]):
    """A cache of values by key."""

    most = MOST

    def __reduce__(self) -> tuple[Callable[[int], Self], tuple[int]]:
        return type(self).with_limit, (self.most,)  # a copy or a pickled owner computes its values anew

    @classmethod
    def with_limit(cls, most: int) -> Self:
        """Return an empty memo with its own limit."""
        memo = cls()
        memo.most = most
        return memo

    def get_or_compute(self, key: Hashable, make: Callable[[], V]) -> V:
        """Return the value of a key; `make` computes it the first time."""
        value: V = self.get(key, _MISSING)
        if value is _MISSING:
            value = make()
            if len(self) >= self.most:
                self.clear()
            self[key] = value
        return value

    def get_latest(self, key: Hashable, facts: object, make: Callable[[], V]) -> V:
        """Return the last value of a key while its facts are equal; else compute it again."""
        last = self.get(key)
        if last is None or last[0] != facts:
            last = self[key] = facts, make()
        value: V = last[1]
        return value


def memo_of(owner: Any, name: str, most: int = MOST) -> Memo:
    """Return the named memo of a rule set's data, or of any object with attributes."""
    attribute = f"memo of {name}"  # no identifier, so no field
    memo: Memo | None = owner.__dict__.get(attribute)
    if memo is None:
        memo = owner.__dict__[attribute] = Memo.with_limit(most)
    return memo


def memoized(
    attribute: str,
) -> Callable[[Callable[Concatenate[O_contra, P], V]], Callable[Concatenate[O_contra, P], V]]:
    """Decorate a function whose results are cached by its arguments; its first argument has the memo in `attribute`."""

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
