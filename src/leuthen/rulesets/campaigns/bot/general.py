"""The general of the campaigns: which habits he has, and who of his staff answers which decision."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from leuthen.rulesets.campaigns.bot import battles, captives, convoys, marching, staff, winter
from leuthen.rulesets.campaigns.bot.situation import Situation, memory_of
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting.joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting.meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply.steps import Feeding, SupplyStep, Toll
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Declaring, Leaving, Losses
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import Displaced, FreedMen, Recruits, Replacements
from leuthen.rulesets.campaigns.rules.r17_politics.winter import Council, Quartering
from leuthen.wargame.commander import General, Propose

HABITS: Final = (
    "sieges", "sharing", "detachments", "hunting", "relief", "guard", "concentration", "garrisons", "supply", "wagons",
    "depots", "battles", "caution", "reactions", "retreat", "shelter", "force-marches", "staff", "prisoners", "winter",
)  # fmt: skip
"""What the general does of his own accord, and what may be switched off."""

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
    **dict.fromkeys((Displaced, FreedMen, Recruits, Replacements), winter.arrival_actions),
    Proposing: captives.exchange_actions,
    Consenting: captives.consent_actions,
    Naming: captives.naming_actions,
    LeaderClaim: captives.claim_actions,
    Ransoming: captives.ransom_actions,
    Arranging: staff.arrange_actions,
    Losses: staff.loss_actions,
    Toll: staff.loss_actions,
    Quartering: winter.quarter_actions,
    Council: winter.council_actions,
}
"""By decision, the module that knows what to do; what is not named here is answered by what commits least."""


class Campaigner(General):
    """The general of this rule set."""

    def __init__(self, data: GameData, without: Set[str] = frozenset()) -> None:
        super().__init__(HABITS, without, PROPOSALS)
        self.data = data
        self._memory = memory_of(data)

    def situation(self, view: View) -> Situation:
        return Situation(self.data, view, self.without, self._memory)
