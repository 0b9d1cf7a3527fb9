"""The general: looks, thinks, and gives the first order of his list that the rules allow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Any, Final, TypeAlias

from leuthen.bots.planner import battles, captives, deployment, depots, marching, points, redeployment, retreats
from leuthen.bots.planner import sieges as siege_habits
from leuthen.bots.planner import winter
from leuthen.bots.planner.situation import Memory, Situation
from leuthen.core.choice import Action, LegalSet
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import Pending
from leuthen.frederick.actions import Done
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
from leuthen.play import Look

HABITS: Final = (
    "sieges", "depots", "garrisons", "concentration", "battles", "caution", "hunting", "relief", "supply", "winter",
    "force-marches", "shelter", "pursuit", "points", "redeployment",
)  # fmt: skip
"""What the general does of his own accord, and what may be switched off."""

Proposals: TypeAlias = Iterator[Action]
Propose: TypeAlias = Callable[[Situation, LegalSet[Any], Any], Proposals]

PROPOSALS: Final[Mapping[type[Decision], Propose]] = {
    Deployment: lambda s, legal, frame: deployment.deployment_actions(s, frame),
    ReinforcementPhase: lambda s, legal, frame: winter.quarter_actions(s, legal),
    DepotPhase: lambda s, legal, frame: depots.depot_actions(s),
    MarchPhase: lambda s, legal, frame: marching.march_actions(s, legal, frame.die),
    Marching: lambda s, legal, frame: marching.open_march_actions(s, frame),
    ForceMarchPhase: lambda s, legal, frame: marching.force_march_actions(s),
    ForceLoss: lambda s, legal, frame: captives.exhaustion_actions(s, frame),
    CombatPhase: lambda s, legal, frame: battles.attack_actions(s, frame),
    Pursuit: lambda s, legal, frame: battles.pursuit_actions(s, frame),
    Routed: lambda s, legal, frame: retreats.rout_actions(s, frame),
    Retreating: lambda s, legal, frame: retreats.retreat_actions(s, frame),
    RefugeChoice: lambda s, legal, frame: retreats.refuge_actions(s, frame),
    SiegePhase: lambda s, legal, frame: siege_habits.siege_actions(s, frame),
    Occupation: lambda s, legal, frame: siege_habits.occupation_actions(s, frame),
    Departure: lambda s, legal, frame: siege_habits.departure_actions(s, frame),
    EnvoyChoice: lambda s, legal, frame: points.envoy_actions(s),
    RaiseChoice: lambda s, legal, frame: points.raise_actions(s),
    Losses: lambda s, legal, frame: captives.loss_actions(s, frame),
    Sacking: lambda s, legal, frame: captives.sack_actions(s, frame),
    Freeing: lambda s, legal, frame: captives.free_actions(s, frame),
    LeaderOffers: lambda s, legal, frame: captives.offer_actions(s, frame),
    LeaderReturn: lambda s, legal, frame: captives.return_actions(s, frame),
    Redeploying: lambda s, legal, frame: redeployment.redeployment_actions(s),
    Reinforcing: lambda s, legal, frame: redeployment.reinforcement_actions(s),
}
"""By decision, the module that knows what to do."""
_NOTHING: Final = ("done",)


class Planner:
    """A bot that plays by rules of thumb. It keeps nothing between two decisions but tables that hold in any position."""

    def __init__(self, data: GameData, without: Set[str] = frozenset()) -> None:
        for habit in without:
            if habit not in HABITS:
                raise Invalid(f"«{habit}» is no habit: {', '.join(HABITS)}")
        self.data = data
        self.without = frozenset(without)
        self._memory = Memory()

    def choose(self, look: Look, legal: LegalSet[Any], pending: Pending) -> Action:
        """The first proposal that is legal; if none is, what commits least."""
        if legal.options().values == _NOTHING:
            return Done()
        situation = Situation(self.data, look(), self.without, self._memory)
        frame = situation.pos.frames[-1]
        propose = PROPOSALS.get(type(frame))
        if propose is not None:
            for action in propose(situation, legal, frame):
                if action in legal:
                    return action
        fallback: Action = next(iter(legal))
        return fallback
