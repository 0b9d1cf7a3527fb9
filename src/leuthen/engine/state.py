"""A position: a frozen state between two actions, and the draft of the next one that rules change.

Both have the same fields, read by the same functions. A rule set makes its own `Position` with its fields, its `State`
from that and `Frozen`, its `Draft` from that and `Drafting`.
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

S = TypeVar("S", bound="Frozen")
Attributes: TypeAlias = tuple[Values, Values]
"""The attributes of a position by name: those of its dictionary, and those that have slots."""


class Position:
    """Everything that describes a game at one instant, in the fields named in `FIELDS`."""

    FIELDS: ClassVar[tuple[str, ...]] = ()
    CACHES: ClassVar[tuple[str, ...]] = ("known", "legal", "pending")
    """What was computed from the fields, and is computed again where it is missing: a copy begins without it."""
    data: Any
    """What the game was made from; no part of its value."""
    known: Memo
    """What was computed from the position as it stands."""
    frames: tuple[Any, ...]
    """The decisions in progress, the innermost last."""
    year: int
    turn: int
    """The date, of a game that does not tell it otherwise (`RulesetBase.date`)."""
    outcome: Outcome | None
    options: Any
    """What the game is played with."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and all(getattr(self, f) == getattr(other, f) for f in self.FIELDS)

    def __hash__(self) -> int:
        return hash(tuple(frozen(getattr(self, field)) for field in self.FIELDS))

    def __getstate__(self) -> Attributes:
        """What is pickled: the attributes without what can be computed again."""
        plain, slots = cast("Attributes", object.__getstate__(self))
        return self._without_caches(plain), self._without_caches(slots)

    def _without_caches(self, values: Values) -> Values:
        return {name: type(value)() if name in self.CACHES else value for name, value in values.items()}


class Frozen(Position):
    """What makes a position a state: it never changes."""

    __slots__ = ("asked", "legal", "pending")

    asked: list[tuple[ActorId, ...]]
    """Who is asked, once somebody wanted to know."""
    legal: dict[int, LegalSet]
    """The legal sets asked for so far, by actor."""
    pending: list[tuple[Pending, ...]]
    """The decisions that are awaited, once somebody wanted to know."""

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a State does not change: {name}")

    def __setstate__(self, values: Attributes) -> None:
        for name, value in {**values[0], **values[1]}.items():
            object.__setattr__(self, name, value)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself, because it never changes."""
        return self

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """The state with these attributes."""
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


_set_asked: Any = Frozen.__dict__["asked"].__set__
_set_legal: Any = Frozen.__dict__["legal"].__set__
_set_pending: Any = Frozen.__dict__["pending"].__set__


class Drafting(Position, Generic[S]):
    """What makes a position a draft: it changes, and remembers what happened and who learned something hidden."""

    __slots__ = ("facts", "learned")

    STATE: type[S]
    """What it is frozen into."""
    facts: list[Event]
    learned: int

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Another draft of the same game: only what it was made from is shared."""
        memo[id(self.data)] = self.data
        twin = memo[id(self)] = type(self).__new__(type(self))
        for values in self.__getstate__():
            for name, value in values.items():
                setattr(twin, name, deepcopy(value, memo))
        return twin

    def freeze(self) -> S:
        """The finished state."""
        return self.STATE.of(self.__dict__)

    def push(self, decision: Decision) -> None:
        """A decision that comes before those in progress."""
        self.frames = (*self.frames, decision)

    def pop(self) -> None:
        """The innermost decision is done."""
        self.frames = self.frames[:-1]

    def swap(self, decision: Decision) -> None:
        """Another decision takes the place of the innermost."""
        self.frames = (*self.frames[:-1], decision)

    def emit(self, event: Event) -> None:
        """Something happened."""
        self.facts.append(event)

    def learn(self, *viewers: int) -> None:
        """These viewers learned something hidden."""
        for viewer in viewers:
            self.learned |= 1 << viewer
