"""What happens in battles and sieges."""

from __future__ import annotations

from leuthen.engine.events import Event
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.wargame.board import Hex
from leuthen.wargame.names import counted
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId

Modifiers = tuple[tuple[str, int], ...]


class BattleOpened(Event, rule="R12.1"):
    """A battle begins (R12.1)."""

    hex: Hex
    how: str
    commanders: tuple[LeaderId, LeaderId]
    strengths: tuple[int, int]

    def tell(self, names: Names) -> str:
        attacker, defender = self.commanders[self.side], self.commanders[OTHER[self.side]]
        first = f"{names.unit(attacker)} {self.strengths[self.side]} TP"
        second = f"{names.unit(defender)} {self.strengths[OTHER[self.side]]} TP"
        return f"Battle at {names.hex(self.hex)}: {first} attacks {second}"


class Joined(Event, rule="R6.3"):
    """Leaders inside come out to a battle (R6.3)."""

    leaders: tuple[LeaderId, ...]

    def tell(self, names: Names) -> str:
        out = "comes out and joins in" if len(self.leaders) == 1 else "come out and join in"
        return f"{names.units(self.leaders)} {out}"


class Declared(Event, rule="R12.2"):
    """A side concentrates, or fights with high intensity (R12.2, V3.3)."""

    round: int
    concentrate: bool
    intense: bool
    points: int

    def deed(self, names: Names) -> str:
        """What is declared, and what that costs."""
        what = [word for word, flag in (("concentration", self.concentrate), ("high intensity", self.intense)) if flag]
        return f"declares {' and '.join(what) or 'nothing'}, {self.points} SP"


class Committed(Event, rule="R12.3"):
    """How much of a side is engaged (R12.3)."""

    round: int
    die: int
    modifiers: Modifiers
    percent: int
    share: int
    tp: int

    def deed(self, names: Names) -> str:
        """The die, its share, and what that comes to."""
        kept = f", {self.share} % stand" if self.share != self.percent else ""
        return f"commits: {names.sum(self)}: {self.percent} %{kept}: {self.tp} TP"


class CombatRolled(Event, rule="R12.4"):
    """A combat roll: what the enemy loses (R12.4)."""

    DEED = "fights: {:sum}: {percent} % of {tp:d} TP, the enemy loses {loss}"

    round: int
    die: int
    modifiers: Modifiers
    percent: int
    tp: int
    loss: int


class LossesTaken(Event, rule="R12.6"):
    """Losses by leader (R12.6, V6.1)."""

    units: tuple[LeaderId, ...]
    points: tuple[int, ...]

    def deed(self, names: Names) -> str:
        return f"loses {sum(self.points)} TP: {names.shares(self.units, self.points)}"


class NerveTested(Event, rule="R13.1"):
    """A leader holds, or breaks (R13.1)."""

    SENTENCE = "{leader:unit} {breaks:breaks and is demoralized|holds}: {:sum}, morale {morale}"

    leader: LeaderId
    dice: int
    modifiers: Modifiers
    morale: int
    breaks: bool


class BrokenOff(Event, rule="R12.8"):
    """A side leaves a battle (R12.8)."""

    SENTENCE = "The {side} {forced:has to retreat|breaks the battle off}"
    forced: bool


class BattleEnded(Event, rule="R12.10"):
    """The end of a battle (R12.10): `side` has won, or nobody."""

    hex: Hex
    rounds: int
    began: tuple[int, int]
    lost: tuple[int, int]
    prisoners: int
    commanders: tuple[LeaderId, LeaderId] = (NO_LEADER, NO_LEADER)
    attacker: OwnerId = NOBODY

    def tell(self, names: Names) -> str:
        won = f"the {names.side(self.side)} wins" if self.side < 2 else "nobody wins"
        rounds = counted(self.rounds, "round")
        return (
            f"The battle at {names.hex(self.hex)} ends after {rounds}, {won}: losses {self.lost[0]} of "
            f"{self.began[0]} and {self.lost[1]} of {self.began[1]} TP, {self.prisoners} TP prisoners"
        )


class MoraleChanged(Event, rule="V8.1", hidden=("others",)):
    """A force is demoralized, troops and leaders, by a lost battle, or recovers by one that it wins (V8.1-V8.3).

    `leaders` have fought, and so both sides know of them (R1.9); `others` of the force have no TP, and their side alone
    knows that they are there (R1.11). Nothing is said to the other side where there are only others.
    """

    hex: Hex
    leaders: tuple[LeaderId, ...]
    others: tuple[LeaderId, ...] | None
    recovers: bool

    def is_private(self) -> bool:
        return not self.leaders

    def tell(self, names: Names) -> str:
        units = (*self.leaders, *(self.others or ()))
        is_one = len(units) == 1
        done = f"recover{'s' * is_one}" if self.recovers else f"{'is' if is_one else 'are'} demoralized"
        return f"{names.units(units)} {done} at {names.hex(self.hex)}"


class RetreatMade(Event, rule="R12.9", hidden=("units",)):
    """A beaten force goes back (R12.9)."""

    units: tuple[LeaderId, ...] | None
    hex: Hex
    path: tuple[Hex, ...]
    inside: bool

    def tell(self, names: Names) -> str:
        where = names.hex(self.path[-1] if self.path else self.hex)
        who = f"The troops of the {names.side(self.side)}" if self.units is None else names.units(self.units)
        verb = "retreats" if self.units is not None and len(self.units) == 1 else "retreat"
        way = f", by {names.path((self.hex, *self.path))}" if len(self.path) > 1 else ""
        return f"{who} {verb} {'inside' if self.inside else 'to'} {where}{way}"


class Cornered(Event, rule="R12.9"):
    """A beaten force has no way to retreat; `leaders`: who becomes a prisoner with his men (R12.9)."""

    SENTENCE = (
        "The force at {hex} has no way out and {whole:surrenders whole|stays, and loses as prisoners}: "
        "{tp}{leaders:; {leaders:units} in captivity|}"
    )

    hex: Hex
    tp: Bag
    whole: bool
    leaders: tuple[LeaderId, ...] = ()


class WagonRolled(Event, rule="R12.9"):
    """A wagon in a retreat is lost, or not (R12.9)."""

    SENTENCE = "{wagon:unit}: die {die}, {lost:lost|saved}"
    wagon: LeaderId
    die: int
    lost: bool


class BreachRolled(Event, rule="R11.3"):
    """A breach roll of a siege (R11.3)."""

    SENTENCE = "Siege of {hex}, turn {turn}: {:sum}, {number} or less: {success:a|no} breach, {breaches} now"

    hex: Hex
    turn: int
    die: int
    modifiers: Modifiers
    number: int
    breaches: int
    success: bool


class SurrenderRolled(Event, rule="R11.4"):
    """A surrender roll of a siege (R11.4)."""

    SENTENCE = "{hex}: {:sum}, {number} or less: it {success:falls|holds}"

    hex: Hex
    die: int
    modifiers: Modifiers
    number: int
    success: bool


class PlaceFell(Event, rule="R11.6"):
    """A stronghold surrenders (R11.6)."""

    SENTENCE = "{hex} surrenders: {tp}{leaders: with {leaders:units}|}"

    hex: Hex
    tp: Bag
    leaders: tuple[LeaderId, ...]
