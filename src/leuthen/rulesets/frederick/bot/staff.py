"""The captain as a player's staff: the missions that he is given, what he goes by, and when he must ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

import msgspec

from leuthen.engine.choice import Action, Refusal
from leuthen.engine.decision import Decision
from leuthen.rulesets.frederick.bot.captain import Captain
from leuthen.rulesets.frederick.bot.goals import GOALS, mission_of
from leuthen.rulesets.frederick.bot.odds import DICE
from leuthen.rulesets.frederick.bot.proposer import reason, still_open, today, where
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.actions import Attack
from leuthen.rulesets.frederick.model.pieces import CAPTIVE, GONE, ON_MAP, Stack
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c04_sequence import GrandStrategy
from leuthen.rulesets.frederick.rules.c06_resources import RaiseChoice
from leuthen.rulesets.frederick.rules.c08_redeployment import Redeploying
from leuthen.rulesets.frederick.rules.c11_prisoners import LeaderExchange, PrisonerExchange
from leuthen.rulesets.frederick.rules.o05_forces import nobody_enters
from leuthen.rulesets.frederick.rules.o05_march import Marching, MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Pursuit
from leuthen.rulesets.frederick.rules.o10_supply import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase, siege_modifiers, siege_result
from leuthen.rulesets.frederick.rules.o14_attrition import ReinforcementPhase, attrition_loss, attrition_percent
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.missions import Missions
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason, date_number
from leuthen.wargame.staff import Officer
from leuthen.wargame.strength import LeaderId

BESIEGING: Final = ("besiege", "raid")
GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", GONE: "is dead or dismissed"}
"""Why a leader is not on the map, where that can be said."""


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


class ArmyMissions(Missions):
    """An army is a stack, and has one mission: that of its commander (O2.5)."""

    KINDS: ClassVar[tuple[Kind, ...]] = tuple(GOALS)
    RULE = "O2.5"

    def __init__(self, s: Situation, plan: Plan) -> None:
        super().__init__(s.data.book, s.board, plan)
        self.s = s

    @cached_property
    def own(self) -> Sequence[LeaderId]:
        return [leader for stack in self.s.mine for leader in stack.leaders]

    def why_not_lead(self, leader: LeaderId) -> str:
        s, man = self.s, self.s.data.leaders[leader]
        if s.pos.side_of(man.power) != s.side:
            return "is not yours"
        army = self._stack(leader)
        if s.pos.roster[leader] != ON_MAP or army is None:
            return GONE_WHERE.get(s.pos.roster[leader], "is not on the map")
        if not army.sp:
            return "has nobody to lead"
        if army.commander != leader:
            return f"stands under {s.data.leaders[army.commander].name}, and an army has one mission: give it to him"
        return ""

    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        s, name = self.s, where(self.s, here)
        if refusal := nobody_enters(s.pos, here, self.book.place(here)):
            return refusal
        if s.neutral >> here & 1:
            return Refusal("C3.3", "{} is neutral ground: whoever enters it makes an enemy", (name,), here)
        if kind in BESIEGING and (here not in s.pos.owners or s.pos.owners[here] == s.side):
            return Refusal("O13.1", "there is nothing to besiege at {}", (name,), here)
        if still_open(s, Mission(kind, (), here)):
            return None
        if kind == "hunt":
            return Refusal("O9.1", "no enemy army is known to be at {}", (name,), here)
        return Refusal("O12.2", "{} belongs to the enemy: besiege it first", (name,), here)

    def kind_for(self, here: Hex) -> Kind:
        if self.s.pos.owners.get(here, self.s.side) != self.s.side:
            return "besiege"
        return "hunt" if self.s.foe_hexes >> here & 1 else "hold"

    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        army = self._stack(leader)
        return (leader, *(n for n in army.leaders if n != leader)) if army is not None else (leader,)

    def led_by(self, army: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
        return self.army_of(army[0])

    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        stack = self._stack(army[0])
        return reason(self.s, stack, Goal(GOALS[kind], here, 1.0)) if stack is not None else Reason("")

    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        stack = self._stack(army[0])
        return (stack.hex, f"{stack.strength} SP") if stack is not None else (NOWHERE, "")

    def price(self, mission: Mission) -> str:
        """What a siege roll and hunger cost on the average (O13.2, O10.8, O14.2); a battle's price is in its reason."""
        army = self._stack(mission.army[0])
        return "; ".join(self._prices(army, mission)) if army is not None and army.sp else ""

    @property
    def today(self) -> int:
        return today(self.s)

    def _stack(self, leader: LeaderId) -> Stack | None:
        return next((stack for stack in self.s.mine if leader in stack.leaders), None)

    def _prices(self, army: Stack, mission: Mission) -> Iterator[str]:
        s, here = self.s, mission.place
        there = msgspec.structs.replace(army, hex=here, inside=False)
        garrison = s.pos.inside(here, s.foe)
        if mission.kind in BESIEGING and garrison is not None and garrison.sp:
            added = sum(siege_modifiers(s.pos, there, garrison))
            repulses = sum(siege_result(s.pos, die + added) == "repulse" for die in DICE)
            yield (
                f"{repulses / 6:.1f} SP a siege roll (O13.2)" if repulses else "no men at the first siege roll (O13.2)"
            )
        is_fed = bool(s.supplied(army) >> here & 1)
        if is_fed and s.pos.is_winter:
            yield f"{self._hunger(army, 0):.1f} SP a turn in the open in winter (O14.2)"
        elif not is_fed:
            yield f"{self._hunger(army, s.pos.is_winter):.1f} SP a turn there out of supply, and more later (O10.8)"

    def _hunger(self, army: Stack, added: int) -> float:
        percents = [attrition_percent(self.s.pos, die + added) for die in DICE]
        return sum(attrition_loss(army.strength, percent, again=False) for percent in percents) / len(percents)
