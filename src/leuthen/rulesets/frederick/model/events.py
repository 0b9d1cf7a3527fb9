"""Events: facts in the past tense; each viewer gets them without what is hidden from him."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

from leuthen.engine.events import Event
from leuthen.engine.ruleset import NOBODY, OTHER, SIDES, OwnerId, Side
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.model.data import NATIONS, GameData
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.wargame.board import NOWHERE, Hex, hex_name
from leuthen.wargame.names import format_count
from leuthen.wargame.strength import NO_LEADER, Bag, LeaderId, PowerId, of, powers
from leuthen.wargame.war import half_month

SIDE_NAMES = ("Prussian side", "Austrian side", "nobody")
Modifiers = tuple[tuple[str, int], ...]
"""Additions to a die, each with its reason."""


class Names:
    def __init__(self, data: GameData) -> None:
        self._data = data

    def hex(self, here: Hex) -> str:
        """Return a hex with its town: "1623 Dresden"."""
        return self._data.book.place(here)

    def path(self, hexes: Iterable[Hex]) -> str:
        return "-".join(hex_name(here) for here in hexes)

    def leader(self, number: LeaderId) -> str:
        """Return a leader's name; "no leader" for -1."""
        return self._data.leaders[number].name if number >= 0 else "no leader"

    def leaders(self, numbers: Iterable[LeaderId]) -> str:
        return ", ".join(self.leader(number) for number in numbers)

    def power(self, number: int) -> str:
        return self._data.powers[number].name if number >= 0 else "nobody"

    def side(self, side: OwnerId) -> str:
        return SIDE_NAMES[side]

    def bag(self, sp: Bag) -> str:
        """Return SP by power: "12 Prussian, 3 Hanoverian SP"."""
        return ", ".join(f"{of(sp, power)} {NATIONS[power]}" for power in powers(sp)) + " SP" if sp else "0 SP"

    def troops(self, event: Troops | GarrisonLeft) -> str:
        """Return SP by power; of hidden SP only the power: "? Austrian SP"."""
        return self.bag(event.sp) if event.sp is not None else f"? {NATIONS[event.power]} SP"

    def party(self, commander: LeaderId, leaders: Sequence[LeaderId] | None) -> str:
        """Return "Frederick with Keith", without juniors who are hidden (O3.1); "" if nobody is known."""
        others = [number for number in leaders or () if number != commander]
        along = [f"with {self.leaders(others)}"] if others else []
        return " ".join([*([self.leader(commander)] if commander >= 0 else []), *along])

    def number(self, value: int | None) -> str:
        return "?" if value is None else str(value)

    date = staticmethod(half_month)

    def who(self, event: Troops) -> str:
        """Return "Frederick with Keith, 12 Prussian SP", without what is hidden (O3.1, O3.5)."""
        name = self.party(event.commander, event.leaders)
        troops = "without troops" if event.alone else self.troops(event)
        return f"{name}, {troops}" if name or event.alone else troops

    def struck(self, event: Surrendered) -> str:
        """Return the prisoners who are struck off: "; removed as prisoners: 3 Saxon SP, Rutowski"."""
        parts = [*([self.bag(event.sp)] if event.sp else []), *map(self.leader, event.leaders)]
        return f"; removed as prisoners: {', '.join(parts)}" if parts else ""

    def sum(self, event: DiplomacyRolled | CommitmentRolled | SubsidyRolled) -> str:
        """Return a die with every modifier: "die 2, +2 (Prussia invaded Saxony) = 4"."""
        parts = "".join(f", {points:+d} ({reason})" for reason, points in event.modifiers)
        return f"die {event.die}{parts} = {event.row}" if parts else f"die {event.die}"

    def marks(self, modifiers: Modifiers) -> str:
        """Return the modifiers that count: " +3 attack -2 mountain"."""
        return "".join(f" {points:+d} {reason}" for reason, points in modifiers if points)

    def stance(self, result: OwnerId) -> str:
        return "stays neutral" if result == NOBODY else f"joins the {self.side(result)}"

    def siege(self, result: str) -> str:
        return "honours of war" if result == "honours" else result

    def victor(self, winner: OwnerId) -> str:
        return "no winner" if winner == NOBODY else f"{self.side(winner)} wins"


