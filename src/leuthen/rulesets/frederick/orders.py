"""Order lines for actions, in both directions: `march Frederick Keith +12 1821-1720-1623`.

A line begins with the action's word. Leaders appear by name, hexes as RRCC or (when read) by town, `+12` are SP of the
force's own power, `+3 Hanover` those of another, `+all` (when read) all that may go along. A path begins with the hex
where it starts; gaps between two of its hexes are filled in (when read). `!` declares an overwhelming attack.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Self

from leuthen.engine.choice import Slot, Token
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Invalid, number_of, require, shorten
from leuthen.engine.ruleset import NOBODY, OTHER, Side
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import AUSTRIA, MINORS, NO_POWER, PRUSSIA, GameData
from leuthen.rulesets.frederick.model.pieces import SIDES, Stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.rules.o10_supply import is_in_zone, neutral_ground
from leuthen.wargame import grammar as parts
from leuthen.wargame.board import Care, Hex, StackKey, bit, hex_name, hex_set, hexes_of, key_hex, key_inside, stack_key
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag, of, powers

INSIDE: Final = "inside"
OUT: Final = "out"
FROM: Final = "from"
BANG: Final = "!"
ALL: Final = -1
"""As a number of SP: all that may go along."""
OWN: Final = PowerId(-1)
"""As their power: the force's own."""


class Reader(parts.WordReader):
    def __init__(self, data: GameData, pos: Position, actor: Side, words: Iterable[str] = ()) -> None:
        super().__init__(data.book, words)
        self.data = data
        self.pos = pos
        self.actor = actor

    def power_of(self, leader: LeaderId) -> PowerId:
        return self.data.leaders[leader].power if 0 <= leader < len(self.data.leaders) else self.major

    @property
    def major(self) -> PowerId:
        return AUSTRIA if self.actor == SIDES[1] else PRUSSIA

    def source(self, here: Hex, inside: bool) -> Stack | None:
        return self.pos.at(here, self.actor, inside)

    def key(self, here: Hex, inside: bool) -> StackKey:
        return stack_key(here, self.actor if self.actor in SIDES else NOBODY, inside)

    def start(self, values: parts.Values) -> Hex | None:
        """Return the hex where the path of an order begins."""
        stack = self.pos.locate(values["leader"]) if "leader" in values else self.pos.moving
        return stack.hex if stack is not None else None

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """Complete a path without its first hex, around neutral ground and field enemies if possible."""
        pos, actor = self.pos, self.actor

        def cares(there: Hex) -> Iterator[Care]:
            foes = pos.marks[OTHER[actor]][0] if actor in SIDES else 0
            near = hexes_of(pos.data.board.spread(foes)) if foes else ()
            zone = hex_set(there for there in near if is_in_zone(pos, there, actor))  # they cost one more (O5.3)
            yield Care(zone, foes, neutral_ground(pos) & ~bit(there))
            yield Care(zone)

        return pos.data.board.fill_in(hexes, cares)

    def likely(self) -> list[LeaderId]:
        stacks = [*self.pos.stacks.values(), *([self.pos.moving] if self.pos.moving is not None else [])]
        return [leader for stack in stacks if stack.side == self.actor for leader in stack.leaders]

    def captives(self, holder: int) -> Sequence[LeaderId]:
        return self.pos.captives[holder] if holder in SIDES else ()

    def leader(self, likely: Iterable[LeaderId] | None = None) -> LeaderId:
        """Read a leader; the beginning of a name is enough. Raises Invalid or Ambiguous."""
        found = self.read_optional_unit(self.likely() if likely is None else likely, strict=False)
        return found if found is not None else self.unit(())

    def count(self) -> int:
        """Read `+12` or `+all`. Raises Invalid."""
        text = self.next("a number of SP")[1:].casefold()
        if text == "all":
            return ALL
        if (count := number_of(text)) is None:
            raise Invalid(f'"+{shorten(text)}" is not a valid number of SP: write +12 or +all')
        return count

    def force(
        self, likely: Iterable[LeaderId] | None = None, *, own: PowerId = NO_POWER
    ) -> tuple[list[LeaderId], dict[PowerId, int]]:
        """Read leaders and SP in any order; return the leaders, and SP by power with -1 for the force's own.

        If a path may follow, `own` is the force's own power: as the last word its name is a town's.
        """
        crowd = self.likely() if likely is None else list(likely)
        leaders: list[LeaderId] = []
        counts: dict[PowerId, int] = {}
        while self.words:
            if self.words[0].startswith("+"):
                points = self.count()
                counts[self._named_power(own)] = points
            elif (own != NO_POWER and self._is_goal(crowd)) or (leader := self.read_optional_unit(crowd)) is None:
                break
            else:
                leaders.append(leader)
        return leaders, counts

    def _is_goal(self, crowd: list[LeaderId]) -> bool:
        """The last word is a town rather than a leader of that name, who is absent."""
        if len(self.words) > 1 or not self.book.towns.find_exact(self.words[0]):
            return False
        return not set(self.book.leaders.find_exact(self.words[0])) & set(crowd)

    def _named_power(self, own: PowerId) -> PowerId:
        found = self.book.powers.find_exact(self.words[0]) if self.words else []
        if not found or (len(self.words) == 1 and found == [own] and self.book.towns.find_exact(self.words[0])):
            return OWN
        self.words.pop(0)
        return found[0]

    def strength(self, counts: Mapping[PowerId, int], own: PowerId, most: Bag) -> Bag:
        """Return SP by power as a bag; `most` is the meaning of `+all`."""
        sp = EMPTY
        for named, points in counts.items():
            power = own if named == OWN else named
            if points != ALL:
                sp += bag(power, points)
            else:
                sp += bag(power, of(most, power)) if named != OWN else most
        return sp

    def led(self, sp: Bag, leaders: Iterable[LeaderId]) -> Bag:
        """Return the SP that have a leader of their power (O5.1)."""
        nations = {self.power_of(leader) for leader in leaders}
        return sum(bag(power, of(sp, power)) for power in powers(sp) if power in nations)


