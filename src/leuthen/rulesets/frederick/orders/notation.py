"""Order lines for actions, in both directions: `march Frederick Keith +12 1821-1720-1623`.

A line begins with the action's word. Leaders appear by name, hexes as RRCC or (when read) by town, `+12` are SP of the
force's own power, `+3 Hanover` those of another, `+all` (when read) all that may go along. A path begins with the hex
where it starts; gaps between two of its hexes are filled in (when read). `!` declares an overwhelming attack.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from leuthen.engine.choice import Slot, Token
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS, NO_POWER
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.stacks import locate
from leuthen.rulesets.frederick.orders.words import BANG, FROM, INSIDE, OUT, OWN, Reader
from leuthen.wargame import parts
from leuthen.wargame.board import StackKey, hex_name, key_hex, key_inside
from leuthen.wargame.grammar import Candidate, Given, Grammar, Part, Values, grammar
from leuthen.wargame.parts import CountsPart, LineSearch, MembersPart
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, of, powers


class Origin(NamedTuple):
    """The source of a force: the power of SP without a name, likely leaders (None: all), and the meaning of `+all`."""

    own: PowerId
    likely: Iterable[LeaderId] | None
    sp: Bag = EMPTY
    led_by: tuple[LeaderId, ...] | None = None
    """Only SP with a leader of their power go along (O5.1): one of these, or a named one; None: all go."""

    @classmethod
    def of(
        cls, own: PowerId, stack: Stack | None, sp: Bag = EMPTY, led_by: tuple[LeaderId, ...] | None = None
    ) -> Origin:
        return cls(own, () if stack is None else stack.leaders, EMPTY if stack is None else sp, led_by)


def marching(line: Reader, values: Values) -> Origin:
    """The stack of the leader who sets out."""
    leader, stack = values["leader"], locate(line.pos, values["leader"])
    return Origin.of(line.power_of(leader), stack, _fresh(stack), (leader,))


def on_the_march(line: Reader, values: Values) -> Origin:
    """The force on the march."""
    force = line.pos.moving
    return Origin.of(_own_power(line), force, EMPTY if force is None else force.sp)


def picked_up(line: Reader, values: Values) -> Origin:
    """The stack where the force on the march is."""
    force = line.pos.moving
    stack = line.source(force.hex, values["inside"]) if force is not None else None
    return Origin.of(_own_power(line), stack, _fresh(stack), () if force is None else force.leaders)


def at_the_gate(line: Reader, values: Values) -> Origin:
    """The stack that goes inside or comes out."""
    stack = line.source(values["hex"], not values["inside"])
    own = stack.nation if stack is not None and stack.nation >= 0 else line.major
    return Origin.of(own, stack, EMPTY if stack is None else stack.sp)


def at_hand(line: Reader, values: Values) -> Origin:
    """The actor's field stack in the hex of the decision in progress."""
    here = getattr(line.pos.frames[-1], "hex", None) if line.pos.frames else None
    stack = line.source(here, False) if here is not None else None
    return Origin(line.major, None, stack.sp if stack is not None else EMPTY)


def following(line: Reader, values: Values) -> Origin:
    """The same, but SP need leaders of their own."""
    return at_hand(line, values)._replace(led_by=())


def placed(line: Reader, values: Values) -> Origin:
    """The stack named after the force, or the troops that wait to be placed."""
    power, stack = values["power"], None
    if FROM in line.words:
        later = Reader(line.data, line.pos, line.actor, line.words[line.words.index(FROM) + 1 :])
        stack = line.pos.stacks.get(line.key(later.hex(), later.has(INSIDE)))
    sp = stack.sp if stack is not None else line.pos.waiting
    return Origin(power, line.data.generals[power], sp)


def _own_power(line: Reader) -> PowerId:
    force = line.pos.moving
    return line.power_of(force.commander) if force is not None else line.major


def _fresh(stack: Stack | None) -> Bag:
    return stack.sp - stack.marched if stack is not None else EMPTY


