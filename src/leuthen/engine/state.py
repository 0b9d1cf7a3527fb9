"""Positions: frozen states between actions, drafts of the next state that rules change, and their fields.

Both have the same fields and are read by the same functions. A rule set derives its `State` from its `Position` and
`FrozenPosition`, its `Draft` from its `Position` and `DraftPosition`. It declares each field once, with its type,
codec, visibility and first value, in a class from which its positions and views inherit the types:

    class Fields:
        year: int = field(NUMBER, openly)
        spent: dict[int, int] = field(table(LEADER, NUMBER), see_spent, blank={})

`FieldTable` derives the rest. A field without a visibility is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from inspect import get_annotations
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, NamedTuple, NoReturn, Self, TypeAlias, TypeVar, cast

import msgspec
from msgspec import UNSET, UnsetType

from leuthen.engine.codec import FAULTS, NUMBER, Codec, as_mapping, at
from leuthen.engine.memo import Memo
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import ActorId, Outcome, Pending, ViewerId

if TYPE_CHECKING:
    from leuthen.engine.choice import LegalSet
    from leuthen.engine.decision import Decision
    from leuthen.engine.events import Event

K = TypeVar("K", int, str)
T = TypeVar("T")

Values: TypeAlias = dict[str, Any]  # values of fields by name
Text: TypeAlias = Codec | Callable[[Any], Codec]  # a codec, or a function that makes it from a game's data
Sight: TypeAlias = Callable[[Any, Any, ViewerId], Any]
"""Function of a field's value, the position and the viewer that returns the visible value."""
MOST_TEXTS: Final = 16  # codecs of positions and views that are cached, by set of data
NEEDED: Final = object()  # marks a field without a default


def show_to_all(value: T, pos: object, viewer: ViewerId) -> T:
    """Show the value to everyone."""
    return value


def show_sorted(value: Mapping[K, T], pos: object, viewer: ViewerId) -> dict[K, T]:
    """Show a table to everyone, as a sorted copy that does not reveal its history."""
    return dict(sorted(value.items()))


class Field(NamedTuple):
    """The declaration of a field, beside its type: its codec, its visibility, and its value at the start.

    `seen_text` and `seen_as` are the codec and name of the visible value in a view, if they differ. With `is_spare` the
    field is omitted from the text while it has its blank value, as a later release needs it.
    """

    text: Text
    sight: Sight
    blank: object = NEEDED
    seen_text: Text | None = None
    seen_as: str = ""
    is_spare: bool = False


field: Final[Any] = Field  # declares a field in the class of all fields


def _declared_fields(kind: type) -> Iterator[tuple[str, Field]]:
    for base in reversed(kind.__mro__):
        for name in get_annotations(base):
            declared = base.__dict__.get(name)
            if not isinstance(declared, Field):
                raise TypeError(f"{base.__name__}.{name}: its visibility is not declared")
            delattr(base, name)
            yield name, declared


class _Text(NamedTuple):
    """The codecs of a position's fields or of those of its view for a game's data, and the decoder of their text."""

    data: object
    ways: Mapping[str, Codec]
    decoder: msgspec.json.Decoder[msgspec.Struct]


