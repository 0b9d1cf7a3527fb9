"""Leaders and SP of an order: from where they come, and of which power SP are that stand without a name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from leuthen.engine.choice import Slot, Token
from leuthen.rulesets.frederick.model.data import NO_POWER
from leuthen.rulesets.frederick.model.stacks import locate
from leuthen.rulesets.frederick.model.state import Stack
from leuthen.rulesets.frederick.orders.words import FROM, INSIDE, OWN, Reader
from leuthen.wargame.completion import LineSearch
from leuthen.wargame.grammar import Candidate, Given, Part, Values
from leuthen.wargame.parts import CountsPart, MembersPart
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, of, powers


class Origin(NamedTuple):
    """Where a force comes from: the power of SP without a name, likely leaders (None: all), and what `+all` means."""

    own: PowerId
    likely: Iterable[LeaderId] | None
    sp: Bag = EMPTY
    led_by: tuple[LeaderId, ...] | None = None
    """Only SP with a leader of their power go along (O5.1): one of these, or one who is named; None: all go."""

    @classmethod
    def of(
        cls, own: PowerId, stack: Stack | None, sp: Bag = EMPTY, led_by: tuple[LeaderId, ...] | None = None
    ) -> Origin:
        """A stack, and the SP of it that may go."""
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
    """The same, with leaders of their own."""
    return at_hand(line, values)._replace(led_by=())


def placed(line: Reader, values: Values) -> Origin:
    """The stack that is named after them, or those who wait to be placed."""
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
        """More leaders, then SP, as many as go with any of those leaders: who that is may be said later."""
        leaders, sp = self.members.candidates(line, search), self.sp.candidates(line, search)
        yield from (*sp, *leaders) if self.sp_first else (*leaders, *sp)


class _SpPart(CountsPart[Reader]):
    """SP by power: `+12`, and with the name of the power if it is not the force's own."""

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
