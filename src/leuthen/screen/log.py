"""Log entries: a roll with its steps, its table cell and its luck, and the entry of an event."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from leuthen.engine.codec import JSON
from leuthen.engine.events import Event
from leuthen.engine.ruleset import SIDES
from leuthen.screen.figures import plus, signed
from leuthen.screen.values import LogEntry, Luck, Spot
from leuthen.wargame.board import hex_name

Parts: TypeAlias = tuple[tuple[int, str], ...]
ONE_DIE: Final = range(1, 7)
TWO_DICE: Final = range(2, 13)


class DiceCheck(msgspec.Struct, frozen=True, kw_only=True):
    """A roll of one die, or of two as their sum, with its modifiers.

    `counts` is the result after the limits of a table, `need` the number that was needed or the effect, `spot` the
    table cell. `worth` rates a face for `side`, more is better; without it the roll has no luck. `is_shared` means that
    the other side's luck is the opposite.
    """

    side: int
    die: int
    parts: Parts = ()
    counts: int | None = None
    need: str = ""
    spot: Spot | None = None
    worth: Callable[[int], float] | None = None
    is_shared: bool = False
    is_sum: bool = False

    @property
    def total(self) -> int:
        return self.die + sum(number for number, _ in self.parts)

    def steps(self) -> Iterator[str]:
        """Yield the steps from the die to the total: modifiers with reasons, the counted result, the need."""
        counting = [(number, reason) for number, reason in self.parts if number]
        yield f"{'dice' if self.is_sum else 'die'} {self.die}"
        yield from (f"{plus(number)} {reason}" for number, reason in counting)
        if counting:
            yield f"= {signed(self.total)}"
        if self.counts not in (None, self.total):
            yield f"counts as {signed(self.counts or 0)}"
        if self.need:
            yield self.need

    def luck(self) -> tuple[Luck, ...]:
        """Return the luck of the roll for its side, and for the other side if it is shared."""
        faces = TWO_DICE if self.is_sum else ONE_DIE
        if self.worth is None or self.side not in SIDES or self.die not in faces:
            return ()
        ways = [6 - abs(7 - face) for face in faces] if self.is_sum else [1] * len(faces)
        value = middle_rank([self.worth(face) for face in faces], self.worth(self.die), ways)
        if value is None:
            return ()
        own = Luck(self.side, value)
        return (own, Luck(1 - self.side, round(1 - value, 4))) if self.is_shared else (own,)

    def entry(self) -> dict[str, JSON]:
        """Return the fields of a log entry that a roll fills."""
        return {
            "dice": (self.die,),
            "steps": tuple(self.steps()),
            "spot": self.spot,
            "luck": self.luck(),
            "is_sum": self.is_sum,
        }


def middle_rank(worths: Sequence[float], mine: float, ways: Sequence[int]) -> float | None:
    """Return the probability of a worse face plus half that of an equal one (0 to 1); None if all faces are equal.

    `ways` is the number of ways to roll each face.
    """
    if min(worths) == max(worths):
        return None
    less = sum(way for worth, way in zip(worths, ways, strict=True) if worth < mine)
    equal = sum(way for worth, way in zip(worths, ways, strict=True) if worth == mine)
    return round((less + equal / 2) / sum(ways), 4)


def die_of(event: Event) -> int:
    """Return the die of an event, or the sum of two; 0 if nothing was rolled."""
    found: int = getattr(event, "die", 0) or getattr(event, "dice", 0)
    return found


def make_entry(event: Event, text: str, check: DiceCheck | None, **more: Any) -> LogEntry:
    """Return the log entry of an event with its roll; `more` are fields that the rule set adds."""
    return LogEntry(
        event=str(event.__struct_config__.tag),
        text=text,
        rule=event.rule,
        side=event.side,
        hurts=event.hurts,
        is_small=event.IS_SMALL,
        path=tuple(map(hex_name, event.way)),
        topic=event.topic,
        **more,
        **(check.entry() if check else {}),
    )
