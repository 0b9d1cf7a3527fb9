"""Positions of a war between captains, at each of their decisions."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, NamedTuple

from leuthen.engine.ruleset import CHANCE, SIDES
from leuthen.load import load, make_level


class War(NamedTuple):
    ruleset: str
    scenario: str
    until: tuple[int, int]
    options: Mapping[str, str] = {}

    @property
    def rules(self) -> Any:
        return load(self.ruleset)

    def positions(self, seed: int) -> Iterator[tuple[Any, int]]:
        rules, rng = self.rules, Random(seed)
        captains = [make_level(self.ruleset, "captain", side, seed) for side in SIDES]
        state = rules.new_game(self.scenario, self.options)
        while rules.date(state) < self.until and (awaited := rules.pending(state)):
            side = awaited[0].actor
            if side == CHANCE:
                answers = rules.chances(state)
                action = answers[int(rng.random() * len(answers))][0]
            else:
                yield state, side
                pending = next(p for p in awaited if p.actor == side)
                action = captains[side].choose(
                    lambda state=state, side=side: rules.view(state, side), rules.legal_actions(state, side), pending
                )
            state = rules.apply(state, side, action).state
