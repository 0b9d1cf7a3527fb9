"""A bot of one's own: it attacks where its chances are good, and does else what the dice of its own tell it.

leuthen simulate --games 4 --prussia examples.attacker:Attacker --austria random --option last-year=1756
"""

import random

from leuthen import Invalid


class Attacker:
    """Leads one side. `ruleset` has all that is public; the true position never gets here."""

    def __init__(self, ruleset, side, seed):
        self.ruleset = ruleset
        self.rng = random.Random(seed)

    def choose(self, look, legal, pending):
        """Answers the decision `pending` with an action from `legal`; `look()` gives the view of the bot's side."""
        actions = [legal.sample(self.rng) for _ in range(4)]
        return max(actions, key=lambda action: self.worth(look(), pending.actor, action))

    def worth(self, view, side, action):
        """How probable a victory is that this action may bring."""
        try:
            odds = self.ruleset.presenter.odds(view, self.ruleset.format_action(view, side, action))
        except Invalid:  # nothing is rolled for
            return 0.0
        return max((part.chance for case in odds.cases for part in case.results), default=0.0)
