"""The captain as a player's staff: what he goes by, and when he must ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from leuthen.engine.choice import Action
from leuthen.engine.decision import Decision
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.intent import mission_of
from leuthen.rulesets.frederick.bot.generals.orders import ArmyMissions
from leuthen.rulesets.frederick.bot.generals.reasons import where
from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.actions import Attack
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c04_sequence import GrandStrategy
from leuthen.rulesets.frederick.rules.c06_increments import RaiseChoice
from leuthen.rulesets.frederick.rules.c08_redeployment.redeployment import Redeploying
from leuthen.rulesets.frederick.rules.c11_allegiance.prisoners import LeaderExchange, PrisonerExchange
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Pursuit
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_winter.attrition import ReinforcementPhase
from leuthen.wargame.plans import Limits, date_number
from leuthen.wargame.staff import Officer


class StaffCaptain(Captain, Officer[View]):
    """The captain, who also serves."""

    FORESEEN = (
        Deployment,
        ReinforcementPhase,
        DepotPhase,
        MarchPhase,
        Marching,
        ForceMarchPhase,
        CombatPhase,
        Pursuit,
        SiegePhase,
        Occupation,
    )
    AFFAIRS: ClassVar[Mapping[type[Decision], str]] = {
        GrandStrategy: "the winter council",
        Battles: "the battle",
        SiegePhase: "the siege",
        PrisonerExchange: "the prisoners",
        LeaderExchange: "the prisoners",
    }

    HABITS: ClassVar[Mapping[type[Decision], str]] = {
        Deployment: "The armies begin where most fortresses are covered, a man in each of the others (C2.1).",
        DepotPhase: "A depot is begun before a fortress and on the way to a siege, an idle one removed (O10.4).",
        MarchPhase: "Fortresses get men by worth and danger, men without a general get one; who has no mission marches "
        "where it is better (O5.1).",
        Marching: "The march goes on where the next hex is better than this one (O5.1).",
        ForceMarchPhase: "A force march must bring the more, the likelier it is to cost a man (O6.1).",
        CombatPhase: "An attack is ordered where the tables promise a gain (O9.4).",
        Pursuit: "A victor follows where it is safe (O9.15).",
        SiegePhase: "A siege is rolled for as soon as its depot is complete (O13.1).",
        Occupation: "A fortress that is taken gets a garrison by its worth and its danger (O13.5).",
        ReinforcementPhase: "From turn 15 on armies take winter quarters where they can (O14.1).",
        RaiseChoice: "Points are spent all at once, as long as there are counters (C6.5).",
        Redeploying: "Garrisons are filled up, the armies brought together where most is to be won or lost, and none "
        "left without a general (C8.6).",
    }

    def turn(self, view: View) -> int:
        """The date on which the side had its last turn (O4.1): what the enemy does then belongs to it."""
        is_before = view.phasing != view.viewer and view.viewer != 0
        return date_number(view.year, view.turn) - is_before

    def missions(self, view: View) -> ArmyMissions:
        """The plan of this turn, made if there is none yet, and the missions that may be given."""
        s = self._think(view)
        return ArmyMissions(s, self.mind.plan)

    def doubt(self, view: View, action: Action) -> str:
        """What a plan does not foresee, and attacks at worse odds than the mission allows."""
        if surprise := self.surprise(view.frames):
            return surprise
        if not isinstance(action, Attack):
            return ""
        s = self._think(view)
        mine, foe = s.pos.field(action.hex, s.side), s.pos.field(action.hex, s.foe)
        if mine is None or foe is None:
            return ""
        odds, least = s.fight(mine, foe, action.hex).attacker_wins, self._least(mine)
        weak = f"an attack at {where(s, action.hex)} would be won with {odds:.0%}, and {least:.0%} are asked for"
        return weak if odds < least else ""

    def _least(self, army: Stack) -> float:
        mission = mission_of(self.mind.plan, army)
        return (mission.limits if mission is not None else Limits()).least_odds

    def _think(self, view: View) -> Situation:
        s, mind = self.consider(view, self.mind)
        self.take_up(mind)
        return s
