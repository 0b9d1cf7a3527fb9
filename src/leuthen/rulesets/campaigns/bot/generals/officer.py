"""The captain as a player's staff: what he goes by, and when he must ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from leuthen.engine.choice import Action
from leuthen.engine.decision import Decision
from leuthen.rulesets.campaigns.bot.generals.commander import Captain
from leuthen.rulesets.campaigns.bot.generals.orders import ForceMissions
from leuthen.rulesets.campaigns.bot.generals.proposer import think
from leuthen.rulesets.campaigns.bot.generals.reasons import named
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.actions import Attack, Withdraw
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
from leuthen.wargame.plans import Limits, date_number
from leuthen.wargame.staff import Officer


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
