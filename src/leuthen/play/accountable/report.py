"""What a check has found, in sentences: what holds, what was not checked, and what no check can prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from leuthen.wargame.names import counted

_TOLD: Final = 8
"""Lines that are listed in a sentence."""


class Fallen(NamedTuple):
    """A number that fell: at which place, one of how many cases, with which links in force.

    `answers`: those that the proof lists for a draw, by case; none for dice, and for a draw without a list.
    """

    place: int
    cases: int
    links: tuple[str, str]
    answers: tuple[str, ...] = ()


class Unlinked(NamedTuple):
    """The lines of the record, from 1, that came without a link of their side, with the side."""

    bare: dict[int, str]
    """By a program, or because only one answer was possible."""
    instructed: dict[int, str]
    """By a standing instruction, of a side that has a chain."""


class CheckReport(NamedTuple):
    """What a check has found: everything holds, or else there was no report."""

    holds: tuple[str, ...]
    unchecked: tuple[str, ...]
    """What could not be checked, with counts and reasons: unless there is nothing of it, the game is not whole."""
    open: tuple[str, ...]
    """What no check of this file can prove."""
    fallen: Mapping[int, Fallen]
    """By the line of the record, from 1, what chance answered since the proof began."""
    secret: bytes | None
    """The game's secret, once it is opened."""
    unlinked: Unlinked
    without_rules: tuple[str, ...] = ()
    """What is not checked as long as nobody has asked the rules."""

    @property
    def is_whole(self) -> bool:
        """Whether everything was checked, by the rules too."""
        return not self.all_unchecked

    @property
    def all_unchecked(self) -> tuple[str, ...]:
        """What was not checked, what only the rules can tell included if they were not asked."""
        return (*self.unchecked, *self.without_rules)

    def judged(self, said: str, chosen: Mapping[int, str]) -> CheckReport:
        """The same after the rules were asked: what they say, and the lines without a link where there was a choice."""
        forced = len(self.unlinked.bare) - len(chosen)
        so = "came without a link; by the rules there was nothing to choose"
        holds = (*self.holds, said, *([f"{counted(forced, 'answer')} {so}."] if forced else []))
        without = tuple(without_link(chosen, "though there was a choice, by a program or by nobody of that side"))
        bare = self.unlinked._replace(bare={})
        return self._replace(holds=holds, unchecked=(*self.unchecked, *without), unlinked=bare, without_rules=())

    def unjudged(self, why: str) -> CheckReport:
        """The same where the rules could not be asked, or not to the end."""
        return self._replace(unchecked=(*self.unchecked, why))


def without_link(lines: Mapping[int, str], why: str) -> Iterator[str]:
    """By side, the lines that came without a link."""
    for side in dict.fromkeys(lines.values()):
        own = [line for line, other in lines.items() if other == side]
        yield (
            f"{side} acted {counted(len(own), 'time')} without a link (line {listed(own)}), {why}; "
            f"that it was {side}, nobody can prove."
        )


def listed(lines: Sequence[int]) -> str:
    """Some numbers, the first of them."""
    return ", ".join(map(str, lines[:_TOLD])) + (", …" if len(lines) > _TOLD else "")
