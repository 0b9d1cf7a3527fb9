"""The position as a general imagines it: of his own side the truth, of the enemy an estimate within what was seen.

It is made from the view alone and without any dice, so that equal views give equal thoughts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from leuthen.rulesets.frederick.bot.temper import PLANNER, Temper
from leuthen.rulesets.frederick.knowledge.view import Filler, SeenStack, View, complete_view
from leuthen.rulesets.frederick.model.data import GameData, Scenario
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.rulesets.frederick.rules.c06_increments import granted
from leuthen.wargame.board import StackKey
from leuthen.wargame.strength import PowerId, of

WASTAGE: Final = 0.93
"""What is left of a major's army after a year of war, new recruits apart."""
GROWTH: Final = 1.1
"""What becomes of a minor's army in a year, with recruits and losses."""
BY_RANK: Final = (12, 12, 8, 5, 4, 3, 3, 2, 2, 2)
"""How many SP a field commander of each rank leads, in proportion."""


def imagine(data: GameData, view: View, temper: Temper = PLANNER) -> State:
    """A whole position that agrees with everything the viewer knows; enemy strengths are estimates."""
    return complete_view(data, view, Estimate(temper))


class Estimate(Filler):
    """Fills a view in with what the enemy should have."""

    def __init__(self, temper: Temper) -> None:
        self._temper = temper

    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        temper = self._temper
        facts = (
            view.year, view.turn, view.rp, view.prisoners, tuple(hidden), temper.fear, temper.walls, temper.largest,
        )  # fmt: skip
        return pos.lasting.latest(("estimated", view.viewer), facts, lambda: self._guesses(pos.data, view, hidden))

    def _guesses(self, data: GameData, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        guesses = estimates(data, view, self._temper)
        return [guesses.get(seen.key, 0) for seen in hidden]


def estimates(data: GameData, view: View, temper: Temper = PLANNER) -> dict[StackKey, int]:
    """How many SP each hidden stack is taken to have: what its nation should have, shared out by commanders."""
    hidden = [stack for stack in _all_stacks(view) if stack.sp is None and not stack.alone]
    found: dict[StackKey, int] = {}
    for nation in sorted({stack.nation for stack in hidden}):
        stacks = [stack for stack in hidden if stack.nation == nation]
        found.update(_share_out(data, stacks, temper.fear * expected_total(data, view, nation), temper))
    return found


def _all_stacks(view: View) -> Iterator[SeenStack]:
    yield from view.stacks
    if view.moving is not None:
        yield view.moving


def expected_total(data: GameData, view: View, power: PowerId) -> float:
    """How many SP a power should have on the map, from what everybody knows: its start, its RP spent, prisoners."""
    plan = data.scenarios[view.scenario]
    start = plan.begun[power]
    years = max(0.0, _years(plan, view))
    total: float
    if power in MAJORS:
        points = granted(view.options) if plan.par is None else plan.rp
        spent = max(0, points[power] - view.rp[power]) if view.year > FIRST_YEAR else 0
        total = start * (1 + 0.1 * spent) * WASTAGE**years
    else:
        total = start * GROWTH**years
    captured = sum(of(held, power) for held in view.prisoners)
    return max(1.0, total - captured)


def _years(plan: Scenario, view: View) -> float:
    """Since the start of a scenario; in the campaign since the spring of 1757, before which nobody is raised."""
    year, turn = (FIRST_YEAR + 1, 0) if plan.par is None else (plan.year, plan.turn)
    return view.year - year + (view.turn - turn) / 18


def _share_out(data: GameData, stacks: Iterable[SeenStack], total: float, temper: Temper) -> dict[StackKey, int]:
    """Known strengths stand; the rest goes to the others by weight, within their bands."""
    found = {stack.key: stack.low for stack in stacks if stack.low == stack.high}
    open_ones = [stack for stack in stacks if stack.key not in found]
    left = total - sum(found.values())
    weights = {stack.key: weight_of(data, stack, temper.walls) for stack in open_ones}
    whole = sum(weights.values()) or 1.0
    for stack in open_ones:
        guess = round(left * weights[stack.key] / whole)
        found[stack.key] = max(stack.low, min(stack.high, guess, temper.largest), 1)
    return found


def weight_of(data: GameData, stack: SeenStack, walls: float) -> float:
    """How strong a stack looks: armies by the rank of their commander, garrisons little."""
    if stack.commander < 0:
        return 1.0
    weight = BY_RANK[data.leaders[stack.commander].rank]
    return weight / walls if stack.inside else weight
