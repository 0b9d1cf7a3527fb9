"""Plans as values, and missions given by a player: their lines, their legal sets, and their effect on a plan.

A plan has each army's mission with its reason; a bot keeps it in its thought between decisions. A mission is an action
with a script, so it is completed, refused and shown like an order.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Final, Literal, Self, TypeAlias

import msgspec

from leuthen.engine.choice import Action, LegalSet, Refusal, Script, Slot, Token
from leuthen.engine.refusal import Illegal, Invalid, require
from leuthen.engine.ruleset import Side
from leuthen.wargame.board import NOWHERE, Board, Hex, as_hex, chosen_hex, hex_name, parse_hex
from leuthen.wargame.grammar import (
    Candidate,
    Given,
    Grammar,
    HexPart,
    LineSearch,
    OnePart,
    UnitPart,
    WordReader,
    complete_line,
    grammar,
    read_line,
    write_line,
)
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import LeaderId, as_leader

if TYPE_CHECKING:
    from leuthen.wargame.bot.commander import Staff

VERSION: Final = 1  # of thoughts: other versions are dropped
Kind: TypeAlias = Literal["besiege", "cover", "relieve", "hunt", "join", "hold", "winter", "raid", "screen"]
"""The missions of an army."""


class Reason(msgspec.Struct, frozen=True):
    """A reason: the goal, its premises, the rule, and the chance of success (0 to 1, None if unknown)."""

    goal: str
    premises: tuple[str, ...] = ()
    rule: str = ""
    odds: float | None = None


class Limits(msgspec.Struct, frozen=True):
    least_odds: float = 0.5  # the least chance of victory at which the army offers battle
    due: int = 0  # the deadline as a `date_number`; 0 for none


class Mission(msgspec.Struct, frozen=True):
    """An army's task: its leaders by number, the commander first, with place, limits, reason and date."""

    kind: Kind
    army: tuple[LeaderId, ...]
    place: Hex = NOWHERE
    limits: Limits = Limits()
    reason: Reason = Reason("")
    since: int = 0
    signed: bool = False  # whether a player gave or confirmed it: a bot leaves it alone until it is done or impossible


class Plan(msgspec.Struct, frozen=True):
    """A side's plan: missions, and council decisions by name."""

    missions: tuple[Mission, ...] = ()
    council: Mapping[str, int] = {}

    def mission_of(self, leader: LeaderId) -> Mission | None:
        return next((mission for mission in self.missions if leader in mission.army), None)

    def give(self, mission: Mission) -> Self:
        """Return the plan with a mission instead of those of its leaders. Raise Invalid for one without an army."""
        require(mission.army, "a mission needs an army: name at least one leader")
        free = ((old, tuple([leader for leader in old.army if leader not in mission.army])) for old in self.missions)
        left = [msgspec.structs.replace(old, army=army) for old, army in free if army]
        return msgspec.structs.replace(self, missions=(*left, mission))

    def cancel(self, leader: LeaderId) -> Self:
        left = tuple([mission for mission in self.missions if leader not in mission.army])
        return msgspec.structs.replace(self, missions=left)


class Thought(msgspec.Struct, frozen=True):
    """A bot's memory between decisions, which follows from what its side saw.

    `seed` is the bot's own, `date` that of the plan; `notes` are counts and dates by name.
    """

    ruleset: str
    side: Side
    seed: int
    date: int = 0
    plan: Plan = Plan()
    notes: Mapping[str, int] = {}
    version: int = VERSION


def encode_thought(thought: Thought) -> bytes:
    """Return the bytes of a thought; equal thoughts have equal bytes."""
    return msgspec.json.encode(thought, order="sorted")


def decode_thought(data: bytes) -> Thought:
    """Return the thought of some bytes.

    Raise Invalid if it is damaged or of another version, or if an army has two missions, or a mission has no army.
    """
    try:
        version = msgspec.json.decode(data, type=_Versioned).version
        require(version == VERSION, f"a thought of version {version}: this is version {VERSION}")
        thought = msgspec.json.decode(data, type=Thought)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid(f"this is no thought of a general: {error}") from error
    seen: set[int] = set()
    for number, mission in enumerate(thought.plan.missions, 1):
        require(mission.army, f"mission {number} needs an army: name at least one leader")
        require(seen.isdisjoint(mission.army), f"mission {number}: its army has a mission already")
        seen.update(mission.army)
    return thought


