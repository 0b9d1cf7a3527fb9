"""Positions: frozen states between actions, and drafts of the next state that rules change.

Both have the same fields and are read by the same functions. A rule set derives its `State` from its `Position` and
`FrozenPosition`, its `Draft` from its `Position` and `DraftPosition`.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NoReturn, Self, TypeAlias, TypeVar, cast

from leuthen.engine.fields import LockedDict, Values, frozen
from leuthen.engine.memo import Memo
from leuthen.engine.ruleset import ActorId, Outcome, Pending

if TYPE_CHECKING:
    from leuthen.engine.choice import LegalSet
    from leuthen.engine.decision import Decision
    from leuthen.engine.events import Event

S = TypeVar("S", bound="FrozenPosition")
Attributes: TypeAlias = tuple[Values, Values]
"""Attributes of a position by name: those of its dictionary, and those in slots."""


class Position:
    """A game at one instant, in the fields named in `FIELDS`."""

    FIELDS: ClassVar[tuple[str, ...]] = ()
    CACHES: ClassVar[tuple[str, ...]] = ("known", "legal", "pending")  # caches, which a copy does not take along
    data: Any  # the game's data, which is no part of the position's value
    known: Memo  # cache of values computed from the position
    frames: tuple[Any, ...]  # the decisions in progress, the innermost last
    year: int
    turn: int  # the date, unless `RulesetBase.date` is overridden
    outcome: Outcome | None
    options: Any  # the options of the game

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(getattr(self, f) == getattr(other, f) for f in self.FIELDS)

    def __hash__(self) -> int:
        return hash(tuple(frozen(getattr(self, field)) for field in self.FIELDS))

    def __getstate__(self) -> Attributes:
        plain, slots = cast("Attributes", object.__getstate__(self))
        return self._without_caches(plain), self._without_caches(slots)

    def _without_caches(self, values: Values) -> Values:
        return {name: type(value)() if name in self.CACHES else value for name, value in values.items()}


class FrozenPosition(Position):
    """The immutable state of a position."""

    __slots__ = ("asked", "legal", "pending")

    asked: list[tuple[ActorId, ...]]  # cached actors who are asked
    legal: dict[int, LegalSet]  # cached legal sets by actor
    pending: list[tuple[Pending, ...]]  # cached decisions that await answers

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a State does not change: {name}")

    def __setstate__(self, values: Attributes) -> None:
        for name, value in {**values[0], **values[1]}.items():
            object.__setattr__(self, name, value)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """Return the state with these attributes."""
        state = cls.__new__(cls)
        own = state.__dict__
        own.update(values)
        for name in cls.FIELDS:
            if own[name].__class__ is dict:
                own[name] = LockedDict(own[name])
        _set_asked(state, [])
        _set_legal(state, {})
        _set_pending(state, [])
        return state


_set_asked: Any = FrozenPosition.__dict__["asked"].__set__
_set_legal: Any = FrozenPosition.__dict__["legal"].__set__
_set_pending: Any = FrozenPosition.__dict__["pending"].__set__


class DraftPosition(Position, Generic[S]):
    """The mutable draft of a position, with its events and the viewers who learned something hidden."""

    __slots__ = ("facts", "learned")

    STATE: type[S]
    facts: list[Event]
    learned: int

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        memo[id(self.data)] = self.data
        twin = memo[id(self)] = type(self).__new__(type(self))
        for values in self.__getstate__():
            for name, value in values.items():
                setattr(twin, name, deepcopy(value, memo))
        return twin

    def freeze(self) -> S:
        return self.STATE.of(self.__dict__)

    def push(self, decision: Decision) -> None:
        """Add a decision that comes before those in progress."""
        self.frames = (*self.frames, decision)

    def pop(self) -> None:
        """Remove the innermost decision."""
        self.frames = self.frames[:-1]

    def swap(self, decision: Decision) -> None:
        """Replace the innermost decision."""
        self.frames = (*self.frames[:-1], decision)

    def emit(self, event: Event) -> None:
        """Record an event."""
        self.facts.append(event)

    def learn(self, *viewers: int) -> None:
        """Record that viewers learned something hidden."""
        for viewer in viewers:
            self.learned |= 1 << viewer
