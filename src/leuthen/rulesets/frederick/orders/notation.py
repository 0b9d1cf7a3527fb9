"""One readable line for each action, and back: `march Frederick Keith +12 1821-1720-1623`.

A line begins with the action's word. Leaders stand by name, hexes as RRCC or (when read) by town, `+12` are SP of the
force's own power, `+3 Hanover` those of another, `+all` (when read) all that may go along. A path begins with the hex
where it starts; what is missing between two of its hexes is filled in (when read). `!` declares an overwhelming attack.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from leuthen.engine.choice import Token
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import OTHER
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import MINORS
from leuthen.rulesets.frederick.orders import force
from leuthen.rulesets.frederick.orders.force import ForcePart
from leuthen.rulesets.frederick.orders.words import BANG, FROM, INSIDE, OUT, Reader
from leuthen.wargame import parts
from leuthen.wargame.board import StackKey, hex_name, key_hex, key_inside
from leuthen.wargame.completion import LineSearch
from leuthen.wargame.grammar import Candidate, Given, Grammar, Values, grammar


class LeaderPart(parts.UnitPart[Reader]):
    """A leader, by the beginning of his name if need be."""

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
    """How many SP are freed; a leader comes without."""

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
    (do.March, LeaderPart("leader"), ForcePart("companions", force.marching, has_path=True), *LEG),
    (do.Go, GO, LEG[1]),
    (do.Drop, ENDS, ForcePart("leaders", force.on_the_march, sp_first=True)),
    (do.Take, ENDS, ForcePart("leaders", force.picked_up, sp_first=True)),
    (do.Halt, ENDS),
    (
        do.Shift,
        HEX,
        parts.ChoicePart("inside", {INSIDE: True, OUT: False}, "flag"),
        ForcePart("leaders", force.at_the_gate, sp_first=True),
    ),
    (do.Attack, HEX),
    (do.Besiege, HEX),
    (do.Garrison, ForcePart("leaders", force.at_hand, sp_first=True)),
    (do.Build, HEX),
    (do.Remove, HEX),
    (do.Quarter, HEX, ENDS),
    (do.Retreat, HEX),
    (do.Shelter, ENDS),
    (do.Follow, ForcePart("leaders", force.following)),
    (do.Refuge, HEX, ENDS),
    (
        do.Place,
        parts.PowerPart("power"),
        HEX,
        ENDS,
        ForcePart("leaders", force.placed, sp_first=True, has_one_power=True),
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
    (do.Done,),
    (do.Roll, parts.NumberPart("die", "the die")),
    (do.Draw, LeaderPart("leader", lambda line: ())),
)
"""The lines of all actions."""