class ForcePart(Part[Reader]):
    """Leaders and SP. `has_path`: a path may follow them; `has_one_power`: `+all` are SP of the force's own power."""

    def __init__(
        self,
        leaders: str,
        origin: Callable[[Reader, Values], Origin],
        *,
        sp_first: bool = False,
        has_path: bool = False,
        has_one_power: bool = False,
    ) -> None:
        self.origin = origin
        self.sp_first = sp_first
        self.has_path = has_path
        self.has_one_power = has_one_power
        self.members = MembersPart(leaders)
        self.sp = _SpPart(origin)
        self.kinds = {**self.members.kinds, **self.sp.kinds}

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        leaders, sp = self.members.write(line, values), self.sp.write(line, values)
        return [*sp, *leaders] if self.sp_first else [*leaders, *sp]

    def read(self, line: Reader, given: Given) -> None:
        own, likely, sp, led_by = self.origin(line, given)
        leaders, counts = line.force(likely, own=own if self.has_path else NO_POWER)
        if self.has_one_power:
            counts = {own if power == OWN else power: points for power, points in counts.items()}
        most = sp if led_by is None else line.led(sp, (*led_by, *leaders))
        given[self.members.name] = tuple(sorted(leaders))
        given["sp"] = line.strength(counts, own, most)
        line.counts["sp"] = {power: of(given["sp"], power) for power in powers(given["sp"])}

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).answers(slot, search, taken)

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).passed(slot, search, taken)

    def some(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).some(slot, search, taken)

    def candidates(self, line: Reader, search: LineSearch) -> Iterator[Candidate]:
        """More leaders, then SP that go with any of those leaders: they may be named later."""
        leaders, sp = self.members.candidates(line, search), self.sp.candidates(line, search)
        yield from (*sp, *leaders) if self.sp_first else (*leaders, *sp)


class _SpPart(CountsPart[Reader]):
    in_order = False

    def __init__(self, origin: Callable[[Reader, Values], Origin]) -> None:
        super().__init__("sp")
        self.origin = origin

    def words(self, line: Reader, index: int, number: int, values: Values) -> list[str]:
        if not number:
            return []
        return [f"+{number}", *([] if index == self.origin(line, values).own else [line.power_name(PowerId(index))])]

    def at(self, values: Values, index: int) -> int:
        return of(values[self.name], PowerId(index))

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        own, sp = self.origin(line, values).own, values["sp"]
        order = [*([own] if of(sp, own) else []), *(power for power in powers(sp) if power != own)]
        return [word for power in order for word in self.words(line, power, of(sp, power), values)]


class LeaderPart(parts.UnitPart[Reader]):
    """A leader; the beginning of his name is enough."""

    def value(self, line: Reader) -> int:
        return line.leader(None if self.likely is None else self.likely(line))


class StackPart(parts.OnePart[Reader]):
    """The place of one of the actor's stacks; with a `word` before it, it may be left out."""

    KIND = "hex"

    def __init__(self, word: str = "") -> None:
        super().__init__("start")
        self.word = word

    def is_due(self, given: Values) -> bool:
        return not self.word

    def words(self, line: Reader, value: Token) -> list[str]:
        key = StackKey(int(value))
        if key < 0:
            return []
        return [*self.word.split(), hex_name(key_hex(key)), *([INSIDE] if key_inside(key) else [])]

    def value(self, line: Reader) -> int:
        return line.key(line.hex(), line.has(INSIDE)) if not self.word or line.has(self.word) else -1

    def candidates(self, line: Reader, search: LineSearch) -> Iterator[Candidate]:
        if search.given.get(self.name, -1) < 0:
            for key in search.values(self.name):
                yield Candidate(self.words(line, key), self.name, key)


