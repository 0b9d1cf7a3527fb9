"""What happens between the yearly campaigns: set-up, grand strategy, prisoners, victory."""

from __future__ import annotations

from typing import Self

from leuthen.engine.events import Event
from leuthen.engine.fields import Values
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, OwnerId
from leuthen.rulesets.frederick.model.actions import Place
from leuthen.rulesets.frederick.model.data import NO_POWER
from leuthen.rulesets.frederick.model.events.base import Names
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.wargame.board import Hex
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId

Modifiers = tuple[tuple[str, int], ...]
"""What is added to a die, each with its reason."""


class ChoiceSealed(Event, rule="C2.4", is_small=True):
    """A side has sealed what it chose in secret (C2.4, C5.1, C6.2)."""

    SENTENCE = "{what}: the {side} has sealed its choice"
    what: str


class ChoiceReopened(Event, rule="C2.4", is_small=True):
    """A side opens its sealed choice again, before the other has sealed."""

    SENTENCE = "{what}: the {side} opens its choice again"
    what: str


class Drafted(Event, rule="C2.6", private=True, is_small=True):
    """A side has placed something in the secret set-up (C2.6)."""

    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...]
    sp: Bag
    depot: bool = False

    def tell(self, names: Names) -> str:
        if self.depot:
            return f"Depot at {names.hex(self.hex)}"
        first, *others = self.leaders or (NO_LEADER,)
        who = names.party(first, others, self.sp, NO_POWER, alone=not self.sp)
        return f"{'inside ' if self.inside else ''}{names.hex(self.hex)}: {who}"


class Cleared(Event, rule="C2.6", private=True, is_small=True):
    """A side takes back all that it has placed so far (C2.6)."""

    SENTENCE = "The {side} begins its set-up anew"


class TroopsCame(Event, hidden=("leaders", "sp"), is_small=True):
    """SP and leaders of a power are somewhere now: seen, strengths and juniors not (O3.4).

    `commander` leads them, or -1; `alone` tells that they are leaders without SP (O3.5).
    """

    power: PowerId
    hex: Hex
    inside: bool
    commander: LeaderId
    alone: bool
    leaders: tuple[LeaderId, ...] | None
    sp: Bag | None

    @classmethod
    def of(cls, side: OwnerId, power: PowerId, commander: LeaderId, came: Place | Stack, **more: object) -> Self:
        """The event of a side's troops, as they were placed or stand."""
        values: Values = {name: getattr(came, name) for name in ("hex", "inside", "leaders", "sp")}
        values |= {"side": side, "power": power, "commander": commander, "alone": not came.sp, **more}
        return cls(**values)


class ForceLeft(TroopsCame, rule="C11.3", hurts="own"):
    """A force leaves the map with its power (C11.3).

    A `whole` stack is seen to go, as it was seen to stand (O3.5). Where others stay in the stack, the other side does
    not learn that it had SP or leaders of the power: it never sees what a stack is made of (O3.1).
    """

    SENTENCE = "{:who}, leaves the game {inside:inside|at} {hex}"
    whole: bool

    def is_private(self) -> bool:
        return not self.whole


class Deployed(TroopsCame, rule="C2.4"):
    """A stack of the set-up is revealed, as hidden stacks are (C2.4, O3.1)."""

    SENTENCE = "{inside:inside |}{hex}: {:who}"


class DepotPlaced(Event, rule="C2.1", is_small=True):
    """The depot of the set-up is revealed; it is complete (C2.1, C2.6)."""

    SENTENCE = "Depot of {power} at {hex}"
    power: PowerId
    hex: Hex


class EnvoysRevealed(Event, rule="C5.2"):
    """The Diplomacy Points of both sides, by minor power in the order of the table (C5.2)."""

    powers: tuple[PowerId, ...]
    prussian: tuple[int, ...]
    austrian: tuple[int, ...]

    def tell(self, names: Names) -> str:
        lines = zip(self.powers, self.prussian, self.austrian, strict=True)
        shares = [f"{names.power(power)} {first}:{second}" for power, first, second in lines if first or second]
        return f"Diplomacy Points, Prussian to Austrian: {', '.join(shares) or 'none'}"


class DiplomacyRolled(Event, rule="C5.3", topic="attempt"):
    """A power's die on the Diplomacy Table (C5.2, C5.3)."""

    power: PowerId
    die: int
    modifiers: Modifiers
    rolled: int
    result: OwnerId

    @property
    def row(self) -> int:
        """The row of the table."""
        return self.rolled

    def tell(self, names: Names) -> str:
        stance = "stays neutral" if self.result == NOBODY else f"turns to the {names.side(self.result)}"
        return f"{names.power(self.power)}: {names.sum(self)}: {stance}"


class PointsGranted(Event, rule="C6.1"):
    """A side receives Resource Points (C6.1)."""

    SENTENCE = "The {side} receives {points} RP and has {now}"
    points: int
    now: int