class StackEvent(Event):
    """An event of a stack or a force, with some of its fields by the same names.

    `power` is the one that it shows, `alone` means leaders without SP (O3.5).
    """

    @classmethod
    def of(cls, stack: Stack, **more: object) -> Self:
        """Return the event of a stack; `more` are the fields that differ from the stack's, and all others."""
        values: Values = dict(more)
        for name in cls.__struct_fields__:
            if name in more:
                continue
            if name == "power":
                values[name] = stack.nation
            elif name == "alone":
                values[name] = not stack.sp
            elif hasattr(stack, name):
                values[name] = getattr(stack, name)
        return cls(**values)

    @property
    def way(self) -> tuple[Hex, ...]:
        """From `start` to `hex`, if they differ."""
        start, end = getattr(self, "start", NOWHERE), getattr(self, "hex", NOWHERE)
        return (start, end) if start not in (NOWHERE, end) else ()


class Placed(StackEvent):
    hex: Hex
    inside: bool


class Troops(StackEvent, hidden=("leaders", "sp"), is_small=True):
    """SP and leaders of a power in view; strengths and juniors are hidden (O3.1, O3.4, O3.5)."""

    power: PowerId
    commander: LeaderId
    leaders: tuple[LeaderId, ...] | None
    sp: Bag | None
    alone: bool


class TurnBegan(Event, rule="O4.1", begins_turn=True):
    SENTENCE = "{year}, turn {turn}: {turn:date}"

    year: int
    turn: int


class PhaseBegan(Event, rule="O4.2", is_small=True):
    SENTENCE = "{phase} Phase of the {side}"
    phase: str


class Rolled(Event, rule="O5.2", is_small=True):
    """A die for movement (O5.2, O6.1)."""

    die: int
    leader: LeaderId = NO_LEADER
    points: int = -1

    def describe(self, names: Names) -> str:
        if self.leader < 0:
            return f"March die of the {names.side(self.side)}: {self.die}"
        return f"{names.leader(self.leader)} rolls {self.die}: {self.points} MP"


class Marched(Troops, rule="O5.3"):
    SENTENCE = "{:who}, marches {way:path} ({points} MP)"
    start: Hex
    path: tuple[Hex, ...]
    points: int

    @property
    def way(self) -> tuple[Hex, ...]:
        return self.start, *self.path


class Halted(Troops, rule="O5.13"):
    SENTENCE = "{:who}, halts {inside:inside|at} {hex}"
    hex: Hex
    inside: bool


class Regrouped(StackEvent, rule="O5.7", hidden=("sp", "leaders"), is_small=True):
    """SP and leaders join or leave a marching force, or go in or out of a fortress; `how`: join, leave, enter, come."""

    how: str
    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...] | None
    sp: Bag | None

    def describe(self, names: Names) -> str:
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
    SENTENCE = "The {side} violates the neutrality of {power} at {hex}"
    power: PowerId
    hex: Hex


class Joined(Event, rule="C1.6", topic="politics"):
    SENTENCE = "{power} joins the {joins:side}"
    power: PowerId
    joins: OwnerId


class Reacted(Event, rule="C5.7", topic="politics"):
    """A neutral power rolls because another was violated (C5.7)."""

    SENTENCE = "{power} reacts: die {die} {modifier:+d} ({violator:side} violated a border) = {row}: {result:stance}"
    power: PowerId
    violator: Side
    die: int
    modifier: int
    row: int
    """The sum within the limits of the table (C5.3)."""
    result: OwnerId

    @property
    def modifiers(self) -> Modifiers:
        return ((f"{SIDE_NAMES[self.violator]} violated a border", self.modifier),)


