"""The events of a game and the sentences that report them, with the names of hexes, units and nations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any, Final

from leuthen.engine.events import Event
from leuthen.engine.ruleset import NOBODY, OTHER, OwnerId
from leuthen.rulesets.campaigns.model.data import ADJECTIVES, GameData
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId, by_power

SIDE_NAMES: Final = ("Prussian side", "Coalition", "nobody")


class Names:
    def __init__(self, data: GameData) -> None:
        self.data = data
        self.book = data.book

    def hex(self, here: Hex) -> str:
        """Return a hex with its town: "1623 Dresden"."""
        return self.book.place(here)

    def unit(self, number: LeaderId) -> str:
        """Return a leader's name, or "wagon P1"; "nobody" for -1."""
        if number < 0:
            return "nobody"
        name = self.data.leaders[number].name
        return f"wagon {name}" if self.data.is_wagon(number) else name

    def units(self, numbers: Iterable[LeaderId]) -> str:
        return ", ".join(map(self.unit, numbers))

    def party(self, lead: LeaderId, units: Iterable[LeaderId] | None, tp: int | None = None) -> str:
        """Return the known members of a leader's group: "Browne with Charles, 36 TP"."""
        others = [number for number in units or () if number != lead]
        along = f" with {self.units(others)}" if others else ""
        return f"{self.unit(lead)}{along}{f', {tp} TP,' if tp else ''}"

    def group(self, event: Any) -> str:
        """Return the known members of the group in an event."""
        lead = event.lead if hasattr(event, "lead") else event.leader
        return self.party(lead, event.units, getattr(event, "tp", None))

    def nation(self, number: int) -> str:
        return self.data.nations[number].name if number >= 0 else "nobody"

    def side(self, side: OwnerId) -> str:
        return SIDE_NAMES[side]

    def tp(self, tp: Bag | None) -> str:
        """Return TP by nation: "12 Prussian, 3 Hanoverian TP"."""
        if tp is None:
            return "? TP"
        return ", ".join(f"{points} {ADJECTIVES[n]}" for n, points in by_power(tp)) + " TP" if tp else "0 TP"

    def shares(self, units: Sequence[LeaderId], points: Sequence[int]) -> str:
        """Return TP by unit: "Frederick 3, Keith 1"."""
        return ", ".join(f"{self.unit(unit)} {number}" for unit, number in zip(units, points, strict=True))

    def sum(self, event: object) -> str:
        """Return a roll with its modifiers: "die 4 +2 combat -1 demoralized = 5"; for two dice "dice 7"."""
        word = "dice" if hasattr(event, "dice") else "die"
        rolled, modifiers = attrgetter(word, "modifiers")(event)
        parts, result = "".join(f" {value:+d} {name}" for name, value in modifiers), rolled + total_of(modifiers)
        return f"{word} {rolled}{parts} = {result}" if parts else f"{word} {rolled}"


Modifiers = tuple[tuple[str, int], ...]


def total_of(modifiers: Modifiers) -> int:
    return sum([value for _, value in modifiers])


def nonzero(*found: tuple[str, int]) -> Modifiers:
    return tuple((name, value) for name, value in found if value)


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
"""The steps of a turn (R3), with the rule of each."""


class TurnBegan(Event, rule="R3.0", begins_turn=True):
    SENTENCE = "Turn {turn} of {year}"
    year: int
    turn: int


class StepBegan(Event, rule="R3.0", is_small=True):
    step: str

    def describe(self, names: Names) -> str:
        return f"Step {self.step}: {STEPS[self.step][0]}"


class DepotChanged(Event, rule="R9.1"):
    """A depot is built, removed or found cut (R9.1, R9.2)."""

    SENTENCE = "The depot of {nation} at {hex} {what}"
    hex: Hex
    nation: PowerId
    what: str


class WagonMade(Event, rule="R9.3"):
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
    """A roll for recovery (R13.3, V8.1, V8.2); `others` recover with their commander, known to their side alone."""

    leader: LeaderId
    what: str
    dice: int
    number: int
    success: bool
    others: tuple[LeaderId, ...] | None = ()

    def describe(self, names: Names) -> str:
        word = f"{'command die' if self.what == 'command' else 'dice'} {self.dice}, {self.number} or less"
        result = "still demoralized"
        if self.success and self.what == "command":
            result = "he may roll against his morale"
        elif self.success:
            result = f"recovered, and with him {names.units(self.others)}" if self.others else "recovered"
        subject = "troops" if self.what == "troops" else "leader morale"
        return f"{names.unit(self.leader)}, {subject}: {word}: {result}"


