"""The clauses of a standing instruction: what may be said beforehand of each decision that an activity waits for.

Each has its fields, the parts of its line, the questions that it is asked for with, and its sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Final, TypeVar

from leuthen.engine.choice import STOP, Refusal, Script, Slot, Token
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.standing import Clause
from leuthen.engine.texts import brief, number_of
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import held_back, is_friendly
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION
from leuthen.rulesets.campaigns.rules.r07_reaction import companions_for, ways_to
from leuthen.wargame.board import Hex, as_hex, chosen_hex, hex_name, hexes_of
from leuthen.wargame.completion import LineSearch
from leuthen.wargame.grammar import ActionGrammar, Candidate, Given, Grammar, Part, Values, read_line, write_line
from leuthen.wargame.line_reader import WordReader
from leuthen.wargame.parts import ChoicePart, FlagPart, HexesPart, MembersPart, NumberPart, UnitPart, WordPart
from leuthen.wargame.strength import LeaderId, as_leader

ANY: Final = 200
"""TP: of any strength."""
NEVER: Final = 101
"""Per cent of losses that no battle has."""
ATTACK, GO, INSIDE = "attack", "to", "inside"
"""Where a reaction goes: into the mover's hex, to a hex in the field, or inside a stronghold (R7.4)."""
NONE, ALL, THESE = "never", "always", "these"
"""Who joins in a battle (R6.3)."""
WITH, AGAINST, AT, WITHIN, OF, ODDS = "with", "against", "at", "within", "of", "odds"


class ClauseReader(WordReader):
    """The words of a clause. `own` and `foes`: whose names may be shortened."""

    UNIT = "leader or wagon"
    OURS = "of yours"
    MARKS = (WITH, AGAINST, AT, WITHIN, OF, ODDS, ATTACK, GO, INSIDE)

    def __init__(
        self, data: GameData, own: Collection[LeaderId] = (), foes: Collection[LeaderId] = (), words: Iterable[str] = ()
    ) -> None:
        super().__init__(data.book, words)
        self.own = own
        self.foes = foes

    def likely(self) -> Collection[LeaderId]:
        return self.own


class GoalsPart(HexesPart[ClauseReader]):
    """Where a reaction goes, if it does not attack: several hexes are tried in turn."""

    def __init__(self) -> None:
        super().__init__("goals")

    def is_due(self, given: Values) -> bool:
        return bool(given["way"] != ATTACK)

    def read(self, line: ClauseReader, given: Given) -> None:
        given[self.name] = line.hexes() if self.is_due(given) else ()

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        goals, place = search.given.get(self.name, ()), slot.index or 0
        if place < len(goals):
            return [token for token in slot.values if token == goals[place]]
        return slot.values if search.is_open(self.name) else [token for token in slot.values if token == STOP]

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return self.answers(slot, search, taken) if (slot.index or 0) < len(search.given.get(self.name, ())) else ()

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        count = len(search.given.get(self.name, ()))
        for slot in search.asked(self.name) if self.is_due(search.given) else ():
            for token in slot.values if slot.index == count else ():
                if token != STOP:
                    yield Candidate(self.words(line, token), self.name, token, count)


class StrengthPart(Part[ClauseReader]):
    """How many TP the enemy has: `of 5-25`, `of 5+`, or (when read) `of 25` for as many at most."""

    kinds: Mapping[str, str] = {"least": "count", "most": "count"}

    def write(self, line: ClauseReader, values: Values) -> Iterable[str]:
        least, most = values["least"], values["most"]
        if (least, most) == (0, ANY):
            return []
        return [OF, f"{least}+" if most == ANY else f"{least}-{most}"]

    def read(self, line: ClauseReader, given: Given) -> None:
        given["least"], given["most"] = _strength(line.next("a number of TP")) if line.has(OF) else (0, ANY)

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        is_said = not search.is_open(slot.name) or (slot.name == "least" and "-" in search.last)
        return [token for token in slot.values if not is_said or token == search.given[slot.name]]

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        """The least first; after its hyphen the most."""
        least, hyphen, _ = search.last.partition("-")
        if OF in line.taken:
            return
        if hyphen:
            if (low := number_of(least)) is None:
                return
            search.given["least"] = low
            yield from (Candidate([OF, f"{least}-{most}"], "most", most) for most in search.values("most"))
            search.given["least"] = 0
            return
        for number in search.values("least"):
            yield Candidate([OF, f"{number}-"], "least", number)
            yield from [Candidate([OF, f"{number}+"], "least", number)] if number else []