class Surrendered(Event, rule="C11.2", hidden=("waiting",), hurts="own", topic="politics"):
    """A power surrenders (C11.2, C11.3).

    `sp` and `leaders` are its prisoners, who are struck off: prisoners are open. New SP that wait are not (O3.1).
    """

    SENTENCE = "{power} surrenders: its last fortress has fallen{:struck}{waiting:; {waiting:bag} waiting are lost|}"
    power: PowerId
    sp: Bag
    leaders: tuple[LeaderId, ...]
    waiting: Bag | None


class MoraleChanged(Placed, rule="O11.4", hurts="own"):
    """A stack is demoralized by joining another or being joined; demoralization is open (O3.5)."""

    SENTENCE = "The {side} {inside:inside|at} {hex} is demoralized{joined: by the stack that joins it|}"
    joined: bool = True


class AllRecovered(Event, rule="O11.3"):
    SENTENCE = "All demoralized stacks recover"


class Taken(Event, rule="O12.4"):
    """A fortress changes hands (O12.2, O12.4); `before` is its former owner."""

    hex: Hex
    before: int

    @property
    def topic(self) -> str:
        return "siege" if self.before in SIDES else ""

    @property
    def hurts(self) -> int:
        return self.before

    def describe(self, names: Names) -> str:
        falls = "falls" if self.before != NOBODY else "now belongs"
        return f"{names.hex(self.hex)} {falls} to the {names.side(self.side)}"


LOST: Final = ("killed", "captured")
"""Fates that cost a side its leader."""


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
    """A leader left alone by a change of sides has nowhere to go (C7.7)."""

    SENTENCE = "{leader} finds no fortress held by his countrymen and is captured"
    leader: LeaderId
    hex: Hex


class Fled(Event, rule="O5.10", hidden=("hex",), is_small=True):
    SENTENCE = "{leader} reaches {hex:{hex}|friendly troops}"

    leader: LeaderId
    hex: Hex | None


class DepotChanged(Event, rule="O10.4", hurts="own", hurts_if="is_loss"):
    """A complete depot appears, is removed, destroyed or spent (O10.4, O10.5)."""

    SENTENCE = "Depot of {power} at {hex} {how}"
    power: PowerId
    hex: Hex
    how: str

    @property
    def is_loss(self) -> bool:
        return self.how in ("is destroyed", "is lost")


class DepotWork(DepotChanged, private=True, is_small=True, hurts=""):
    """The same for a depot under construction, which only its side knows (O3.1)."""


class Recovered(Placed, rule="O11.2", is_small=True):
    """A demoralized stack rolls (O11.2)."""

    SENTENCE = (
        "Morale of the {side} {inside:inside|at} {hex}: die {die} +{initiative} initiative = {total}, needs {target}: "
        "{success:recovers|stays demoralized}"
    )
    die: int
    initiative: int
    target: int
    success: bool

    @property
    def total(self) -> int:
        return self.die + self.initiative


class Starved(Placed, rule="O10.8", hidden=("loss",), is_small=True, hurts="own", hurts_if="percent"):
    """A stack rolls for attrition (O10.8, O14.2)."""

    SENTENCE = (
        "Attrition of the {side} {inside:inside|at} {hex}: {die}{added: +{added}|}: {percent} %, "
        "{percent:{loss:number}|0} SP lost"
    )
    die: int
    added: int
    percent: int
    loss: int | None


class SpLost(StackEvent, rule="O6.1", hidden=("power",), hurts="own"):
    """One SP is lost to a force march (O6.1) or a repulse (O13.2)."""

    SENTENCE = "The {side} loses 1 SP at {hex} {by:in a repulse|by its force march}"
    hex: Hex
    power: PowerId | None


class Quartered(Placed, rule="O14.1", is_small=True):
    """A stack goes into winter quarters (O14.1) or has to leave them (O14.4)."""

    SENTENCE = (
        "The {side} {enters:goes into|has to leave its} winter quarters {inside:inside|at} {hex}"
        "{recovers: and recovers|}"
    )
    enters: bool
    recovers: bool = False
    """Demoralization ends in quarters (O11.5)."""


