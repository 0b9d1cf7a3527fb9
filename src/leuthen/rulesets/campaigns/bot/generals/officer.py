"""The captain as a player's staff: missions in words, missions that the player gives, and when he must ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.decision import Decision
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.bot.generals.commander import Captain
from leuthen.rulesets.campaigns.bot.generals.proposer import think
from leuthen.rulesets.campaigns.bot.generals.reasons import named, reason_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.actions import Attack, Withdraw
from leuthen.rulesets.campaigns.model.forces import commander, force_at
from leuthen.rulesets.campaigns.model.names import name_book
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r04_command.passing import Passing
from leuthen.rulesets.campaigns.rules.r06_meeting.meeting import Meeting, Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction.reacting import Reacting
from leuthen.rulesets.campaigns.rules.r07_reaction.reaction import ReactionWindow
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply.attrition_losses import Toll
from leuthen.rulesets.campaigns.rules.r09_supply.check import Feeding
from leuthen.rulesets.campaigns.rules.r09_supply.provisions import SupplyStep
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.rulesets.campaigns.rules.r14_prisoners.prisoners import Consenting, PrisonerStep, Proposing, Ransoming
from leuthen.rulesets.campaigns.rules.r15_arrivals.placing import Appearing, Placing
from leuthen.rulesets.campaigns.rules.r17_politics.council import Council
from leuthen.rulesets.campaigns.rules.r17_politics.interlude import Interlude, Quartering
from leuthen.wargame.board import NOWHERE, Hex
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, date_number
from leuthen.wargame.staff import TO, Assignment, Foresight

TAKEN: Final = ("besiege", "raid")
STILL: Final[tuple[Kind, ...]] = ("hold", "winter")
"""Missions without a place."""
GIVEN: Final[tuple[Kind, ...]] = ("besiege", "raid", "cover", "relieve", "hunt", "join", *STILL)


class StaffCaptain(Captain, Foresight):
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

    kinds = GIVEN

    def turn(self, view: View) -> int:
        """Year and turn."""
        return date_number(view.year, view.turn)

    def assignments(self, view: View) -> list[Assignment]:
        """The plan of this turn, made if there is none yet."""
        s = self._think(view)
        return [_assignment(s, mission) for mission in self.mind.plan.missions]

    def affair(self, view: View) -> str:
        """A battle with its retreat, a winter council, an exchange of prisoners."""
        return self.affair_of(view.frames)

    def give(self, view: View, words: str) -> None:
        """«Frederick besiege Prague»: the army that he commands, or he alone, gets the mission."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        word, _, place = rest.partition(" ")
        kind = next((one for one in GIVEN if one == word), None)
        if kind is None and word != TO:
            raise Invalid(f"«{word}» is no mission: {', '.join(GIVEN)}")
        here = NOWHERE if kind in STILL and not place else name_book(s.data).hex(place)
        kind = kind or _kind_for(s, here)
        _expect_open(s, kind, here)
        army = _army_of(s, leader)
        why = reason_of(s, kind, army, here)
        self._keep(self.mind.plan.give(Mission(kind, army, here, Limits(), why, self.turn(view), signed=True)))

    def drop(self, view: View, words: str) -> None:
        """A leader has no mission any more."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        if rest:
            raise Invalid(f"«{rest}» is too much: name a leader")
        self._keep(self.mind.plan.cancel(leader))

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

    def _leader(self, s: Situation, words: str) -> tuple[int, str]:
        """The leader whom the first words name, who must have men on this side; and the other words."""
        book = name_book(s.data).leaders
        found = book.take(words.split())
        if found is None:
            raise book.unknown(words.split(" ")[0])
        leader, count = found
        name = s.data.leaders[leader].name
        if s.pos.side(leader) != s.side:
            raise Invalid(f"{name} is not yours")
        if leader not in s.pos.units:
            raise Invalid(f"{name} is not on the map")
        if not s.pos.units[leader].tp or s.data.is_wagon(leader):
            raise Invalid(f"{name} has nobody to lead")
        return leader, " ".join(words.split()[count:])

    def _keep(self, plan: Plan) -> None:
        self.take_up(msgspec.structs.replace(self.mind, plan=plan))


def _is_own_battle(view: View) -> bool:
    """Whether a battle is fought that the side has begun: that belonged to its plan."""
    return any(isinstance(frame, Battle) and frame.attacker == view.viewer for frame in view.frames)


def _army_of(s: Situation, leader: int) -> tuple[int, ...]:
    """Whom a leader takes along: the other leaders with men of the force that he commands, of his nation (R2.2)."""
    unit, nation = s.pos.units[leader], s.pos.leader(leader).nation
    force = force_at(s.pos, unit.hex, s.side, unit.inside)
    if commander(s.pos, force) != leader:
        return (leader,)
    own = [one.number for one in force if one.tp and not s.data.is_wagon(one.number) and one.number != leader]
    return (leader, *[number for number in own if s.pos.leader(number).nation == nation])


def _kind_for(s: Situation, here: Hex) -> Kind:
    """What an army is for that is sent to a place."""
    if here in s.worths:
        return "besiege" if s.guards(here) else "raid"
    return "hunt" if s.field(here, s.foe) else "cover"


def _expect_open(s: Situation, kind: Kind, here: Hex) -> None:
    """Raises Invalid if a place cannot be taken."""
    if kind in TAKEN and here not in s.worths:
        barred = here in s.pos.owners and s.pos.is_enemy_ground(here)
        raise Invalid(
            f"{named(s, here)} is of a neutral nation and cannot be taken (R5.6)"
            if barred else f"there is nothing to take at {named(s, here)}"
        )  # fmt: skip


def _assignment(s: Situation, mission: Mission) -> Assignment:
    names = tuple(s.data.leaders[leader].name for leader in mission.army)
    units = [s.pos.units[leader] for leader in mission.army if leader in s.pos.units]
    at = units[0].hex if units else NOWHERE
    return Assignment(mission, names, at, f"{sum(unit.strength for unit in units)} TP")
