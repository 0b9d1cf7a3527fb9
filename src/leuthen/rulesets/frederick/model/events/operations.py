"""What happens in a yearly campaign."""

from __future__ import annotations

from typing import ClassVar, Final

from leuthen.engine.ruleset import OwnerId, Side
from leuthen.rulesets.frederick.model.calendar import half_month
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.events.base import Event, Names
from leuthen.wargame.board import Hex
from leuthen.wargame.names import NO_LEADER, LeaderId
from leuthen.wargame.strength import Bag, PowerId


def where(names: Names, here: Hex, inside: bool) -> str:
    """«inside 1623 Dresden», «at 1623 Dresden»."""
    return f"{'inside' if inside else 'at'} {names.hex(here)}"


class TurnBegan(Event, frozen=True, gc=False, kw_only=True, tag="turn-began"):
    """A game turn begins (O4.1)."""

    RULE: ClassVar[str] = "O4.1"
    BEGINS_TURN: ClassVar[bool] = True
    year: int
    turn: int

    def tell(self, names: Names) -> str:
        return f"{self.year}, turn {self.turn}: {half_month(self.turn)}"


class PhaseBegan(Event, frozen=True, gc=False, kw_only=True, tag="phase-began"):
    """A phase of a player turn begins (O4.2)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O4.2"
    SENTENCE: ClassVar[str] = "{phase} Phase of the {side}"
    phase: str


class Rolled(Event, frozen=True, gc=False, kw_only=True, tag="rolled"):
    """A die for movement (O5.2, O6.1)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O5.2"
    die: int
    leader: LeaderId = NO_LEADER
    points: int = -1

    def tell(self, names: Names) -> str:
        if self.leader < 0:
            return f"March die of the {names.side(self.side)}: {self.die}"
        return f"{names.leader(self.leader)} rolls {self.die}: {self.points} MP"


class Marched(Event, frozen=True, gc=False, kw_only=True, tag="marched"):
    """A leg of a march."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O5.3"
    HIDDEN: ClassVar[tuple[str, ...]] = ("sp", "companions")
    power: PowerId
    leader: LeaderId
    companions: tuple[LeaderId, ...] | None
    sp: Bag | None
    alone: bool
    start: Hex
    path: tuple[Hex, ...]
    points: int

    def tell(self, names: Names) -> str:
        who = names.party(self.leader, self.companions, self.sp, self.power, alone=self.alone)
        return f"{who}, marches {names.path((self.start, *self.path))} ({self.points} MP)"


class Halted(Event, frozen=True, gc=False, kw_only=True, tag="halted"):
    """A march ends."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O5.13"
    SENTENCE: ClassVar[str] = "{leader} halts {inside:inside|at} {hex}"
    leader: LeaderId
    hex: Hex
    inside: bool


class Regrouped(Event, frozen=True, gc=False, kw_only=True, tag="regrouped"):
    """SP and leaders join or leave a marching force, or go in or out of a fortress; `how`: join, leave, enter, come."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O5.7"
    HIDDEN: ClassVar[tuple[str, ...]] = ("sp", "leaders")
    how: str
    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] | None
    sp: Bag | None

    def tell(self, names: Names) -> str:
        who = f"a part of the {names.side(self.side)}"
        if self.sp is not None:
            parts = ([names.bag(self.sp)] if self.sp else []) + ([names.leaders(self.leaders)] if self.leaders else [])
            who = " with ".join(parts)
        return f"{_REGROUPED[self.how, self.inside]} {names.hex(self.hex)}: {who}"


_REGROUPED: Final = {
    ("join", False): "Picked up at",
    ("join", True): "Picked up inside",
    ("leave", False): "Left behind at",
    ("leave", True): "Left behind inside",
    ("enter", True): "Goes inside",
    ("come", False): "Comes out of",
}


class Violated(Event, frozen=True, gc=False, kw_only=True, tag="violated"):
    """A force has entered neutral land (C3.3)."""

    RULE: ClassVar[str] = "C3.3"
    SENTENCE: ClassVar[str] = "The {side} violates the neutrality of {power} at {hex}"
    power: PowerId
    hex: Hex


class Joined(Event, frozen=True, gc=False, kw_only=True, tag="joined"):
    """A power joins a side (C1.6)."""

    RULE: ClassVar[str] = "C1.6"
    SENTENCE: ClassVar[str] = "{power} joins the {joins:side}"
    power: PowerId
    joins: OwnerId


class Reacted(Event, frozen=True, gc=False, kw_only=True, tag="reacted"):
    """A neutral power rolls because another was violated (C5.7)."""

    RULE: ClassVar[str] = "C5.7"
    power: PowerId
    violator: Side
    die: int
    modifier: int
    result: OwnerId

    def tell(self, names: Names) -> str:
        joins = "stays neutral" if self.result == 2 else f"turns to the {names.side(self.result)}"
        total = min(7, max(-1, self.die + self.modifier))
        sum_ = f"die {self.die} {self.modifier:+d} ({names.side(self.violator)} violated a border) = {total}"
        return f"{names.power(self.power)} reacts: {sum_}: {joins}"


class Surrendered(Event, frozen=True, gc=False, kw_only=True, tag="surrendered"):
    """A power surrenders (C11.2, C11.3)."""

    RULE: ClassVar[str] = "C11.2"
    SENTENCE: ClassVar[str] = "{power} surrenders: its last fortress has fallen"
    power: PowerId


class Taken(Event, frozen=True, gc=False, kw_only=True, tag="taken"):
    """A fortress changes hands (O12.2, O12.4); `before`: whose it was."""

    RULE: ClassVar[str] = "O12.4"
    hex: Hex
    before: int

    def tell(self, names: Names) -> str:
        falls = "falls" if self.before != NOBODY else "now belongs"
        return f"{names.hex(self.hex)} {falls} to the {names.side(self.side)}"


class LeaderFate(Event, frozen=True, gc=False, kw_only=True, tag="leader-fate"):
    """A leader without SP among enemies rolls (O5.10)."""

    RULE: ClassVar[str] = "O5.10"
    SENTENCE: ClassVar[str] = "{leader} rolls {die}: {fate}"
    leader: LeaderId
    hex: Hex
    die: int
    fate: str


class Fled(Event, frozen=True, gc=False, kw_only=True, tag="fled"):
    """A leader reaches the nearest friendly stack (O5.10)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O5.10"
    HIDDEN: ClassVar[tuple[str, ...]] = ("hex",)
    leader: LeaderId
    hex: Hex | None

    def tell(self, names: Names) -> str:
        return (
            f"{names.leader(self.leader)} reaches {names.hex(self.hex) if self.hex is not None else 'friendly troops'}"
        )


