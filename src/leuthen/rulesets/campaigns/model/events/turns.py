"""What happens between marches and battles: the calendar, supply, recovery, prisoners, arrivals, victory."""

from __future__ import annotations

from typing import Final

from leuthen.engine.events import Event
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId

STEPS: Final = {
    "A": ("Ally determination", "R17.3"),
    "B": ("Prisoners", "R14.2"),
    "C": ("Arrivals", "R3.1"),
    "D": ("Supply", "R9.1"),
    "E": ("Recovery", "R13.3"),
    "F": ("Command", "R4.1"),
    "G": ("Siege", "R11.1"),
    "H": ("Supply check", "R9.7"),
    "I": ("End of the turn", "R3.2"),
}
"""The steps of a turn by their letters, each with its rule (R3)."""


class TurnBegan(Event, rule="R3.0", begins_turn=True):
    """A turn begins (R3)."""

    SENTENCE = "Turn {turn} of {year}"
    year: int
    turn: int


class StepBegan(Event, rule="R3.0", is_small=True):
    """A step of the turn begins (R3)."""

    step: str

    def tell(self, names: Names) -> str:
        return f"Step {self.step}: {STEPS[self.step][0]}"


class DepotChanged(Event, rule="R9.1"):
    """A depot is built, removed or found cut (R9.1, R9.2)."""

    SENTENCE = "The depot of {nation} at {hex} {what}"
    hex: Hex
    nation: PowerId
    what: str


class WagonMade(Event, rule="R9.3"):
    """A wagon is made, or filled (R9.3)."""

    SENTENCE = "{wagon:unit} at {hex} is {filled:filled|made, full}"
    wagon: LeaderId
    hex: Hex
    filled: bool

    def is_private(self) -> bool:
        return self.filled


class SpMoved(Event, rule="R9.5", private=True):
    """SP are loaded, or pass from one to another (R9.5, R3.2)."""

    SENTENCE = "{taker:unit} takes {points} SP from {source}"
    taker: LeaderId
    source: str
    points: int


class Recovered(Event, rule="R13.3", hidden=("others",)):
    """A roll for recovery (R13.3, V8.1, V8.2); `others` recover with their commander, which their side alone learns."""

    leader: LeaderId
    what: str
    dice: int
    number: int
    success: bool
    others: tuple[LeaderId, ...] | None = ()

    def tell(self, names: Names) -> str:
        word = f"{'command die' if self.what == 'command' else 'dice'} {self.dice}, {self.number} or less"
        return f"{names.unit(self.leader)}, {self._subject}: {word}: {self._result(names)}"

    @property
    def _subject(self) -> str:
        return "troops" if self.what == "troops" else "leader morale"

    def _result(self, names: Names) -> str:
        if not self.success:
            return "still demoralized"
        if self.what == "command":
            return "he may roll against his morale"
        return f"recovered, and with him {names.units(self.others)}" if self.others else "recovered"


class AllRecovered(Event, rule="R17.8"):
    """Sieges end and all recover as winter comes (R17.8): nothing of it depends on what is hidden."""

    SENTENCE = "Winter: sieges end, and all leaders and troops recover"


class ForceFed(Event, rule="R9.7", private=True):
    """A force pays for what it needs, or is without (R9.7, V3.5)."""

    SENTENCE = "{units} at {hex}: {paid:|out of supply, }{points} SP {paid:paid|needed}"
    hex: Hex
    units: tuple[LeaderId, ...]
    points: int
    paid: bool


class Wasted(Event, rule="V3.5", private=True):
    """TP are lost for want of food or shelter (R9.7, V3.5, R17.6)."""

    units: tuple[LeaderId, ...]
    points: tuple[int, ...]

    def tell(self, names: Names) -> str:
        lost = sum(self.points)
        return f"{lost} TP {'is' if lost == 1 else 'are'} lost: {names.shares(self.units, self.points)}"


class AttritionRolled(Event, rule="V3.5t", hidden=("units",)):
    """A roll for attrition (V3.5t)."""

    SENTENCE = (
        "Attrition of {units:{units}|a force of the {side}}: die {die}{earlier: +{earlier} earlier turns|}: {percent} %"
    )

    units: tuple[LeaderId, ...] | None
    die: int
    earlier: int
    percent: int


class LeaderCame(Event, rule="R3.1"):
    """A leader comes onto the map, or takes over from another (R2.5, R3.1)."""

    leader: LeaderId
    hex: Hex | None
    tp: int | None
    instead: LeaderId = NO_LEADER

    def hidden_fields(self) -> tuple[str, ...]:
        """Who arrives is seen, with what the set-up gives him; where a successor stands is not."""
        return ("hex", "tp") if self.instead >= 0 else ()

    def tell(self, names: Names) -> str:
        if self.instead >= 0:
            return f"{names.unit(self.leader)} replaces {names.unit(self.instead)}"
        assert self.hex is not None
        men = f" with {self.tp} TP" if self.tp else ""
        return f"{names.unit(self.leader)} comes to {names.hex(self.hex)}{men}"


