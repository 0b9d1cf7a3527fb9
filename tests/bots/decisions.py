"""The decisions of planners, as they come in a game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from leuthen.engine.ruleset import CHANCE
from leuthen.engine.seat import Player
from leuthen.load import load
from leuthen.rulesets.campaigns import bot as campaigns_bot
from leuthen.rulesets.frederick import bot as frederick_bot

PLANNERS: dict[str, Any] = {"frederick": frederick_bot, "campaigns": campaigns_bot}
"""By rule set, the package with its `planner` and its `HABITS`."""


class War(NamedTuple):
    """The beginning of a war: up to a year and turn."""

    ruleset: str
    scenario: str
    until: tuple[int, int]
    options: Mapping[str, str] = {}

    @property
    def rules(self) -> Any:
        return load(self.ruleset)

    def bot(self, without: frozenset[str] = frozenset()) -> Player:
        """The planner of the rule set, without these habits."""
        found: Player = PLANNERS[self.ruleset].planner(self.rules.data, without)
        return found

    def answer(self, state: Any, side: int, bot: Player | None = None) -> Any:
        """What a bot, or a fresh one, answers for a side."""
        pending = next(p for p in self.rules.pending(state) if p.actor == side)
        legal = self.rules.legal_actions(state, side)
        return (bot or self.bot()).choose(lambda: self.rules.view(state, side), legal, pending)

    def positions(self, seed: int, bot: Player | None = None) -> Iterator[tuple[Any, int]]:
        """Positions in which a side is asked, with the side, before a bot answers for it."""
        rules, rng, bot = self.rules, Random(seed), bot or self.bot()
        state = rules.new_game(self.scenario, self.options)
        while rules.date(state) < self.until and (awaited := rules.pending(state)):
            side = awaited[0].actor
            if side == CHANCE:
                answers = rules.chances(state)
                action = answers[int(rng.random() * len(answers))][0]
            else:
                yield state, side
                action = self.answer(state, side, bot)
            state = rules.apply(state, side, action).state
