"""The general: looks, thinks, and gives the first order of his list that the rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from leuthen.rulesets.frederick.bot import battles, captives, deployment, depots, marching, points, redeployment, winter
from leuthen.rulesets.frederick.bot.situation import Situation, situation_of
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.decisions import Decision
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c05_diplomacy.diplomacy import EnvoyChoice
from leuthen.rulesets.frederick.rules.c06_increments import RaiseChoice
from leuthen.rulesets.frederick.rules.c07_commitment import Losses
from leuthen.rulesets.frederick.rules.c08_redeployment.new_leaders import Sacking
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import Redeploying, Reinforcing
from leuthen.rulesets.frederick.rules.c11_allegiance.prisoners import Freeing, LeaderOffers, LeaderReturn
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceLoss, ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Pursuit, Retreating, Routed
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.rulesets.frederick.rules.o12_fortresses import RefugeChoice
from leuthen.rulesets.frederick.rules.o13_siege import Departure, Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_winter.attrition import ReinforcementPhase
from leuthen.wargame.commander import General, Propose

HABITS: Final = (
    "sieges", "depots", "garrisons", "concentration", "battles", "caution", "hunting", "relief", "supply", "winter",
    "force-marches", "detachments", "shelter", "pursuit", "points", "redeployment",
)  # fmt: skip
"""What the general does of his own accord, and what may be switched off."""

PROPOSALS: Final[Mapping[type[Decision], Propose]] = {
    Deployment: deployment.deployment_actions,
    ReinforcementPhase: lambda s, frame: winter.quarter_actions(s),
    DepotPhase: lambda s, frame: depots.depot_actions(s),
    MarchPhase: lambda s, frame: marching.march_actions(s, frame.die),
    Marching: marching.open_march_actions,
    ForceMarchPhase: lambda s, frame: marching.force_march_actions(s),
    ForceLoss: captives.exhaustion_actions,
    CombatPhase: battles.attack_actions,
    Pursuit: battles.pursuit_actions,
    Routed: battles.rout_actions,
    Retreating: battles.retreat_actions,
    RefugeChoice: battles.refuge_actions,
    SiegePhase: battles.siege_actions,
    Occupation: battles.occupation_actions,
    Departure: battles.departure_actions,
    EnvoyChoice: lambda s, frame: points.envoy_actions(s),
    RaiseChoice: lambda s, frame: points.raise_actions(s),
    Losses: captives.loss_actions,
    Sacking: captives.sack_actions,
    Freeing: captives.free_actions,
    LeaderOffers: captives.offer_actions,
    LeaderReturn: captives.return_actions,
    Redeploying: lambda s, frame: redeployment.redeployment_actions(s),
    Reinforcing: lambda s, frame: redeployment.reinforcement_actions(s),
}
"""By decision, the module that knows what to do."""


class Planner(General):
    """The general of this rule set."""

    def __init__(self, data: GameData, without: Set[str] = frozenset()) -> None:
        super().__init__(HABITS, without, PROPOSALS)
        self.data = data

    def situation(self, view: View) -> Situation:
        return situation_of(self.data, view, self.without)
