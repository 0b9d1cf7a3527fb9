"""The captain: a plan before every march and on each new turn, and the first legal order that serves it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending, Side
from leuthen.engine.seat import Look
from leuthen.rulesets.campaigns.bot import battles, convoys, marching, troops, winter
from leuthen.rulesets.campaigns.bot.proposer import goals_in, think
from leuthen.rulesets.campaigns.bot.situation import Situation, memory_of
from leuthen.rulesets.campaigns.bot.weights import CAPTAIN, BotWeights
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.rules.r03_exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, SupplyStep, Toll
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, Leaving, Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import Displaced, FreedMen, Recruits, Replacements
from leuthen.rulesets.campaigns.rules.r17_winter import Council, Quartering
from leuthen.wargame.commander import NOTHING, Commander, Propose
from leuthen.wargame.plans import Plan, Thought, expect_known

PROPOSALS: Final[Mapping[type[Decision], Propose]] = {
    Orders: marching.order_actions,
    Marching: marching.on_the_way,
    Passing: marching.passing_actions,
    ForcedMarches: marching.forced_actions,
    Meeting: battles.attack_actions,
    Rousing: battles.attack_actions,
    ReactionWindow: battles.reaction_actions,
    Reacting: battles.react_actions,
    Joining: battles.join_actions,
    Declaring: battles.declare_actions,
    Leaving: battles.leave_actions,
    Retreating: battles.retreat_actions,
    SiegeStep: battles.siege_actions,
    Occupying: battles.occupation_actions,
    SupplyStep: convoys.supply_actions,
    Feeding: convoys.feeding_actions,
    Arranging: troops.arrange_actions,
    Losses: troops.loss_actions,
    Toll: troops.loss_actions,
    **dict.fromkeys((Displaced, FreedMen, Recruits, Replacements), winter.arrival_actions),
    Quartering: winter.quarter_actions,
    Council: winter.council_actions,
    Proposing: winter.exchange_actions,
    Consenting: winter.consent_actions,
    Naming: winter.naming_actions,
    LeaderClaim: winter.claim_actions,
    Ransoming: winter.ransom_actions,
}
"""By decision, what proposes actions, the best first; all other decisions get the action that commits least."""


class Captain(Commander):
    """A general of this rule set who plans before every march and does not search."""

    def __init__(self, data: GameData, side: Side, seed: int, weights: BotWeights = CAPTAIN) -> None:
        super().__init__("campaigns", side, seed)
        self.data = data
        self.weights = weights
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
        if type(frame) not in PROPOSALS:
            return next(iter(legal)), before
        s = self.situation(view)
        after = think(s, before)
        s.plan = goals_in(s, after.plan)
        for action in PROPOSALS[type(frame)](s, frame):
            if action in legal:
                return action, after
        return next(iter(legal)), after

    def situation(self, view: View) -> Situation:
        """The position as he imagines it."""
        return Situation(self.data, view, self._memory, self.weights)
