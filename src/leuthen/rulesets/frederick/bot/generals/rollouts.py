"""What may come of a plan or an order: played out by captains, in a world as a side believes it, with given dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, OwnerId, Side, as_side
from leuthen.rulesets.frederick.bot.generals.beliefs import believed_world
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.state import PRUSSIAN, State
from leuthen.rulesets.frederick.ruleset import Frederick
from leuthen.wargame.bot.value import Value
from leuthen.wargame.plans import Thought
from leuthen.wargame.search import Stream, seed_of

LEAD: Final = 0.002
"""What a VP of the lead in the end is worth beside the chance to win: it decides where that is all but certain."""


class Rollouts:
    """Positions played out, and judged by the learned value."""

    def __init__(self, ruleset: Frederick, value: Value) -> None:
        self._rules = ruleset
        self._value = value

    def payoff(
        self, view: View, mind: Thought, is_over: Callable[[State], bool], seed: int, first: Action | None = None
    ) -> float:
        """What a side should score that goes on with that thought, and with that order first, when it is over."""
        state = believed_world(self._rules.data, view, Stream(seed_of(seed, "world")))
        heads = [Captain(self._rules.data, side, seed) for side in (0, 1)]
        heads[mind.side].take_up(mind)
        fates = Fates(seed)
        if first is not None:
            state = self._rules.apply(state, mind.side, first).state
        while not is_over(state) and (awaited := self._rules.pending(state)):
            actor = awaited[0].actor
            if actor == CHANCE:
                action = fates.draw(awaited[0].rule, self._rules.chances(state))
            else:
                action = self._order(state, heads[actor], as_side(actor))
            state = self._rules.apply(state, actor, action).state
        return self.worth(state, mind.side)

    def worth(self, state: State, side: OwnerId) -> float:
        """What a side should score, and a little for its lead."""
        sign = 1 if side == PRUSSIAN else -1
        return sign * (self._value.chance(state) + LEAD * self._value.lead(state))

    def _order(self, state: State, head: Captain, side: Side) -> Action:
        pending = next(one for one in self._rules.pending(state) if one.actor == side)
        return head.choose(lambda: self._rules.view(state, side), self._rules.legal_actions(state, side), pending)


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
        return stream.pick(chances)
