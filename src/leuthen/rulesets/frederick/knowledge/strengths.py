"""How strong hidden stacks may be: by the bands that the viewer knows, and by what he knows openly of each power."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from leuthen.engine.choice import Chooser
from leuthen.rulesets.frederick.knowledge.view import SeenStack, View
from leuthen.rulesets.frederick.model.data import ALL_POWERS, GameData, Scenario
from leuthen.rulesets.frederick.model.state import SIDES, UNKNOWN
from leuthen.rulesets.frederick.rules.c06_increments import GRANT
from leuthen.wargame.strength import PowerId, of

LOWEST, HIGHEST = 0.35, 1.15
"""Between what shares of what it could have a power may lie: losses in battle are in no view."""
YEARLY: Final = 0.15
"""What the commitment table adds to a minor power in a year, about (C7.2)."""
PER_POINT: Final = 0.1
"""What a Resource Point adds to a major (C6.3)."""
ALONE_SHARE: Final = 0.25
"""How many times a stack without a leader, or inside, weighs what a led field stack weighs."""


def draw_strengths(data: GameData, view: View, hidden: Sequence[SeenStack], rng: Chooser) -> list[int]:
    """The SP of each hidden stack, within its band; 0 for leaders alone."""
    strengths = [0 if stack.alone else max(1, stack.low) for stack in hidden]
    for power in ALL_POWERS:
        camp = [n for n, stack in enumerate(hidden) if stack.nation == power and not stack.alone]
        if camp:
            _share_out(data, view, power, hidden, camp, strengths, rng)
    return strengths


def _share_out(
    data: GameData, view: View, power: PowerId, hidden: Sequence[SeenStack], camp: Sequence[int],
    strengths: list[int], rng: Chooser,
) -> None:  # fmt: skip
    """What a power has is spread over its stacks by weight, each within its band."""
    whole = int(expected(data, view, power) * (LOWEST + (HIGHEST - LOWEST) * rng.random()))
    weights = {n: (0.2 + rng.random()) * _weight(hidden[n]) for n in camp}
    for n in camp:
        if hidden[n].high < UNKNOWN:
            strengths[n] += int(rng.random() * (hidden[n].high - strengths[n] + 1))
    free = [n for n in camp if hidden[n].high >= UNKNOWN]
    left = max(0, whole - sum(strengths[n] for n in camp))
    heavy = sum(weights[n] for n in free)
    for n in free:
        strengths[n] += int(left * weights[n] / heavy)


def _weight(stack: SeenStack) -> float:
    return ALONE_SHARE if stack.commander < 0 or stack.inside else 1.0


def expected(data: GameData, view: View, power: PowerId) -> int:
    """About how many SP a power could have by what is open: its set-up, years, RP spent, limit, prisoners."""
    plan = data.scenarios[view.scenario]
    start = plan.begun[power]
    limit = data.powers[power].limit
    lost = sum(of(held, power) for held in view.prisoners)
    years = max(0, view.year - plan.year)
    grown = start * (1 + YEARLY * years) if limit else start * (1 + PER_POINT * _spent(plan, view, power))
    return max(0, int(min(limit, grown) if limit else grown) - lost)


def _spent(plan: Scenario, view: View, power: PowerId) -> float:
    """About how many Resource Points a major has spent, of those it had at first or was granted (C6.1, C6.3)."""
    if view.year == 1756 or power not in SIDES:
        return 0.0
    return float(max(0, (GRANT if plan.par is None else plan.rp)[power] - view.rp[power]))
