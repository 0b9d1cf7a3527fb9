"""The colonel: it tries plans and marches in sampled worlds before it orders one (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.decision import Done
from leuthen.engine.ruleset import SIDES, OwnerId, Side
from leuthen.rulesets.frederick.bot.belief import sample_likely_state
from leuthen.rulesets.frederick.bot.captain import Captain, answer_saxony
from leuthen.rulesets.frederick.bot.goals import KINDS, candidates, mission_for, mission_of, today
from leuthen.rulesets.frederick.bot.marching import movers
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.pieces import PRUSSIAN, Stack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.bot.commander import play_out
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Mission, Plan, Thought
from leuthen.wargame.search import Stream, seed_of, sequential_halving

Way: TypeAlias = tuple[Action | None, Thought]  # the first order, if it is not left to the plan, and the thought
ORDERS: Final = 4  # orders of the plan that are tried, beside other goals
WORLDS: Final = 3  # mean number of worlds for each candidate; more worlds gain little (docs/bots.md)
CAMPAIGNS: Final = 24
"""Rollouts of the first two years for the decision on Saxony: about 7 s of CPU, once a war. A table stops a bot after
10 s and starts it again behind all others.
"""
OTHER_GOALS: Final = 5  # other goals tried for an army, beside staying
IDLE: Final = 2  # armies tried when no march is planned
LEAST_IDLE: Final = 8  # SP of such an army
LEAD: Final = 0.002  # value of a VP of the final lead: it decides where the win is almost certain


class Searcher(Captain):
    """A captain that tries alternatives before an army marches or stays.

    Each is played out in sampled worlds with common dice until the bot's next turn or the end of the year, and judged
    by the learned value.
    """

    def __init__(self, ruleset: Frederick, value: Value, side: Side, seed: int) -> None:
        super().__init__(ruleset.data, side, seed)
        self.rules = ruleset
        self._value = value

    def decide_on_saxony(self, view: View, before: Thought) -> Plan:
        """Return the plan with the decision on Saxony: both are played out to the end of 1757, and leaving her is the
        default.
        """
        plans = [answer_saxony(before.plan, invades) for invades in (False, True)]
        ways: list[Way] = [(None, msgspec.structs.replace(before, plan=plan)) for plan in plans]
        return plans[self._best(view, ways, CAMPAIGNS, lambda state: state.year > FIRST_YEAR + 1)]

    def pick(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> tuple[Action, Thought]:
        if not isinstance(view.frames[-1], MarchPhase):
            return super().pick(view, s, mind, legal)
        found = list(self._marches(view, s, mind, legal))
        tried = [way for number, way in enumerate(found) if way not in found[:number]]
        year, turn = s.pos.year, s.pos.turn

        def is_next_turn(state: State) -> bool:
            if state.year != year or state.turn > turn + 1:
                return True
            return state.turn != turn and state.phasing == s.side

        return tried[self._best(view, tried, WORLDS * len(tried), is_next_turn)]

    def _marches(self, view: View, s: Situation, mind: Thought, legal: LegalSet) -> Iterator[tuple[Action, Thought]]:
        orders = list(islice(self.orders(view, s, mind, legal), ORDERS))
        yield from ((order, mind) for order in orders)
        first = orders[0]
        marching = [army for army in s.mine if isinstance(first, March) and first.leader in army.leaders]
        marching = [army for army in marching if mission_of(mind.plan, army) is not None]
        for army in marching or (idle_armies(s) if isinstance(first, Done) else ()):
            for plan in alternative_plans(s, mind.plan, army):
                other = msgspec.structs.replace(mind, plan=plan)
                order = next(self.orders(view, self.situation(view, other), other, legal))
                if marching or (isinstance(order, March) and order.leader in army.leaders):
                    yield order, other

    def _best(self, view: View, tried: Sequence[Way], most: int, is_over: Callable[[State], bool]) -> int:
        seen = seed_of(tried[0][1].seed, self.rules.encode_view(view))
        return sequential_halving(
            len(tried), most, lambda one, world: self.payoff(view, tried[one], is_over, seen + world)
        ).best

    def payoff(self, view: View, way: Way, is_over: Callable[[State], bool], seed: int) -> float:
        """Return the value for the bot's side at the end of one rollout."""
        rules, (first, mind) = self.rules, way
        state = sample_likely_state(rules.data, view, Stream(seed_of(seed, "world")))
        heads = [Captain(rules.data, side, seed) for side in SIDES]
        heads[mind.side].take_up(mind)
        if first is not None:
            state = rules.apply(state, mind.side, first).state
        return self.worth(play_out(rules, state, heads, is_over, seed), mind.side)

    def worth(self, state: State, side: OwnerId) -> float:
        """Return a side's expected score plus a little for its lead."""
        sign = 1 if side == PRUSSIAN else -1
        return sign * (self._value.chance(state) + LEAD * self._value.lead(state))


def alternative_plans(s: Situation, plan: Plan, army: Stack) -> Iterator[Plan]:
    """Yield the plan with other goals of an army, best first, and with none. Missions given by the player stay."""
    mission = mission_of(plan, army)
    if mission is not None and mission.signed:
        return
    known, whose = (None, army.leaders) if mission is None else ((mission.kind, mission.place), mission.army)
    goals = sorted(candidates(s, army, mission, []), key=lambda goal: (-goal.value, goal.hex))
    good = [goal for goal in goals if goal.value > 0 and (KINDS[goal.kind], goal.hex) != known]
    for goal in islice(good, OTHER_GOALS):
        yield plan.give(msgspec.structs.replace(mission_for(s, army, goal, None), army=whose))
    yield plan.give(Mission("hold", whose, army.hex, since=today(s)))


def idle_armies(s: Situation) -> list[Stack]:
    able = (army for army in movers(s, forced=False) if army.leaders and not army.demoralized)
    return [army for army in able if army.strength >= LEAST_IDLE][:IDLE]
