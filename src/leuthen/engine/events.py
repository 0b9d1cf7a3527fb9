"""Events, redacted by viewer.

Fields named in `HIDDEN` are visible to `side` only; other viewers get None. An event with `PRIVATE` is visible to its
side only. Both are fixed when the event is created. In a game without hidden facts (`Transition.is_open`) everyone sees
everything.
"""

from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any, ClassVar, Final, Self, dataclass_transform

import msgspec

from leuthen.engine.choice import Kind, tag_of
from leuthen.engine.ruleset import EVERYTHING, NOBODY, OTHER, SIDES, WATCHER, OwnerId, ViewerId


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Event(msgspec.Struct, metaclass=Kind, frozen=True, gc=False, tag_field="event", tag=tag_of, kw_only=True):
    """A change in a game, by the rule `RULE`."""

    SETTINGS: ClassVar[Mapping[str, object]] = {"kw_only": True}
    RULE: ClassVar[str] = ""
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    PRIVATE: ClassVar[bool] = False
    HIDES: ClassVar[bool] = False  # whether any part of such an event may be hidden
    IS_SMALL: ClassVar[bool] = False  # whether a terse chronicle omits it
    BEGINS_TURN: ClassVar[bool] = False  # whether the events after it belong to another turn
    TOPIC: ClassVar[str] = ""  # the kind of news, such as "siege" or "leaders", used for lists
    HURTS: ClassVar[str] = ""  # the side that it harms: "own", "other" or "" for none
    HURTS_IF: ClassVar[str] = ""  # the field without which it harms no side; "" if it always does
    HURTS_UNLESS: ClassVar[str] = ""  # the field with which it harms no side

    SENTENCE: ClassVar[str] = ""  # the template of its sentence (`worded`)
    DEED: ClassVar[str] = ""  # the template of its sentence after the name of its side

    side: OwnerId = NOBODY  # the owner, who may know all of it
    by: str = ""  # the rule, if it is not `RULE`

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        decides = cls.hidden_fields is not Event.hidden_fields or cls.is_private is not Event.is_private
        cls.HIDES = bool(cls.HIDDEN) or cls.PRIVATE or decides

    @property
    def rule(self) -> str:
        return self.by or self.RULE

    @property
    def topic(self) -> str:
        """The kind of news; "turn" if a turn begins."""
        return "turn" if self.BEGINS_TURN else self.TOPIC

    @property
    def hurts(self) -> int:
        """The side that it harms."""
        is_spared = self.HURTS_UNLESS and getattr(self, self.HURTS_UNLESS)
        if not self.HURTS or is_spared or (self.HURTS_IF and not getattr(self, self.HURTS_IF)):
            return NOBODY
        return self.side if self.HURTS == "own" or self.side not in SIDES else OTHER[self.side]

    @property
    def way(self) -> tuple[int, ...]:
        """The hexes that a force moves through, with its start."""
        return ()

    def mask_for(self, viewer: ViewerId) -> Self | None:
        """Return the event as a viewer may know it, or None if it is hidden from the viewer (O3.5)."""
        if not self.HIDES:
            return self
        hidden, private = self.hidden_fields(), self.is_private()
        if (not hidden and not private) or (viewer in (self.side, EVERYTHING) and viewer != WATCHER):
            return self
        if private:
            return None
        blank: Mapping[str, None] = dict.fromkeys(hidden)
        return msgspec.structs.replace(self, **blank)

    def hidden_fields(self) -> tuple[str, ...]:
        """Return the fields that only its side may know."""
        return self.HIDDEN

    def is_private(self) -> bool:
        """Return whether only its side may know of it."""
        return self.PRIVATE

    def deed(self, names: Any) -> str:
        """Return the sentence without the side's name, for a column of that side."""
        return fill_sentence(self.DEED, self, names)

    def describe(self, names: Any) -> str:
        """Return the sentence, without the rule."""
        return (
            fill_sentence(self.SENTENCE, self, names)
            if self.SENTENCE
            else f"{names.side(self.side)} {self.deed(names)}"
        )


def fill_sentence(sentence: str, event: Event, names: object) -> str:
    """Return a sentence with the fields of an event filled in.

    "{power}" is a field in the words of the names' method `power`, "{joins:side}" in those of another method, "{:sum}"
    the whole event. "{lost:lost|saved}" is the first text if the field is true, else the second; both may contain
    fields. Fields without a method are formatted as they are, also "{points[0]}".
    """
    return "".join([before + _word(event, names, *field) for before, *field in _parts(sentence)])


@cache
def _parts(sentence: str) -> tuple[tuple[str, str, str], ...]:
    return tuple((before, name or "", said or "") for before, name, said, _ in _FORMATTER.parse(sentence))


def _word(event: Event, names: object, name: str, said: str) -> str:
    if not name and not said:
        return ""
    value = _FORMATTER.get_field(f"0.{name}", (event,), {})[0] if name else event
    if choice := _choice(said):
        return fill_sentence(choice[0] if value else choice[1], event, names)
    word = getattr(names, said or name, None)
    return str(word(value)) if callable(word) else format(value, said)


@cache
def _choice(said: str) -> tuple[str, str] | None:
    depth = 0
    for place, letter in enumerate(said):
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and not depth:
            return said[:place], said[place + 1 :]
    return None


_FORMATTER: Final = Formatter()