class AllRecovered(Event, rule="R17.8"):
    """Sieges end and all recover as winter comes (R17.8); nothing in it depends on hidden facts."""

    SENTENCE = "Winter: sieges end, and all leaders and troops recover"


class ForceFed(Event, rule="R9.7", private=True, hurts="own", hurts_unless="paid"):
    """A force pays for its need, or is out of supply (R9.7, V3.5)."""

    SENTENCE = "{units} at {hex}: {paid:|out of supply, }{points} SP {paid:paid|needed}"
    hex: Hex
    units: tuple[LeaderId, ...]
    points: int
    paid: bool


class Wasted(Event, rule="V3.5", private=True, hurts="own"):
    """TP are lost to lack of food or shelter (R9.7, V3.5, R17.6)."""

    units: tuple[LeaderId, ...]
    points: tuple[int, ...]

    def describe(self, names: Names) -> str:
        lost = sum(self.points)
        return f"{lost} TP {'is' if lost == 1 else 'are'} lost: {names.shares(self.units, self.points)}"


class AttritionRolled(Event, rule="V3.5t", hidden=("units",), hurts="own", hurts_if="percent"):
    SENTENCE = (
        "Attrition of {units:{units}|a force of the {side}}: die {die}{earlier: +{earlier} earlier turns|}: {percent} %"
    )

    units: tuple[LeaderId, ...] | None
    die: int
    earlier: int
    percent: int


class LeaderCame(Event, rule="R3.1", topic="leaders"):
    """A leader comes onto the map, or takes over from another (R2.5, R3.1)."""

    leader: LeaderId
    hex: Hex | None
    tp: int | None
    instead: LeaderId = NO_LEADER

    def hidden_fields(self) -> tuple[str, ...]:
        """An arrival is visible, with its TP from the set-up; the place of a successor is not."""
        return ("hex", "tp") if self.instead >= 0 else ()

    def describe(self, names: Names) -> str:
        if self.instead >= 0:
            return f"{names.unit(self.leader)} replaces {names.unit(self.instead)}"
        assert self.hex is not None
        men = f" with {self.tp} TP" if self.tp else ""
        return f"{names.unit(self.leader)} comes to {names.hex(self.hex)}{men}"


class LeaderWent(Event, rule="R2.5", hidden=("heir",), topic="leaders"):
    """A leader leaves for good (R2.5, R17.8); `heir` now leads his men, -1 if they join the garrison or he had none."""

    leader: LeaderId
    heir: LeaderId | None

    def describe(self, names: Names) -> str:
        heir = "" if self.heir is None or self.heir < 0 else f"; {names.unit(self.heir)} takes over his men"
        return f"{names.unit(self.leader)} leaves the army{heir}"