class YearEnded(Event, rule="C4.3"):
    SENTENCE = "The campaign of {year} ends{early:: all forces are in winter quarters|}"
    year: int
    early: bool


class CommanderFate(LeaderFate, rule="O8.3"):
    """A commander rolls after a heavy loss; `lost` if the battle is lost too (O8.3)."""

    lost: bool


class Overwhelmed(StackEvent, rule="O5.9", hurts="other", topic="battle"):
    """An overwhelming attack is tried (O5.9, O5.17), or a battle at such odds (O9.10)."""

    SENTENCE = (
        "{strength} SP of the {side} {success:overwhelm|fail to overwhelm} {against} SP at {hex}{leaders: and "
        "capture {leaders}|}"
    )
    hex: Hex
    strength: int
    against: int
    success: bool
    leaders: tuple[LeaderId, ...]
    """The captured ones."""


class AttackDeclared(Event, rule="O9.2", hurts="other"):
    SENTENCE = "The {side} attacks at {hex}"
    hex: Hex


class BattleFought(Event, rule="O9.4", hurts="other", topic="battle"):
    """A battle with its die, modifiers, losses and scores (O9)."""

    SENTENCE = (
        "Battle at {hex}: {commanders[0]:leader} {strengths[0]} SP attacks {commanders[1]:leader} {strengths[1]} SP, "
        "{ratio} %: die {die}{modifiers:marks} = {result}: "
        "losses {losses[0]} ({percents[0]} %) to {losses[1]} ({percents[1]} %), scores {scores[0]} to {scores[1]}, "
        "{winner:victor}{prisoners:, {prisoners} SP prisoners|}"
    )
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
    def modifiers(self) -> Modifiers:
        """O9.4."""
        return ("attack", self.attack), ("defence", -self.defence), ("mountain", -2 * self.mountain)


class BattleLapsed(Event, rule="O9.11"):
    SENTENCE = "The attack at {hex} lapses"
    hex: Hex


class Retreated(StackEvent, rule="O9.7", hidden=("leaders",), hurts="own"):
    """A beaten stack is demoralized and retreats (O9.7, O9.15); its juniors are hidden (O3.1)."""

    die: int
    initiative: int
    hex: Hex
    commander: LeaderId
    leaders: tuple[LeaderId, ...] | None

    def describe(self, names: Names) -> str:
        far, start = min(6, self.die + self.initiative), names.hex(self.hex)
        who = names.party(self.commander, self.leaders) or f"The {names.side(self.side)}"
        sum_ = f"die {self.die} +{self.initiative} = {format_count(far, 'hex')}"
        return f"{who} retreats from {start}, demoralized: {sum_}"


class RetreatMoved(StackEvent, rule="O9.15", is_small=True):
    """A retreat enters a hex, or ends."""

    SENTENCE = "{ends:The retreat ends {inside:inside|at}|The retreat goes to} {hex}"

    start: Hex
    hex: Hex
    ends: bool
    inside: bool = False


class StackSurrendered(StackEvent, rule="O9.7", hurts="own"):
    """A stack that cannot retreat (O9.7), or a garrison (O13.4), lays down its arms."""

    SENTENCE = "{sp:bag}{leaders: with {leaders}|} surrender at {hex}"

    hex: Hex
    sp: Bag
    leaders: tuple[LeaderId, ...]


class Followed(Troops, rule="O9.8", is_small=False):
    SENTENCE = "{:who}, follows to {hex}"
    start: Hex
    hex: Hex


class FollowDeclined(Event, rule="O9.8", is_small=True, topic="declined"):
    """The victor does not follow (O9.8). Both sides see from the stacks in the hexes whether he could."""

    SENTENCE = "The {side} does not follow from {hex}"
    hex: Hex


class SiegeRolled(Event, rule="O13.2", hurts="other", topic="siege"):
    """A roll of a siege with its modifiers (O13.2)."""

    SENTENCE = "Siege of {hex}: die {die}{modifiers:marks} = {total}: {result:siege}"
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
    def modifiers(self) -> Modifiers:
        """O13.2."""
        return (
            ("commander inside", -self.defence),
            ("strength", self.ratio),
            ("great fortress", -self.great),
            ("winter", -self.winter),
            ("earlier rolls", self.earlier),
        )


