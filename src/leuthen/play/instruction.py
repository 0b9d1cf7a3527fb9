"""A side's standing instruction as a table keeps it, and its words in the record.

```
   41 prussia standing react Keith attack at 1623 of 0-25 odds 60; hold other
   57 prussia standing stop Daun comes to 1623 with 30 TP, more than the 25 of «react Keith …»
   58 prussia standing off
```

The words change no position. A replay reads them and asks no instruction anything: what one has answered stands in the
record as the action that it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.standing import Standing, Surprise, answer_from

OFF: Final = "off"
STOP: Final = "stop"
BETWEEN: Final = "; "
MOST: Final = 40
"""Clauses of an instruction."""
LONGEST: Final = 300
"""Characters of a clause."""


class Instruction(msgspec.Struct, frozen=True):
    """What a side has said beforehand: clauses by their lines.

    `stopped` says why it is in force no longer; `alarm`: what its owner was told since, and it did not foresee, so that
    it must stop.
    """

    lines: tuple[str, ...] = ()
    stopped: str = ""
    alarm: str = ""

    @property
    def is_armed(self) -> bool:
        """Whether it is in force."""
        return bool(self.lines) and not self.stopped

    def alarmed(self, reason: str) -> Instruction:
        """The same after a surprise; the first one counts."""
        return msgspec.structs.replace(self, alarm=self.alarm or reason) if self.is_armed else self

    def stop(self, reason: str) -> Instruction:
        """The same, in force no longer."""
        return Instruction(self.lines, reason) if self.is_armed else self

    def hearing(self, standing: Standing | None, side: Side, events: Iterable[Event]) -> Instruction:
        """The same after its owner was told of these events."""
        found = self
        if standing is not None and self.is_armed:
            for event in events:
                surprise = standing.alarm(side, event)
                found = found.alarmed(surprise.reason) if surprise else found
        return found

    def answer(self, standing: Standing | None, view: object, legal: LegalSet) -> Action | Surprise | None:
        """What it answers to what its owner is asked, or why it must stop; None if he is to be asked."""
        if standing is None or not self.is_armed:
            return None
        return Surprise(self.alarm) if self.alarm else answer_from(standing, view, legal, self.lines)

    def told(self, text: str) -> Instruction:
        """What it is after a line of its owner. Raises Invalid."""
        word, _, rest = text.partition(" ")
        if text == OFF:
            return Instruction()
        if word == STOP:
            if not self.is_armed or not rest.strip():
                raise Invalid("no standing instruction is in force that could stop")
            return self.stop(rest)
        return Instruction(_lines(text))


def _lines(text: str) -> tuple[str, ...]:
    lines = tuple(line.strip() for line in text.split(BETWEEN.strip()))
    if not all(lines) or len(lines) > MOST or any(len(line) > LONGEST for line in lines):
        raise Invalid(f"a standing instruction is 1 to {MOST} clauses of at most {LONGEST} characters, or «{OFF}»")
    return lines


def words_of(lines: Sequence[str]) -> str:
    """The line of an instruction with these clauses; without any it is taken back."""
    return BETWEEN.join(lines) or OFF
