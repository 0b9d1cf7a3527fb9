"""The captain as a player's staff: missions in words, missions that the player gives, and when he must ask."""

from __future__ import annotations

from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.bot.generals.commander import Captain
from leuthen.rulesets.campaigns.bot.generals.proposer import think
from leuthen.rulesets.campaigns.bot.generals.reasons import named, reason_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.knowledge.view import View
from leuthen.rulesets.campaigns.model.actions import Attack
from leuthen.rulesets.campaigns.model.names import name_book
from leuthen.rulesets.campaigns.rules.r03_turn.exchange import Arranging
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r04_command.passing import Passing
from leuthen.rulesets.campaigns.rules.r06_meeting.meeting import Meeting
from leuthen.rulesets.campaigns.rules.r08_forced_march import ForcedMarches
from leuthen.rulesets.campaigns.rules.r09_supply.provisions import SupplyStep
from leuthen.rulesets.campaigns.rules.r11_siege import Occupying, SiegeStep
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import NOWHERE, Kind, Limits, Mission, Plan, date_number

FORESEEN: Final = (
    Orders, Marching, Passing, Meeting, ForcedMarches, SupplyStep, SiegeStep, Occupying, Arranging,
)  # fmt: skip
"""What a plan has orders for; with all else, a reaction, a battle, prisoners, the player is asked."""
TAKEN: Final = ("besiege", "raid")
STILL: Final[tuple[Kind, ...]] = ("hold", "winter")
"""Missions without a place."""
GIVEN: Final[tuple[Kind, ...]] = ("besiege", "raid", "cover", "relieve", "hunt", "join", *STILL)


class StaffCaptain(Captain):
    """The captain, who also serves."""

    def turn(self, view: View) -> int:
        """Year and turn."""
        return date_number(view.year, view.turn)

    def tell(self, view: View) -> list[str]:
        """The plan of this turn, made if there is none yet."""
        s = self._think(view)
        return [_line(s, mission) for mission in self.mind.plan.missions] or ["No army has anything to do."]

    def give(self, view: View, words: str) -> None:
        """«Frederick besiege Prague»: the leader gets the mission."""
        s = self._think(view)
        leader, rest = self._leader(s, words)
        word, _, place = rest.partition(" ")
        kind = next((one for one in GIVEN if one == word), None)
        if kind is None:
            raise Invalid(f"«{word}» is no mission: {', '.join(GIVEN)}")
        here = NOWHERE if kind in STILL and not place else name_book(s.data).hex(place)
        _expect_open(s, kind, here)
        why = reason_of(s, kind, (leader,), here)
        self._keep(self.mind.plan.give(Mission(kind, (leader,), here, Limits(), why, self.turn(view), signed=True)))

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
        if not isinstance(frame, FORESEEN):
            return f"{frame.NAME} ({frame.RULE}) was not foreseen"
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


def _expect_open(s: Situation, kind: Kind, here: Hex) -> None:
    """Raises Invalid if a place cannot be taken."""
    if kind in TAKEN and here not in s.worths:
        barred = here in s.pos.owners and s.pos.is_enemy_ground(here)
        raise Invalid(
            f"{named(s, here)} is of a neutral nation and cannot be taken (R5.6)"
            if barred else f"there is nothing to take at {named(s, here)}"
        )  # fmt: skip


def _line(s: Situation, mission: Mission) -> str:
    names = ", ".join(s.data.leaders[leader].name for leader in mission.army)
    men = sum(s.pos.units[leader].strength for leader in mission.army if leader in s.pos.units)
    why = mission.reason
    odds = f", {why.odds:.0%}" if why.odds is not None else ""
    rests = f": {'; '.join(why.premises)}" if why.premises else ""
    return (
        f"{names} with {men} TP to {why.goal}{rests}{odds} ({why.rule}){', as you ordered' if mission.signed else ''}"
    )