def expect_known(missions: Iterable[Mission], leaders: int, board: Board) -> None:
    """Raise Invalid if a mission names a leader or a place that the game does not have."""
    for number, mission in enumerate(missions, 1):
        for leader in mission.army:
            require(0 <= leader < leaders, f"mission {number}: {leader} is not a leader of this game")
        is_there = mission.place == NOWHERE or mission.place in board.terrain
        require(is_there, f"mission {number}: {mission.place} is not a hex of the map")


def recall(data: bytes, fresh: Thought, expect: Callable[[Sequence[Mission]], None]) -> tuple[Thought, str]:
    """Return the thought of some bytes and ""; or the `fresh` one and a message if they cannot be used.

    No bytes stand for the fresh thought. `expect` raises Invalid for missions that the game cannot have.
    """
    if not data:
        return fresh, ""
    try:
        thought = decode_thought(data)
        is_ours = (thought.ruleset, thought.side) == (fresh.ruleset, fresh.side)
        require(is_ours, "it was for another side or game")
        expect(thought.plan.missions)
    except Invalid as error:
        return fresh, f"The general starts a new plan: {error}."
    return thought, ""


class _Versioned(msgspec.Struct):
    version: int = 0


def date_number(part: int, turn: int) -> int:
    """Return a year and turn as one number that grows."""
    return part * 100 + turn


GIVE: Final = "give"
DROP: Final = "drop"
TO: Final = "to"  # stands for the usual mission at a place


class MissionOrder(Action):
    """An order to a staff about the army of a leader."""

    leader: LeaderId


class Give(MissionOrder, tag=GIVE):
    """Gives the army a mission, or the usual one for the place."""

    kind: str
    place: Hex = NOWHERE


class DropMission(MissionOrder, tag=DROP):
    """Ends the army's mission, so that its staff proposes one next turn."""


class Assignment(msgspec.Struct, frozen=True):
    """A mission with the present state of its army: names of leaders, the commander first, hex and strength.

    `price` is the known cost in men, "" if there is none.
    """

    mission: Mission
    names: tuple[str, ...]
    at: Hex
    men: str
    price: str = ""

    @property
    def line(self) -> str:
        """The mission as a line, with premises, odds, rule and price."""
        why = self.mission.reason
        odds = f", {why.odds:.0%}" if why.odds is not None else ""
        rests = f": {'; '.join(why.premises)}" if why.premises else ""
        ordered = ", as you ordered" if self.mission.signed else ""
        price = f". Cost: {self.price}" if self.price else ""
        return f"{', '.join(self.names)} with {self.men} to {why.goal}{rests}{odds} ({why.rule}){ordered}{price}"


