"""An event, and who gets to know it.

What a viewer may not know stands in fields named in `HIDDEN`: only `side` gets them, everyone else gets None there.
An event with `PRIVATE` is for its side alone. Both are settled when the event is made, not when it is read. In a game
in which nothing is hidden (`Transition.is_open`) all of it is told to all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from string import Formatter
from typing import Any, ClassVar, Final, Self, dataclass_transform

import msgspec

from leuthen.engine.choice import Kind, tag_of
from leuthen.engine.ruleset import EVERYTHING, NOBODY, OTHER, SIDES, WATCHER, OwnerId, ViewerId


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Event(msgspec.Struct, metaclass=Kind, frozen=True, gc=False, tag_field="event", tag=tag_of, kw_only=True):
    """Something that happened, by the rule `RULE`."""

    SETTINGS: ClassVar[Mapping[str, object]] = {"kw_only": True}
    RULE: ClassVar[str] = ""
    HIDDEN: ClassVar[tuple[str, ...]] = ()
    PRIVATE: ClassVar[bool] = False
    HIDES: ClassVar[bool] = False
    """Whether anything of such an event may be hidden from anybody."""
    IS_SMALL: ClassVar[bool] = False
    """Whether a terse chronicle leaves it out."""
    BEGINS_TURN: ClassVar[bool] = False
    """Whether what comes after it happens in another turn."""
    TOPIC: ClassVar[str] = ""
    """What kind of news of the war it is, so that news can be listed: «siege», «leaders»."""
    HURTS: ClassVar[str] = ""
    """To which side it does something: its `own` or the `other`; "" if to none."""
    HURTS_IF: ClassVar[str] = ""
    """The field without which it does nothing to anybody; "" if it always does."""

    SENTENCE: ClassVar[str] = ""
    """What it says, where no more is needed than its fields (`worded`)."""
    DEED: ClassVar[str] = ""
    """The same of what its side does, where the sentence begins with the side."""

    side: OwnerId = NOBODY
    """Whose it is: who may know all of it."""
    by: str = ""
    """The rule by which it happened, where that is not `RULE`."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        decides = cls.hidden_fields is not Event.hidden_fields or cls.is_private is not Event.is_private
        cls.HIDES = bool(cls.HIDDEN) or cls.PRIVATE or decides

    @property
    def rule(self) -> str:
        """The rule by which it happened."""
        return self.by or self.RULE

    @property
    def topic(self) -> str:
        """What kind of news it is; «turn» where a turn begins."""
        return "turn" if self.BEGINS_TURN else self.TOPIC

    @property
    def hurts(self) -> int:
        """The side to which it does something."""
        if not self.HURTS or (self.HURTS_IF and not getattr(self, self.HURTS_IF)):
            return NOBODY
        return self.side if self.HURTS == "own" or self.side not in SIDES else OTHER[self.side]

    @property
    def way(self) -> tuple[int, ...]:
        """The way that somebody goes, from its start; () if nobody does."""
        return ()

    def seen_by(self, viewer: ViewerId) -> Self | None:
        """The event as a viewer may know it, or None if he does not learn of it; what is open, all do (O3.5)."""
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
        """The fields that only its side gets."""
        return self.HIDDEN

    def is_private(self) -> bool:
        """Whether only its side hears of it."""
        return self.PRIVATE

    def deed(self, names: Any) -> str:
        """What its side does, of an event whose sentence begins with the side: for a column of that side."""
        return worded(self.DEED, self, names)

    def tell(self, names: Any) -> str:
        """The sentence, without the rule."""
        return worded(self.SENTENCE, self, names) if self.SENTENCE else f"{names.side(self.side)} {self.deed(names)}"


def worded(sentence: str, event: Event, names: object) -> str:
    """A sentence with the fields of an event in it.

    «{power}» is a field as the names' method of that name words it, «{joins:side}» as another of their methods does,
    «{:sum}» the whole event as one does. «{lost:lost|saved}» is the first of two texts if the field is true, else the
    second; there may be fields in them. What the names have no word for stands there as it is, «{points[0]}» too.
    """
    return "".join([before + _word(event, names, *field) for before, *field in _parts(sentence)])


@cache
def _parts(sentence: str) -> tuple[tuple[str, str, str], ...]:
    """The text before each field, the field, and what is said of it."""
    return tuple((before, name or "", said or "") for before, name, said, _ in _FORMATTER.parse(sentence))


def _word(event: Event, names: object, name: str, said: str) -> str:
    if not name and not said:
        return ""
    value = _FORMATTER.get_field(f"0.{name}", (event,), {})[0] if name else event
    if choice := _choice(said):
        return worded(choice[0] if value else choice[1], event, names)
    word = getattr(names, said or name, None)
    return str(word(value)) if callable(word) else format(value, said)


@cache
def _choice(said: str) -> tuple[str, str] | None:
    """The two texts of a choice: what stands before and behind its stroke, fields in them with strokes of their own."""
    depth = 0
    for place, letter in enumerate(said):
        depth += (letter == "{") - (letter == "}")
        if letter == "|" and not depth:
            return said[:place], said[place + 1 :]
    return None


_FORMATTER: Final = Formatter()