class FreedPart(LeaderPart):
    """A freed leader, or the power of freed SP (C11.1)."""

    def __init__(self) -> None:
        super().__init__("leader")
        self.kinds = {"leader": "leader", "power": "power"}

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        return self.words(line, values["leader"]) if values["leader"] >= 0 else [line.power_name(values["power"])]

    def read(self, line: Reader, given: Given) -> None:
        is_power = line.words and line.book.powers.exact(line.words[0])
        leader = None if is_power else line.maybe_unit(line.captives(OTHER[line.actor]))
        given["leader"] = -1 if leader is None else leader
        given["power"] = line.power() if leader is None else line.power_of(leader)

    def candidates(self, line: Reader, search: LineSearch) -> Iterator[Candidate]:
        leaders = list(super().candidates(line, search))
        yield from leaders or parts.PowerPart("power").candidates(line, search)


class FreedPointsPart(parts.NumberPart[Reader]):
    """The number of freed SP; a leader comes without."""

    def is_due(self, given: Values) -> bool:
        return bool(given["leader"] < 0)

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        return super().write(line, values) if self.is_due(values) else ()

    def read(self, line: Reader, given: Given) -> None:
        given[self.name] = self.value(line) if self.is_due(given) else 0


class EnvoysPart(parts.CountsPart[Reader]):
    """Diplomacy Points by minor power: `France 2 Saxony 1`."""

    def words(self, line: Reader, index: int, number: int, values: Values) -> list[str]:
        return [line.power_name(MINORS[index]), str(number)] if number else []

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        for index, number in enumerate(values[self.name]):
            yield from self.words(line, index, number, values)

    def read(self, line: Reader, given: Given) -> None:
        named = line.counts[self.name] = {}
        while line.words:
            power = line.power()
            if power not in MINORS:
                raise Invalid(f"{line.power_name(power)} takes no envoys")
            named[MINORS.index(power)] = line.number("a number of Diplomacy Points")
        given[self.name] = tuple(named.get(index, 0) for index in range(len(MINORS)))


LEG: Final = (parts.PathPart(BANG, in_place=True), parts.FlagPart("overwhelm", BANG))
GO: Final = parts.PathPart(BANG, in_place=True, missing="go where? a path is missing at the end of the line")
ENDS: Final = parts.FlagPart("inside", INSIDE)
HEX: Final = parts.HexPart("hex")

GRAMMAR: Final[Grammar] = grammar(
    (do.March, LeaderPart("leader"), ForcePart("companions", marching, has_path=True), *LEG),
    (do.Go, GO, LEG[1]),
    (do.Drop, ENDS, ForcePart("leaders", on_the_march, sp_first=True)),
    (do.Take, ENDS, ForcePart("leaders", picked_up, sp_first=True)),
    (do.Halt, ENDS),
    (
        do.Shift,
        HEX,
        parts.ChoicePart("inside", {INSIDE: True, OUT: False}, "flag"),
        ForcePart("leaders", at_the_gate, sp_first=True),
    ),
    (do.Attack, HEX),
    (do.Besiege, HEX),
    (do.Garrison, ForcePart("leaders", at_hand, sp_first=True)),
    (do.Build, HEX),
    (do.Remove, HEX),
    (do.Quarter, HEX, ENDS),
    (do.Retreat, HEX),
    (do.Shelter, ENDS),
    (do.Follow, ForcePart("leaders", following)),
    (do.Refuge, HEX, ENDS),
    (
        do.Place,
        parts.PowerPart("power"),
        HEX,
        ENDS,
        ForcePart("leaders", placed, sp_first=True, has_one_power=True),
        StackPart(FROM),
    ),
    (do.PlaceDepot, HEX),
    (do.Seal,),
    (do.Reopen,),
    (do.Clear,),
    (do.Envoys, EnvoysPart("points")),
    (do.Raise, parts.NumberPart("points", "a number of Resource Points")),
    (do.Lose, parts.PowerPart("power"), parts.NumberPart("points", "a number of SP"), StackPart()),
    (do.Sack, LeaderPart("leader")),
    (do.Free, FreedPart(), FreedPointsPart("points", "a number of SP"), HEX),
    (do.Offer, LeaderPart("leader", lambda line: line.captives(line.actor))),
    (Done,),
    (Roll, parts.NumberPart("die", "the die")),
    (do.Draw, LeaderPart("leader", lambda line: ())),
)
