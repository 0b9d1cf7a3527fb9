"""One line for each clause, and back: `react Keith with P2 attack against Daun at 1623 of 0-25 odds 60`.

Leaders and wagons stand by name, hexes as RRCC or (when read) by town. What is left out is not asked for: any leader,
any hex, any strength.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.engine.standing import Clause
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.names import name_book
from leuthen.rulesets.campaigns.rules.r05_movement.walk import REACTION
from leuthen.rulesets.campaigns.standing.clauses import (
    ALL,
    ANY,
    ATTACK,
    GO,
    INSIDE,
    NEVER,
    NONE,
    THESE,
    AgainstForce,
    AttackClause,
    BreakOffClause,
    ConcentrateClause,
    FeedClause,
    HoldClause,
    IgnoreClause,
    JoinClause,
    LossesClause,
    ReactClause,
    ShareClause,
)
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.line_reader import WordReader

WITH, AGAINST, AT, WITHIN, OF, ODDS = "with", "against", "at", "within", "of", "odds"
MARKS: Final = (WITH, AGAINST, AT, WITHIN, OF, ODDS, ATTACK, GO, INSIDE)
"""The words that end a list of names."""
YES, NO, INTENSITY = "yes", "no", "intensity"
BY_SHARE: Final = "by-share"
OTHER: Final = "other"


# --- writing ----------------------------------------------------------------------------------------------------------


def format_clause(data: GameData, clause: Clause) -> str:
    """The line of a clause, which `parse_clause` reads back."""
    return " ".join([clause.do, *_WRITERS[type(clause)](data, clause)])


def _names(data: GameData, word: str, numbers: Iterable[int]) -> list[str]:
    names = [data.leaders[n].name if 0 <= n < len(data.leaders) else str(n) for n in numbers]
    return [*([word] if word else []), *names] if names else []


def _places(word: str, hexes: Sequence[Hex]) -> list[str]:
    return [word, *map(hex_name, hexes)] if hexes else []


def _against(data: GameData, clause: AgainstForce, within: int = REACTION) -> list[str]:
    near = [WITHIN, str(within)] if within != REACTION else []
    return [*_names(data, AGAINST, clause.movers), *_places(AT, clause.hexes), *near, *_strength(clause)]


def _strength(clause: AgainstForce) -> list[str]:
    if (clause.least, clause.most) == (0, ANY):
        return []
    return [OF, f"{clause.least}+" if clause.most == ANY else f"{clause.least}-{clause.most}"]


def _odds(clause: AttackClause | ReactClause) -> list[str]:
    return [ODDS, str(clause.odds)] if clause.odds else []


def _react(data: GameData, clause: ReactClause) -> list[str]:
    who = [*_names(data, "", (clause.leader,)), *_names(data, WITH, clause.companions)]
    way = [ATTACK] if clause.way == ATTACK else _places(clause.way, clause.goals)
    return [*who, *way, *_against(data, clause, clause.within), *_odds(clause)]


def _join(data: GameData, clause: JoinClause) -> list[str]:
    return _names(data, "", clause.leaders) if clause.who == THESE else [clause.who]


_WRITERS: Final[Mapping[type[Clause], Callable[[GameData, Any], list[str]]]] = {
    ReactClause: _react,
    IgnoreClause: _against,
    AttackClause: lambda data, clause: [*_against(data, clause), *_odds(clause)],
    ShareClause: _against,
    JoinClause: _join,
    ConcentrateClause: lambda data, c: [YES if c.concentrate else NO, *([INTENSITY] if c.intense else [])],
    BreakOffClause: lambda data, clause: ["never"] if clause.at == NEVER else ["at", str(clause.at)],
    FeedClause: lambda data, clause: ["always" if clause.feed else "never"],
    LossesClause: lambda data, clause: [BY_SHARE],
    HoldClause: lambda data, clause: [OTHER],
}


# --- reading ----------------------------------------------------------------------------------------------------------


class Reader(WordReader):
    """Reads a clause, word by word. `own` and `foes`: whose names may be shortened."""

    UNIT = "leader or wagon"
    OURS = "of yours"

    def __init__(self, data: GameData, own: Collection[int], foes: Collection[int], words: Sequence[str]) -> None:
        super().__init__(name_book(data), words)
        self.own = own
        self.foes = foes

    def likely(self) -> Collection[int]:
        """One's own leaders and wagons."""
        return self.own

    def maybe_unit(self, likely: Iterable[int], *, strict: bool = True) -> int | None:
        """A leader or a wagon, if the next words name one. Raises Ambiguous."""
        return None if self.words and self.words[0] in MARKS else super().maybe_unit(likely, strict=strict)

    def units(self, likely: Iterable[int]) -> tuple[int, ...]:
        """Those that come next, at least one. Raises Invalid or Ambiguous."""
        found: list[int] = []
        while (number := self.maybe_unit(likely)) is not None:
            found.append(number)
        if not found:
            raise Invalid(f"«{self.next('a leader')}» is no leader of this game")
        return tuple(sorted(set(found)))

    def hexes(self) -> tuple[Hex, ...]:
        """Those that come next, at least one. Raises Invalid or Ambiguous."""
        found = [self.hex()]
        while self.words and self.words[0] not in MARKS:
            found.append(self.hex())
        return tuple(dict.fromkeys(found))

    def force(self) -> dict[str, Any]:
        """Against whom, and where."""
        movers = self.units(self.foes) if self.has(AGAINST) else ()
        return {"movers": movers, "hexes": tuple(sorted(self.hexes())) if self.has(AT) else ()}

    def against(self) -> dict[str, Any]:
        """Against whom, where, how strong."""
        return {**self.force(), **self.bounds()}

    def bounds(self) -> dict[str, int]:
        """How strong."""
        least, most = self.strength() if self.has(OF) else (0, ANY)
        return {"least": least, "most": most}

    def strength(self) -> tuple[int, int]:
        """`5-25`, `5+`, or `25` for as many at most. Raises Invalid."""
        text = self.next("a number of TP")
        low, mark, high = text.partition("-")
        if text.endswith("+"):
            low, high = text[:-1], str(ANY)
        elif not mark:
            low, high = "0", text
        if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in (low, high)):
            raise Invalid(f"«{text}» is no strength: 0-25, 5+ or 25 is expected")
        return int(low), int(high)

    def odds(self) -> int:
        """Per cent. Raises Invalid."""
        return self.number("per cent") if self.has(ODDS) else 0

    def choose(self, words: Mapping[str, Any], what: str) -> Any:
        """What the next word stands for. Raises Invalid."""
        text = self.next(what)
        if text not in words:
            raise Invalid(f"«{text}» is not understood: {', '.join(words)} is expected")
        return words[text]


