"""What is to be said of a stack besides its strength: demoralized, in quarters, besieged, out of supply and more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from leuthen.rulesets.frederick.knowledge.view import SeenStack
from leuthen.rulesets.frederick.model.calendar import when
from leuthen.rulesets.frederick.model.state import SIDES, UNKNOWN
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged, is_supplied
from leuthen.rulesets.frederick.screen.reporter import Reporter, band, counted
from leuthen.screen import Badge
from leuthen.wargame.strength import is_mixed, total


class Condition(NamedTuple):
    """A state of a stack: a code, a letter for its counter, how it is called, what it means, and the rule."""

    code: str
    mark: str
    word: str
    meaning: str
    rule: str

    @property
    def badge(self) -> Badge:
        """For a counter, with its meaning as a sentence."""
        words = f"{self.word}: {self.meaning}" if self.meaning else self.word
        return Badge(self.code, self.mark, words[0].upper() + words[1:], self.rule)


DEMORALIZED = Condition(
    "demoralized", "D", "demoralized", "it neither attacks nor divides, and its initiative counts 0", "O11.1"
)
QUARTERED = Condition(
    "quartered", "W", "in winter quarters", "it does not march, attack or build until the year is over", "O14.1"
)
BESIEGED = Condition("besieged", "B", "besieged", "an enemy field stack is in the hex, and no friendly one", "O13.1")
MOVING = Condition("moving", "→", "on the march", "", "O5.13")
RETREATING = Condition("retreating", "←", "in retreat", "", "O9.15")
BOUND = Condition(
    "bound", "!", "must attack", "an overwhelming attack has failed here, and an attack must follow", "O5.17"
)
UNSUPPLIED = Condition(
    "unsupplied", "U", "out of supply", "it rolls for attrition in the Attrition Phase of the enemy's turn", "O10.8"
)


def conditions(report: Reporter, stack: SeenStack) -> Iterator[Condition]:
    """What holds of a stack, as far as the viewer can tell."""
    if stack.demoralized:
        yield DEMORALIZED
    if stack.quartered:
        yield QUARTERED
    yield from _supply(report, stack)
    yield from _siege(report, stack)
    yield from _march(report, stack)


def _supply(report: Reporter, stack: SeenStack) -> Iterator[Condition]:
    """Whether a stack is in supply now, and for how long it has not been: the latter everybody knows."""
    if stack.hungry:
        since = f"out of supply for {counted(stack.hungry, 'turn')}"
        more = f"its next roll for attrition has +{stack.hungry} if it still is then"
        yield Condition("unsupplied", f"U{stack.hungry}", since, more, "O10.8")
        return
    known = report.drawn(stack) if report.view.knows(stack.side) and stack.side in SIDES else None
    if known is not None and known.sp and not is_supplied(report.outline, known):
        yield UNSUPPLIED


def _siege(report: Reporter, stack: SeenStack) -> Iterator[Condition]:
    here, side, outline = stack.hex, stack.side, report.outline
    if side not in SIDES or here not in report.data.fortresses or report.is_moving(stack):
        return
    if stack.inside and is_besieged(outline, here, side):
        yield BESIEGED
    elif (
        not stack.inside
        and not stack.alone
        and outline.owners[here] == 1 - side
        and is_besieged(outline, here, 1 - side)
    ):
        rolls = outline.sieges.get(here, 0)
        yield Condition("besieging", "S", "besieging", f"{counted(rolls, 'roll')} so far" if rolls else "", "O13.1")


def _march(report: Reporter, stack: SeenStack) -> Iterator[Condition]:
    if report.is_moving(stack):
        yield RETREATING if any(frame.RETREATS for frame in report.view.frames) else MOVING
    if not stack.inside and stack.hex in report.view.bound and stack.side == report.view.phasing:
        yield BOUND
    if stack.marched and is_marching(report, stack.side):
        done = total(stack.marched)
        whole = done == stack.least
        word = "all SP have marched" if whole else f"{done} SP have marched"
        yield Condition("marched" if whole else "part-marched", "✓" if whole else "½", word, "", "O5.7")


def is_marching(report: Reporter, side: int) -> bool:
    """Whether it is this side's March or Force March Phase: before and after it nobody asks who has marched."""
    phases = (frame for frame in report.view.frames if isinstance(frame, MarchPhase | ForceMarchPhase))
    return any(phase.side == side for phase in phases)


def known_to(report: Reporter, stack: SeenStack) -> str:
    """What one side has seen of the other's strength, and when (O3.3)."""
    if not stack.since or (stack.low <= 1 and stack.high >= UNKNOWN):
        return ""
    if not report.view.knows(stack.side):
        return f"seen {when(stack.since)}"
    known = band(stack.low, stack.high)
    return f"the enemy knows of {known} ({when(stack.since)})" if stack.side in SIDES else ""


def remarks(report: Reporter, stack: SeenStack) -> list[str]:
    """What else is to be said of a stack, in a few words each."""
    parts = [report.points(stack.sp)] if stack.sp is not None and is_mixed(stack.sp) else []
    known = known_to(report, stack)
    return [*parts, *(condition.word for condition in conditions(report, stack)), *([known] if known else [])]
