"""What a general believes of the enemy: positions that agree with his view, drawn near what is usual.

Garrisons are small, the men are with the armies, and wars wear powers out. The numbers are means over 1,200 games of
planner and captain (`tools/selfplay.py`), who take the enemy for stronger than he is, and win by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leuthen.engine.choice import Chooser
from leuthen.rulesets.frederick.bot.belief import expected_total
from leuthen.rulesets.frederick.knowledge.view import SeenStack, View, complete_view
from leuthen.rulesets.frederick.knowledge.worlds import RandomFill
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.wargame.strength import PowerId

LED: Final[Mapping[int, float]] = {1: 22, 2: 28, 3: 19, 4: 18, 5: 16}
"""SP of a field stack by the rank of its commander; those of other ranks have `OTHERS`."""
OTHERS: Final = 14.0
ALONE: Final = 16.0
"""SP of a field stack that nobody commands."""
GARRISON: Final = 1.4
GOVERNED: Final = 1.7
"""SP inside a fortress, without a leader and with one."""
FIRST: Final = 0.82
"""What a major has in 1756 of what it should have."""
LATER: Final = (0.67, 1.02)
YEARLY: Final = 0.12
LEAST: Final = (0.3, 0.4)
"""The same of a major and of a minor power in 1757, how much less each year, and at least."""
NARROW: Final = 0.85
WIDE: Final = 0.3
"""A drawn total is at least so much of what is believed, and by up to so much more."""


def believed_world(data: GameData, view: View, rng: Chooser) -> State:
    """A position with just this view, drawn near what is usual."""
    return complete_view(data, view, Doubt(rng))


class Doubt(RandomFill):
    """Fills a view in at random, near what the enemy should have by what was learned of such wars."""

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Within the bands, each about as strong as such stacks are."""
        rng = self.rng
        weights = [usual(pos.data, stack) * (0.3 + 1.4 * rng.random()) for stack in hidden]
        more = {nation: NARROW + WIDE * rng.random() for nation in sorted({stack.nation for stack in hidden})}
        return shared(pos.data, view, hidden, weights, more)


def usual(data: GameData, stack: SeenStack) -> float:
    """How many SP such a stack has in a usual war."""
    if stack.alone:
        return 0.0
    if stack.inside:
        return GARRISON if stack.commander < 0 else GOVERNED
    return ALONE if stack.commander < 0 else LED.get(data.leaders[stack.commander].rank, OTHERS)


def shared(
    data: GameData, view: View, hidden: Sequence[SeenStack], weights: Sequence[float], more: Mapping[PowerId, float]
) -> list[int]:
    """The SP of each stack: what is known stands; garrisons are as usual; the armies share what is left.

    `more`: by power, how many times what it should have it is taken to have.
    """
    found = [0 if stack.alone else max(1, stack.low) for stack in hidden]
    for nation in sorted({stack.nation for stack in hidden}):
        camp = [n for n, stack in enumerate(hidden) if stack.nation == nation and not stack.alone]
        for n in camp:
            if hidden[n].inside:
                found[n] = _within(hidden[n], weights[n])
        armies = [n for n in camp if not hidden[n].inside and hidden[n].low < hidden[n].high]
        left = present(data, view, nation) * more.get(nation, 1.0) - sum(found[n] for n in camp if n not in armies)
        whole = sum(weights[n] for n in armies)
        for n in armies:
            found[n] = _within(hidden[n], left * weights[n] / whole)
    return found


def _within(stack: SeenStack, points: float) -> int:
    """The number of SP in a stack's band that is nearest."""
    return max(1, stack.low, min(stack.high, round(points)))


def present(data: GameData, view: View, power: PowerId) -> float:
    """How many SP a power should have by now: a war wears it out."""
    total = expected_total(data, view, power)
    if power in MAJORS and view.year == FIRST_YEAR:
        return total * FIRST
    minor = power not in MAJORS
    return total * max(LEAST[minor], LATER[minor] - YEARLY * (view.year - FIRST_YEAR - 1))