class Origin(NamedTuple):
    """The source of a force: the power of SP without a name, likely leaders (None: all), and the meaning of `+all`."""

    own: PowerId
    likely: Iterable[LeaderId] | None
    sp: Bag = EMPTY
    led_by: tuple[LeaderId, ...] | None = None
    """Only SP with a leader of their power go along (O5.1): one of these, or a named one; None: all go."""

    @classmethod
    def of(
        cls, own: PowerId, stack: Stack | None, led_by: tuple[LeaderId, ...] | None = None, *, is_fresh: bool = False
    ) -> Self:
        """Return a stack as the source; with `is_fresh` only SP that have not marched go along (O5.7)."""
        if stack is None:
            return cls(own, (), EMPTY, led_by)
        return cls(own, stack.leaders, stack.sp - stack.marched if is_fresh else stack.sp, led_by)


def march_origin(line: Reader, values: parts.Values) -> Origin:
    """The stack of the leader who sets out."""
    leader = values["leader"]
    return Origin.of(line.power_of(leader), line.pos.locate(leader), (leader,), is_fresh=True)


def pickup_origin(line: Reader, values: parts.Values) -> Origin:
    """The stack where the force on the march is."""
    force = line.pos.moving
    stack = line.source(force.hex, values["inside"]) if force is not None else None
    return Origin.of(_own_power(line), stack, () if force is None else force.leaders, is_fresh=True)


def gate_origin(line: Reader, values: parts.Values) -> Origin:
    """The stack that goes inside or comes out."""
    stack = line.source(values["hex"], not values["inside"])
    return Origin.of(stack.nation if stack is not None and stack.nation >= 0 else line.major, stack)


def camp_origin(line: Reader, values: parts.Values) -> Origin:
    """The actor's field stack in the hex of the decision in progress."""
    here = getattr(line.pos.frames[-1], "hex", None) if line.pos.frames else None
    stack = line.source(here, False) if here is not None else None
    return Origin(line.major, None, stack.sp if stack is not None else EMPTY)


def placing_origin(line: Reader, values: parts.Values) -> Origin:
    """The stack named after the force, or the troops that wait to be placed."""
    power, stack = values["power"], None
    if FROM in line.words:
        later = Reader(line.data, line.pos, line.actor, line.words[line.words.index(FROM) + 1 :])
        stack = line.pos.stacks.get(line.key(later.hex(), later.has(INSIDE)))
    return Origin(power, line.data.generals[power], stack.sp if stack is not None else line.pos.waiting)


