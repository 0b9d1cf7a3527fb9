"""The general: looks, thinks, and gives the first order of his list that the rules allow."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Final

from leuthen.bots.general import General, Propose
from leuthen.bots.planner import (
    battles,
    captives,
    deployment,
    depots,
    marching,
    points,
    redeployment,
    retreats,
    sieges,
    winter,
)
from leuthen.bots.planner.situation import Memory, Situation
from leuthen.frederick.decisions import Decision
from leuthen.frederick.gamedata import GameData
from leuthen.frederick.rules.combat import CombatPhase
from leuthen.frederick.rules.commitment import Losses
from leuthen.frederick.rules.depots import DepotPhase
from leuthen.frederick.rules.diplomacy import EnvoyChoice
from leuthen.frederick.rules.force_march import ForceLoss, ForceMarchPhase
from leuthen.frederick.rules.fortresses import RefugeChoice
from leuthen.frederick.rules.increments import RaiseChoice
from leuthen.frederick.rules.march import MarchPhase
from leuthen.frederick.rules.marching import Marching
from leuthen.frederick.rules.new_leaders import Sacking
from leuthen.frederick.rules.prisoners import Freeing, LeaderOffers, LeaderReturn
from leuthen.frederick.rules.redeployment import Redeploying, Reinforcing
from leuthen.frederick.rules.retreat import Pursuit, Retreating, Routed
from leuthen.frederick.rules.setup import Deployment
from leuthen.frederick.rules.siege import Departure, Occupation, SiegePhase
from leuthen.frederick.rules.winter import ReinforcementPhase
from leuthen.frederick.view import View

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
    Routed: retreats.rout_actions,
    Retreating: retreats.retreat_actions,
    RefugeChoice: retreats.refuge_actions,
    SiegePhase: sieges.siege_actions,
    Occupation: sieges.occupation_actions,
    Departure: sieges.departure_actions,
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
        self._memory = Memory(data.board)

    def situation(self, view: View) -> Situation:
        """The position as he imagines it."""
        return Situation(self.data, view, self.without, self._memory)