class ForceLeft(Event, rule="R17.5", hidden=("units", "tp"), hurts="own"):
    """A force leaves the map with its nation (R17.5).

    Both sides see a `whole` force go, with its commander (R1.8). Where other units stay, the opponent does not learn
    that the force had men of that nation.
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

    def describe(self, names: Names) -> str:
        where = f"{'inside' if self.inside else 'at'} {names.hex(self.hex)}"
        led = self.lead if self.lead >= 0 else next(iter(self.units or ()), NO_LEADER)
        if led >= 0:
            return f"{names.party(led, self.units, self.tp)} {where} leaves the map"
        men = "" if self.tp is None else f", {self.tp} TP,"
        return f"The {ADJECTIVES[self.nation]} garrison {where}{men} leaves the map"


class RaisedTp(Event, rule="R15.1", topic="strength"):
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

    def describe(self, names: Names) -> str:
        who = f"{self.points} {ADJECTIVES[self.nation]} TP {'comes' if self.points == 1 else 'come'} to"
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
    """TP of a force are redistributed (R3.2, V2.1)."""

    hex: Hex
    units: tuple[LeaderId, ...]
    points: tuple[int, ...]
    garrison: int

    def describe(self, names: Names) -> str:
        garrison = f", garrison {self.garrison}" if self.garrison >= 0 else ""
        return f"At {names.hex(self.hex)}: {names.shares(self.units, self.points)}{garrison}"


class Quartered(Event, rule="R17.8"):
    """A force goes into winter quarters (R17.8); `lead` is its commander, or its first unit."""

    SENTENCE = "{lead:unit} goes into winter quarters {inside:inside|at} {hex}"
    lead: LeaderId
    hex: Hex
    inside: bool


class NationTurned(Event, rule="R17.3", topic="politics"):
    """A nation joins, leaves or is conquered (R17)."""

    nation: PowerId
    what: str
    dice: int = 0
    number: int = 0
    modifiers: Modifiers = ()

    def describe(self, names: Names) -> str:
        if not self.dice:
            return f"{names.nation(self.nation)} {self.what}"
        parts = " ".join(f"{value:+d} {name}" for name, value in self.modifiers)
        sum_ = f"dice {self.dice} {parts}".strip()
        return f"{names.nation(self.nation)} {self.what}: {sum_}, {self.number} or more"


class GameEnded(Event, rule="R16.4", hurts="other"):
    points: tuple[int, int]
    par: int
    how: str

    def describe(self, names: Names) -> str:
        score = self.points[0] - self.points[1] - self.par
        won = f"{self.how} victory of the {names.side(self.side)}" if self.side < 2 else "a draw"
        return f"{self.points[0]} VP to {self.points[1]}, par {self.par}, score {score:+d}: {won}"


class ChitDrawn(Event, rule="R4.1"):
    command: int
    left: int

    def describe(self, names: Names) -> str:
        left = f"{self.left} {'is' if self.left == 1 else 'are'} left"
        return f"The chit {self.command} of the {names.side(self.side)} is drawn; {left}"


class Paid(Event, rule="V3.5", private=True, hurts="own", hurts_if="hungry"):
    """A group pays SP as it first moves, or forages (V3.5)."""

    SENTENCE = "{units}: {hungry:far from depots, without paying |}{points} SP{hungry:| paid}"
    units: tuple[LeaderId, ...]
    points: int
    hungry: bool


class Moved(Event, rule="R4.4", hidden=("units", "left"), is_small=True):
    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    came: Hex
    hex: Hex
    left: int | None

    @property
    def way(self) -> tuple[Hex, ...]:
        return self.came, self.hex

    def describe(self, names: Names) -> str:
        who = names.unit(self.lead) if self.units is None else names.units(self.units)
        left = "" if self.left is None else f", {self.left} MP left"
        return f"{who}: {names.hex(self.came)} to {names.hex(self.hex)}{left}"


class MarchEnded(Event, rule="R4.4", hidden=("units", "tp")):
    """A move ends (R4.4); the `units` that came with the leader and their TP are known to their side alone (R1.11)."""

    SENTENCE = "{:group} halts {inside:inside|at} {hex}"

    lead: LeaderId
    hex: Hex
    inside: bool
    units: tuple[LeaderId, ...] | None
    tp: int | None


class WentThrough(Event, rule="R10.3", private=True, tag="gate"):
    """Units come out of a stronghold, make a sortie, or are left behind (R10.3, R10.7, R4.4)."""

    units: tuple[LeaderId, ...]
    hex: Hex
    how: str

    def describe(self, names: Names) -> str:
        verb, _, rest = self.how.partition(" ")
        done = f"{verb}{'s' * (len(self.units) == 1)} {rest}".rstrip()
        return f"{names.units(self.units)} {done} at {names.hex(self.hex)}"


class PlaceTaken(Event, rule="R5.6", hurts="other"):
    SENTENCE = "The {side} takes {hex}"
    hex: Hex


class Absorbed(Event, rule="V3.4", private=True):
    """A group takes SP from a wagon, a fort or a depot on its way (V3.4, R9.5)."""

    SENTENCE = "{units}: {points} SP from {source} at {hex}"
    units: tuple[LeaderId, ...]
    hex: Hex
    points: int
    source: str


class GarrisonChanged(Event, rule="R10.4", private=True):
    """A leader leaves TP in a garrison, or takes some out (R10.4)."""

    SENTENCE = "{leader:unit} {into:leaves {tp} in|takes {tp} from} {hex}"
    hex: Hex
    leader: LeaderId
    tp: Bag
    into: bool


class LoneFate(Event, rule="R2.4"):
    """The fate of a leader without TP, or a wagon, alone among enemies (R2.4, R9.4)."""

    SENTENCE = "{unit} alone at {hex}: die {die}, {fate}"
    unit: LeaderId
    die: int
    hex: Hex
    fate: str

    @property
    def hurts(self) -> OwnerId:
        return NOBODY if self.fate == "escapes" else self.side


class ReactionDeclined(Event, rule="R7.1", topic="declined"):
    """A side does not react to a mover, or stops trying (R7.1).

    Nothing in it is hidden: both sides see the forces that raise the question, and the answer is public. The event does
    not reveal whether a leader could have reacted (R1.11).
    """

    SENTENCE = "The {side} does not react to {mover:unit} at {hex}"
    mover: LeaderId
    hex: Hex


class ReactionTried(Event, rule="R7.3", hidden=("units",)):
    """A leader tries to react (R7.3); his companions are known to his side alone (R1.11)."""

    SENTENCE = "{:group} {success:reacts|fails to react} to {hex}: {:sum}, initiative {initiative}"

    leader: LeaderId
    units: tuple[LeaderId, ...] | None
    hex: Hex
    die: int
    modifiers: Modifiers
    initiative: int
    success: bool


class ReactionStayed(Event, rule="R7.4", hidden=("units",)):
    """A group that may react stays in its hex (R7.4): the choice is visible, the group is not (R1.11)."""

    SENTENCE = "{:group} may react but stays at {hex}"

    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    hex: Hex


class AttackDeclined(Event, rule="R6.1", is_small=True, topic="declined"):
    """A side that shares a hex with enemies does not attack (R6.1): question and answer are public."""

    SENTENCE = "The {side} does not attack at {hex}"
    hex: Hex


class Roused(Event, rule="R6.1"):
    """The other side of a shared hex rolls to attack (R6.1)."""

    SENTENCE = "{leader:unit} {success:attacks|does not attack}: die {die}, initiative {initiative}"
    leader: LeaderId
    die: int
    initiative: int
    success: bool


class ForcedMarch(Event, rule="R8.1", hidden=("lost",), hurts="own", hurts_if="lost"):
    SENTENCE = (
        "{leader:unit} forces his march: die {die}, command {command}: {points:{points} MP|no MP}{lost:, "
        "{lost} TP lost|}"
    )

    leader: LeaderId
    die: int
    command: int
    points: int
    lost: int | None


class BattleOpened(Event, rule="R12.1", hurts="other", topic="opening"):
    hex: Hex
    how: str
    commanders: tuple[LeaderId, LeaderId]
    strengths: tuple[int, int]

    def describe(self, names: Names) -> str:
        attacker, defender = self.commanders[self.side], self.commanders[OTHER[self.side]]
        first = f"{names.unit(attacker)} {self.strengths[self.side]} TP"
        second = f"{names.unit(defender)} {self.strengths[OTHER[self.side]]} TP"
        return f"Battle at {names.hex(self.hex)}: {first} attacks {second}"


class Joined(Event, rule="R6.3"):
    """Leaders inside come out to join a battle (R6.3)."""

    leaders: tuple[LeaderId, ...]

    def describe(self, names: Names) -> str:
        out = "comes out and joins in" if len(self.leaders) == 1 else "come out and join in"
        return f"{names.units(self.leaders)} {out}"


class Declared(Event, rule="R12.2"):
    """A side concentrates, or fights with high intensity (R12.2, V3.3)."""

    round: int
    concentrate: bool
    intense: bool
    points: int

    def deed(self, names: Names) -> str:
        what = [word for word, flag in (("concentration", self.concentrate), ("high intensity", self.intense)) if flag]
        return f"declares {' and '.join(what) or 'nothing'}, {self.points} SP"


class Committed(Event, rule="R12.3"):
    """The share of a side that is engaged (R12.3)."""

    round: int
    die: int
    modifiers: Modifiers
    percent: int
    share: int
    tp: int

    def deed(self, names: Names) -> str:
        kept = f", {self.share} % remain" if self.share != self.percent else ""
        return f"commits: {names.sum(self)}: {self.percent} %{kept}: {self.tp} TP"


class CombatRolled(Event, rule="R12.4", hurts="other"):
    """A combat roll, which gives the enemy's loss (R12.4)."""

    DEED = "fights: {:sum}: {percent} % of {tp:d} TP, the enemy loses {loss}"

    round: int
    die: int
    modifiers: Modifiers
    percent: int
    tp: int
    loss: int


