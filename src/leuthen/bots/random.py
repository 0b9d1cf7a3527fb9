"""The bot that draws its actions: slot by slot from the legal set, so that every legal action has a chance."""

from __future__ import annotations

import random

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look


class RandomBot:
    """Answers with any legal action. It does not even look."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Draws one action."""
        action: Action = legal.sample(self._rng)
        return action
