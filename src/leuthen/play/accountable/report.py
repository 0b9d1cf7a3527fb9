"""What a check has found, in sentences: what holds, and what it does not prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leuthen.wargame.names import counted

_TOLD: Final = 8
"""Lines that are listed in a sentence."""


class Fallen(NamedTuple):
    """A number that fell: at which place, one of how many cases, with which links in force."""

    place: int
    cases: int
    links: tuple[str, str]


class Unlinked(NamedTuple):
    """The lines of the record, from 1, that came without a link of their side, with the side."""

    bare: dict[int, str]
    """By a program, or because only one answer was possible."""
    instructed: dict[int, str]
    """By a standing instruction, of a side that has a chain."""


class CheckReport(NamedTuple):
    """What a check has found."""

    holds: tuple[str, ...]
    open: tuple[str, ...]
    """What it does not prove."""
    fallen: Mapping[int, Fallen]
    """By the line of the record, from 1, what chance answered since the proof began."""
    secret: bytes | None
    """The game's secret, once it is opened."""
    unlinked: Unlinked

    def judged(self, said: str, chosen: Mapping[int, str]) -> CheckReport:
        """The same after the rules were asked: what they say, and the lines without a link where there was a choice."""
        forced = len(self.unlinked.bare) - len(chosen)
        so = "came without a link; by the rules there was nothing to choose"
        holds = (*self.holds, said, *([f"{counted(forced, 'answer')} {so}."] if forced else []))
        without = tuple(_without(chosen, "though there was a choice, by a program or by nobody of that side"))
        return self._replace(holds=holds, open=(*self.open, *without), unlinked=self.unlinked._replace(bare={}))

    @property
    def unproved(self) -> tuple[str, ...]:
        """What is not proved, and the lines without a link that no rule set has judged."""
        why = "by a program or because only one answer was possible"
        return (*self.open, *_without(self.unlinked.bare, why))


def _without(lines: Mapping[int, str], why: str) -> Iterator[str]:
    for side in dict.fromkeys(lines.values()):
        own = [line for line, other in lines.items() if other == side]
        yield (
            f"{side} acted {counted(len(own), 'time')} without a link (line {listed(own)}), {why}; "
            f"that it was {side}, nobody can prove."
        )


def listed(lines: Sequence[int]) -> str:
    """Some numbers, the first of them."""
    return ", ".join(map(str, lines[:_TOLD])) + (", …" if len(lines) > _TOLD else "")