class ForcesRaised(Event, rule="C6.3", hidden=("had", "raised"), topic="strength"):
    """A major raises new SP: RP and percentage are open, numbers its own (C6.3, C6.5)."""

    power: PowerId
    points: int
    had: int | None
    raised: int | None

    def tell(self, names: Names) -> str:
        share = f"{10 * self.points} % of {names.number(self.had)} SP = {names.number(self.raised)} new SP"
        return f"{names.power(self.power)} spends {self.points} RP: {share}{self._cut()}"

    def _cut(self) -> str:
        if self.had is None or self.raised is None or self.raised >= -(-self.had * self.points // 10):
            return ""
        return ", which is all that its counters allow (C6.5)"


class CommitmentRolled(Event, rule="C7.2", hidden=("had", "change"), topic="strength"):
    """A minor power's die on the Commitment Table: die and percentage are open (C7.2, C6.5)."""

    SENTENCE = (
        "{power}: {:sum}: {percent:+d} % of {had:number} SP = {change:number} SP{switches:, and it changes sides|}"
    )

    power: PowerId
    die: int
    modifiers: Modifiers
    row: int
    percent: int
    switches: bool
    had: int | None
    change: int | None
    """SP raised, or negative to be lost, after the limit of C7.5."""


class Disbanded(Event, rule="C7.5", private=True):
    """SP lost in the Commitment Phase, as their owner chose (C7.5)."""

    SENTENCE = "{inside:inside |}{hex}: {points} SP of {power} go home, {left} still to go"
    power: PowerId
    hex: Hex
    inside: bool
    points: int
    left: int


class LeadersRolled(Event, rule="C8.1"):
    """A power's die on the Leader Table (C8.1)."""

    SENTENCE = "{power} rolls {die} for leaders: {new} new{sack:, one to sack|}{note: ({note})|}"

    power: PowerId
    die: int
    new: int
    sack: bool
    note: str = ""


class LeaderDrawn(Event, rule="C8.2", topic="leaders"):
    """A leader comes into play; names are open (C8.2, C8.4, C8.5, C8.9). `how`: drawn, returns, nameless."""

    power: PowerId
    leader: LeaderId
    how: str

    def tell(self, names: Names) -> str:
        verb = {"drawn": "is drawn for", "returns": "returns to", "nameless": "comes, with ratings 0, to"}[self.how]
        return f"{names.leader(self.leader)} {verb} {names.power(self.power)}"


class Sacked(Event, rule="C8.3", topic="leaders"):
    """A leader is removed for good (C8.3)."""

    SENTENCE = "{power} sacks {leader}"
    power: PowerId
    leader: LeaderId


class Redeployed(TroopsCame, rule="C8.6"):
    """They go from somewhere to a fortress (C8.6)."""

    SENTENCE = "Re-deployment {moves:from {start:hex} to {inside:inside |}|{inside:into |out of }}{hex}: {:who}"

    start: Hex

    @property
    def way(self) -> tuple[Hex, ...]:
        return (self.start, self.hex) if self.moves else ()

    @property
    def moves(self) -> bool:
        """Whether they go to another hex."""
        return self.start != self.hex


class Reinforced(TroopsCame, rule="C8.7"):
    """New ones come on the map (C8.7)."""

    SENTENCE = "Arrival {inside:inside|at} {hex}: {:who}"


class SubsidyRolled(Event, rule="C10.1", topic="strength"):
    """The British Subsidy (C10)."""

    SENTENCE = "British Subsidy: {:sum}: {points} RP to the {side}, which has {now}"

    die: int
    modifiers: Modifiers
    row: int
    points: int
    now: int


class ExchangeAgreed(Event, rule="C11.1"):
    """How many prisoners each side must give back (C11.1)."""

    SENTENCE = "Exchange of {what}: {number} for {number}"
    what: str
    number: int


class Offered(Event, rule="C11.1"):
    """The captor offers a captive leader (C11.1)."""

    SENTENCE = "The {side} offers {leader} in exchange"
    leader: LeaderId


class Freed(Event, rule="C11.1", is_small=True):
    """Exchanged prisoners return to a fortress (C11.1, O15.2)."""

    power: PowerId
    points: int
    leader: LeaderId
    hex: Hex

    def tell(self, names: Names) -> str:
        who = names.leader(self.leader) if self.leader >= 0 else f"{self.points} SP of {names.power(self.power)}"
        return f"Exchanged: {who} at {names.hex(self.hex)}"


class VictoryChecked(Event, rule="C12.3"):
    """The victory check at the end of a year (C12.2, C12.3). `great`: how many of the five each side holds."""

    SENTENCE = (
        "Victory points: Prussian side {points[0]}, Austrian side {points[1]}; great fortresses {great[0]} "
        "to {great[1]}"
    )

    points: tuple[int, int]
    great: tuple[int, int]


class WarEnded(Event, rule="C13.1"):
    """The war ends (C12.3, C13.1). `silesia`: how many of its fortresses belong to each side."""

    winner: OwnerId
    how: str
    points: tuple[int, int]
    silesia: tuple[int, int] | None = None

    @property
    def hurts(self) -> OwnerId:
        return OTHER[self.winner] if self.winner in SIDES else NOBODY

    def tell(self, names: Names) -> str:
        held = f", fortresses of Silesia {self.silesia[0]} to {self.silesia[1]}" if self.silesia else ""
        end = "the war ends in a draw" if self.winner == NOBODY else f"the {names.side(self.winner)} wins ({self.how})"
        return f"Victory points {self.points[0]} to {self.points[1]}{held}: {end}"


class ScenarioEnded(Event, rule="C14.5"):
    """A scenario ends by its score (C14.5)."""

    points: tuple[int, int]
    par: int
    how: str

    def tell(self, names: Names) -> str:
        score = self.points[0] - self.points[1] - self.par
        end = "a draw" if self.side == NOBODY else f"the {names.side(self.side)} wins ({self.how})"
        return f"Victory points {self.points[0]} to {self.points[1]}, par {self.par:+d}, score {score:+d}: {end}"