class LossesTaken(Event, rule="R12.6", hurts="own"):
    """Losses by leader (R12.6, V6.1)."""

    units: tuple[LeaderId, ...]
    points: tuple[int, ...]

    def deed(self, names: Names) -> str:
        return f"loses {sum(self.points)} TP: {names.shares(self.units, self.points)}"


class NerveTested(Event, rule="R13.1", hurts="own", hurts_if="breaks"):
    SENTENCE = "{leader:unit} {breaks:breaks and is demoralized|holds}: {:sum}, morale {morale}"

    leader: LeaderId
    dice: int
    modifiers: Modifiers
    morale: int
    breaks: bool


class BrokenOff(Event, rule="R12.8", hurts="own"):
    SENTENCE = "The {side} {forced:must retreat|breaks off the battle}"
    forced: bool


class BattleEnded(Event, rule="R12.10", hurts="other", topic="battle"):
    """The end of a battle (R12.10); `side` has won, or is NOBODY."""

    hex: Hex
    rounds: int
    began: tuple[int, int]
    lost: tuple[int, int]
    prisoners: int
    commanders: tuple[LeaderId, LeaderId] = (NO_LEADER, NO_LEADER)
    attacker: OwnerId = NOBODY

    def describe(self, names: Names) -> str:
        won = f"the {names.side(self.side)} wins" if self.side < 2 else "no winner"
        rounds = format_count(self.rounds, "round")
        return (
            f"The battle at {names.hex(self.hex)} ends after {rounds}, {won}: losses {self.lost[0]} of "
            f"{self.began[0]} and {self.lost[1]} of {self.began[1]} TP, {self.prisoners} TP prisoners"
        )


