"""The general of the campaigns: which habits he has, and who of his staff answers which decision."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from leuthen.bots.campaigner import battles, captives, marching, retreats, sieges, staff, stores, winter
from leuthen.bots.campaigner.situation import Situation, memory_of
from leuthen.bots.general import General, Propose
from leuthen.campaigns.decisions import Decision
from leuthen.campaigns.gamedata import GameData
from leuthen.campaigns.rules.check import Feeding
from leuthen.campaigns.rules.command import Orders
from leuthen.campaigns.rules.council import Council
from leuthen.campaigns.rules.declaring import Declaring
from leuthen.campaigns.rules.exchange import Arranging
from leuthen.campaigns.rules.forced import ForcedMarches
from leuthen.campaigns.rules.interlude import Quartering
from leuthen.campaigns.rules.joining import Joining
from leuthen.campaigns.rules.leaving import Leaving
from leuthen.campaigns.rules.losses import Losses
from leuthen.campaigns.rules.marching import Marching
from leuthen.campaigns.rules.meeting import Meeting, Rousing
from leuthen.campaigns.rules.passing import Passing
from leuthen.campaigns.rules.placing import Displaced, FreedMen, Recruits, Replacements
from leuthen.campaigns.rules.prisoners import Consenting, LeaderClaim, Naming, Proposing, Ransoming
from leuthen.campaigns.rules.provisions import SupplyStep
from leuthen.campaigns.rules.reacting import Reacting
from leuthen.campaigns.rules.reaction import ReactionWindow
from leuthen.campaigns.rules.retreat import Retreating
from leuthen.campaigns.rules.siege import Occupying, SiegeStep
from leuthen.campaigns.rules.toll import Toll
from leuthen.campaigns.view import View

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
    Retreating: retreats.retreat_actions,
    SiegeStep: sieges.siege_actions,
    Occupying: sieges.occupation_actions,
    SupplyStep: stores.supply_actions,
    Feeding: stores.feeding_actions,
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
        """The position as he imagines it."""
        return Situation(self.data, view, self.without, self._memory)
