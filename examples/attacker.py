"""An example bot: it attacks if the odds are good, and otherwise acts at random.

leuthen simulate --games 4 --prussia examples.attacker:Attacker --austria random --option last-year=1756
"""

import random

from leuthen import Invalid


class Attacker:
    """Bot for one side. `ruleset` has all public facts; the bot never gets the true position."""

    def __init__(self, ruleset, side, seed):
        self.ruleset = ruleset
        self.rng = random.Random(seed)

    def choose(self, look, legal, pending):
        """Return an action from `legal` for the decision `pending`; `look()` returns the view of the bot's side."""
        actions = [legal.sample(self.rng) for _ in range(4)]
        return max(actions, key=lambda action: self.worth(look(), pending.actor, action))

    def worth(self, view, side, action):
        """Return the chance of the likeliest result of an action, or 0 if nothing is rolled for."""
        try:
            odds = self.ruleset.presenter.odds(view, self.ruleset.format_action(view, side, action))
        except Invalid:  # the action has no odds
            return 0.0
        return max((part.chance for case in odds.cases for part in case.results), default=0.0)
