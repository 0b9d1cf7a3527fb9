"""What happens in battles and sieges."""

from __future__ import annotations

from leuthen.engine.events import Event
from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.events.base import Names
from leuthen.rulesets.frederick.model.events.operations import LeaderFate
from leuthen.wargame.board import Hex
from leuthen.wargame.names import counted
from leuthen.wargame.strength import Bag, LeaderId, PowerId


class CommanderFate(LeaderFate, rule="O8.3"):
    """A commander rolls after a heavy loss; `lost`: so is the battle (O8.3)."""

    lost: bool


class Overwhelmed(Event, rule="O5.9", hurts="other", topic="battle"):
    """An overwhelming attack is tried (O5.9, O5.17), or a battle at such odds (O9.10)."""

    SENTENCE = (
        "{force} SP of the {side} {success:overwhelm|fail to overwhelm} {against} SP at {hex}{leaders: and "
        "capture {leaders}|}"
    )

    hex: Hex
    force: int
    against: int
    success: bool
    leaders: tuple[LeaderId, ...] = ()
    """Those whom it captures."""


class AttackDeclared(Event, rule="O9.2", hurts="other"):
    """An attack is declared (O9.2)."""

    SENTENCE = "The {side} attacks at {hex}"
    hex: Hex


class BattleFought(Event, rule="O9.4", hurts="other", topic="battle"):
    """A battle with its die, modifiers, losses and scores (O9)."""

    hex: Hex
    commanders: tuple[LeaderId, LeaderId]
    strengths: tuple[int, int]
    ratio: int
    die: int
    attack: int
    defence: int
    mountain: bool
    result: int
    percents: tuple[int, int]
    losses: tuple[int, int]
    scores: tuple[int, int]
    prisoners: int
    winner: OwnerId

    @property
    def modifiers(self) -> tuple[tuple[int, str], ...]:
        """What is added to the die, each with its reason (O9.4)."""
        return (self.attack, "attack"), (-self.defence, "defence"), (-2 * self.mountain, "mountain")

    def tell(self, names: Names) -> str:
        sum_ = "".join(f" {number:+d} {reason}" for number, reason in self.modifiers if number)
        taken = f", {self.prisoners} SP prisoners" if self.prisoners else ""
        won = f"{names.side(self.winner)} wins{taken}" if self.winner < 2 else "no victor"
        first, second = (names.leader(number) for number in self.commanders)
        return (
            f"Battle at {names.hex(self.hex)}: {first} {self.strengths[0]} SP attacks {second} {self.strengths[1]} SP, "
            f"{self.ratio} %: die {self.die}{sum_} = {self.result}: "
            f"losses {self.losses[0]} ({self.percents[0]} %) to {self.losses[1]} ({self.percents[1]} %), scores "
            f"{self.scores[0]} to {self.scores[1]}, {won}"
        )


class BattleLapsed(Event, rule="O9.11"):
    """A declared attack comes to nothing (O9.11)."""

    SENTENCE = "The attack at {hex} lapses"
    hex: Hex


class Retreated(Event, rule="O9.7", hidden=("leaders",), hurts="own"):
    """A beaten stack is demoralized and retreats (O9.7, O9.15); who is in it besides its commander is hidden (O3.1)."""

    die: int
    initiative: int
    hex: Hex
    commander: LeaderId
    leaders: tuple[LeaderId, ...] | None

    def tell(self, names: Names) -> str:
        far, start = min(6, self.die + self.initiative), names.hex(self.hex)
        sum_ = f"die {self.die} +{self.initiative} = {counted(far, 'hex')}"
        others = [number for number in self.leaders or () if number != self.commander]
        led = names.leader(self.commander) if self.commander >= 0 else f"The {names.side(self.side)}"
        along = f" with {names.leaders(others)}" if others else ""
        return f"{led}{along} retreats from {start}, demoralized: {sum_}"


class RetreatMoved(Event, rule="O9.15", is_small=True):
    """A hex of a retreat, or its end."""

    SENTENCE = "{ends:The retreat ends {inside:inside|at}|The retreat goes to} {hex}"

    start: Hex
    hex: Hex
    ends: bool
    inside: bool = False

    @property
    def way(self) -> tuple[Hex, ...]:
        return (self.start, self.hex) if self.start != self.hex else ()


class StackSurrendered(Event, rule="O9.7", hurts="own"):
    """A stack that cannot retreat (O9.7), or a garrison (O13.4), lays down its arms."""

    SENTENCE = "{sp:bag}{leaders: with {leaders}|} surrender at {hex}"

    hex: Hex
    sp: Bag
    leaders: tuple[LeaderId, ...]


class Followed(Event, rule="O9.8", hidden=("sp", "leaders")):
    """The victor follows (O9.8)."""

    power: PowerId
    commander: LeaderId
    leaders: tuple[LeaderId, ...] | None
    sp: Bag | None
    start: Hex
    hex: Hex

    @property
    def way(self) -> tuple[Hex, ...]:
        return (self.start, self.hex) if self.start != self.hex else ()

    def tell(self, names: Names) -> str:
        who = names.party(self.commander, self.leaders, self.sp, self.power, alone=False)
        return f"{who}, follows to {names.hex(self.hex)}"


class FollowDeclined(Event, rule="O9.8", is_small=True, topic="declined"):
    """The victor does not follow (O9.8): whether he may, both sides see by who is in the hexes, and led."""

    SENTENCE = "The {side} does not follow from {hex}"
    hex: Hex


class SiegeRolled(Event, rule="O13.2", hurts="other", topic="siege"):
    """A roll of a siege with its modifiers (O13.2)."""

    hex: Hex
    die: int
    defence: int
    ratio: int
    great: bool
    winter: bool
    earlier: int
    total: int
    result: str

    @property
    def modifiers(self) -> tuple[tuple[int, str], ...]:
        """What is added to the die, each with its reason (O13.2)."""
        return (
            (-self.defence, "commander inside"),
            (self.ratio, "strength"),
            (-self.great, "great fortress"),
            (-self.winter, "winter"),
            (self.earlier, "earlier rolls"),
        )

    def tell(self, names: Names) -> str:
        sum_ = "".join(f" {number:+d} {reason}" for number, reason in self.modifiers if number)
        result = {"honours": "honours of war"}.get(self.result, self.result)
        return f"Siege of {names.hex(self.hex)}: die {self.die}{sum_} = {self.total}: {result}"


class GarrisonLeft(Event, rule="O13.3", hidden=("sp",), hurts="own"):
    """A garrison marches off with the honours of war (O13.3)."""

    power: PowerId
    sp: Bag | None
    hex: Hex
    to: Hex

    @property
    def way(self) -> tuple[Hex, ...]:
        return self.hex, self.to

    def tell(self, names: Names) -> str:
        who = names.troops(self.sp, self.power)
        return f"{who} march off from {names.hex(self.hex)} to {names.hex(self.to)}"