class MoraleChanged(Event, rule="V8.1", hidden=("others",), hurts="own", hurts_unless="recovers"):
    """A force is demoralized, troops and leaders, by a lost battle, or recovers by a victory (V8.1-V8.3).

    Both sides know the `leaders`, who fought (R1.9); `others` have no TP, and only their side knows that they are there
    (R1.11). With `others` alone the event is private.
    """

    hex: Hex
    leaders: tuple[LeaderId, ...]
    others: tuple[LeaderId, ...] | None
    recovers: bool

    def is_private(self) -> bool:
        return not self.leaders

    def describe(self, names: Names) -> str:
        units = (*self.leaders, *(self.others or ()))
        is_one = len(units) == 1
        done = f"recover{'s' * is_one}" if self.recovers else f"{'is' if is_one else 'are'} demoralized"
        return f"{names.units(units)} {done} at {names.hex(self.hex)}"


class RetreatMade(Event, rule="R12.9", hidden=("units",), hurts="own"):
    units: tuple[LeaderId, ...] | None
    hex: Hex
    path: tuple[Hex, ...]
    inside: bool

    @property
    def way(self) -> tuple[Hex, ...]:
        return (self.hex, *self.path) if self.path else ()

    def describe(self, names: Names) -> str:
        where = names.hex(self.path[-1] if self.path else self.hex)
        who = f"The troops of the {names.side(self.side)}" if self.units is None else names.units(self.units)
        verb = "retreats" if self.units is not None and len(self.units) == 1 else "retreat"
        way = f", by {'-'.join(map(hex_name, self.way))}" if len(self.path) > 1 else ""
        return f"{who} {verb} {'inside' if self.inside else 'to'} {where}{way}"


class Cornered(Event, rule="R12.9", hurts="own"):
    """A beaten force cannot retreat; the `leaders` become prisoners with their men (R12.9)."""

    SENTENCE = (
        "The force at {hex} cannot retreat and {whole:surrenders|loses prisoners}: "
        "{tp}{leaders:; {leaders:units} in captivity|}"
    )

    hex: Hex
    tp: Bag
    whole: bool
    leaders: tuple[LeaderId, ...] = ()


class WagonRolled(Event, rule="R12.9", hurts="own", hurts_if="lost"):
    """A wagon in a retreat is lost or saved (R12.9)."""

    SENTENCE = "{wagon:unit}: die {die}, {lost:lost|saved}"
    wagon: LeaderId
    die: int
    lost: bool


class BreachRolled(Event, rule="R11.3", hurts="other", hurts_if="success", topic="siege"):
    SENTENCE = "Siege of {hex}, turn {turn}: {:sum}, {number} or less: {success:a|no} breach, {breaches} now"

    hex: Hex
    turn: int
    die: int
    modifiers: Modifiers
    number: int
    breaches: int
    success: bool


class SurrenderRolled(Event, rule="R11.4", hurts="other", hurts_if="success", topic="siege"):
    SENTENCE = "{hex}: {:sum}, {number} or less: it {success:falls|holds}"

    hex: Hex
    die: int
    modifiers: Modifiers
    number: int
    success: bool


class PlaceFell(Event, rule="R11.6", hurts="other", topic="siege"):
    SENTENCE = "{hex} surrenders: {tp}{leaders: with {leaders:units}|}"

    hex: Hex
    tp: Bag
    leaders: tuple[LeaderId, ...]
