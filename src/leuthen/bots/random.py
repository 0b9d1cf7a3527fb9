"""A bot that draws its actions at random."""

from __future__ import annotations

import random

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look


class RandomBot:
    """Draws each action slot by slot from the legal set, without looking at the position."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        action: Action = legal.sample(self._rng)
        return action