def _strength(text: str) -> tuple[int, int]:
    low, mark, high = text.partition("-")
    if text.endswith("+"):
        low, high = text[:-1], str(ANY)
    elif not mark:
        low, high = "0", text
    least, most = number_of(low, 3), number_of(high, 3)
    if least is None or most is None:
        raise Invalid(f"«{brief(text)}» is no strength: 0-25, 5+ or 25 is expected")
    return least, most


class WhoPart(MembersPart[ClauseReader]):
    """Who joins in: nobody, all, or these leaders."""

    def __init__(self) -> None:
        super().__init__("leaders")
        self.kinds = {"who": "word", "leaders": "leader"}

    def is_due(self, given: Values) -> bool:
        return True

    def write(self, line: ClauseReader, values: Values) -> Iterable[str]:
        return super().write(line, values) if values["who"] == THESE else [values["who"]]

    def read(self, line: ClauseReader, given: Given) -> None:
        given["who"] = next((word for word in (NONE, ALL) if line.has(word)), THESE)
        given["leaders"] = () if given["who"] != THESE else tuple(sorted((line.unit(), *line.units())))

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        if slot.name == "leaders":
            return super().answers(slot, search, taken)
        return [token for token in slot.values if token == search.given.get("who", token)]

    def passed(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        return () if slot.name == "who" else super().passed(slot, search, taken)

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        if "who" not in search.given:
            words = [word for word in search.values("who") if word != THESE]
            yield from (Candidate([str(word)], "who", word) for word in words)
            search.given |= {"who": THESE, "leaders": ()}
        yield from super().candidates(line, search) if search.given["who"] == THESE else ()


class ShareOfLossesPart(NumberPart[ClauseReader]):
    """From which losses on: `at 20`, or `never`."""

    def __init__(self) -> None:
        super().__init__("at", "per cent")

    def words(self, line: ClauseReader, value: Token) -> list[str]:
        return [NONE] if value == NEVER else [AT, str(value)]

    def value(self, line: ClauseReader) -> int:
        if line.has(NONE):
            return NEVER
        line.has(AT)
        return line.number(self.what)


FORCE: Final = (MembersPart[ClauseReader]("movers", AGAINST, lambda line: line.foes), HexesPart("hexes", AT))
"""Against whom, and where."""
NEAR: Final = NumberPart("within", "MP", WITHIN, REACTION)
GAIN: Final = NumberPart("odds", "per cent", ODDS)


STEP: Final = 5
"""Odds and losses are named in steps of so many per cent."""
N = TypeVar("N", bound=int)
"""Leaders, or hexes."""
AskedLeaders = Generator[Slot, Token, tuple[LeaderId, ...]]
AskedHexes = Generator[Slot, Token, tuple[Hex, ...]]


def why_unsound(pos: Position, unit: Unit) -> Refusal | None:
    """What keeps a leader from being relied on, or None: an instruction that names him is then in force no longer."""
    name = pos.leader(unit.number).name
    if not unit.tp:
        return Refusal("R7.2", "{} leads no TP", (name,), unit.hex)
    if unit.shaken or unit.daunted:
        return Refusal("V8.2" if pos.options.einhorn else "R13.3", "{} is demoralized", (name,), unit.hex)
    if unit.fodder == HUNGRY or unit.hunger:
        return Refusal("V3.5" if pos.options.einhorn else "R9.8", "{} is out of supply", (name,), unit.hex)
    return None


def able(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders who may be told to react."""
    return [n for n, unit in pos.units.items() if not _why_not_lead(pos, unit, side)]


def _why_not_lead(pos: Position, unit: Unit, side: Side) -> Refusal | None:
    name = pos.leader(unit.number).name
    if pos.side(unit.number) != side or pos.data.is_wagon(unit.number):
        return Refusal("R7.2", "{} is no leader of yours", (name,), unit.hex)
    if refusal := why_unsound(pos, unit):
        return refusal
    if unit.inside:
        return Refusal("R7.2", "{} is inside, and does not react", (name,), unit.hex)
    if held_back(pos, unit.number):
        return Refusal("R18.2", "{} does not react yet", (name,), unit.hex)
    return None


def ask_leader(pos: Position, side: Side) -> Generator[Slot, Token, LeaderId]:
    """Who reacts."""

    def why(token: Token) -> Refusal:
        unit = pos.chosen(token)
        if unit is None:
            return Refusal("R7.2", "{} is not on the map", (_name(pos, token),))
        return _why_not_lead(pos, unit, side) or Refusal("R7.2", "not he")

    barred = [n for n, unit in pos.units.items() if pos.side(n) == side and unit.tp]
    return as_leader((yield Slot("leader", able(pos, side), why, refused=lambda: barred)))


def ask_companions(pos: Position, leader: LeaderId, side: Side) -> AskedLeaders:
    """Who goes with him."""
    others = [n for n in companions_for(pos, leader, side) if not _is_unsound(pos, n)]
    why = "{} cannot come along"
    return _list("companions", sorted(others), lambda token: Refusal("R7.2", why, (_name(pos, token),)))


def _is_unsound(pos: Position, number: LeaderId) -> bool:
    return not pos.data.is_wagon(number) and why_unsound(pos, pos.units[number]) is not None


def _name(pos: Position, token: Token) -> str:
    known = isinstance(token, int) and 0 <= token < len(pos.data.leaders)
    return pos.data.leaders[int(token)].name if known else str(token)


@memoized("known")
def reacts_at(pos: Position, leader: LeaderId, side: Side) -> list[Hex]:
    """The hexes in which a mover is so near to a leader that he may react (R7.1)."""
    here = pos.units[leader].hex
    near = pos.data.board.reach(here, REACTION)
    return sorted(there for there in near if here in ways_to(pos, there, side))


def ask_goals(pos: Position, leader: LeaderId, side: Side, *, inside: bool) -> AskedHexes:
    """The hexes to which a reaction may lead (R7.4), in the order in which they are tried."""
    near = pos.data.board.reach(pos.units[leader].hex, REACTION)
    strongholds = {there for there in near if is_friendly(pos, there, side) and pos.data.kind_at(there).inside}
    left, chosen = sorted(strongholds if inside else near), list[Hex]()

    def why(token: Token) -> Refusal:
        if token == STOP:
            return Refusal("R7.4", "to where? a hex is missing")
        where = f"a stronghold of yours within {REACTION} MP" if inside else f"within {REACTION} MP"
        return Refusal("R7.4", "{} is not {}", (_place(pos, token), where))

    while True:
        values: list[Token] = [*([STOP] if chosen else []), *left]
        token = yield Slot("goals", values, why, index=len(chosen), canon=values[:2])
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_hex(token))
        left = [there for there in left if there != token]


def _place(pos: Position, token: Token) -> str:
    return hex_name(here) if (here := chosen_hex(token)) in pos.data.board.terrain else str(token)


def _list(name: str, members: Sequence[N], why: Callable[[Token], Refusal]) -> Generator[Slot, Token, tuple[N, ...]]:
    """Some of these in their order, or nobody."""
    left, chosen = list(members), list[N]()
    while True:
        token = yield Slot(name, [STOP, *left], why, index=len(chosen), canon=[STOP, *left[:1]])
        if token == STOP:
            return tuple(chosen)
        chosen.append(next(member for member in left if member == token))
        left = left[left.index(chosen[-1]) + 1 :]


def ask_movers(pos: Position, foes: Sequence[LeaderId]) -> AskedLeaders:
    """Against whom: nobody named, anybody."""
    why = "{} is no enemy leader whom you see"
    return _list("movers", sorted(foes), lambda token: Refusal("R7.1", why, (_name(pos, token),)))


def ask_hexes(pos: Position, members: Iterable[Hex], rule: str, why: str) -> AskedHexes:
    """In which hexes: none named, any."""
    return _list("hexes", sorted(members), lambda t: Refusal(rule, "{} is {}", (_place(pos, t), why)))


def ask_strength() -> Generator[Slot, Token, tuple[int, int]]:
    """How strong the enemy is at least and at most."""
    least = int((yield Slot("least", range(ANY), lambda token: _no_tp(token, 0, ANY - 1), canon=(0,))))
    first = max(1, least)
    most = yield Slot("most", range(first, ANY + 1), lambda token: _no_tp(token, first, ANY), canon=(ANY,))
    return least, int(most)


def _no_tp(token: Token, least: int, most: int) -> Refusal:
    return Refusal("R7.1", "{} is no number of TP from {} to {}", (token, least, most))


def ask_odds() -> Generator[Slot, Token, int]:
    """From which odds on there is an attack, in per cent."""
    values = range(0, 101, STEP)
    return int((yield Slot("odds", values, lambda token: Refusal("R12.1", "0 to 100, by fives"), canon=(0,))))


def in_field(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders with TP in the field."""
    return [n for n, unit in pos.units.items() if unit.tp and not unit.inside and pos.side(n) == side]


def inside(pos: Position, side: Side) -> list[LeaderId]:
    """The leaders with TP who are inside."""
    return [
        n for n, unit in pos.units.items()
        if unit.tp and unit.inside and pos.side(n) == side and not pos.data.is_wagon(n)
    ]  # fmt: skip


def ask_joining(pos: Position, leaders: Sequence[LeaderId]) -> AskedLeaders:
    """Which of these leaders come out: at least one."""
    left, chosen = list(leaders), list[LeaderId]()

    def why(token: Token) -> Refusal:
        return Refusal("R6.3", "{} is not inside with TP", (_name(pos, token),))

    while True:
        values = [*([STOP] if chosen else []), *left]
        token = yield Slot("leaders", values, why, index=len(chosen))
        if token == STOP:
            return tuple(chosen)
        chosen.append(as_leader(token))
        left = left[left.index(chosen[-1]) + 1 :]


class SaidClause(Clause, kw_only=True):
    """A clause of this rule set. `TITLE` says in a form what it is about, `PARTS` are those of its line."""

    TITLE: ClassVar[str]
    PARTS: ClassVar[tuple[Part[ClauseReader], ...]]

    @classmethod
    def word(cls) -> str:
        """The word with which its line begins."""
        return str(cls.__struct_config__.tag)

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        """What is asked for it; `foes` are the enemy leaders whom the side sees."""
        yield from ()
        return cls()

    def sentence(self, names: Names) -> str:
        """What it says, with its rule."""
        raise NotImplementedError


class AgainstForce(SaidClause, kw_only=True):
    """What a clause says of the enemy force that it is about: under one of these leaders (none named: any), in one of
    these hexes (none named: any), at least and at most so many TP by what one sees."""

    movers: tuple[LeaderId, ...] = ()
    hexes: tuple[Hex, ...] = ()
    least: int = 0
    most: int = ANY

    def against(self, names: Names) -> str:
        """«Daun or Lacy of at most 25 TP at 1623 Dresden»."""
        who = _either(map(names.unit, self.movers)) if self.movers else "anybody"
        low = f" of {self.least} TP or more" if self.least else ""
        high = f" of at most {self.most} TP" if self.most != ANY else ""
        both = f" of {self.least} to {self.most} TP" if low and high else low or high
        where = f" at {_either(map(names.hex, self.hexes))}" if self.hexes else ""
        return f"{who}{both}{where}"


def _either(names: Iterable[str]) -> str:
    return " or ".join(names)


class ReactClause(AgainstForce, kw_only=True, tag="react"):
    """A leader reacts with companions (R7.2) to who comes within so many MP of him, and goes there (R7.4).

    `goals`: the first of these hexes that he can reach. `odds`: per cent to win with which he attacks at least.
    """

    TITLE: ClassVar = "A leader tries to react (R7.2)"
    PARTS: ClassVar = (
        UnitPart("leader"),
        MembersPart("companions", WITH),
        ChoicePart("way", {ATTACK: ATTACK, GO: GO, INSIDE: INSIDE}),
        GoalsPart(),
        *FORCE,
        NEAR,
        StrengthPart(),
        GAIN,
    )
    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    way: str = ATTACK
    goals: tuple[Hex, ...] = ()
    within: int = REACTION
    odds: int = 0

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        leader = yield from ask_leader(pos, side)
        companions = yield from ask_companions(pos, leader, side)
        way = str((yield Slot("way", (ATTACK, GO, INSIDE), lambda token: Refusal("R7.4", "attack, to or inside"))))
        goals = () if way == ATTACK else (yield from ask_goals(pos, leader, side, inside=way == INSIDE))
        movers = yield from ask_movers(pos, foes)
        near, why = reacts_at(pos, leader, side), f"more than {REACTION} MP from him"
        hexes = yield from ask_hexes(pos, near, "R7.1", why)
        within = int((yield Slot("within", tuple(range(REACTION, 0, -1)), lambda token: Refusal("R7.1", "1 to 3 MP"))))
        least, most = yield from ask_strength()
        odds = (yield from ask_odds()) if way == ATTACK else 0
        return cls(
            leader=leader, companions=companions, way=way, goals=goals, movers=movers, hexes=hexes, within=within,
            least=least, most=most, odds=odds,
        )  # fmt: skip

    def sentence(self, names: Names) -> str:
        group = f" with {names.units(self.companions)}" if self.companions else ""
        hexes = _either(names.hex(here) for here in self.goals)
        way = {ATTACK: "to attack", GO: f"to {hexes}", INSIDE: f"into {hexes}"}[self.way]
        near = f" within {self.within} MP" if self.within != REACTION else ""
        odds = f", if he wins {self.odds} % of the time" if self.odds else ""
        return f"{names.unit(self.leader)}{group} reacts to {self.against(names)}{near} {way}{odds} (R7)"


class IgnoreClause(AgainstForce, kw_only=True, tag="ignore"):
    """Nobody reacts (R7.1)."""

    TITLE: ClassVar = "Nobody reacts (R7.1)"
    PARTS: ClassVar = (*FORCE, StrengthPart())

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        movers = yield from ask_movers(pos, foes)
        near = {there for leader in in_field(pos, side) for there in reacts_at(pos, leader, side)}
        hexes = yield from ask_hexes(pos, near, "R7.1", f"more than {REACTION} MP from all of yours")
        least, most = yield from ask_strength()
        return cls(movers=movers, hexes=hexes, least=least, most=most)

    def sentence(self, names: Names) -> str:
        return f"Nobody reacts to {self.against(names)} (R7.1)"


class ShareClause(AgainstForce, kw_only=True, tag="share"):
    """Shares the hex with an enemy who has come into it and has not attacked (R6.1)."""

    TITLE: ClassVar = "Share the hex with him (R6.1)"
    PARTS: ClassVar[tuple[Part[ClauseReader], ...]] = (*FORCE, StrengthPart())

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        movers = yield from ask_movers(pos, foes)
        own = hexes_of(pos.census.fields[side])
        hexes = yield from ask_hexes(pos, own, "R6.1", "without field TP of yours")
        least, most = yield from ask_strength()
        return cls(movers=movers, hexes=hexes, least=least, most=most)

    def sentence(self, names: Names) -> str:
        return f"The hex is shared with {self.against(names)} (R6.1)"


class AttackClause(AgainstForce, kw_only=True, tag="attack"):
    """Tries to attack him, from such odds on."""

    TITLE: ClassVar = "Try to attack who shares a hex (R6.1)"
    PARTS: ClassVar = (*FORCE, StrengthPart(), GAIN)
    odds: int = 0

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        shared = yield from ShareClause.script(pos, side, foes)
        odds = yield from ask_odds()
        return cls(**{name: getattr(shared, name) for name in ("movers", "hexes", "least", "most")}, odds=odds)

    def sentence(self, names: Names) -> str:
        odds = f", if it wins {self.odds} % of the time" if self.odds else ""
        return f"Who shares a hex is attacked: {self.against(names)}{odds} (R6.1)"


class JoinClause(SaidClause, kw_only=True, tag="join"):
    """Who comes out and joins in a battle (R6.3): nobody, all, or these as far as they are there."""

    TITLE: ClassVar = "Who comes out into a battle (R6.3)"
    PARTS: ClassVar = (WhoPart(),)
    who: str = NONE
    leaders: tuple[LeaderId, ...] = ()

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        leaders = inside(pos, side)
        kinds = (NONE, ALL, *([THESE] if leaders else []))
        who = str((yield Slot("who", kinds, lambda token: Refusal("R6.3", "nobody of yours is inside"))))
        if who != THESE:
            return cls(who=who)
        return cls(who=who, leaders=(yield from ask_joining(pos, leaders)))

    def sentence(self, names: Names) -> str:
        who = {NONE: "Nobody", ALL: "All who are inside"}.get(self.who) or names.units(self.leaders)
        return f"{who} {'come' if self.who != NONE else 'comes'} out to join in a battle (R6.3)"


class ConcentrateClause(SaidClause, kw_only=True, tag="concentrate"):
    """What is declared in battle as far as it can be paid (R12.2, V3.3)."""

    TITLE: ClassVar = "Concentration in battle (R12.2, V3.3)"
    PARTS: ClassVar = (ChoicePart("concentrate", {"yes": True, "no": False}, "flag"), FlagPart("intense", "intensity"))
    concentrate: bool
    intense: bool = False

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        first = yield Slot("concentrate", (0, 1), lambda token: Refusal("R12.2", "yes or no"))
        second = (0,) if pos.options.einhorn else (0, 1)
        rule = "V1" if pos.options.einhorn else "R12.2"
        intense = yield Slot("intense", second, lambda token: Refusal(rule, "there is no high intensity"))
        return cls(concentrate=bool(first), intense=bool(intense))

    def sentence(self, names: Names) -> str:
        parts = ["concentration"] * self.concentrate + ["high intensity"] * self.intense
        if not parts:
            return "Nothing is declared in battle (R12.2)"
        return f"{' and '.join(parts).capitalize()} is declared in battle if it can be paid (R12.2)"


class BreakOffClause(SaidClause, kw_only=True, tag="break-off"):
    """From which losses on, in per cent of the TP with which it began, a battle is broken off (R12.8)."""

    TITLE: ClassVar = "When to break a battle off (R12.8)"
    PARTS: ClassVar = (ShareOfLossesPart(),)
    at: int = NEVER

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        values = (*range(0, 101, STEP), NEVER)
        at = yield Slot("at", values, lambda token: Refusal("R12.8", "0 to 100 per cent, by fives, or never"))
        return cls(at=int(at))

    def sentence(self, names: Names) -> str:
        if self.at == NEVER:
            return "No battle is broken off (R12.8)"
        return f"A battle is broken off when {self.at} % of the TP are lost (R12.8)"


class LossesClause(SaidClause, kw_only=True, tag="losses"):
    """Losses are spread as the rules would, by the largest remainder (R12.6, V6.1)."""

    TITLE: ClassVar = "Losses by the largest remainder (R12.6)"
    PARTS: ClassVar = (WordPart("by-share"),)

    def sentence(self, names: Names) -> str:
        return "Losses are spread by the largest remainder (R12.6, V6.1)"


class FeedClause(SaidClause, kw_only=True, tag="feed"):
    """Whether forces that can pay are fed (R9.7, V3.5)."""

    TITLE: ClassVar = "Feeding in step H (R9.7)"
    PARTS: ClassVar = (ChoicePart("feed", {"always": True, "never": False}, "flag"),)
    feed: bool

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        feed = yield Slot("feed", (0, 1), lambda token: Refusal("R9.7", "always, or never"))
        return cls(feed=bool(feed))

    def sentence(self, names: Names) -> str:
        return f"Forces in need are {'fed' if self.feed else 'not fed'} where they could be (R9.7)"


class HoldClause(SaidClause, kw_only=True, tag="hold"):
    """Whatever no other clause is about is left as it is, wherever it stands among the clauses."""

    TITLE: ClassVar = "All else: leave it as it is"
    PARTS: ClassVar = (WordPart("other"),)

    def sentence(self, names: Names) -> str:
        return "All else that the enemy's activity asks: leave it as it is"


CLAUSES: Final[tuple[type[SaidClause], ...]] = (
    HoldClause,
    IgnoreClause,
    ReactClause,
    ShareClause,
    AttackClause,
    JoinClause,
    ConcentrateClause,
    BreakOffClause,
    LossesClause,
    FeedClause,
)
GRAMMAR: Final[Grammar[Clause]] = {clause.word(): ActionGrammar(clause, clause.PARTS) for clause in CLAUSES}
"""The lines of all clauses."""


def clause_script(pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
    """A clause of a side. `foes` are the enemy leaders whom it sees."""
    clauses = {clause.word(): clause for clause in CLAUSES}
    kinds = [kind for kind, clause in clauses.items() if clause is not ReactClause or able(pos, side)]
    kind = yield Slot("do", kinds, lambda token: Refusal("R7.1", "nobody of yours could react"))
    return (yield from clauses[str(kind)].script(pos, side, foes))


def covers(before: Clause, clause: Clause) -> bool:
    """Whether an earlier clause answers wherever a later one would, or stops the instruction there."""
    if isinstance(before, AgainstForce) and isinstance(clause, AgainstForce):
        return _is_wider(before, clause) and _answers_before(before, clause)
    return type(before) is type(clause) and not isinstance(before, AgainstForce)


def _is_wider(before: AgainstForce, clause: AgainstForce) -> bool:
    """Whether one is about every enemy that the other is about: who is too strong for it stops the instruction."""
    who = not before.movers or (bool(clause.movers) and set(clause.movers) <= set(before.movers))
    where = not before.hexes or (bool(clause.hexes) and set(clause.hexes) <= set(before.hexes))
    return who and where and before.least <= clause.least


def _answers_before(before: AgainstForce, clause: AgainstForce) -> bool:
    """Whether one always has an answer where the other would have one."""
    if isinstance(before, IgnoreClause):
        return isinstance(clause, IgnoreClause | ReactClause)
    if isinstance(before, ShareClause):
        return isinstance(clause, ShareClause | AttackClause)
    if isinstance(before, AttackClause):
        same = isinstance(clause, AttackClause) and before.odds <= clause.odds
        return isinstance(clause, ShareClause | AttackClause) and (not before.odds or same)
    if not isinstance(before, ReactClause) or not isinstance(clause, ReactClause):
        return False
    if before.leader != clause.leader or before.within < clause.within:  # who has tried leaves the answer to others
        return False
    return not before.odds or (before.companions == clause.companions and before.odds <= clause.odds)


def format_clause(data: GameData, clause: Clause) -> str:
    """The line of a clause, which `parse_clause` reads back."""
    return write_line(GRAMMAR, ClauseReader(data), clause)


def parse_clause(data: GameData, own: Collection[LeaderId], foes: Collection[LeaderId], text: str) -> Clause:
    """The clause of a line. Raises Invalid or Ambiguous, naming the word; whether it may be given is not asked."""
    return read_line(GRAMMAR, text, partial(ClauseReader, data, own, foes), "clause")