class GarrisonLeft(Event, rule="O13.3", hidden=("sp",), hurts="own"):
    """A garrison marches off with the honours of war (O13.3)."""

    SENTENCE = "{:troops} march off from {hex} to {to:hex}"
    power: PowerId
    sp: Bag | None
    hex: Hex
    to: Hex

    @property
    def way(self) -> tuple[Hex, ...]:
        return self.hex, self.to


class ChoiceSealed(Event, rule="C2.4", is_small=True):
    SENTENCE = "{what}: the {side} has sealed its choice"
    what: str


class ChoiceReopened(Event, rule="C2.4", is_small=True):
    SENTENCE = "{what}: the {side} opens its choice again"
    what: str


class Drafted(Event, rule="C2.6", private=True, is_small=True):
    hex: Hex
    inside: bool
    leaders: tuple[LeaderId, ...]
    sp: Bag
    depot: bool = False

    def describe(self, names: Names) -> str:
        if self.depot:
            return f"Depot at {names.hex(self.hex)}"
        name = names.party(self.leaders[0] if self.leaders else NO_LEADER, self.leaders)
        who = ", ".join([*([name] if name else []), names.bag(self.sp) if self.sp else "without troops"])
        return f"{'inside ' if self.inside else ''}{names.hex(self.hex)}: {who}"


class Cleared(Event, rule="C2.6", private=True, is_small=True):
    SENTENCE = "The {side} restarts its set-up"


class TroopsCame(Troops):
    hex: Hex
    inside: bool


class ForceLeft(TroopsCame, rule="C11.3", hurts="own", is_small=False):
    """A force leaves the map with its power (C11.3).

    The departure of a `whole` stack is seen, as the stack was (O3.5). Where others stay in the stack, the other side
    does not learn that it had SP or leaders of the power: it never sees the contents of a stack (O3.1).
    """

    SENTENCE = "{:who}, leaves the game {inside:inside|at} {hex}"
    whole: bool

    def is_private(self) -> bool:
        return not self.whole


class Deployed(TroopsCame, rule="C2.4"):
    SENTENCE = "{inside:inside |}{hex}: {:who}"


class DepotPlaced(Event, rule="C2.1", is_small=True):
    SENTENCE = "Depot of {power} at {hex}"
    power: PowerId
    hex: Hex


class EnvoysRevealed(Event, rule="C5.2"):
    """The Diplomacy Points of both sides, by minor power in the order of the table (C5.2)."""

    powers: tuple[PowerId, ...]
    prussian: tuple[int, ...]
    austrian: tuple[int, ...]

    def describe(self, names: Names) -> str:
        lines = zip(self.powers, self.prussian, self.austrian, strict=True)
        shares = [f"{names.power(power)} {first}:{second}" for power, first, second in lines if first or second]
        return f"Diplomacy Points, Prussian to Austrian: {', '.join(shares) or 'none'}"


class DiplomacyRolled(Event, rule="C5.3", topic="attempt"):
    SENTENCE = "{power}: {:sum}: {result:stance}"
    power: PowerId
    die: int
    modifiers: Modifiers
    row: int
    result: OwnerId


class PointsGranted(Event, rule="C6.1"):
    SENTENCE = "The {side} receives {points} RP and has {now}"
    points: int
    now: int


