"""Captains who try in their heads what may come of it before they settle on something (docs/bots.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Side
from leuthen.rulesets.frederick.bot.generals import saxony
from leuthen.rulesets.frederick.bot.generals.alternatives import idle_armies, otherwise
from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.rollouts import Rollouts
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.actions import Done, March
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Plan, Thought
from leuthen.wargame.search import halving, seed_of

Way: TypeAlias = tuple[Action | None, Thought]
"""How to go on: the order that comes first, if it is not left to the thought, and the thought."""
ORDERS: Final = 4
WORLDS: Final = 3
"""What is tried: so many of the orders that serve the plan, beside other goals; each in so many worlds, on average:
more worlds gain little (docs/bots.md)."""
CAMPAIGNS: Final = 24
"""How often the first two years are played out to answer whether Saxony is invaded: some 7 s of a core, once a war.

Not more, since a table ends a thought of 10 s and has it begin again behind all others.
"""


class Searcher(StaffCaptain):
    """The captain, but before an army marches, and before one stays, he tries what else it could do.

    He tries it in sampled worlds with common dice: it is played out until his next turn begins or the year
    ends; the learned value says what it was worth.
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
        marching = [army for army in s.mine if isinstance(first, March) and first.leader in army.leaders]
        marching = [army for army in marching if mission_of(mind.plan, army) is not None]
        for army in marching or (idle_armies(s) if isinstance(first, Done) else ()):
            for plan in otherwise(s, mind.plan, army):
                other = msgspec.structs.replace(mind, plan=plan)
                order = next(self.orders(view, self.situation(view, other), other, legal))
                if marching or (isinstance(order, March) and order.leader in army.leaders):
                    yield order, other

    def _best(self, view: View, tried: Sequence[Way], most: int, is_over: Callable[[State], bool]) -> int:
        """Which of some ways is gone: the first, unless another is better by one standard error."""
        seen = seed_of(tried[0][1].seed, self.rules.encode_view(view))
        return halving(len(tried), most, lambda one, world: self._payoff(view, tried[one], is_over, seen + world)).best

    def _payoff(self, view: View, way: Way, is_over: Callable[[State], bool], seed: int) -> float:
        return self.rollouts.payoff(view, way[1], is_over, seed, way[0])


def _is_his_turn_over(year: int, turn: int, side: Side, state: State) -> bool:
    """Whether the next turn of a side has begun, or the year is over."""
    if state.year != year or state.turn > turn + 1:
        return True
    return state.turn != turn and state.phasing == side


def _is_1757_over(state: State) -> bool:
    return state.year > FIRST_YEAR + 1
