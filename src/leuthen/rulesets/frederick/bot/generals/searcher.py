"""A captain who tries plans in his head, in worlds as he believes them, before he settles on one (docs/bots.md).

He believes that garrisons are small, the men are with the armies, and wars wear powers out. The numbers are means over
1,200 games of planner and captain (`tools/selfplay.py`), who take the enemy for stronger than he is, and win by it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Final

import msgspec

from leuthen.engine.choice import Action, Chooser
from leuthen.engine.ruleset import CHANCE, OwnerId, Side, as_side
from leuthen.rulesets.frederick.bot import temper
from leuthen.rulesets.frederick.bot.belief import expected_total
from leuthen.rulesets.frederick.bot.generals import saxony
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.proposer import candidates, mission_for, propose, today
from leuthen.rulesets.frederick.bot.generals.staff import StaffCaptain
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge.view import SeenStack, View, complete_view
from leuthen.rulesets.frederick.knowledge.worlds import RandomFill
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import PRUSSIAN, Stack, State
from leuthen.rulesets.frederick.rules.c02_setup import FIRST_YEAR, MAJORS
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.board import Hex
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Mission, Plan, Thought
from leuthen.wargame.search import Stream, halving, seed_of
from leuthen.wargame.strength import PowerId

ROLLOUTS: Final = 288
"""Plans played out a turn, all candidates together: about 5 s of a core. With 36 he is no better than the captain."""
ARMIES: Final = 2
"""The strongest armies for which something else is tried."""
TEMPERS: Final[tuple[Mapping[str, float], ...]] = ({"hunt": 2.5}, {"relief": 2.5}, {"siege": 0.4})
"""How goals may be weighed otherwise by all armies: to seek battle, to guard, to leave fortresses alone."""
CAMPAIGNS: Final = 24
"""How often the first two years are played out to answer whether Saxony is invaded: some 7 s of a core, once a war.

Not more, since a table ends a thought of 10 s and has it begin again behind all others.
"""
MOODS: Final = (("forced marches", 40), ("forced marches", 250), ("caution", 40), ("caution", 250))
"""How a turn may be fought otherwise: what a force march must bring, or danger counts, in per cent."""
LEAD: Final = 0.002
"""What a VP of the lead in the end is worth beside the chance to win: it decides where that is all but certain."""


class Searcher(StaffCaptain):
    """The captain, but each plan of his own turn is tried against others in sampled worlds with common dice.

    A plan is played out until his next turn begins or the year ends; the learned value says what it was worth.
    """

    def __init__(self, ruleset: Frederick, value: Value, side: Side, seed: int) -> None:
        super().__init__(ruleset.data, side, seed)
        self.rules = ruleset
        self.value = value

    def plan(self, s: Situation, view: View, before: Thought) -> Plan:
        """The plan that the captain would make, unless another is clearly better."""
        before = msgspec.structs.replace(before, plan=calmed(before.plan))
        own = propose(s, before)
        if s.pos.phasing != s.side:
            return own
        tried = [own, *others(s, own, before)]
        seen = seed_of(before.seed, self.rules.encode_view(view))
        until = partial(_is_his_turn_over, s.pos.year, s.pos.turn, s.side)
        verdict = halving(
            len(tried), ROLLOUTS, lambda one, world: self._payoff(view, self._with(s, tried[one]), until, seen + world)
        )
        return tried[verdict.best]

    def answered(self, view: View, before: Thought) -> Plan:
        """Whether Saxony is invaded: both are played out to the end of 1757; to leave her stands unless beaten."""
        plans = [saxony.answer(before.plan, invades) for invades in (False, True)]
        seen = seed_of(before.seed, saxony.QUESTION, self.rules.encode_view(view))
        verdict = halving(
            len(plans),
            CAMPAIGNS,
            lambda one, world: self._payoff(
                view, msgspec.structs.replace(before, plan=plans[one]), _is_1757_over, seen + world
            ),
        )
        return plans[verdict.best]

    def _with(self, s: Situation, plan: Plan) -> Thought:
        return Thought("frederick", s.side, 0, self.moment(s), plan)

    def _payoff(self, view: View, mind: Thought, is_over: Callable[[State], bool], seed: int) -> float:
        """What a side should score that goes on with that thought, when it is over."""
        state = believed_world(self.data, view, Stream(seed_of(seed, "world")))
        heads = [Captain(self.data, side, seed) for side in (0, 1)]
        heads[mind.side].take_up(mind)
        fates = Fates(seed)
        while not is_over(state) and (awaited := self.rules.pending(state)):
            actor = awaited[0].actor
            if actor == CHANCE:
                action = fates.draw(awaited[0].rule, self.rules.chances(state))
            else:
                action = self._order(state, heads[actor], as_side(actor))
            state = self.rules.apply(state, actor, action).state
        return self.worth(state, mind.side)

    def worth(self, state: State, side: OwnerId) -> float:
        """What a side should score, and a little for its lead."""
        sign = 1 if side == PRUSSIAN else -1
        return sign * (self.value.chance(state) + LEAD * self.value.lead(state))

    def _order(self, state: State, head: Captain, side: Side) -> Action:
        pending = next(one for one in self.rules.pending(state) if one.actor == side)
        return head.choose(lambda: self.rules.view(state, side), self.rules.legal_actions(state, side), pending)


def _is_his_turn_over(year: int, turn: int, side: Side, state: State) -> bool:
    """Whether the next turn of a side has begun, or the year is over."""
    if state.year != year or state.turn > turn + 1:
        return True
    return state.turn != turn and state.phasing == side


def _is_1757_over(state: State) -> bool:
    return state.year > FIRST_YEAR + 1


class Fates:
    """The dice of one world: each kind of roll, by its rule, has its own, so that plans differ only by what they do."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._streams: dict[str, Stream] = {}

    def draw(self, rule: str, chances: Sequence[tuple[Action, Fraction]]) -> Action:
        """The next answer of chance for a rule."""
        stream = self._streams.get(rule)
        if stream is None:
            stream = self._streams[rule] = Stream(seed_of(self._seed, "dice", rule))
        left = stream.random()
        for action, chance in chances:
            left -= float(chance)
            if left < 0:
                return action
        return chances[-1][0]


def others(s: Situation, own: Plan, before: Thought) -> list[Plan]:
    """Plans that differ in what all armies want, what one of the strongest does, or how bold they are; none twice."""
    found = [*(propose(s, before, weights) for weights in TEMPERS), *_for_one_army(s, own, before)]
    moods = [msgspec.structs.replace(own, council={**own.council, mood: much}) for mood, much in MOODS]
    seen, different = {_orders(own)}, []
    for plan in found:
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


def _for_one_army(s: Situation, own: Plan, before: Thought) -> Iterator[Plan]:
    """The next best goal of an army, or to stand where it is."""
    for army in s.armies[:ARMIES]:
        mission = mission_of(own, army)
        if mission is not None and not mission.signed:
            yield from (own.give(other) for other in _next_best(s, army, mission, before))
            yield own.give(Mission("hold", mission.army, army.hex, since=today(s)))


def _next_best(s: Situation, army: Stack, mission: Mission, before: Thought) -> Iterator[Mission]:
    goals = sorted(candidates(s, army, mission_of(before.plan, army), []), key=lambda goal: (-goal.value, goal.hex))
    found = (mission_for(s, army, goal, None) for goal in goals if goal.value > 0)
    other = next((one for one in found if (one.kind, one.place) != (mission.kind, mission.place)), None)
    if other is not None:
        yield msgspec.structs.replace(other, army=mission.army)


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