class FieldTable:
    """The fields of a rule set's positions by name."""

    def __init__(self, kind: type) -> None:
        self.fields: Mapping[str, Field] = dict(sorted(_declared_fields(kind)))
        self.names = tuple(self.fields)
        self._open = [name for name, one in self.fields.items() if one.sight is show_to_all]
        self._guarded = [
            (n, one.seen_as or n, one.sight) for n, one in self.fields.items() if one.sight is not show_to_all
        ]
        self._spare = {name: one.blank for name, one in self.fields.items() if one.is_spare}
        self._texts = Memo.with_limit(MOST_TEXTS)

    def filled(self, **given: object) -> Values:
        """Return the values of all fields: those given, and the blank values of the others."""
        blanks = {name: one.blank for name, one in self.fields.items()}
        values = {name: dict(blank) if isinstance(blank, dict) else blank for name, blank in blanks.items()} | given
        if odd := [name for name, value in values.items() if value is NEEDED or name not in self.fields]:
            raise TypeError(f"{', '.join(odd)}: not given, or no field")
        return values

    def seen(self, pos: Position, viewer: ViewerId) -> Values:
        """Return a viewer's value of each field."""
        values = {name: getattr(pos, name) for name in self._open}
        for name, seen_as, sight in self._guarded:
            values[seen_as] = sight(getattr(pos, name), pos, viewer)
        return values

    def dump(self, pos: Position) -> bytes:
        """Return the canonical text of a position: UTF-8 JSON, sorted by names."""
        written = {name: (way, getattr(pos, name)) for name, way in self._text_of(pos.data, False).ways.items()}
        kept = {n: way.write(v) for n, (way, v) in written.items() if n not in self._spare or v != self._spare[n]}
        return msgspec.json.encode(kept)

    def restore(self, data: object, text: bytes) -> Values:
        """Return the values of all fields from a canonical text. Raise Invalid with the place in it."""
        return self._spare | self._read("position", self._text_of(data, False), text, self._spare)

    def dump_view(self, data: object, view: PositionView) -> bytes:
        ways = self._text_of(data, True).ways
        return msgspec.json.encode({name: way.write(getattr(view, name)) for name, way in ways.items()})

    def restore_view(self, data: object, text: bytes) -> Values:
        """Return the values of a view from its bytes. Raise Invalid with the place in them."""
        return self._read("view", self._text_of(data, True), text, {})

    def _text_of(self, data: object, of_view: bool) -> _Text:
        return self._texts.get_or_compute((id(data), of_view), lambda: self._make_text(data, of_view))

    def _make_text(self, data: object, of_view: bool) -> _Text:
        texts = {name: one.text for name, one in self.fields.items()}
        if of_view:
            texts = dict(sorted((one.seen_as or name, one.seen_text or one.text) for name, one in self.fields.items()))
        ways = {name: text if isinstance(text, Codec) else text(data) for name, text in texts.items()}
        ways |= {"viewer": NUMBER} if of_view else {}
        spare = {} if of_view else self._spare
        plain: list[tuple[str, object] | tuple[str, object, object]] = [
            (name, way.plain | UnsetType, UNSET) if name in spare else (name, way.plain)
            for name, way in sorted(ways.items(), key=lambda item: item[0] in spare)
        ]
        text = msgspec.defstruct("Text", plain, forbid_unknown_fields=True, gc=False)
        return _Text(data, ways, msgspec.json.Decoder(text))

    def _read(self, what: str, form: _Text, text: bytes, spare: Values) -> Values:
        ways = form.ways
        try:
            found = form.decoder.decode(text)
            values = {name: getattr(found, name) for name in ways}
            return {name: ways[name].read(value) for name, value in values.items() if value is not UNSET}
        except FAULTS:
            given = at(what, lambda raw: as_mapping(msgspec.json.decode(raw)), text)
            missing = ways.keys() - given.keys() - spare.keys()
            if odd := sorted(missing | (given.keys() - ways.keys())):
                reason = "missing" if odd[0] in missing else "no such field"
                raise Invalid(f"{what}, {odd[0]}: {reason}") from None
            return {name: at(f"{what}, {name}", ways[name].read, value) for name, value in given.items()}


class LockedDict(dict[K, T]):
    """A dictionary that cannot be changed; a deep copy of it can."""

    __slots__ = ()

    def _refuse(self, *given: object, **more: object) -> NoReturn:
        raise TypeError("a table of a position does not change: change a copy of it")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> dict[K, T]:
        return deepcopy(dict(self), memo)

    def __reduce__(self) -> tuple[type[Self], tuple[dict[K, T]]]:
        return type(self), (dict(self),)


class PositionView:
    """A viewer's knowledge of a position: an immutable value with every field as the viewer sees it."""

    viewer: ViewerId

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        view = cls.__new__(cls)
        view.__dict__.update([(n, LockedDict(one) if one.__class__ is dict else one) for n, one in values.items()])
        return view

    def replace(self, **values: object) -> Self:
        return self.of({**self.__dict__, **values})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a view does not change: {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PositionView) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash(tuple([frozen(self.__dict__[name]) for name in sorted(self.__dict__)]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.__dict__.items())})"


def frozen(value: object) -> object:
    """Return a field's value in a form that can be hashed."""
    return tuple(sorted(value.items())) if isinstance(value, dict) else value


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


_set_asked, _set_legal, _set_pending = (FrozenPosition.__dict__[slot].__set__ for slot in ("asked", "legal", "pending"))


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
