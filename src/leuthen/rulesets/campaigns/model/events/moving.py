"""What happens on the march: chits, marches, reactions, what is met and taken on the way."""

from __future__ import annotations

from leuthen.engine.events import Event
from leuthen.rulesets.campaigns.model.events.fighting import Modifiers
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import Bag, LeaderId


class ChitDrawn(Event, rule="R4.1"):
    """A command chit is drawn (R4.1)."""

    command: int
    left: int

    def tell(self, names: Names) -> str:
        left = f"{self.left} {'is' if self.left == 1 else 'are'} left"
        return f"The chit {self.command} of the {names.side(self.side)} is drawn; {left}"


class Paid(Event, rule="V3.5", private=True):
    """A group pays SP as it first moves, or forages (V3.5)."""

    SENTENCE = "{units}: {hungry:far from depots, without paying |}{points} SP{hungry:| paid}"
    units: tuple[LeaderId, ...]
    points: int
    hungry: bool


class Moved(Event, rule="R4.4", hidden=("units", "left"), is_small=True):
    """A group enters a hex (R4.4)."""

    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    came: Hex
    hex: Hex
    left: int | None

    def tell(self, names: Names) -> str:
        who = names.unit(self.lead) if self.units is None else names.units(self.units)
        left = "" if self.left is None else f", {self.left} MP left"
        return f"{who}: {names.hex(self.came)} to {names.hex(self.hex)}{left}"


class MarchEnded(Event, rule="R4.4", hidden=("units", "tp")):
    """A move ends (R4.4): `units` have come with its leader, with so many TP; their side alone learns who (R1.11)."""

    lead: LeaderId
    hex: Hex
    inside: bool
    units: tuple[LeaderId, ...] | None
    tp: int | None

    def tell(self, names: Names) -> str:
        where = f"{'inside' if self.inside else 'at'} {names.hex(self.hex)}"
        return f"{names.party(self.lead, self.units, self.tp)} halts {where}"


class WentThrough(Event, rule="R10.3", private=True, tag="gate"):
    """Units come out of a stronghold, make a sortie, or are left behind (R10.3, R10.7, R4.4)."""

    units: tuple[LeaderId, ...]
    hex: Hex
    how: str

    def tell(self, names: Names) -> str:
        verb, _, rest = self.how.partition(" ")
        done = f"{verb}{'s' * (len(self.units) == 1)} {rest}".rstrip()
        return f"{names.units(self.units)} {done} at {names.hex(self.hex)}"


class PlaceTaken(Event, rule="R5.6"):
    """An undefended stronghold is taken (R5.6)."""

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
    """A leader leaves TP in a garrison, or takes some out; TP arrive in one (R10.4)."""

    hex: Hex
    leader: LeaderId
    tp: Bag
    into: bool

    def tell(self, names: Names) -> str:
        if self.leader < 0:
            return f"{names.tp(self.tp)} garrison {names.hex(self.hex)}"
        word = "leaves {} in" if self.into else "takes {} from"
        return f"{names.unit(self.leader)} {word.format(names.tp(self.tp))} {names.hex(self.hex)}"


class LoneFate(Event, rule="R2.4"):
    """A leader without TP, or a wagon, alone among enemies (R2.4, R9.4)."""

    SENTENCE = "{unit} alone at {hex}: die {die}, {fate}"
    unit: LeaderId
    die: int
    hex: Hex
    fate: str


class ReactionDeclined(Event, rule="R7.1"):
    """A side does not react, or tries no more, to a mover (R7.1).

    Nothing of it is hidden: the side is asked because of forces that both sides see, and at the table it answers aloud.
    Whether anybody of it would have been able to react is not told (R1.11).
    """

    SENTENCE = "The {side} does not react to {mover:unit} at {hex}"
    mover: LeaderId
    hex: Hex


class ReactionTried(Event, rule="R7.3", hidden=("units",)):
    """A leader tries to react (R7.3); his side alone learns who would go with him (R1.11)."""

    leader: LeaderId
    units: tuple[LeaderId, ...] | None
    hex: Hex
    die: int
    modifiers: Modifiers
    initiative: int
    success: bool

    def tell(self, names: Names) -> str:
        verb = "reacts" if self.success else "fails to react"
        who, where = names.party(self.leader, self.units), names.hex(self.hex)
        return f"{who} {verb} to {where}: {names.sum(self)}, initiative {self.initiative}"


class ReactionStayed(Event, rule="R7.4", hidden=("units",)):
    """A group that may react stays where it is (R7.4): that it does is seen, who is in it is not (R1.11)."""

    lead: LeaderId
    units: tuple[LeaderId, ...] | None
    hex: Hex

    def tell(self, names: Names) -> str:
        return f"{names.party(self.lead, self.units)} may react, and stays at {names.hex(self.hex)}"


class AttackDeclined(Event, rule="R6.1", is_small=True):
    """A side beside enemies in one hex does not attack (R6.1): it is asked in the open, and both see that it holds."""

    SENTENCE = "The {side} does not attack at {hex}"
    hex: Hex


class Roused(Event, rule="R6.1"):
    """The other side of a shared hex rolls in order to attack (R6.1)."""

    SENTENCE = "{leader:unit} {success:attacks|does not attack}: die {die}, initiative {initiative}"
    leader: LeaderId
    die: int
    initiative: int
    success: bool


class ForcedMarch(Event, rule="R8.1", hidden=("lost",)):
    """A leader tries a forced march (R8)."""

    SENTENCE = (
        "{leader:unit} forces his march: die {die}, command {command}: {points:{points} MP|nothing}{lost:, "
        "{lost} TP lost|}"
    )

    leader: LeaderId
    die: int
    command: int
    points: int
    lost: int | None