class DepotChanged(Event, frozen=True, gc=False, kw_only=True, tag="depot-changed"):
    """A complete depot appears, is removed, destroyed or spent (O10.4, O10.5)."""

    RULE: ClassVar[str] = "O10.4"
    SENTENCE: ClassVar[str] = "Depot of {power} at {hex} {how}"
    power: PowerId
    hex: Hex
    how: str


class DepotWork(DepotChanged, frozen=True, gc=False, kw_only=True, tag="depot-work"):
    """The same of a depot under construction, which only its side knows of (O3.1)."""

    IS_SMALL: ClassVar[bool] = True
    PRIVATE: ClassVar[bool] = True


class Recovered(Event, frozen=True, gc=False, kw_only=True, tag="recovered"):
    """A demoralized stack rolls (O11.2)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O11.2"
    hex: Hex
    inside: bool
    die: int
    initiative: int
    target: int
    success: bool

    def tell(self, names: Names) -> str:
        done = "recovers" if self.success else "stays demoralized"
        sum_ = f"die {self.die} +{self.initiative} initiative = {self.die + self.initiative}, needs {self.target}"
        return f"Morale of the {names.side(self.side)} {where(names, self.hex, self.inside)}: {sum_}: {done}"


class Starved(Event, frozen=True, gc=False, kw_only=True, tag="starved"):
    """A stack rolls for attrition (O10.8, O14.2)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O10.8"
    HIDDEN: ClassVar[tuple[str, ...]] = ("loss",)
    hex: Hex
    inside: bool
    die: int
    added: int
    percent: int
    loss: int | None

    def tell(self, names: Names) -> str:
        add = f" +{self.added}" if self.added else ""
        place, loss = where(names, self.hex, self.inside), names.number(self.loss if self.percent else 0)
        return f"Attrition of the {names.side(self.side)} {place}: {self.die}{add}: {self.percent} %, {loss} SP lost"


class SpLost(Event, frozen=True, gc=False, kw_only=True, tag="sp-lost"):
    """One SP is lost to a force march (O6.1) or a repulse (O13.2)."""

    RULE: ClassVar[str] = "O6.1"
    SENTENCE: ClassVar[str] = "The {side} loses 1 SP at {hex} {by:in a repulse|by its force march}"
    HIDDEN: ClassVar[tuple[str, ...]] = ("power",)
    hex: Hex
    power: PowerId | None


class Quartered(Event, frozen=True, gc=False, kw_only=True, tag="quartered"):
    """A stack goes into winter quarters (O14.1) or has to leave them (O14.4)."""

    IS_SMALL: ClassVar[bool] = True
    RULE: ClassVar[str] = "O14.1"
    SENTENCE: ClassVar[str] = "The {side} {enters:goes into|has to leave its} winter quarters {inside:inside|at} {hex}"
    hex: Hex
    inside: bool
    enters: bool


class YearEnded(Event, frozen=True, gc=False, kw_only=True, tag="year-ended"):
    """A campaign ends after turn 18, or because all are in quarters (C4.3)."""

    RULE: ClassVar[str] = "C4.3"
    SENTENCE: ClassVar[str] = "The campaign of {year} ends{early:: all forces are in winter quarters|}"
    year: int
    early: bool
