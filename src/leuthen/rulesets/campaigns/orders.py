"""One readable line for each action, and back: `march Schwerin Winterfeldt P2 1531-1430`.

A line begins with the action's word. Leaders and wagons appear by name, hexes as RRCC or (in input) by town. A path
begins with its first hex; input may leave out hexes between two others, which the reader fills in.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Token
from leuthen.engine.decision import Done, Roll
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model import actions as do
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r03_turn import Shares
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r05_walk import fill_in
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting
from leuthen.rulesets.campaigns.rules.r12_battle import Retreating
from leuthen.rulesets.campaigns.rules.r12_fight import Spreading
from leuthen.wargame import grammar as parts
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.grammar import Given, Grammar, Values, WordReader, grammar
from leuthen.wargame.strength import NO_LEADER, LeaderId, PowerId, bag, of, powers

INSIDE: Final = "inside"
FORAGE: Final = "forage"
FORT: Final = "fort"
GARRISON_WORD: Final = "garrison"


class Reader(WordReader):
    UNIT = "leader or wagon"

    def __init__(self, data: GameData, pos: Position, actor: Side, words: Iterable[str] = ()) -> None:
        super().__init__(data.book, words)
        self.data = data
        self.pos = pos
        self.actor = actor

    def start(self, values: Values) -> Hex | None:
        """Return the first hex of the path in a march, a further leg, a reaction or a retreat."""
        if "leader" in values:
            return self._hex_of(values["leader"])
        frame = self.pos.frames[-1] if self.pos.frames else None
        if isinstance(frame, Marching):
            return self._hex_of(frame.lead)
        if isinstance(frame, Reacting):
            return self.pos.units[frame.group[0]].hex
        return frame.hex if isinstance(frame, Retreating) else None

    def _hex_of(self, number: LeaderId) -> Hex | None:
        unit = self.pos.units.get(number)
        return unit.hex if unit is not None else None

    def fill_in(self, hexes: Sequence[Hex]) -> tuple[Hex, ...]:
        """Return a path without its first hex and without gaps. Raise Invalid."""
        return fill_in(self.pos, self.actor, hexes)

    def likely(self) -> list[LeaderId]:
        return [n for n in self.pos.units if self.pos.side(n) == self.actor]

    def is_goal(self, leader: LeaderId) -> bool:
        """Return whether the last word is a town as destination: Schwerin, unless that leader is in the same hex."""
        if len(self.words) != 1 or not self.book.towns.find_exact(self.words[0]):
            return False
        near, named = self._hex_of(leader), self.book.leaders.find_exact(self.words[0])
        return near is None or all(self._hex_of(number) != near for number in named)

    def holder(self) -> int:
        found = self.read_optional_unit(self.likely())
        return do.GARRISON + self.hex() if found is None else found

    def shares(self, known: Container[int], other: str) -> dict[int, int]:
        """Read names with TP to the end of the line, `known` ones alone; -1 is a garrison. Raise Invalid."""
        points: dict[int, int] = {}
        while self.words:
            number = NO_LEADER if self.has(GARRISON_WORD) else self.unit()
            if number not in known:
                raise Invalid(f"{self.unit_name(number) if number >= 0 else 'the garrison'} {other}")
            points[number] = self.number("TP")
        return points


class CompanionsPart(parts.MembersPart[Reader]):
    """The companions of a leader on the march; the last word may be the town they march to."""

    def members(self, line: Reader, given: Values) -> tuple[LeaderId, ...]:
        found: list[LeaderId] = []
        while not line.is_goal(given["leader"]) and (number := line.read_optional_unit(line.likely())) is not None:
            found.append(number)
        return tuple(sorted(found))


class HolderPart(parts.UnitPart[Reader]):
    """A leader, or the hex of a garrison."""

    def words(self, line: Reader, value: Token) -> list[str]:
        return [hex_name(int(value) - do.GARRISON)] if int(value) >= do.GARRISON else super().words(line, value)

    def spellings(self, line: Reader, token: Token) -> Iterator[list[str]]:
        yield self.words(line, token)
        yield line.book.town(Hex(int(token) - do.GARRISON)).split()

    def value(self, line: Reader) -> int:
        return line.holder()


class TpPart(parts.CountsPart[Reader]):
    """TP by nation: `3 Prussia 2 Hanover`."""

    def words(self, line: Reader, index: int, number: int, values: Values) -> list[str]:
        return [str(number), line.power_name(PowerId(index))] if number else []

    def at(self, values: Values, index: int) -> int:
        return of(values[self.name], PowerId(index))

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        tp = values[self.name]
        return [word for nation in powers(tp) for word in self.words(line, nation, of(tp, nation), values)]

    def read(self, line: Reader, given: Given) -> None:
        found = 0
        while line.words:
            points = line.number("TP")
            found += bag(line.power(), points)
        given[self.name] = found
        line.counts[self.name] = {nation: of(found, nation) for nation in powers(found)}


class RowPart(parts.CountsPart[Reader]):
    other: str
    """The complaint about a name outside this row."""

    def now(self, line: Reader, values: Values) -> dict[int, int]:
        """Return the holders in the order of the questions, -1 for a garrison, with their TP if the line omits them."""
        raise NotImplementedError

    def words(self, line: Reader, index: int, number: int, values: Values) -> list[str]:
        who = list(self.now(line, values))[index]
        return [*(line.unit_name(LeaderId(who)).split() if who >= 0 else [GARRISON_WORD]), str(number)]

    def write(self, line: Reader, values: Values) -> Iterable[str]:
        numbers = values[self.name]
        is_row = len(numbers) == len(self.now(line, values))
        for index, number in enumerate(numbers):
            yield from self.words(line, index, number, values) if is_row else [str(number)]

    def read(self, line: Reader, given: Given) -> None:
        now = self.now(line, given)
        named = line.shares(now, self.other)
        order = {who: index for index, who in enumerate(now)}
        line.counts[self.name] = {order[who]: number for who, number in named.items()}
        given[self.name] = tuple({**now, **named}.values())


class LosersPart(RowPart):
    other = "loses nothing here"

    def now(self, line: Reader, values: Values) -> dict[int, int]:
        frame = line.pos.frames[-1] if line.pos.frames else None
        return dict.fromkeys(frame.losers(line.pos) if isinstance(frame, Spreading) else (), 0)

    def read(self, line: Reader, given: Given) -> None:
        if line.words and line.words[0][:1].isdigit():
            given[self.name] = tuple([line.number("TP") for _ in list(line.words)])
        else:
            super().read(line, given)


class SharesPart(RowPart):
    """TP of one nation in a force, and of the garrison if it is open (R3.2)."""

    other = "is not in that force"

    def now(self, line: Reader, values: Values) -> dict[int, int]:
        share = Shares(line.pos, (values["hex"], values["inside"], values["nation"]))
        return {
            **{unit.number: unit.strength for unit in share.units},
            **({-1: share.garrison} if share.is_open else {}),
        }


ENDS: Final = parts.FlagPart("inside", INSIDE)
FORAGES: Final = parts.FlagPart("forage", FORAGE)
GO: Final = parts.PathPart(missing="go where? a path is missing at the end of the line")
HEX: Final = parts.HexPart("hex")
LEADER: Final = parts.UnitPart("leader")
SP: Final = parts.NumberPart("points", "SP")
TP: Final = parts.NumberPart("points", "TP")
WHOSE: Final = parts.PowerPart("nation", optional=True)
WITH: Final = parts.MembersPart("companions", is_pool=False)

GRAMMAR: Final[Grammar] = grammar(
    (do.March, LEADER, CompanionsPart("companions"), FORAGES, parts.PathPart()),
    (do.Go, FORAGES, GO),
    (do.Halt, ENDS),
    (do.Out,),
    (do.Seize,),
    (do.Absorb, SP, parts.UnitPart("wagon", nobody=FORT)),
    (do.Fill,),
    (do.Leave, LEADER, TP, WHOSE),
    (do.Take, LEADER, TP, WHOSE),
    (do.Drop, ENDS, WITH),
    (do.Sortie, LEADER, parts.MembersPart("companions")),
    (do.Force, LEADER),
    (do.Attack,),
    (do.Hold,),
    (do.React, LEADER, WITH),
    (do.Move, parts.PathPart(INSIDE), ENDS),
    (do.Join, parts.MembersPart("leaders")),
    (do.Declare, parts.FlagPart("concentrate", "concentration"), parts.FlagPart("intense", "intensity")),
    (do.Lose, LosersPart("points")),
    (do.Withdraw,),
    (do.Retreat, parts.PathPart(INSIDE), ENDS),
    (do.Besiege, HEX),
    (do.Assign, TP, parts.PowerPart("nation"), HEX, parts.UnitPart("leader", nobody=GARRISON_WORD)),
    (do.Appear, LEADER, HEX),
    (do.Load, LEADER, SP, parts.UnitPart("wagon")),
    (do.Build, parts.UnitPart("wagon")),
    (do.Remove, HEX),
    (do.Create, HEX),
    (do.Feed,),
    (do.Starve,),
    (do.Arrange, HEX, ENDS, parts.PowerPart("nation"), SharesPart("points")),
    (do.Hand, parts.UnitPart("giver"), parts.UnitPart("taker"), SP),
    (do.Name, TpPart("tp")),
    (do.Claim, LEADER),
    (do.Propose, parts.NumberPart("points", "prisoners")),
    (do.Ransom, LEADER),
    (do.Agree,),
    (do.Refuse,),
    (do.Quarter, HEX, ENDS),
    (do.Transfer, HolderPart("giver"), HolderPart("taker"), TP),
    (do.Found, HEX),
    (do.Bring, LEADER, HEX),
    (do.Dismiss, LEADER),
    (Done,),
    (do.Chit, parts.ChoicePart("side", {"prussia": 0, "coalition": 1}), parts.NumberPart("command", "a command")),
    (Roll, parts.NumberPart("die", "the die")),
)
