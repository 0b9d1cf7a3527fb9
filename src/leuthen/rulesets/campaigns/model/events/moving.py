"""What happens on the march: chits, marches, reactions, what is met and taken on the way."""

from __future__ import annotations

from typing import ClassVar

from leuthen.engine.events import Event
from leuthen.rulesets.campaigns.model.events.fighting import Modifiers, sum_text
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.wargame.board import Hex
from leuthen.wargame.names import LeaderId
from leuthen.wargame.strength import Bag


class ChitDrawn(Event, frozen=True, gc=False, kw_only=True, tag="chit-drawn"):
    """A command chit is drawn (R4.1)."""

    RULE: ClassVar[str] = "R4.1"
    command: int
    left: int

    def tell(self, names: Names) -> str:
        left = f"{self.left} {'is' if self.left == 1 else 'are'} left"
        return f"The chit {self.command} of the {names.side(self.side)} is drawn; {left}"


class Paid(Event, frozen=True, gc=False, kw_only=True, tag="paid"):
    """A group pays SP as it first moves, or forages (V3.5)."""

    RULE: ClassVar[str] = "V3.5"
    SENTENCE: ClassVar[str] = "{units}: {hungry:far from depots, without paying |}{points} SP{hungry:| paid}"
    PRIVATE: ClassVar[bool] = True
    units: tuple[LeaderId, ...]
    points: int
    hungry: bool


class Moved(Event, frozen=True, gc=False, kw_only=True, tag="moved"):
    """A group enters a hex (R4.4)."""

    RULE: ClassVar[str] = "R4.4"
    HIDDEN: ClassVar[tuple[str, ...]] = ("units", "left")
    IS_SMALL: ClassVar[bool] = True
    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    came: Hex
    hex: Hex
    left: int | None

    def tell(self, names: Names) -> str:
        who = names.unit(self.lead) if self.units is None else names.units(self.units)
        left = "" if self.left is None else f", {self.left} MP left"
        return f"{who}: {names.hex(self.came)} to {names.hex(self.hex)}{left}"


class MarchEnded(Event, frozen=True, gc=False, kw_only=True, tag="march-ended"):
    """A move ends (R4.4)."""

    RULE: ClassVar[str] = "R4.4"
    SENTENCE: ClassVar[str] = "{lead:unit} halts {inside:inside|at} {hex}"
    lead: LeaderId
    hex: Hex
    inside: bool


class WentThrough(Event, frozen=True, gc=False, kw_only=True, tag="gate"):
    """Units come out of a stronghold, or are left behind (R10.3, R4.4)."""

    RULE: ClassVar[str] = "R10.3"
    SENTENCE: ClassVar[str] = "{units} {how} at {hex}"
    PRIVATE: ClassVar[bool] = True
    units: tuple[LeaderId, ...]
    hex: Hex
    how: str


class PlaceTaken(Event, frozen=True, gc=False, kw_only=True, tag="place-taken"):
    """An undefended stronghold is taken (R5.6)."""

    RULE: ClassVar[str] = "R5.6"
    SENTENCE: ClassVar[str] = "The {side} takes {hex}"
    hex: Hex


class Absorbed(Event, frozen=True, gc=False, kw_only=True, tag="absorbed"):
    """A group takes SP from a wagon, a fort or a depot on its way (V3.4, R9.5)."""

    RULE: ClassVar[str] = "V3.4"
    SENTENCE: ClassVar[str] = "{units}: {points} SP from {source} at {hex}"
    PRIVATE: ClassVar[bool] = True
    units: tuple[LeaderId, ...]
    hex: Hex
    points: int
    source: str


class GarrisonChanged(Event, frozen=True, gc=False, kw_only=True, tag="garrison-changed"):
    """A leader leaves TP in a garrison, or takes some out; TP arrive in one (R10.4)."""

    RULE: ClassVar[str] = "R10.4"
    PRIVATE: ClassVar[bool] = True
    hex: Hex
    leader: LeaderId
    tp: Bag
    into: bool

    def tell(self, names: Names) -> str:
        if self.leader < 0:
            return f"{names.tp(self.tp)} garrison {names.hex(self.hex)}"
        word = "leaves {} in" if self.into else "takes {} from"
        return f"{names.unit(self.leader)} {word.format(names.tp(self.tp))} {names.hex(self.hex)}"


class LoneFate(Event, frozen=True, gc=False, kw_only=True, tag="lone-fate"):
    """A leader without TP, or a wagon, alone among enemies (R2.4, R9.4)."""

    RULE: ClassVar[str] = "R2.4"
    SENTENCE: ClassVar[str] = "{unit} alone at {hex}: die {die}, {fate}"
    unit: LeaderId
    die: int
    hex: Hex
    fate: str


class ReactionTried(Event, frozen=True, gc=False, kw_only=True, tag="reaction-tried"):
    """A leader tries to react (R7.3)."""

    RULE: ClassVar[str] = "R7.3"
    leader: LeaderId
    hex: Hex
    die: int
    modifiers: Modifiers
    initiative: int
    success: bool

    def tell(self, names: Names) -> str:
        result, sum_ = "reacts" if self.success else "does not react", sum_text(self.die, self.modifiers)
        return f"{names.unit(self.leader)} {result} to {names.hex(self.hex)}: {sum_}, initiative {self.initiative}"


class Roused(Event, frozen=True, gc=False, kw_only=True, tag="roused"):
    """The other side of a shared hex rolls in order to attack (R6.1)."""

    RULE: ClassVar[str] = "R6.1"
    SENTENCE: ClassVar[str] = "{leader:unit} {success:attacks|does not attack}: die {die}, initiative {initiative}"
    leader: LeaderId
    die: int
    initiative: int
    success: bool


class ForcedMarch(Event, frozen=True, gc=False, kw_only=True, tag="forced-march"):
    """A leader tries a forced march (R8)."""

    RULE: ClassVar[str] = "R8.1"
    HIDDEN: ClassVar[tuple[str, ...]] = ("lost",)
    leader: LeaderId
    die: int
    command: int
    points: int
    lost: int | None

    def tell(self, names: Names) -> str:
        result = f"{self.points} MP" if self.points else "nothing"
        lost = f", {self.lost} TP lost" if self.lost else ""
        return f"{names.unit(self.leader)} forces his march: die {self.die}, command {self.command}: {result}{lost}"