class Missions(ABC):
    """The missions that may be given in a position. A rule set defines who may go where."""

    KINDS: ClassVar[tuple[Kind, ...]]
    STILL: ClassVar[tuple[Kind, ...]] = ()  # missions without a place
    RULE: ClassVar[str]  # rule about the command of armies

    def __init__(self, book: NameBook, board: Board, plan: Plan) -> None:
        self.book = book
        self.board = board
        self.plan = plan
        self._places: dict[str, list[Token]] = {}

    @property
    @abstractmethod
    def own(self) -> Sequence[LeaderId]:
        """The side's leaders on the map."""

    @abstractmethod
    def why_not_lead(self, leader: LeaderId) -> str:
        """Return why a leader cannot have a mission, as the end of a sentence after the name; "" if it can."""

    @abstractmethod
    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        """Return why a mission cannot be carried out at a place."""

    @abstractmethod
    def kind_for(self, here: Hex) -> Kind:
        """Return the usual mission for a place."""

    @abstractmethod
    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        """Return the leaders of an army that a leader commands, the leader first."""

    def led_by(self, army: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
        """Return the leaders who march with an army now, the mission's leader first."""
        return army

    @abstractmethod
    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        """Return the reason for an army's mission."""

    @abstractmethod
    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        """Return an army's hex and strength; NOWHERE if it is gone."""

    @abstractmethod
    def price(self, mission: Mission) -> str:
        """Return the known cost of a mission in men; "" if there is none."""

    @property
    @abstractmethod
    def today(self) -> int:
        """The date as a number."""

    @cached_property
    def able(self) -> list[LeaderId]:
        return [leader for leader in self.own if not self.why_not_lead(leader)]

    @property
    def legal(self) -> LegalSet[MissionOrder]:
        return LegalSet(self._script, self.RULE)

    def read(self, text: str) -> MissionOrder:
        """Return the order of a line: "Frederick besiege Prague", "drop Frederick". Raise Invalid or Illegal."""
        told = read_line(GRAMMAR, _with_verb(text), partial(MissionReader, self), "mission")
        if refusal := self.legal.why_not(told):
            raise Illegal(refusal)
        return told

    def write(self, told: MissionOrder) -> str:
        return write_line(GRAMMAR, MissionReader(self, []), told).removeprefix(f"{GIVE} ")

    def complete(self, text: str) -> list[str]:
        """Return the possible replacements of a line's last word."""
        verbs = [DROP] if self._taken and " " not in text and DROP.startswith(text) else []
        return [*complete_line(GRAMMAR, self.legal, _with_verb(text), partial(MissionReader, self)), *verbs]

    def after(self, told: MissionOrder) -> Plan:
        if not isinstance(told, Give):
            return self.plan.cancel(told.leader)
        kind, army = self._kind(told.kind, told.place), self.army_of(told.leader)
        why = self.reason(kind, army, told.place)
        return self.plan.give(Mission(kind, army, told.place, Limits(), why, self.today, signed=True))

    def assignments(self) -> list[Assignment]:
        """Return the missions of the plan whose armies still exist."""
        return [
            self._make_assignment(mission) for mission in self.plan.missions if self.stand(mission.army)[0] != NOWHERE
        ]

    def explain(self, told: MissionOrder) -> str:
        """Return the effect of a legal order as a sentence, with odds and price."""
        if not isinstance(told, Give):
            return f"{self.name(told.leader)}'s staff will choose his mission next turn."
        return f"{self._make_assignment(self.after(told).missions[-1]).line}."

    def _make_assignment(self, mission: Mission) -> Assignment:
        names = tuple(self.name(leader) for leader in self.led_by(mission.army))
        return Assignment(mission, names, *self.stand(mission.army), self.price(mission))

    def name(self, leader: Token) -> str:
        """Return a leader's name; any other token as text."""
        return self.book.leaders.names.get(LeaderId(leader), str(leader)) if isinstance(leader, int) else str(leader)

    @property
    def _taken(self) -> list[LeaderId]:
        return [leader for mission in self.plan.missions for leader in mission.army if leader in self.own]

    def _kind(self, word: str, here: Hex) -> Kind:
        return next((kind for kind in self.KINDS if kind == word), None) or self.kind_for(here)

    def _script(self) -> Script[MissionOrder]:
        taken = self._taken
        word = yield Slot("do", (GIVE, DROP) if taken else (GIVE,), partial(self._no, "no army has a mission"))
        if word == DROP:
            return DropMission(as_leader((yield Slot("leader", taken, partial(self._no, "{} has no mission")))))
        leader = yield Slot("leader", self.able, self._no_leader, refused=lambda: self.own)
        kind = str((yield Slot("kind", (*self.KINDS, TO), partial(self._no, '"{}" is not a valid mission'))))
        refuse = partial(self._no_place, kind)
        forts = [here for here in map(Hex, self.book.forts.names) if here in self.board.terrain]
        place = yield Slot("place", self._places_for(kind), refuse, refused=lambda: forts)
        return Give(as_leader(leader), kind, as_hex(place))

    def _no(self, why: str, token: Token) -> Refusal:
        return Refusal(self.RULE, why, (self.name(token),))

    def _no_leader(self, token: Token) -> Refusal:
        known = isinstance(token, int) and token in self.book.leaders.names
        why = self.why_not_lead(as_leader(token)) if known else "is no leader of this game"
        return Refusal(
            self.RULE, f"{{}} {why}", (self.name(token),), self.stand([as_leader(token)])[0] if known else NOWHERE
        )

    def _no_place(self, kind: str, token: Token) -> Refusal:
        here = chosen_hex(token)
        if here not in self.board.terrain:
            return self._no("{} is not on the map" if here != NOWHERE else "a place is missing", token)
        return self.why_barred(self._kind(kind, here), here) or self._no("not there", token)

    def _places_for(self, kind: str) -> list[Token]:
        if kind not in self._places:
            found = [here for here in self.board.terrain if not self.why_barred(self._kind(kind, here), here)]
            self._places[kind] = [*([NOWHERE] if kind in self.STILL else []), *sorted(found)]
        return self._places[kind]


class MissionReader(WordReader):
    def __init__(self, missions: Missions, words: Iterable[str]) -> None:
        super().__init__(missions.book, words)
        self.missions = missions

    def likely(self) -> Iterable[LeaderId]:
        return self.missions.own


class _KindPart(OnePart[MissionReader]):
    KIND = "word"

    def words(self, line: MissionReader, value: Token) -> list[str]:
        return [str(value)]

    def value(self, line: MissionReader) -> str:
        kinds, text = line.missions.KINDS, line.next("a mission")
        require(text.casefold() in (*kinds, TO), f'"{text}" is not a valid mission: {", ".join(kinds)}')
        return text.casefold()


class _PlacePart(HexPart[MissionReader]):
    """The place of a mission, optional for some. Completion offers towns, and hexes after a digit."""

    def words(self, line: MissionReader, value: Token) -> list[str]:
        return [hex_name(as_hex(value))] if value != NOWHERE else []

    def read(self, line: MissionReader, given: Given) -> None:
        is_left_out = not line.words and given["kind"] in line.missions.STILL
        given[self.name] = NOWHERE if is_left_out else line.hex()

    def candidates(self, line: MissionReader, search: LineSearch) -> Iterator[Candidate]:
        for token in search.values(self.name) if self.name not in search.given else ():
            is_hex = search.last[:1].isdigit()
            if words := self.words(line, token) if is_hex else line.book.town(as_hex(token)).split():
                yield Candidate(words, self.name, token)


GRAMMAR: Final[Grammar[MissionOrder]] = grammar(
    (Give, UnitPart("leader"), _KindPart("kind"), _PlacePart("place")), (DropMission, UnitPart("leader"))
)


def _with_verb(text: str) -> str:
    return text if text.split(" ")[0].casefold() == DROP and " " in text else f"{GIVE} {text}"


NOTHING_TO_DO: Final = "No army has a mission."


def lines_of(plan: Sequence[Assignment]) -> list[str]:
    return [assignment.line for assignment in plan] or [NOTHING_TO_DO]


def reasons_for(staff: "Staff", view: object, order: str) -> tuple[str, ...]:
    """Return at most two reasons for an order: the mission of the army that it names, and the mission's premise.

    For other orders return the staff's rule of thumb.
    """
    missions = staff.missions(view)
    for one in missions.assignments():
        at, rest = hex_name(one.at), f" {order.partition(' ')[2]} "
        if rest == f" {at} " or f" {at}-" in rest or any(f" {name} " in rest for name in one.names):
            why = one.mission.reason
            path = re.findall(r"(?<=-)\d{4}\b", order)
            goal = goal_on_the_way(missions, one, parse_hex(path[-1]) if path else NOWHERE)
            return (f"{one.names[0]} is to {goal} ({why.rule}).", *sentences(why))[:2]
    return (staff.rule_of_thumb(view),)


def goal_on_the_way(missions: Missions, one: Assignment, end: Hex) -> str:
    """Return the goal of a mission, with the army's next place if that differs."""
    if end in (NOWHERE, one.at, one.mission.place):
        return one.mission.reason.goal
    return f"{one.mission.reason.goal}, now on the way to {missions.book.place(end)}"


def sentences(why: Reason) -> tuple[str, ...]:
    """Return the premises of a mission as at most two sentences."""
    return tuple(f"{premise[:1].upper()}{premise[1:]}." for premise in why.premises[:2])
