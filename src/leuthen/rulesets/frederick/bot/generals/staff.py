"""The captain as a player's staff: missions in words, and when he must ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Decision
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.bot.generals.commander import Captain
from leuthen.rulesets.frederick.bot.generals.intent import GOALS, mission_of
from leuthen.rulesets.frederick.bot.generals.proposer import today
from leuthen.rulesets.frederick.bot.generals.reasons import reason, where
from leuthen.rulesets.frederick.bot.situation import Goal, Situation, situation_of
from leuthen.rulesets.frederick.knowledge.view import View
from leuthen.rulesets.frederick.model.actions import Attack
from leuthen.rulesets.frederick.model.names import name_book
from leuthen.rulesets.frederick.model.state import ON_MAP, Stack
from leuthen.rulesets.frederick.rules.c02_setup import Deployment
from leuthen.rulesets.frederick.rules.c04_sequence import GrandStrategy
from leuthen.rulesets.frederick.rules.c11_allegiance.prisoners import LeaderExchange, PrisonerExchange
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.combat import Battles, CombatPhase
from leuthen.rulesets.frederick.rules.o09_combat.retreat import Pursuit
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_winter.attrition import ReinforcementPhase
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.plans import KINDS, Kind, Limits, Mission, Plan, date_number
from leuthen.wargame.staff import TO, Assignment, Foresight

BESIEGING: Final = ("besiege", "raid")


class StaffCaptain(Captain, Foresight):
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

    kinds = KINDS

    def turn(self, view: View) -> int:
        """The date on which the side had its last turn (O4.1): what the enemy does then belongs to it."""
        is_before = view.phasing != view.viewer and view.viewer != 0
        return date_number(view.year, view.turn) - is_before

    def assignments(self, view: View) -> list[Assignment]:
        """The plan of this turn, made if there is none yet."""
        s = self._think(view)
        return [_assignment(s, mission) for mission in self.mind.plan.missions]

    def affair(self, view: View) -> str:
        """A battle, a siege, a winter council, an exchange of prisoners."""
        return self.affair_of(view.frames)

    def give(self, view: View, words: str) -> None:
        """«Frederick besiege Prague»: the army that he commands, or he alone, gets the mission."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        kind, _, place = rest.partition(" ")
        if kind not in (*KINDS, TO):
            raise Invalid(f"«{kind}» is no mission: {', '.join(KINDS)}")
        here = name_book(s.data).hex(place)
        kind = _kind_for(s, here) if kind == TO else kind
        _expect_open(s, str(kind), here)
        self._give(s, leader, next(one for one in GOALS if one == kind), here)

    def drop(self, view: View, words: str) -> None:
        """The army of a leader has no mission any more."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        if rest:
            raise Invalid(f"«{rest}» is too much: name a leader")
        self._keep(self.mind.plan.cancel(leader))

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
        s = situation_of(self.data, view)
        self.take_up(self.consider(s, view, self.mind))
        return s

    def _leader(self, s: Situation, words: str) -> tuple[int, str]:
        """The leader whom the first words name, who must be on the map on this side; and the other words."""
        found = name_book(s.data).leaders.take(words.split())
        if found is None:
            raise name_book(s.data).leaders.unknown(words.split(" ")[0])
        leader, count = found
        man = s.data.leaders[leader]
        if s.pos.side_of(man.power) != s.side:
            raise Invalid(f"{man.name} is not yours")
        if s.pos.roster[leader] != ON_MAP:
            raise Invalid(f"{man.name} is not on the map")
        return leader, " ".join(words.split()[count:])

    def _give(self, s: Situation, leader: int, kind: Kind, here: Hex) -> None:
        army = next((stack for stack in s.mine if leader in stack.leaders), None)
        if army is None:
            raise Invalid(f"{s.data.leaders[leader].name} has nobody to lead")
        others = tuple(n for n in army.leaders if n != leader) if army.commander == leader else ()
        why = reason(s, army, Goal(GOALS[kind], here, 1.0))
        mission = Mission(kind, (leader, *others), here, Limits(), why, today(s), signed=True)
        self._keep(self.mind.plan.give(mission))

    def _keep(self, plan: Plan) -> None:
        self.take_up(msgspec.structs.replace(self.mind, plan=plan))


def _kind_for(s: Situation, here: Hex) -> Kind:
    """What an army is for that is sent to a place."""
    if s.pos.owners.get(here, s.side) != s.side:
        return "besiege"
    return "hunt" if s.foe_hexes >> here & 1 else "hold"


def _expect_open(s: Situation, kind: str, here: Hex) -> None:
    """Raises Invalid if a place is barred, or there is nothing to besiege."""
    if s.neutral >> here & 1:
        raise Invalid(f"{where(s, here)} is neutral ground: whoever enters it makes an enemy (C3.3)")
    if kind in BESIEGING and (here not in s.pos.owners or s.pos.owners[here] == s.side):
        raise Invalid(f"there is nothing to besiege at {where(s, here)}")


def _assignment(s: Situation, mission: Mission) -> Assignment:
    names = tuple(s.data.leaders[leader].name for leader in mission.army)
    army = next((stack for stack in s.mine if mission.army[0] in stack.leaders), None)
    return Assignment(mission, names, NOWHERE if army is None else army.hex, f"{army.strength if army else 0} SP")