def _own_power(line: Reader) -> PowerId:
    force = line.pos.moving
    return line.power_of(force.commander) if force is not None else line.major


class ForcePart(parts.Part[Reader]):
    """Leaders and SP. `has_path`: a path may follow them; `has_one_power`: `+all` are SP of the force's own power."""

    def __init__(
        self,
        leaders: str,
        origin: Callable[[Reader, parts.Values], Origin],
        *,
        leaders_first: bool = False,
        has_path: bool = False,
        has_one_power: bool = False,
    ) -> None:
        self.origin = origin
        self.leaders_first = leaders_first
        self.has_path = has_path
        self.has_one_power = has_one_power
        self.members = parts.MembersPart(leaders)
        self.sp = _SpPart(origin)
        self.kinds = {**self.members.kinds, **self.sp.kinds}

    def write(self, line: Reader, values: parts.Values) -> Iterable[str]:
        leaders, sp = self.members.write(line, values), self.sp.write(line, values)
        return [*leaders, *sp] if self.leaders_first else [*sp, *leaders]

    def read(self, line: Reader, given: parts.Given) -> None:
        own, likely, sp, led_by = self.origin(line, given)
        leaders, counts = line.force(likely, own=own if self.has_path else NO_POWER)
        if self.has_one_power:
            counts = {own if power == OWN else power: points for power, points in counts.items()}
        most = sp if led_by is None else line.led(sp, (*led_by, *leaders))
        given[self.members.name] = tuple(sorted(leaders))
        given["sp"] = line.strength(counts, own, most)
        line.counts["sp"] = {power: of(given["sp"], power) for power in powers(given["sp"])}

    def answers(self, slot: Slot, search: parts.LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).answers(slot, search, taken)

    def passed(self, slot: Slot, search: parts.LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).passed(slot, search, taken)

    def some(self, slot: Slot, search: parts.LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return (self.sp if slot.name == "sp" else self.members).some(slot, search, taken)

    def candidates(self, line: Reader, search: parts.LineSearch) -> Iterator[parts.Candidate]:
        """More leaders, then SP that go with any of those leaders: they may be named later."""
        leaders, sp = self.members.candidates(line, search), self.sp.candidates(line, search)
        yield from (*leaders, *sp) if self.leaders_first else (*sp, *leaders)


class _SpPart(parts.CountsPart[Reader]):
    in_order = False

    def __init__(self, origin: Callable[[Reader, parts.Values], Origin]) -> None:
        super().__init__("sp")
        self.origin = origin

    def words(self, line: Reader, index: int, number: int, values: parts.Values) -> list[str]:
        if not number:
            return []
        return [f"+{number}", *([] if index == self.origin(line, values).own else [line.power_name(PowerId(index))])]

    def at(self, values: parts.Values, index: int) -> int:
        return of(values[self.name], PowerId(index))

    def write(self, line: Reader, values: parts.Values) -> Iterable[str]:
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

    def is_due(self, given: parts.Values) -> bool:
        return not self.word

    def words(self, line: Reader, value: Token) -> list[str]:
        key = StackKey(int(value))
        if key < 0:
            return []
        return [*self.word.split(), hex_name(key_hex(key)), *([INSIDE] if key_inside(key) else [])]

    def value(self, line: Reader) -> int:
        return line.key(line.hex(), line.has(INSIDE)) if not self.word or line.has(self.word) else -1

    def candidates(self, line: Reader, search: parts.LineSearch) -> Iterator[parts.Candidate]:
        if search.given.get(self.name, -1) < 0:
            for key in search.values(self.name):
                yield parts.Candidate(self.words(line, key), self.name, key)


class FreedPart(LeaderPart):
    """A freed leader, or the power of freed SP (C11.1)."""

    def __init__(self) -> None:
        super().__init__("leader")
        self.kinds = {"leader": "leader", "power": "power"}

    def write(self, line: Reader, values: parts.Values) -> Iterable[str]:
        return self.words(line, values["leader"]) if values["leader"] >= 0 else [line.power_name(values["power"])]

    def read(self, line: Reader, given: parts.Given) -> None:
        is_power = line.words and line.book.powers.find_exact(line.words[0])
        leader = None if is_power else line.read_optional_unit(line.captives(OTHER[line.actor]))
        given["leader"] = -1 if leader is None else leader
        given["power"] = line.power() if leader is None else line.power_of(leader)

    def candidates(self, line: Reader, search: parts.LineSearch) -> Iterator[parts.Candidate]:
        leaders = list(super().candidates(line, search))
        yield from leaders or POWER.candidates(line, search)


class FreedPointsPart(parts.NumberPart[Reader]):
    """The number of freed SP; a leader comes without."""

    def is_due(self, given: parts.Values) -> bool:
        return bool(given["leader"] < 0)

    def write(self, line: Reader, values: parts.Values) -> Iterable[str]:
        return super().write(line, values) if self.is_due(values) else ()

    def read(self, line: Reader, given: parts.Given) -> None:
        given[self.name] = self.value(line) if self.is_due(given) else 0


class EnvoysPart(parts.CountsPart[Reader]):
    """Diplomacy Points by minor power: `France 2 Saxony 1`."""

    def words(self, line: Reader, index: int, number: int, values: parts.Values) -> list[str]:
        return [line.power_name(MINORS[index]), str(number)] if number else []

    def write(self, line: Reader, values: parts.Values) -> Iterable[str]:
        for index, number in enumerate(values[self.name]):
            yield from self.words(line, index, number, values)

    def read(self, line: Reader, given: parts.Given) -> None:
        named = line.counts[self.name] = {}
        while line.words:
            power = line.power()
            require(power in MINORS, f"{line.power_name(power)} takes no envoys")
            named[MINORS.index(power)] = line.number("a number of Diplomacy Points")
        given[self.name] = tuple(named.get(index, 0) for index in range(len(MINORS)))


LEG: Final = (parts.PathPart(BANG, in_place=True), parts.FlagPart("overwhelm", BANG))
GO: Final = parts.PathPart(BANG, in_place=True, missing="go where? a path is missing at the end of the line")
ENDS: Final = parts.FlagPart("inside", INSIDE)
HEX: Final = parts.HexPart("hex")
POWER: Final = parts.PowerPart("power")

GRAMMAR: Final[parts.Grammar] = parts.grammar(
    (do.March, LeaderPart("leader"), ForcePart("companions", march_origin, leaders_first=True, has_path=True), *LEG),
    (do.Go, GO, LEG[1]),
    (do.Drop, ENDS, ForcePart("leaders", lambda line, values: Origin.of(_own_power(line), line.pos.moving))),
    (do.Take, ENDS, ForcePart("leaders", pickup_origin)),
    (do.Halt, ENDS),
    (do.Shift, HEX, parts.ChoicePart("inside", {INSIDE: True, OUT: False}, "flag"), ForcePart("leaders", gate_origin)),
    (do.Attack, HEX),
    (do.Besiege, HEX),
    (do.Garrison, ForcePart("leaders", camp_origin)),
    (do.Build, HEX),
    (do.Remove, HEX),
    (do.Quarter, HEX, ENDS),
    (do.Retreat, HEX),
    (do.Shelter, ENDS),
    # SP that follow need leaders of their own
    (
        do.Follow,
        ForcePart("leaders", lambda line, values: camp_origin(line, values)._replace(led_by=()), leaders_first=True),
    ),
    (do.Refuge, HEX, ENDS),
    (do.Place, POWER, HEX, ENDS, ForcePart("leaders", placing_origin, has_one_power=True), StackPart(FROM)),
    (do.PlaceDepot, HEX),
    (do.Seal,),
    (do.Reopen,),
    (do.Clear,),
    (do.Envoys, EnvoysPart("points")),
    (do.Raise, parts.NumberPart("points", "a number of Resource Points")),
    (do.Lose, POWER, parts.NumberPart("points", "a number of SP"), StackPart()),
    (do.Sack, LeaderPart("leader")),
    (do.Free, FreedPart(), FreedPointsPart("points", "a number of SP"), HEX),
    (do.Offer, LeaderPart("leader", lambda line: line.captives(line.actor))),
    (Done,),
    (Roll, parts.NumberPart("die", "the die")),
    (do.Draw, LeaderPart("leader", lambda line: ())),
)
