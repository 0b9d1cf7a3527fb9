"""Belief about the enemy's hidden strength: one estimate, and random worlds close to the average war.

Both follow from the view alone, so equal views give equal decisions. The captain overestimates the enemy on purpose,
because that wins more games. The averages come from 1,200 games (`tools/selfplay.py`): garrisons are small, most SP are
with the armies, and a war wears powers out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from leuthen.engine.choice import RandomSource
from leuthen.rulesets.frederick.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.frederick.knowledge import Filler, RandomFill, View, complete_view
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import SeenStack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.rulesets.frederick.rules.c06_resources import granted
from leuthen.wargame.board import StackKey
from leuthen.wargame.bot.belief import Band, share_strength
from leuthen.wargame.strength import PowerId, of

WASTAGE: Final = 0.93  # factor by which a major power's army shrinks in a year of war, recruits apart
GROWTH: Final = 1.1  # factor by which a minor power's army grows in a year, recruits and losses included
BY_RANK: Final = (12, 12, 8, 5, 4, 3, 3, 2, 2, 2)  # relative SP of a field commander, by rank
WALLS: Final = 3.0  # divisor for the SP of a commander inside a fortress


def estimate_state(data: GameData, view: View, weights: BotWeights = CAPTAIN) -> State:
    return complete_view(data, view, Estimate(weights))


class Estimate(Filler):
    def __init__(self, weights: BotWeights) -> None:
        self._weights = weights

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        def guess() -> Sequence[int]:
            guesses = estimates(pos.data, view, self._weights)
            return [guesses.get(seen.key, 0) for seen in hidden]

        facts = view.year, view.turn, view.rp, view.prisoners, tuple(hidden), self._weights
        return pos.lasting.get_latest(("estimated", view.viewer), facts, guess)


def estimates(data: GameData, view: View, weights: BotWeights = CAPTAIN) -> dict[StackKey, int]:
    """Return the estimated SP of each hidden stack: the power's expected total, divided by weight."""
    seen = view.stacks if view.moving is None else (*view.stacks, view.moving)
    hidden = [stack for stack in seen if stack.sp is None and not stack.alone]
    found: dict[StackKey, int] = {}
    for nation in sorted({stack.nation for stack in hidden}):
        bands = [
            Band(stack.key, stack.low, stack.high, weights.max_enemy_army, weight_of(data, stack))
            for stack in hidden if stack.nation == nation
        ]  # fmt: skip
        found.update(share_strength(bands, weights.enemy_strength_factor * expected_total(data, view, nation)))
    return found


def expected_total(data: GameData, view: View, power: PowerId) -> float:
    """Return the SP that a power should have on the map, from public facts: start, RP spent and prisoners."""
    plan = data.scenarios[view.scenario]
    # In the campaign nobody is raised before the spring of 1757.
    year, turn = (FIRST_YEAR + 1, 0) if plan.par is None else (plan.year, plan.turn)
    years = max(0.0, view.year - year + (view.turn - turn) / 18)
    total: float = plan.begun[power] * GROWTH**years
    if power in MAJORS:
        points = granted(view.options) if plan.par is None else plan.rp
        spent = max(0, points[power] - view.rp[power]) if view.year > FIRST_YEAR else 0
        total = plan.begun[power] * (1 + 0.1 * spent) * WASTAGE**years
    return max(1.0, total - sum(of(held, power) for held in view.prisoners))


def weight_of(data: GameData, stack: SeenStack) -> float:
    if stack.commander < 0:
        return 1.0
    weight = BY_RANK[data.leaders[stack.commander].rank]
    return weight / WALLS if stack.inside else weight


LED: Final[Mapping[int, float]] = {1: 22, 2: 28, 3: 19, 4: 18, 5: 16}
"""average SP of a field stack by the rank of its commander; `OTHERS` for other ranks"""
OTHERS: Final = 14.0
ALONE: Final = 16.0  # average SP of a field stack without a commander
GARRISON: Final = 1.4  # average SP inside a fortress without a leader
GOVERNED: Final = 1.7  # average SP inside a fortress with a leader
FIRST: Final = 0.82  # share of its expected SP that a major power has in 1756
LATER: Final = (0.67, 1.02)  # share that a major and a minor power have in 1757
YEARLY: Final = 0.12  # decline of that share each year
LEAST_LEFT: Final = (0.3, 0.4)  # its lower limit
NARROW: Final = 0.85
WIDE: Final = 0.3  # a world's total lies between NARROW and NARROW + WIDE of the expected one


def sample_likely_state(data: GameData, view: View, rng: RandomSource) -> State:
    """Return a random position that fits the view and is close to the average war."""
    return complete_view(data, view, Doubt(rng))


class Doubt(RandomFill):
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Keep known strengths, draw usual garrisons, and divide the rest among the armies."""
        rng, data = self.rng, pos.data
        weights = [usual(data, stack) * (0.3 + 1.4 * rng.random()) for stack in hidden]
        found = [0 if stack.alone else max(1, stack.low) for stack in hidden]
        nations = sorted({stack.nation for stack in hidden})
        more = {nation: NARROW + WIDE * rng.random() for nation in nations}
        for nation in nations:
            camp = [n for n, stack in enumerate(hidden) if stack.nation == nation and not stack.alone]
            for n in camp:
                if hidden[n].inside:
                    found[n] = _clamp(hidden[n], weights[n])
            armies = [n for n in camp if not hidden[n].inside and hidden[n].low < hidden[n].high]
            left = present(data, view, nation) * more[nation] - sum(found[n] for n in camp if n not in armies)
            whole = sum(weights[n] for n in armies)
            for n in armies:
                found[n] = _clamp(hidden[n], left * weights[n] / whole)
        return found


def usual(data: GameData, stack: SeenStack) -> float:
    if stack.alone:
        return 0.0
    if stack.inside:
        return GARRISON if stack.commander < 0 else GOVERNED
    return ALONE if stack.commander < 0 else LED.get(data.leaders[stack.commander].rank, OTHERS)


def _clamp(stack: SeenStack, points: float) -> int:
    return max(1, stack.low, min(stack.high, round(points)))


def present(data: GameData, view: View, power: PowerId) -> float:
    """Return the SP that a power should have by now, worn down by the war."""
    total = expected_total(data, view, power)
    if power in MAJORS and view.year == FIRST_YEAR:
        return total * FIRST
    minor = power not in MAJORS
    return total * max(LEAST_LEFT[minor], LATER[minor] - YEARLY * (view.year - FIRST_YEAR - 1))
