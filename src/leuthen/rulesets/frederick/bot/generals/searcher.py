"""Captains who try in their heads what may come of it before they settle on something (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.bot import temper
from leuthen.rulesets.frederick.bot.generals import saxony
from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.proposer import candidates, mission_for, propose, today
from leuthen.rulesets.frederick.bot.generals.rollouts import Rollouts
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.state import Stack, State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.board import Hex
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Mission, Plan, Thought
from leuthen.wargame.search import halving, seed_of

Way: TypeAlias = tuple[Action | None, Thought]
"""How to go on: the order that comes first, if it is not left to the thought, and the thought."""
ORDERS: Final = 2
"""So many of the orders that serve a plan are tried when an army marches."""
GOALS: Final = 3
"""So many other goals for it, the best of each kind, beside none."""
WORLDS: Final = 12
"""Worlds in which each of them is tried, on average."""
ROLLOUTS: Final = 192
"""Plans for all armies played out a turn, all together: about 3 s of a core."""
TEMPERS: Final[tuple[Mapping[str, float], ...]] = ({"hunt": 2.5}, {"relief": 2.5}, {"siege": 0.4})
"""How goals may be weighed otherwise by all armies: to seek battle, to guard, to leave fortresses alone."""
CAMPAIGNS: Final = 24
"""How often the first two years are played out to answer whether Saxony is invaded: some 7 s of a core, once a war.

Not more, since a table ends a thought of 10 s and has it begin again behind all others.
"""
MOODS: Final = (("forced marches", 40), ("forced marches", 250), ("caution", 40), ("caution", 250))
"""How a turn may be fought otherwise: what a force march must bring, or danger counts, in per cent."""


class Searcher(StaffCaptain):
    """The captain, but before an army marches he tries what else it could do, in sampled worlds with common dice.

    What is tried is played out until his next turn begins or the year ends; the learned value says what it was worth.
    """

    def __init__(self, ruleset: Frederick, value: Value, side: Side, seed: int) -> None:
        super().__init__(ruleset.data, side, seed)
        self.rules = ruleset
        self.rollouts = Rollouts(ruleset, value)

    def answered(self, view: View, before: Thought) -> Plan:
        """Whether Saxony is invaded: both are played out to the end of 1757; to leave her stands unless beaten."""
        plans = [saxony.answer(before.plan, invades) for invades in (False, True)]
        ways: list[Way] = [(None, msgspec.structs.replace(before, plan=plan)) for plan in plans]
        return plans[self._best(view, ways, CAMPAIGNS, _is_1757_over)]

    def pick(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        """The order of the plan, unless another, or another mission of the army that marches, is better."""
        if not isinstance(view.frames[-1], MarchPhase):
            return super().pick(view, s, mind, legal)
        found = list(self._marches(view, s, mind, legal))
        tried = [way for number, way in enumerate(found) if way not in found[:number]]
        until = partial(_is_his_turn_over, s.pos.year, s.pos.turn, s.side)
        return tried[self._best(view, tried, WORLDS * len(tried), until)]

    def _marches(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> Iterator[tuple[Action, Thought]]:
        orders = list(islice(self.orders(view, s, mind, legal), ORDERS))
        yield from ((order, mind) for order in orders)
        first = orders[0]
        army = next((one for one in s.mine if isinstance(first, March) and first.leader in one.leaders), None)
        for plan in () if army is None else _for_one_army(s, mind.plan, army, mind):
            other = msgspec.structs.replace(mind, plan=plan)
            yield next(self.orders(view, self.situation(view, other), other, legal)), other

    def _best(self, view: View, tried: Sequence[Way], most: int, is_over: Callable[[State], bool]) -> int:
        """Which of some ways is gone: the first, unless another is better by one standard error."""
        seen = seed_of(tried[0][1].seed, self.rules.encode_view(view))
        return halving(len(tried), most, lambda one, world: self._payoff(view, tried[one], is_over, seen + world)).best

    def _payoff(self, view: View, way: Way, is_over: Callable[[State], bool], seed: int) -> float:
        return self.rollouts.payoff(view, way[1], is_over, seed, way[0])


class PlanSearcher(Searcher):
    """He also tries plans for all his armies before a turn begins."""

    def plan(self, s: Situation, view: View, before: Thought) -> Plan:
        """The plan that the captain would make, unless another is clearly better."""
        before = msgspec.structs.replace(before, plan=calmed(before.plan))
        own = propose(s, before)
        if s.pos.phasing != s.side:
            return own
        tried = [own, *others(s, own, before)]
        ways: list[Way] = [(None, msgspec.structs.replace(before, date=self.moment(s), plan=plan)) for plan in tried]
        return tried[self._best(view, ways, ROLLOUTS, partial(_is_his_turn_over, s.pos.year, s.pos.turn, s.side))]


def _is_his_turn_over(year: int, turn: int, side: Side, state: State) -> bool:
    """Whether the next turn of a side has begun, or the year is over."""
    if state.year != year or state.turn > turn + 1:
        return True
    return state.turn != turn and state.phasing == side


def _is_1757_over(state: State) -> bool:
    return state.year > FIRST_YEAR + 1


def others(s: Situation, own: Plan, before: Thought) -> list[Plan]:
    """Plans that differ in what all armies want, or how bold they are; none twice."""
    moods = [msgspec.structs.replace(own, council={**own.council, mood: much}) for mood, much in MOODS]
    seen, different = {_orders(own)}, []
    for plan in (propose(s, before, weights) for weights in TEMPERS):
        if _orders(plan) not in seen:
            seen.add(_orders(plan))
            different.append(plan)
    return different + moods


def calmed(plan: Plan) -> Plan:
    """The plan without the mood of the turn before."""
    council = {name: number for name, number in plan.council.items() if name not in temper.MOODS}
    return msgspec.structs.replace(plan, council=council)


def _orders(plan: Plan) -> frozenset[tuple[str, tuple[int, ...], Hex]]:
    """What a plan comes to, whatever its reasons are."""
    return frozenset((mission.kind, mission.army, mission.place) for mission in plan.missions)


def _for_one_army(s: Situation, own: Plan, army: Stack, before: Thought) -> Iterator[Plan]:
    """Other goals of an army, or to stand where it is."""
    mission = mission_of(own, army)
    if mission is not None and not mission.signed:
        yield from (own.give(other) for other in islice(_others_of(s, army, mission, before), GOALS))
        yield own.give(Mission("hold", mission.army, army.hex, since=today(s)))


def _others_of(s: Situation, army: Stack, mission: Mission, before: Thought) -> Iterator[Mission]:
    """What else an army could be for, the best of each kind, the best first."""
    goals = sorted(candidates(s, army, mission_of(before.plan, army), []), key=lambda goal: (-goal.value, goal.hex))
    found = set[str]()
    for one in (mission_for(s, army, goal, None) for goal in goals if goal.value > 0):
        if one.kind not in found and (one.kind, one.place) != (mission.kind, mission.place):
            found.add(one.kind)
            yield msgspec.structs.replace(one, army=mission.army)
