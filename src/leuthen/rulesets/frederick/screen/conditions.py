"""What is to be said of a stack besides its strength: demoralized, in quarters, besieged, out of supply and more."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from leuthen.rulesets.frederick.knowledge.view import SeenStack
from leuthen.rulesets.frederick.model.state import SIDES
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_besieged, is_supplied
from leuthen.rulesets.frederick.screen.reporter import Reporter
from leuthen.screen import Badge
from leuthen.wargame.names import counted
from leuthen.wargame.strength import total


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


class Facts(NamedTuple):
    """What the conditions of a stack depend on beside itself."""

    is_unsupplied: bool
    siege: int | None
    """The rolls made in the siege that it lays or suffers, or None."""
    is_moving: bool
    is_retreating: bool
    is_bound: bool
    is_marching: bool
    """Whether it is a March or Force March Phase of its side."""


def facts_of(report: Reporter, stack: SeenStack) -> Facts:
    """The facts, as far as the viewer can tell."""
    is_moving, side = report.is_moving(stack), stack.side
    return Facts(
        _is_unsupplied(report, stack),
        None if is_moving or side not in SIDES else _siege_of(report, stack),
        is_moving,
        is_moving and report.is_retreat,
        not stack.inside and stack.hex in report.view.bound and side == report.view.phasing,
        side in report.marching,
    )


def _is_unsupplied(report: Reporter, stack: SeenStack) -> bool:
    """Whether a stack of which the viewer knows everything is out of supply now."""
    known = report.drawn(stack) if stack.side in SIDES and report.view.knows(stack.side) else None
    return known is not None and known.sp > 0 and not is_supplied(report.outline, known)


def _siege_of(report: Reporter, stack: SeenStack) -> int | None:
    here, outline = stack.hex, report.outline
    owner = outline.owners.get(here)
    if owner not in SIDES or stack.inside != (owner == stack.side) or (stack.alone and not stack.inside):
        return None
    return outline.sieges.get(here, 0) if is_besieged(outline, here, owner) else None


def conditions(report: Reporter, stack: SeenStack) -> Iterator[Condition]:
    """What holds of a stack, as far as the viewer can tell."""
    return conditions_by(stack, facts_of(report, stack))


def conditions_by(stack: SeenStack, facts: Facts) -> Iterator[Condition]:
    """What holds of a stack of which the facts are known."""
    if stack.demoralized:
        yield DEMORALIZED
    if stack.quartered:
        yield QUARTERED
    yield from _supply(stack, facts)
    yield from _siege(stack, facts)
    yield from _march(stack, facts)


def _supply(stack: SeenStack, facts: Facts) -> Iterator[Condition]:
    """Whether a stack is in supply now, and for how long it has not been: the latter everybody knows."""
    if stack.hungry:
        since = f"out of supply for {counted(stack.hungry, 'turn')}"
        more = f"its next roll for attrition has +{stack.hungry} if it still is then"
        yield Condition("unsupplied", f"U{stack.hungry}", since, more, "O10.8")
    elif facts.is_unsupplied:
        yield UNSUPPLIED


def _siege(stack: SeenStack, facts: Facts) -> Iterator[Condition]:
    if facts.siege is not None and stack.inside:
        yield BESIEGED
    elif facts.siege is not None:
        so_far = f"{counted(facts.siege, 'roll')} so far" if facts.siege else ""
        yield Condition("besieging", "S", "besieging", so_far, "O13.1")


def _march(stack: SeenStack, facts: Facts) -> Iterator[Condition]:
    if facts.is_moving:
        yield RETREATING if facts.is_retreating else MOVING
    if facts.is_bound:
        yield BOUND
    if stack.marched and facts.is_marching:
        done = total(stack.marched)
        whole = done == stack.least
        word = "all SP have marched" if whole else f"{done} SP have marched"
        yield Condition("marched" if whole else "part-marched", "✓" if whole else "½", word, "", "O5.7")
