"""The captain as a player's staff: the missions that he is given, what he goes by, and when he must ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

from leuthen.engine.choice import Action, Refusal
from leuthen.engine.decision import Decision
from leuthen.rulesets.campaigns.bot.captain import Captain
from leuthen.rulesets.campaigns.bot.proposer import named, reason_of, still_open, think
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.actions import Attack, Withdraw
from leuthen.rulesets.campaigns.model.forces import commander, force_at, percent_of, strength
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, COMING, GONE, Unit
from leuthen.rulesets.campaigns.odds.dice import attrition_odds
from leuthen.rulesets.campaigns.rules.r03_exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r06_meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import TOLL, ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_steps import Feeding, SupplyStep, Toll
from leuthen.rulesets.campaigns.rules.r09_supply import is_near, need, stock
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.rules.r14_prisoners import Consenting, PrisonerStep, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals import Appearing, Placing
from leuthen.rulesets.campaigns.rules.r17_winter import Council, Interlude, Quartering
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.missions import Missions
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason, date_number
from leuthen.wargame.staff import Officer
from leuthen.wargame.strength import LeaderId

GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", COMING: "has not come yet", GONE: "is gone for good"}
"""Why a leader is not on the map, where that can be said."""


class StaffCaptain(Captain, Officer[View]):
    """The captain, who also serves. Reactions belong to his plan, as what falls due of itself does."""

    FORESEEN = (
        Orders, Marching, Passing, Meeting, Rousing, ForcedMarches, ReactionWindow, Reacting, SupplyStep, Feeding,
        SiegeStep, Occupying, Arranging, Placing, Appearing, Toll,
    )  # fmt: skip
    AFFAIRS: ClassVar[Mapping[type[Decision], str]] = {
        Battle: "the battle",
        Retreating: "the battle",
        Council: "the winter council",
        Quartering: "the winter council",
        Interlude: "the winter council",
        PrisonerStep: "the prisoners",
        Proposing: "the prisoners",
        Consenting: "the prisoners",
        Ransoming: "the prisoners",
    }

    HABITS: ClassVar[Mapping[type[Decision], str]] = {
        Orders: "Who has no mission stays where he is, and small corps join the next army (R4.2).",
        Meeting: "An attack, or a way round, is chosen by what the odds promise (R6.1).",
        ReactionWindow: "Who should beat the mover falls upon him, who would be beaten slips away (R7.1).",
        ForcedMarches: "A march is forced to an empty place, or upon an enemy who thinks himself out of reach (R8).",
        SupplyStep: "Wagons and depots are made where armies are, and go to where they are wanted (R9.3).",
        Feeding: "A force is fed as long as there is bread (R9.7).",
        SiegeStep: "A siege is rolled for every turn (R11.2).",
        Occupying: "A place that is taken gets a garrison by its size (R11.6).",
        Arranging: "The ablest leader commands, and has most men (R3.2).",
        Placing: "New men come to where most is to be won or lost (R15.1).",
        Appearing: "Who comes appears with the army that needs him most (R15.1).",
        Council: "Quarters are taken where most can be taken and guarded in spring (R17.6).",
    }

    def turn(self, view: View) -> int:
        """Year and turn."""
        return date_number(view.year, view.turn)

    def missions(self, view: View) -> ForceMissions:
        """The plan of this turn, made if there is none yet, and the missions that may be given."""
        return ForceMissions(self._think(view), self.mind.plan)

    def doubt(self, view: View, action: Action) -> str:
        """What a plan does not foresee, and attacks at worse odds than the mission allows."""
        frame = view.frames[-1]
        if _is_own_battle(view) and not isinstance(action, Withdraw):
            return ""
        if surprise := self.surprise(view.frames):
            return surprise
        if not isinstance(action, Attack) or not isinstance(frame, Meeting):
            return ""
        s = self._think(view)
        here = s.pos.units[frame.lead].hex
        mission = self.mind.plan.mission_of(frame.lead)
        least = (mission.limits if mission is not None else Limits()).least_odds
        odds = s.fight(s.field(here, s.side), s.field(here, s.foe), here).attacker_wins
        weak = f"an attack at {named(s, here)} would be won with {odds:.0%}, and {least:.0%} are asked for"
        return weak if odds < least else ""

    def _think(self, view: View) -> Situation:
        s = self.situation(view)
        self.take_up(think(s, self.mind))
        return s


def _is_own_battle(view: View) -> bool:
    """Whether a battle is fought that the side has begun: that belonged to its plan."""
    return any(isinstance(frame, Battle) and frame.attacker == view.viewer for frame in view.frames)


class ForceMissions(Missions):
    """An army is a leader with those of his nation whom he commands (R2.2)."""

    KINDS: ClassVar[tuple[Kind, ...]] = ("besiege", "raid", "cover", "relieve", "hunt", "join", "hold", "winter")
    STILL: ClassVar[tuple[Kind, ...]] = ("hold", "winter")
    RULE = "R2.2"

    def __init__(self, s: Situation, plan: Plan) -> None:
        super().__init__(s.data.book, s.board, plan)
        self.s = s

    @cached_property
    def own(self) -> Sequence[LeaderId]:
        return [unit.number for unit in (*self.s.generals, *self.s.idle)]

    def why_not_lead(self, leader: LeaderId) -> str:
        pos = self.s.pos
        if pos.side(leader) != self.s.side:
            return "is not yours"
        if leader not in pos.units:
            return (
                GONE_WHERE.get(pos.roster[leader], "is not on the map") if leader < len(pos.roster) else "is not there"
            )
        return "has nobody to lead" if not pos.units[leader].tp or self.s.data.is_wagon(leader) else ""

    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        s = self.s
        if not s.board.in_play(here):
            return Refusal("R5.1", "{} is water, or outside the theatre", (hex_name(here),), here)
        if still_open(s, Mission(kind, (), here)) is not None:
            return None
        if here in s.pos.owners and s.pos.is_enemy_ground(here):
            return Refusal("R5.6", "{} is of a neutral nation and cannot be taken", (named(s, here),), here)
        return Refusal("R11.1", "there is nothing to take at {}", (named(s, here),), here)

    def kind_for(self, here: Hex) -> Kind:
        if here in self.s.worths:
            return "besiege" if self.s.guards(here) else "raid"
        return "hunt" if self.s.field(here, self.s.foe) else "cover"

    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        """The other leaders with men of the force that he commands, of his nation, come along."""
        pos = self.s.pos
        unit, nation = pos.units[leader], pos.leader(leader).nation
        force = force_at(pos, unit.hex, self.s.side, unit.inside)
        if commander(pos, force) != leader:
            return (leader,)
        led = [one.number for one in force if one.tp and not self.s.data.is_wagon(one.number)]
        return (leader, *[number for number in led if number != leader and pos.leader(number).nation == nation])

    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        return reason_of(self.s, kind, army, here)

    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        units = self._units(army)
        return (units[0].hex, f"{strength(units)} TP") if units else (NOWHERE, "")

    def price(self, mission: Mission) -> str:
        """What sieges and hunger cost (R11.3, R9.7, V3.5); a battle's price is in its reason."""
        units = self._units(mission.army)
        return "; ".join(self._prices(units, mission)) if units else ""

    @property
    def today(self) -> int:
        return date_number(self.s.pos.year, self.s.pos.turn)

    def _units(self, army: Sequence[LeaderId]) -> list[Unit]:
        return [self.s.pos.units[leader] for leader in army if leader in self.s.pos.units]

    def _prices(self, units: list[Unit], mission: Mission) -> Iterator[str]:
        pos, here = self.s.pos, mission.place if mission.place != NOWHERE else units[0].hex
        if mission.kind == "besiege":
            yield "siege rolls cost no men (R11.3)"
        inside = here == units[0].hex and units[0].inside
        due = need(pos, strength(units))
        if not due or is_near(pos, here, self.s.side, inside):
            return
        if pos.options.einhorn:
            lost, rule = float(sum(points * chance for points, chance in attrition_odds(pos, units))), "V3.5"
        else:
            lost, rule = float(percent_of(TOLL, strength(units))), "R9.7"
        yield f"{due} SP a turn there, beyond the depots, of which it has {stock(units)}; unfed {lost:.1f} TP ({rule})"