class ForcesRaised(Event, rule="C6.3", hidden=("had", "raised"), topic="strength"):
    """A major raises new SP: RP and percentage are open, numbers its own (C6.3, C6.5)."""

    power: PowerId
    points: int
    had: int | None
    raised: int | None

    def describe(self, names: Names) -> str:
        had, raised = self.had, self.raised
        share = f"{10 * self.points} % of {names.number(had)} SP = {names.number(raised)} new SP"
        is_cut = had is not None and raised is not None and raised < -(-had * self.points // 10)
        cut = ", which is all that its counters allow (C6.5)" if is_cut else ""
        return f"{names.power(self.power)} spends {self.points} RP: {share}{cut}"


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


class Disbanded(Placed, rule="C7.5", private=True):
    """SP lost in the Commitment Phase, as their owner chose (C7.5)."""

    SENTENCE = "{inside:inside |}{hex}: {power} loses {points} SP, {left} still to lose"
    power: PowerId
    points: int
    left: int


class LeadersRolled(Event, rule="C8.1"):
    SENTENCE = "{power} rolls {die} for leaders: {new} new{sack:, one to dismiss|}{note: ({note})|}"

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

    def describe(self, names: Names) -> str:
        verb = {"drawn": "is drawn for", "returns": "returns to", "nameless": "comes, with ratings 0, to"}[self.how]
        return f"{names.leader(self.leader)} {verb} {names.power(self.power)}"


class Sacked(Event, rule="C8.3", topic="leaders"):
    SENTENCE = "{power} dismisses {leader}"
    power: PowerId
    leader: LeaderId


class Redeployed(TroopsCame, rule="C8.6"):
    SENTENCE = "Re-deployment {moves:from {start:hex} to {inside:inside |}|{inside:into |out of }}{hex}: {:who}"

    start: Hex

    @property
    def moves(self) -> bool:
        return self.start != self.hex


class Reinforced(TroopsCame, rule="C8.7"):
    SENTENCE = "Arrival {inside:inside|at} {hex}: {:who}"


class SubsidyRolled(Event, rule="C10.1", topic="strength"):
    SENTENCE = "British Subsidy: {:sum}: {points} RP to the {side}, which has {now}"

    die: int
    modifiers: Modifiers
    row: int
    points: int
    now: int


class ExchangeAgreed(Event, rule="C11.1"):
    """The number of prisoners, or leaders, that each side must give back (C11.1)."""

    SENTENCE = "Exchange of {what}: {number} for {number}"
    what: str
    number: int


class Offered(Event, rule="C11.1"):
    SENTENCE = "The {side} offers {leader} in exchange"
    leader: LeaderId


class Freed(Event, rule="C11.1", is_small=True):
    """Exchanged prisoners return to a fortress (C11.1, O15.2): SP, or a leader."""

    SENTENCE = "Exchanged: {points:{points} SP of {power}|{leader}} at {hex}"
    power: PowerId
    points: int
    leader: LeaderId
    hex: Hex


class VictoryChecked(Event, rule="C12.3"):
    """The victory check at the end of a year (C12.2, C12.3). `great`: great fortresses held by each side."""

    SENTENCE = (
        "Victory points: Prussian side {points[0]}, Austrian side {points[1]}; great fortresses {great[0]} "
        "to {great[1]}"
    )

    points: tuple[int, int]
    great: tuple[int, int]


class WarEnded(Event, rule="C13.1"):
    """The war ends (C12.3, C13.1). `silesia`: fortresses of Silesia that belong to each side."""

    winner: OwnerId
    how: str
    points: tuple[int, int]
    silesia: tuple[int, int] | None = None

    @property
    def hurts(self) -> OwnerId:
        return OTHER[self.winner] if self.winner in SIDES else NOBODY

    def describe(self, names: Names) -> str:
        held = f", fortresses of Silesia {self.silesia[0]} to {self.silesia[1]}" if self.silesia else ""
        end = "the war ends in a draw" if self.winner == NOBODY else f"the {names.side(self.winner)} wins ({self.how})"
        return f"Victory points {self.points[0]} to {self.points[1]}{held}: {end}"


class ScenarioEnded(Event, rule="C14.5"):
    points: tuple[int, int]
    par: int
    how: str

    def describe(self, names: Names) -> str:
        score = self.points[0] - self.points[1] - self.par
        end = "a draw" if self.side == NOBODY else f"the {names.side(self.side)} wins ({self.how})"
        return f"Victory points {self.points[0]} to {self.points[1]}, par {self.par:+d}, score {score:+d}: {end}"
