"""What an event of this rule set is: open, unless the option `hidden` is played (R1.8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import msgspec

from leuthen.core import event
from leuthen.core.event import NOBODY
from leuthen.core.ruleset import EVERYTHING, Transition


class Event(event.Event, frozen=True, gc=False):
    """Something that happened. With `hidden`, `SECRET` fields are for its side, and all of an `OWN` event is."""

    SECRET: ClassVar[tuple[str, ...]] = ()
    OWN: ClassVar[bool] = False

    def shown_to(self, viewer: int) -> Self | None:
        """The event as a viewer may know it with the option `hidden`, or None if he does not learn of it."""
        if viewer == EVERYTHING or (viewer == self.side and viewer != NOBODY):
            return self
        if self.is_own():
            return None
        blank: Mapping[str, Any] = dict.fromkeys(self.hidden_fields())
        return msgspec.structs.replace(self, **blank) if blank else self

    def hidden_fields(self) -> tuple[str, ...]:
        """The fields that only its side gets."""
        return self.SECRET

    def is_own(self) -> bool:
        """Whether only its side hears of it."""
        return self.OWN


class Veiled(Transition, frozen=True):
    """What an action did, with the option `hidden`."""

    def events(self, viewer: int) -> tuple[Any, ...]:
        """The events as `viewer` may know them."""
        return tuple([event for fact in self.facts if (event := fact.shown_to(viewer)) is not None])