def _read_react(line: Reader) -> Clause:
    leader = line.unit()
    companions = line.units(line.own) if line.has(WITH) else ()
    way = line.choose({word: word for word in (ATTACK, GO, INSIDE)}, "attack, to or inside")
    goals = line.hexes() if way != ATTACK else ()
    force = line.force()
    within = line.number("MP") if line.has(WITHIN) else REACTION
    force |= line.bounds()
    return ReactClause(
        leader=leader, companions=companions, way=way, goals=goals, within=within, **force, odds=line.odds()
    )


def _read_join(line: Reader) -> Clause:
    if line.has(NONE):
        return JoinClause(who=NONE)
    if line.has(ALL):
        return JoinClause(who=ALL)
    return JoinClause(who=THESE, leaders=line.units(line.own))


def _read_concentrate(line: Reader) -> Clause:
    concentrate = line.choose({YES: True, NO: False}, "yes or no")
    return ConcentrateClause(concentrate=concentrate, intense=line.has(INTENSITY))


def _read_break_off(line: Reader) -> Clause:
    if line.has("never"):
        return BreakOffClause(at=NEVER)
    line.has(AT)
    return BreakOffClause(at=line.number("per cent"))


def _read_hold(line: Reader) -> Clause:
    line.has(OTHER)
    return HoldClause()


def _read_losses(line: Reader) -> Clause:
    line.has(BY_SHARE)
    return LossesClause()


_READERS: Final[Mapping[str, Callable[[Reader], Clause]]] = {
    "react": _read_react,
    "ignore": lambda line: IgnoreClause(**line.against()),
    "attack": lambda line: AttackClause(**line.against(), odds=line.odds()),
    "share": lambda line: ShareClause(**line.against()),
    "join": _read_join,
    "concentrate": _read_concentrate,
    "break-off": _read_break_off,
    "feed": lambda line: FeedClause(feed=line.choose({"always": True, "never": False}, "always or never")),
    "losses": _read_losses,
    "hold": _read_hold,
}
WORDS: Final = tuple(_READERS)
"""The words with which a clause begins."""


def parse_clause(data: GameData, own: Collection[int], foes: Collection[int], text: str) -> Clause:
    """The clause of a line. Raises Invalid or Ambiguous, naming the word; whether it may be given is not asked."""
    verb, *words = text.split() or [""]
    line = Reader(data, own, foes, words)
    clause = _READERS[_verb(verb)](line)
    line.end()
    return clause


def _verb(text: str) -> str:
    found = [word for word in WORDS if word == text.casefold()]
    found = found or [word for word in WORDS if text and word.startswith(text.casefold())]
    if len(found) > 1:
        raise Ambiguous(f"«{text}» may be {', '.join(found)}")
    if not found:
        raise Invalid(f"«{text}» begins no clause; one begins with {', '.join(WORDS)}")
    return found[0]
