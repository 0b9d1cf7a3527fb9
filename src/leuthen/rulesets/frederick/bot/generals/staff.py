"""The captain as a player's staff: missions in words, and when he must ask."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Action
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
from leuthen.rulesets.frederick.rules.o05_march.open_march import Marching
from leuthen.rulesets.frederick.rules.o05_march.phase import MarchPhase
from leuthen.rulesets.frederick.rules.o09_combat.combat import CombatPhase
from leuthen.rulesets.frederick.rules.o10_supply.depots import DepotPhase
from leuthen.rulesets.frederick.rules.o13_siege import Occupation, SiegePhase
from leuthen.rulesets.frederick.rules.o14_winter.attrition import ReinforcementPhase
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import KINDS, Kind, Limits, Mission, Plan

FORESEEN: Final = (
    Deployment,
    ReinforcementPhase,
    DepotPhase,
    MarchPhase,
    Marching,
    CombatPhase,
    SiegePhase,
    Occupation,
)
"""What a plan has orders for; with all else the player is asked."""
BESIEGING: Final = ("besiege", "raid")


class StaffCaptain(Captain):
    """The captain, who also serves."""

    def turn(self, view: View) -> int:
        """Year, turn and the side whose turn it is."""
        return (view.year * 100 + view.turn) * 4 + view.phasing

    def tell(self, view: View) -> list[str]:
        """The plan of this turn, made if there is none yet."""
        s = self._think(view)
        return [_line(s, mission) for mission in self.mind.plan.missions] or ["No army has anything to do."]

    def give(self, view: View, words: str) -> None:
        """«Frederick besiege Prague»: the army that he commands, or he alone, gets the mission."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        kind, _, place = rest.partition(" ")
        if kind not in KINDS:
            raise Invalid(f"«{kind}» is no mission: {', '.join(KINDS)}")
        here = name_book(s.data).hex(place)
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
        frame = view.frames[-1]
        if not isinstance(frame, FORESEEN):
            return f"{frame.NAME} ({frame.RULE}) was not foreseen"
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


def _expect_open(s: Situation, kind: str, here: Hex) -> None:
    """Raises Invalid if a place is barred, or there is nothing to besiege."""
    if s.neutral >> here & 1:
        raise Invalid(f"{where(s, here)} is neutral ground: whoever enters it makes an enemy (C3.3)")
    if kind in BESIEGING and (here not in s.pos.owners or s.pos.owners[here] == s.side):
        raise Invalid(f"there is nothing to besiege at {where(s, here)}")


def _line(s: Situation, mission: Mission) -> str:
    names = ", ".join(s.data.leaders[leader].name for leader in mission.army)
    army = next((stack for stack in s.mine if mission.army[0] in stack.leaders), None)
    men = f" with {army.strength} SP" if army is not None else ""
    why = mission.reason
    odds = f", {why.odds:.0%}" if why.odds is not None else ""
    rests = f": {'; '.join(why.premises)}" if why.premises else ""
    return f"{names}{men} to {why.goal}{rests}{odds} ({why.rule}){', as you ordered' if mission.signed else ''}"
