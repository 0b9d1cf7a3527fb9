"""The clauses of a standing instruction: what may be said beforehand of each decision that an activity waits for.

Each has its fields, the parts of its line, the questions that it is asked for with, and its sentence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial
from typing import ClassVar, Final

from leuthen.engine.choice import Refusal, Script, Slot
from leuthen.engine.ruleset import Side
from leuthen.engine.standing import Clause
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import Names
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.standing import parts as line
from leuthen.rulesets.campaigns.standing import script
from leuthen.rulesets.campaigns.standing.parts import ClauseReader
from leuthen.wargame.board import Hex, hexes_of
from leuthen.wargame.grammar import ActionGrammar, Grammar, Part, read_line, write_line
from leuthen.wargame.parts import ChoicePart, FlagPart, MembersPart, UnitPart, WordPart
from leuthen.wargame.strength import LeaderId


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
    most: int = line.ANY

    def against(self, names: Names) -> str:
        """«Daun or Lacy of at most 25 TP at 1623 Dresden»."""
        who = _either(map(names.unit, self.movers)) if self.movers else "anybody"
        low = f" of {self.least} TP or more" if self.least else ""
        high = f" of at most {self.most} TP" if self.most != line.ANY else ""
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
        MembersPart("companions", line.WITH),
        ChoicePart("way", {line.ATTACK: line.ATTACK, line.GO: line.GO, line.INSIDE: line.INSIDE}),
        line.GoalsPart(),
        *line.FORCE,
        line.NEAR,
        line.StrengthPart(),
        line.GAIN,
    )
    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    way: str = line.ATTACK
    goals: tuple[Hex, ...] = ()
    within: int = REACTION
    odds: int = 0

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        leader = yield from script.ask_leader(pos, side)
        companions = yield from script.ask_companions(pos, leader, side)
        way = str(
            (
                yield Slot(
                    "way", (line.ATTACK, line.GO, line.INSIDE), lambda token: Refusal("R7.4", "attack, to or inside")
                )
            )
        )
        goals = (
            () if way == line.ATTACK else (yield from script.ask_goals(pos, leader, side, inside=way == line.INSIDE))
        )
        movers = yield from script.ask_movers(pos, foes)
        near, why = script.reacts_at(pos, leader, side), f"more than {REACTION} MP from him"
        hexes = yield from script.ask_hexes(pos, near, "R7.1", why)
        within = int((yield Slot("within", tuple(range(REACTION, 0, -1)), lambda token: Refusal("R7.1", "1 to 3 MP"))))
        least, most = yield from script.ask_strength()
        odds = (yield from script.ask_odds()) if way == line.ATTACK else 0
        return cls(
            leader=leader, companions=companions, way=way, goals=goals, movers=movers, hexes=hexes, within=within,
            least=least, most=most, odds=odds,
        )  # fmt: skip

    def sentence(self, names: Names) -> str:
        group = f" with {names.units(self.companions)}" if self.companions else ""
        hexes = _either(names.hex(here) for here in self.goals)
        way = {line.ATTACK: "to attack", line.GO: f"to {hexes}", line.INSIDE: f"into {hexes}"}[self.way]
        near = f" within {self.within} MP" if self.within != REACTION else ""
        odds = f", if he wins {self.odds} % of the time" if self.odds else ""
        return f"{names.unit(self.leader)}{group} reacts to {self.against(names)}{near} {way}{odds} (R7)"


class IgnoreClause(AgainstForce, kw_only=True, tag="ignore"):
    """Nobody reacts (R7.1)."""

    TITLE: ClassVar = "Nobody reacts (R7.1)"
    PARTS: ClassVar = (*line.FORCE, line.StrengthPart())

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        movers = yield from script.ask_movers(pos, foes)
        near = {there for leader in script.in_field(pos, side) for there in script.reacts_at(pos, leader, side)}
        hexes = yield from script.ask_hexes(pos, near, "R7.1", f"more than {REACTION} MP from all of yours")
        least, most = yield from script.ask_strength()
        return cls(movers=movers, hexes=hexes, least=least, most=most)

    def sentence(self, names: Names) -> str:
        return f"Nobody reacts to {self.against(names)} (R7.1)"


class ShareClause(AgainstForce, kw_only=True, tag="share"):
    """Shares the hex with an enemy who has come into it and has not attacked (R6.1)."""

    TITLE: ClassVar = "Share the hex with him (R6.1)"
    PARTS: ClassVar[tuple[Part[ClauseReader], ...]] = (*line.FORCE, line.StrengthPart())

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        movers = yield from script.ask_movers(pos, foes)
        own = hexes_of(pos.census.fields[side])
        hexes = yield from script.ask_hexes(pos, own, "R6.1", "without field TP of yours")
        least, most = yield from script.ask_strength()
        return cls(movers=movers, hexes=hexes, least=least, most=most)

    def sentence(self, names: Names) -> str:
        return f"The hex is shared with {self.against(names)} (R6.1)"


class AttackClause(AgainstForce, kw_only=True, tag="attack"):
    """Tries to attack him, from such odds on."""

    TITLE: ClassVar = "Try to attack who shares a hex (R6.1)"
    PARTS: ClassVar = (*line.FORCE, line.StrengthPart(), line.GAIN)
    odds: int = 0

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        shared = yield from ShareClause.script(pos, side, foes)
        odds = yield from script.ask_odds()
        return cls(**{name: getattr(shared, name) for name in ("movers", "hexes", "least", "most")}, odds=odds)

    def sentence(self, names: Names) -> str:
        odds = f", if it wins {self.odds} % of the time" if self.odds else ""
        return f"Who shares a hex is attacked: {self.against(names)}{odds} (R6.1)"


class JoinClause(SaidClause, kw_only=True, tag="join"):
    """Who comes out and joins in a battle (R6.3): nobody, all, or these as far as they are there."""

    TITLE: ClassVar = "Who comes out into a battle (R6.3)"
    PARTS: ClassVar = (line.WhoPart(),)
    who: str = line.NONE
    leaders: tuple[LeaderId, ...] = ()

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        leaders = script.inside(pos, side)
        kinds = (line.NONE, line.ALL, *([line.THESE] if leaders else []))
        who = str((yield Slot("who", kinds, lambda token: Refusal("R6.3", "nobody of yours is inside"))))
        if who != line.THESE:
            return cls(who=who)
        return cls(who=who, leaders=(yield from script.ask_joining(pos, leaders)))

    def sentence(self, names: Names) -> str:
        who = {line.NONE: "Nobody", line.ALL: "All who are inside"}.get(self.who) or names.units(self.leaders)
        return f"{who} {'come' if self.who != line.NONE else 'comes'} out to join in a battle (R6.3)"


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
    PARTS: ClassVar = (line.ShareOfLossesPart(),)
    at: int = line.NEVER

    @classmethod
    def script(cls, pos: Position, side: Side, foes: Sequence[LeaderId]) -> Script[Clause]:
        values = (*range(0, 101, script.STEP), line.NEVER)
        at = yield Slot("at", values, lambda token: Refusal("R12.8", "0 to 100 per cent, by fives, or never"))
        return cls(at=int(at))

    def sentence(self, names: Names) -> str:
        if self.at == line.NEVER:
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
    kinds = [kind for kind, clause in clauses.items() if clause is not ReactClause or script.able(pos, side)]
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
