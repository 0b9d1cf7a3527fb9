"""What happens in a yearly campaign."""

from __future__ import annotations

from typing import Final

from leuthen.engine.events import Event
from leuthen.engine.ruleset import NOBODY, SIDES, OwnerId, Side
from leuthen.rulesets.frederick.model.events.base import Names
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId


class TurnBegan(Event, rule="O4.1", begins_turn=True):
    """A game turn begins (O4.1)."""

    SENTENCE = "{year}, turn {turn}: {turn:date}"

    year: int
    turn: int


class PhaseBegan(Event, rule="O4.2", is_small=True):
    """A phase of a player turn begins (O4.2)."""

    SENTENCE = "{phase} Phase of the {side}"
    phase: str


class Rolled(Event, rule="O5.2", is_small=True):
    """A die for movement (O5.2, O6.1)."""

    die: int
    leader: LeaderId = NO_LEADER
    points: int = -1

    def tell(self, names: Names) -> str:
        if self.leader < 0:
            return f"March die of the {names.side(self.side)}: {self.die}"
        return f"{names.leader(self.leader)} rolls {self.die}: {self.points} MP"


class Marched(Event, rule="O5.3", hidden=("sp", "companions"), is_small=True):
    """A leg of a march."""

    power: PowerId
    leader: LeaderId
    companions: tuple[LeaderId, ...] | None
    sp: Bag | None
    alone: bool
    start: Hex
    path: tuple[Hex, ...]
    points: int

    @property
    def way(self) -> tuple[Hex, ...]:
        return self.start, *self.path

    def tell(self, names: Names) -> str:
        who = names.party(self.leader, self.companions, self.sp, self.power, alone=self.alone)
        return f"{who}, marches {names.path((self.start, *self.path))} ({self.points} MP)"


class Halted(Event, rule="O5.13", hidden=("sp", "companions"), is_small=True):
    """A march ends: as much of who has come is open as of who marches (O3.1, O3.5)."""

    power: PowerId
    leader: LeaderId
    companions: tuple[LeaderId, ...] | None
    sp: Bag | None
    alone: bool
    hex: Hex
    inside: bool

    def tell(self, names: Names) -> str:
        who = names.party(self.leader, self.companions, self.sp, self.power, alone=self.alone)
        return f"{who}, halts {'inside' if self.inside else 'at'} {names.hex(self.hex)}"


class Regrouped(Event, rule="O5.7", hidden=("sp", "leaders"), is_small=True):
    """SP and leaders join or leave a marching force, or go in or out of a fortress; `how`: join, leave, enter, come."""

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


class Violated(Event, rule="C3.3", topic="politics"):
    """A force has entered neutral land (C3.3)."""

    SENTENCE = "The {side} violates the neutrality of {power} at {hex}"
    power: PowerId
    hex: Hex


class Joined(Event, rule="C1.6", topic="politics"):
    """A power joins a side (C1.6)."""

    SENTENCE = "{power} joins the {joins:side}"
    power: PowerId
    joins: OwnerId


class Reacted(Event, rule="C5.7", topic="politics"):
    """A neutral power rolls because another was violated (C5.7)."""

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


class Surrendered(Event, rule="C11.2", hidden=("waiting",), hurts="own", topic="politics"):
    """A power surrenders (C11.2, C11.3).

    `sp` and `leaders` are its prisoners, who are struck off: prisoners are open. New SP that wait are not (O3.1).
    """

    SENTENCE = "{power} surrenders: its last fortress has fallen{:struck}{waiting:; {waiting:bag} that wait are lost|}"
    power: PowerId
    sp: Bag
    leaders: tuple[LeaderId, ...]
    waiting: Bag | None


class MoraleChanged(Event, rule="O11.4", hurts="own"):
    """A stack is demoralized by those who join it, or whom it joins; whether a stack is demoralized is open (O3.5)."""

    SENTENCE = "The {side} {inside:inside|at} {hex} is demoralized{joined: by those who join it|}"
    hex: Hex
    inside: bool
    joined: bool = True


class AllRecovered(Event, rule="O11.3"):
    """All demoralized stacks recover in the Grand Strategic sequence (O11.3)."""

    SENTENCE = "All demoralized stacks recover"


