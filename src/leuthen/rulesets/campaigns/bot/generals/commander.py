"""The captain: a planner who keeps his plan from decision to decision (`proposer`), and whose staff serves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.rulesets.campaigns.bot.general import PROPOSALS
from leuthen.rulesets.campaigns.bot.generals import council, marches
from leuthen.rulesets.campaigns.bot.generals.proposer import goals_in, think
from leuthen.rulesets.campaigns.bot.situation import Situation, Temper, memory_of
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply.steps import SupplyStep
from leuthen.rulesets.campaigns.rules.r15_arrivals import Displaced, FreedMen, Recruits, Replacements
from leuthen.rulesets.campaigns.rules.r17_politics.winter import Council
from leuthen.wargame.commander import NOTHING, Commander, Propose
from leuthen.wargame.plans import Plan, Thought, expect_known

CAPTAIN: Final = Temper(
    quarters=0.05, loyalty=1.15, abroad=0.08, corps=8, spare=1, escort=True, walls=8, blockade=0.6,
    fear=1.0, haste=0.78, better=0.3, hopeless=0.1,
)  # fmt: skip
STAFF: Final[Mapping[type[Decision], Propose]] = {
    **PROPOSALS,
    Orders: marches.order_actions,
    ForcedMarches: marches.forced_actions,
    SupplyStep: marches.supply_actions,
    Arranging: council.arrange_actions,
    Council: council.council_actions,
    **dict.fromkeys((Displaced, FreedMen, Recruits, Replacements), council.arrival_actions),
}
"""By decision, who knows what to do: the planner's staff, where it does not matter that there is a plan."""


class Captain(Commander):
    """A general of this rule set who plans before every march and does not search."""

    def __init__(self, data: GameData, side: Side, seed: int, temper: Temper = CAPTAIN) -> None:
        super().__init__("campaigns", side, seed)
        self.data = data
        self.temper = temper
        self._memory = memory_of(data)

    def expect(self, plan: Plan) -> None:
        """Raises Invalid for a plan with leaders or places that are not in this game."""
        expect_known(plan.missions, len(self.data.leaders), self.data.board)

    def decide(self, look: Look, before: Thought, legal: LegalSet, pending: Pending) -> tuple[Action, Thought]:
        """The first order of the staff that is legal, and the plan that it serves."""
        asked = legal.first()
        if asked is None or tuple(asked.values) in NOTHING:
            return next(iter(legal)), before
        view: View = look()
        frame = view.frames[-1]
        if type(frame) not in STAFF:
            return next(iter(legal)), before
        s = self.situation(view)
        after = think(s, before)
        s.plan = goals_in(s, after.plan)
        for action in STAFF[type(frame)](s, frame):
            if action in legal:
                return action, after
        return next(iter(legal)), after

    def situation(self, view: View) -> Situation:
        """The position as he imagines it."""
        return Situation(self.data, view, frozenset(), self._memory, self.temper)
