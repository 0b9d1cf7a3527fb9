"""The missions that a player may give his armies, and what men they cost by the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar, Final

from leuthen.engine.refusal import Refusal
from leuthen.rulesets.campaigns.bot.generals.proposer import still_open
from leuthen.rulesets.campaigns.bot.generals.reasons import named, reason_of
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.forces import commander, force_at, percent_of, strength
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, COMING, GONE, Unit
from leuthen.rulesets.campaigns.odds.dice import attrition_odds
from leuthen.rulesets.campaigns.rules.r09_supply.check import TOLL
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near, need, stock
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.missions import Missions
from leuthen.wargame.names import LeaderId
from leuthen.wargame.plans import Kind, Mission, Plan, Reason, date_number

GONE_WHERE: Final[Mapping[int, str]] = {CAPTIVE: "is a prisoner", COMING: "has not come yet", GONE: "is gone for good"}
"""Why a leader is not on the map, where that can be said."""


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
