"""Benchmarks of mid-war play: a year that captains play out, scenes, and completion."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from bench.measure import Figure, measure
from bench.ruleset import Campaigns
from leuthen.bots import make_bot
from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, SIDES, ActorId, Pending, as_side
from leuthen.play.dice import Key
from leuthen.screen.presenter import TableRuleset

FIRST_TURN: Final = 3
"""The turn of the second year from which captains play it out."""
CHUNKS, CHUNK = 20, 100
"""Number and length of the stretches of a war; each is shown once, because repeats would hit a cache."""


class Year:
    """A war that captains have led into its second year, and can play to the year's end repeatedly."""

    def __init__(self, ruleset: TableRuleset, scenario: str) -> None:
        self.ruleset = ruleset
        self.bots = [make_bot("captain", ruleset.name, side, 0) for side in SIDES]
        self.number = 0
        self.decisions = 0
        self.state = ruleset.new_game(scenario, {})
        self.year = ruleset.date(self.state)[0] + 1
        self.state = self._led(lambda state: ruleset.date(state) >= (self.year, FIRST_TURN))

    def playout(self) -> float:
        """Play the rest of the year, each time with other dice."""
        self._led(lambda state: self.ruleset.date(state)[0] > self.year)
        return 1

    def _led(self, is_enough: Callable[[Any], bool]) -> Any:
        rules, state, dice = self.ruleset, self.state, Key.from_seed("year", self.number).dice()
        self.number += 1
        while not is_enough(state) and (awaited := rules.pending(state)):
            actor = awaited[0].actor
            action = dice.pick(rules.chances(state)) if actor == CHANCE else self._chosen(state, awaited[0])
            state = rules.apply(state, actor, action).state
        return state

    def _chosen(self, state: Any, pending: Pending) -> Action:
        actor, rules = as_side(pending.actor), self.ruleset
        self.decisions += 1
        legal = rules.legal_actions(state, actor)
        action: Any = self.bots[actor].choose(lambda: rules.view(state, actor), legal, pending)
        chosen: Action = action
        return chosen


def midgame_figures(ruleset: TableRuleset, scenario: str) -> Iterator[Figure]:
    """Yield the figures."""
    year = Year(ruleset, scenario)
    year.decisions = year.number = 0
    whole = measure("the captain plays out the rest of a year", year.playout)
    each = year.decisions / year.number
    yield whole
    yield Figure("a decision of the captain in it", whole.rate * each, whole.cost / each)
    war = [state for state, _, _ in Campaigns(ruleset, scenario).positions(1 << 30)]
    step = max(CHUNK, len(war) // CHUNKS)
    chunks = [war[start : start + CHUNK] for start in range(0, len(war), step)]
    yield measure("view and scene after one action", lambda: present_chunks(ruleset, chunks))
    lines = [(s, a, ruleset.format_action(s, a, x)) for s, a, x in Campaigns(ruleset, scenario).positions(100)]
    yield measure("completion of an action's first word", lambda: sum(complete_line(ruleset, *line) for line in lines))


def present_chunks(ruleset: TableRuleset, chunks: list[list[Any]]) -> float:
    chunk = chunks.pop(0)
    chunks.append(chunk)
    return sum(ruleset.presenter.scene(ruleset.view(state, 0)) is not None for state in chunk)


def complete_line(ruleset: TableRuleset, state: Any, actor: ActorId, line: str) -> bool:
    return ruleset.complete(state, actor, f"{line.split()[0]} ") is not None