class LeaderWent(Event, rule="R2.5", hidden=("heir",)):
    """A leader goes for good (R2.5, R17.8); `heir`: who has his men now, -1 if they are garrison, or he had none."""

    leader: LeaderId
    heir: LeaderId | None

    def tell(self, names: Names) -> str:
        heir = "" if self.heir is None or self.heir < 0 else f"; his men are under {names.unit(self.heir)} now"
        return f"{names.unit(self.leader)} leaves the army{heir}"


class ForceLeft(Event, rule="R17.5", hidden=("units", "tp")):
    """A force leaves the map with its nation (R17.5).

    A `whole` force is seen to go, with who commands it (R1.8). Where others stay in it, the other side does not learn
    that it had men of the nation: it never sees what a force is made of.
    """

    nation: PowerId
    hex: Hex
    inside: bool
    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    tp: int | None
    whole: bool

    def is_private(self) -> bool:
        return not self.whole

    def tell(self, names: Names) -> str:
        where = f"{'inside' if self.inside else 'at'} {names.hex(self.hex)}"
        led = self.lead if self.lead >= 0 else next(iter(self.units or ()), NO_LEADER)
        if led >= 0:
            return f"{names.party(led, self.units, self.tp)} {where} leaves the map"
        men = "" if self.tp is None else f", {self.tp} TP,"
        return f"The {names.adjective(self.nation)} garrison {where}{men} leaves the map"


class RaisedTp(Event, rule="R15.1"):
    """TP are raised (R15, R18.4), or come to a place (R3.1, V7.3)."""

    SENTENCE = "{nation} raises {points} TP{die:, die {die}|}"

    nation: PowerId
    points: int
    die: int = 0


class TpPlaced(Event, rule="V7.3", hidden=("leader",)):
    """TP go to a leader or a garrison (R15, V7.3)."""

    nation: PowerId
    points: int
    hex: Hex
    leader: LeaderId | None

    def tell(self, names: Names) -> str:
        who = f"{self.points} {names.adjective(self.nation)} TP {'comes' if self.points == 1 else 'come'} to"
        if self.leader is None:
            return f"{who} {names.hex(self.hex)}"
        to = names.unit(self.leader) if self.leader >= 0 else "the garrison"
        return f"{who} {to} at {names.hex(self.hex)}"


class PrisonersFreed(Event, rule="V7.2"):
    """Prisoners are exchanged (R14.2, V7.2)."""

    SENTENCE = "The {side} gets back {tp:{tp}{leaders:, |}|}{leaders:units}"

    tp: Bag
    leaders: tuple[LeaderId, ...] = ()
    due: int = 0


class Proposed(Event, rule="R14.2"):
    """An exchange is proposed, or refused (R14.2, R14.3)."""

    SENTENCE = "The {side} {what}"
    what: str


class Arranged(Event, rule="R3.2", private=True):
    """TP of a force are distributed anew (R3.2, V2.1)."""

    hex: Hex
    units: tuple[LeaderId, ...]
    points: tuple[int, ...]
    garrison: int

    def tell(self, names: Names) -> str:
        garrison = f", garrison {self.garrison}" if self.garrison >= 0 else ""
        return f"At {names.hex(self.hex)}: {names.shares(self.units, self.points)}{garrison}"


class Quartered(Event, rule="R17.8"):
    """A force goes into winter quarters (R17.8): who commands it, or stands first in it."""

    SENTENCE = "{lead:unit} goes into winter quarters {inside:inside|at} {hex}"
    lead: LeaderId
    hex: Hex
    inside: bool


class NationTurned(Event, rule="R17.3"):
    """A nation joins, leaves or is conquered (R17)."""

    nation: PowerId
    what: str
    dice: int = 0
    number: int = 0
    modifiers: tuple[tuple[str, int], ...] = ()

    def tell(self, names: Names) -> str:
        if not self.dice:
            return f"{names.nation(self.nation)} {self.what}"
        parts = " ".join(f"{value:+d} {name}" for name, value in self.modifiers)
        sum_ = f"dice {self.dice} {parts}".strip()
        return f"{names.nation(self.nation)} {self.what}: {sum_}, {self.number} or more"


class GameEnded(Event, rule="R16.4"):
    """The end (R16.4)."""

    points: tuple[int, int]
    par: int
    how: str

    def tell(self, names: Names) -> str:
        score = self.points[0] - self.points[1] - self.par
        won = f"{self.how} victory of the {names.side(self.side)}" if self.side < 2 else "a draw"
        return f"{self.points[0]} VP to {self.points[1]}, par {self.par}, score {score:+d}: {won}"
