"""A captain who tries plans in his head before he settles on one (docs/bots.md): no level yet, its strength is unknown.

`leuthen ladder leuthen.rulesets.frederick.bot.generals.searcher:Searcher captain` measures it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.proposer import candidates, mission_for, propose, today
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.state import Stack, State
from leuthen.rulesets.frederick.rules.c12_victory import victory_points
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.plans import Mission, Plan, Thought
from leuthen.wargame.search import Stream, halving, seed_of

ROLLOUTS: Final = 24
"""Plans played out a turn, all candidates together."""
HORIZON: Final = 2
"""Game turns that a plan is played out for."""
ARMIES: Final = 2
"""The strongest armies for which something else is tried."""
MEN: Final = 0.5
"""What an SP is worth, in VP."""


class Searcher(StaffCaptain):
    """The captain, but each plan of his own turn is tried against others in sampled worlds with common dice."""

    def __init__(self, ruleset: Frederick, side: int, seed: int) -> None:
        super().__init__(ruleset.data, side, seed)
        self.rules = ruleset

    def plan(self, s: Situation, view: View, before: Thought) -> Plan:
        """The plan that the captain would make, unless another is clearly better."""
        own = propose(s, before)
        if s.pos.phasing != s.side:
            return own
        tried = [own, *others(s, own, before)]
        seen = seed_of(before.seed, self.rules.encode_view(view))
        verdict = halving(len(tried), ROLLOUTS, lambda one, world: self._payoff(s, view, tried[one], seen + world))
        return tried[verdict.best]

    def _payoff(self, s: Situation, view: View, plan: Plan, seed: int) -> float:
        """What a side has, after some turns by that plan, more than the other."""
        state = self.rules.worlds(view, Stream(seed_of(seed, "world")))
        heads = [Captain(self.data, side, seed) for side in (0, 1)]
        heads[s.side].take_up(Thought("frederick", s.side, seed, self.moment(s), plan))
        until, dice = today(s) + HORIZON, Stream(seed_of(seed, "dice"))
        while state.year * 100 + state.turn < until and (awaited := self.rules.pending(state)):
            actor = awaited[0].actor
            action = self._roll(state, dice) if actor == CHANCE else self._order(state, heads[actor], actor)
            state = self.rules.apply(state, actor, action).state
        return worth(state, s.side)

    def _roll(self, state: State, dice: Stream) -> Action:
        left, chances = dice.random(), self.rules.chances(state)
        for action, chance in chances:
            left -= float(chance)
            if left < 0:
                return action
        return chances[-1][0]

    def _order(self, state: State, head: Captain, side: int) -> Action:
        pending = next(one for one in self.rules.pending(state) if one.actor == side)
        return head.choose(lambda: self.rules.view(state, side), self.rules.legal_actions(state, side), pending)


def others(s: Situation, own: Plan, before: Thought) -> Iterator[Plan]:
    """Plans that differ in what one of the strongest armies does: the next best goal, or to stand where it is."""
    for army in s.armies[:ARMIES]:
        mission = mission_of(own, army)
        if mission is not None and not mission.signed:
            yield own.give(Mission("hold", army.leaders, army.hex, since=today(s)))
            yield from (own.give(other) for other in _next_best(s, army, mission, before))


def _next_best(s: Situation, army: Stack, mission: Mission, before: Thought) -> Iterator[Mission]:
    goals = sorted(candidates(s, army, mission_of(before.plan, army), []), key=lambda goal: (-goal.value, goal.hex))
    found = (mission_for(s, army, goal, None) for goal in goals if goal.value > 0)
    other = next((one for one in found if (one.kind, one.place) != (mission.kind, mission.place)), None)
    if other is not None:
        yield msgspec.structs.replace(other, army=mission.army)


def worth(state: State, side: int) -> float:
    """VP, and half the men on the map."""
    men = [sum(stack.strength for stack in state.own(one)) for one in (0, 1)]
    points = victory_points(state)
    return points[side] - points[1 - side] + MEN * (men[side] - men[1 - side])
