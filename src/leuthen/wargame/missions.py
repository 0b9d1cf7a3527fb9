"""Missions that a player gives: their line, what is asked for them slot by slot, and what comes of them in a plan.

There is one script, as for an action: so words, lists, the map and forms are judged, completed and refused alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from typing import ClassVar, Final

import msgspec

from leuthen.engine.choice import Action, LegalSet, Refusal, Script, Slot, Token
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.wargame.board import NOWHERE, Board, Hex, as_hex, chosen_hex, hex_name
from leuthen.wargame.grammar import Candidate, Given, Grammar, WordReader, grammar, read_line, write_line
from leuthen.wargame.names import NameBook
from leuthen.wargame.parts import HexPart, LineSearch, OnePart, UnitPart, complete_line
from leuthen.wargame.plans import Kind, Limits, Mission, Plan, Reason
from leuthen.wargame.strength import LeaderId, as_leader

GIVE: Final = "give"
DROP: Final = "drop"
TO: Final = "to"
"""Instead of a mission: the one that a place asks for."""


class MissionOrder(Action):
    """What a staff is told of an army, which a leader of it stands for."""

    leader: LeaderId


class Give(MissionOrder, tag=GIVE):
    """The army has a mission from now on, or the one that the place asks for."""

    kind: str
    place: Hex = NOWHERE


class DropMission(MissionOrder, tag=DROP):
    """The army has no mission any more: its staff proposes one next turn."""


class Assignment(msgspec.Struct, frozen=True):
    """A mission with what its army is now: its leaders by name, the first commands; where it stands; its strength; what
    men the mission costs by the rules, "" if none that is known."""

    mission: Mission
    names: tuple[str, ...]
    at: Hex
    men: str
    price: str = ""

    @property
    def line(self) -> str:
        """The mission with its goal, what it rests on, the odds, the rule and the price."""
        why = self.mission.reason
        odds = f", {why.odds:.0%}" if why.odds is not None else ""
        rests = f": {'; '.join(why.premises)}" if why.premises else ""
        ordered = ", as you ordered" if self.mission.signed else ""
        price = f". Price: {self.price}" if self.price else ""
        return f"{', '.join(self.names)} with {self.men} to {why.goal}{rests}{odds} ({why.rule}){ordered}{price}"


class Missions(ABC):
    """The missions that may be given in a position, and why no others; each rule set says who, what and where."""

    KINDS: ClassVar[tuple[Kind, ...]]
    STILL: ClassVar[tuple[Kind, ...]] = ()
    """Those that need no place."""
    RULE: ClassVar[str]
    """Who commands whom."""

    def __init__(self, book: NameBook, board: Board, plan: Plan) -> None:
        self.book = book
        self.board = board
        self.plan = plan
        self._places: dict[str, list[Token]] = {}

    @property
    @abstractmethod
    def own(self) -> Sequence[LeaderId]:
        """The leaders of the side who are on the map."""

    @abstractmethod
    def why_not_lead(self, leader: LeaderId) -> str:
        """Why a leader cannot be given a mission, as the end of a sentence that begins with his name; "" if he can."""

    @abstractmethod
    def why_barred(self, kind: Kind, here: Hex) -> Refusal | None:
        """Why a mission cannot be carried out at a place."""

    @abstractmethod
    def kind_for(self, here: Hex) -> Kind:
        """What an army is for that is sent to a place."""

    @abstractmethod
    def army_of(self, leader: LeaderId) -> tuple[LeaderId, ...]:
        """Whom he takes along; he comes first."""

    def led_by(self, army: tuple[LeaderId, ...]) -> tuple[LeaderId, ...]:
        """Who marches with an army now; the first is the one who was given the mission."""
        return army

    @abstractmethod
    def reason(self, kind: Kind, army: Sequence[LeaderId], here: Hex) -> Reason:
        """Why an army should do so."""

    @abstractmethod
    def stand(self, army: Sequence[LeaderId]) -> tuple[Hex, str]:
        """Where an army stands, and how strong it is; nowhere if it is gone."""

    @abstractmethod
    def price(self, mission: Mission) -> str:
        """What men a mission costs by the rules, as far as that is known; "" if none."""

    @property
    @abstractmethod
    def today(self) -> int:
        """The date as a number."""

    @cached_property
    def able(self) -> list[LeaderId]:
        """The leaders who may be given a mission."""
        return [leader for leader in self.own if not self.why_not_lead(leader)]

    @property
    def legal(self) -> LegalSet[MissionOrder]:
        """What may be told."""
        return LegalSet(self._script, self.RULE)

    def read(self, text: str) -> MissionOrder:
        """What a line tells: «Frederick besiege Prague», «drop Frederick». Raises Invalid, or Illegal."""
        told = read_line(GRAMMAR, _with_verb(text), partial(MissionReader, self), "mission")
        if refusal := self.legal.why_not(told):
            raise Illegal(refusal)
        return told

    def write(self, told: MissionOrder) -> str:
        """The line that `read` reads back."""
        return write_line(GRAMMAR, MissionReader(self, []), told).removeprefix(f"{GIVE} ")

    def complete(self, text: str) -> list[str]:
        """What may stand instead of the last word of a line."""
        verbs = [DROP] if self._taken and " " not in text and DROP.startswith(text) else []
        return [*complete_line(GRAMMAR, self.legal, _with_verb(text), partial(MissionReader, self)), *verbs]

    def after(self, told: MissionOrder) -> Plan:
        """The plan when this has been told, which is legal."""
        if not isinstance(told, Give):
            return self.plan.cancel(told.leader)
        kind, army = self._kind(told.kind, told.place), self.army_of(told.leader)
        why = self.reason(kind, army, told.place)
        return self.plan.give(Mission(kind, army, told.place, Limits(), why, self.today, signed=True))

    def assignments(self) -> list[Assignment]:
        """The missions of the plan whose armies are still there."""
        return [self._assigned(mission) for mission in self.plan.missions if self.stand(mission.army)[0] != NOWHERE]

    def explain(self, told: MissionOrder) -> str:
        """What comes of what is told, which is legal: the mission with its odds and price."""
        if not isinstance(told, Give):
            return f"The staff of {self.name(told.leader)} proposes what to do next turn."
        return f"{self._assigned(self.after(told).missions[-1]).line}."

    def _assigned(self, mission: Mission) -> Assignment:
        names = tuple(self.name(leader) for leader in self.led_by(mission.army))
        return Assignment(mission, names, *self.stand(mission.army), self.price(mission))

    def name(self, leader: Token) -> str:
        """A leader's name; of nobody in this game what was said."""
        return self.book.leaders.names.get(LeaderId(leader), str(leader)) if isinstance(leader, int) else str(leader)

    @property
    def _taken(self) -> list[LeaderId]:
        """The leaders who have a mission."""
        return [leader for mission in self.plan.missions for leader in mission.army if leader in self.own]

    def _kind(self, word: str, here: Hex) -> Kind:
        return next((kind for kind in self.KINDS if kind == word), None) or self.kind_for(here)

    def _script(self) -> Script[MissionOrder]:
        taken = self._taken
        word = yield Slot("do", (GIVE, DROP) if taken else (GIVE,), partial(self._no, "no army has a mission"))
        if word == DROP:
            return DropMission(as_leader((yield Slot("leader", taken, partial(self._no, "{} has no mission")))))
        leader = yield Slot("leader", self.able, self._no_leader, refused=lambda: self.own)
        kind = str((yield Slot("kind", (*self.KINDS, TO), partial(self._no, "«{}» is no mission"))))
        refuse = partial(self._no_place, kind)
        place = yield Slot("place", self._places_for(kind), refuse, refused=lambda: self._notable)
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
        return self._barred(kind, here) or self._no("not there", token)

    def _barred(self, kind: str, here: Hex) -> Refusal | None:
        return self.why_barred(self._kind(kind, here), here)

    def _places_for(self, kind: str) -> list[Token]:
        """Where a mission may be carried out; a mission that needs no place may also be given without one."""
        if kind not in self._places:
            found = [here for here in self.board.terrain if self._barred(kind, here) is None]
            self._places[kind] = [*([NOWHERE] if kind in self.STILL else []), *sorted(found)]
        return self._places[kind]

    @property
    def _notable(self) -> list[Hex]:
        """The fortresses: where it matters that somebody may not go."""
        return [here for here in map(Hex, self.book.forts.names) if here in self.board.terrain]


class MissionReader(WordReader):
    """The words of a mission."""

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
        if text.casefold() not in (*kinds, TO):
            raise Invalid(f"«{text}» is no mission: {', '.join(kinds)}")
        return text.casefold()


class _PlacePart(HexPart[MissionReader]):
    """The place; a mission that needs none may end before it. Towns are offered by name, hexes to who types a digit."""

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
    """A line that begins with a leader gives a mission."""
    return text if text.split(" ")[0].casefold() == DROP and " " in text else f"{GIVE} {text}"
