"""The missions that a player may give his armies, and what men they cost by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

import msgspec

from leuthen.engine.choice import Refusal
from leuthen.rulesets.frederick.bot.generals.intent import GOALS
from leuthen.rulesets.frederick.bot.generals.proposer import still_open, today
from leuthen.rulesets.frederick.bot.generals.reasons import reason, where
from leuthen.rulesets.frederick.bot.odds import DICE
from leuthen.rulesets.frederick.bot.situation import Goal, Situation
from leuthen.rulesets.frederick.model.pieces import CAPTIVE, GONE, ON_MAP
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.rules.o05_march.walk import nobody_enters
from leuthen.rulesets.frederick.rules.o13_siege import siege_modifiers, siege_result
from leuthen.rulesets.frederick.rules.o14_winter.attrition import attrition_loss, attrition_percent
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.missions import Missions
from leuthen.wargame.plans import Kind, Mission, Plan, Reason
from leuthen.wargame.strength import LeaderId

BESIEGING: Final = ("besiege", "raid")
GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", GONE: "is dead or dismissed"}
"""Why a leader is not on the map, where that can be said."""


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