class Taken(Event, rule="O12.4"):
    """A fortress changes hands (O12.2, O12.4); `before`: whose it was."""

    hex: Hex
    before: int

    @property
    def topic(self) -> str:
        return "siege" if self.before in SIDES else ""

    @property
    def hurts(self) -> int:
        return self.before

    def tell(self, names: Names) -> str:
        falls = "falls" if self.before != NOBODY else "now belongs"
        return f"{names.hex(self.hex)} {falls} to the {names.side(self.side)}"


LOST: Final = ("killed", "captured")
"""Fates of a leader who is not among his own any more."""


class LeaderFate(Event, rule="O5.10", hurts="own"):
    """A leader without SP among enemies rolls (O5.10)."""

    SENTENCE = "{leader} rolls {die}: {fate}"
    leader: LeaderId
    hex: Hex
    die: int
    fate: str

    @property
    def topic(self) -> str:
        return "leaders" if self.fate in LOST else ""


class LeaderCaught(Event, rule="C7.7", hurts="own", topic="leaders"):
    """A leader whom a change of sides left alone has nowhere to go (C7.7)."""

    SENTENCE = "{leader} finds no fortress held by his countrymen, and is captured"
    leader: LeaderId
    hex: Hex


class Fled(Event, rule="O5.10", hidden=("hex",), is_small=True):
    """A leader reaches the nearest friendly stack (O5.10)."""

    SENTENCE = "{leader} reaches {hex:{hex}|friendly troops}"

    leader: LeaderId
    hex: Hex | None


class DepotChanged(Event, rule="O10.4"):
    """A complete depot appears, is removed, destroyed or spent (O10.4, O10.5)."""

    SENTENCE = "Depot of {power} at {hex} {how}"
    power: PowerId
    hex: Hex
    how: str

    @property
    def hurts(self) -> OwnerId:
        return self.side if self.how in ("is destroyed", "is lost") else NOBODY


class DepotWork(DepotChanged, private=True, is_small=True):
    """The same of a depot under construction, which only its side knows of (O3.1)."""

    @property
    def hurts(self) -> OwnerId:
        return NOBODY


class Recovered(Event, rule="O11.2", is_small=True):
    """A demoralized stack rolls (O11.2)."""

    hex: Hex
    inside: bool
    die: int
    initiative: int
    target: int
    success: bool

    def tell(self, names: Names) -> str:
        done, place = "recovers" if self.success else "stays demoralized", "inside" if self.inside else "at"
        sum_ = f"die {self.die} +{self.initiative} initiative = {self.die + self.initiative}, needs {self.target}"
        return f"Morale of the {names.side(self.side)} {place} {names.hex(self.hex)}: {sum_}: {done}"


class Starved(Event, rule="O10.8", hidden=("loss",), is_small=True, hurts="own", hurts_if="percent"):
    """A stack rolls for attrition (O10.8, O14.2)."""

    SENTENCE = (
        "Attrition of the {side} {inside:inside|at} {hex}: {die}{added: +{added}|}: {percent} %, "
        "{percent:{loss:number}|0} SP lost"
    )

    hex: Hex
    inside: bool
    die: int
    added: int
    percent: int
    loss: int | None


class SpLost(Event, rule="O6.1", hidden=("power",), hurts="own"):
    """One SP is lost to a force march (O6.1) or a repulse (O13.2)."""

    SENTENCE = "The {side} loses 1 SP at {hex} {by:in a repulse|by its force march}"
    hex: Hex
    power: PowerId | None


class Quartered(Event, rule="O14.1", is_small=True):
    """A stack goes into winter quarters (O14.1) or has to leave them (O14.4)."""

    SENTENCE = (
        "The {side} {enters:goes into|has to leave its} winter quarters {inside:inside|at} {hex}"
        "{recovers: and recovers|}"
    )
    hex: Hex
    inside: bool
    enters: bool
    recovers: bool = False
    """Whether it was demoralized, which it is no more in quarters (O11.5)."""


class YearEnded(Event, rule="C4.3"):
    """A campaign ends after turn 18, or because all are in quarters (C4.3)."""

    SENTENCE = "The campaign of {year} ends{early:: all forces are in winter quarters|}"
    year: int
    early: bool
