"""The clauses of a standing instruction: an answer in advance to each decision that stops an activity.

A clause is one declaration: its fields, the parts of its line with the questions about them (`ASKED`), its sentence,
and its answer to a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Final, NamedTuple, TypeAlias

from leuthen.engine.choice import STOP, Action, ByKind, LegalSet, Refusal, Script, Slot, Token
from leuthen.engine.decision import Done
from leuthen.engine.memo import memoized
from leuthen.engine.refusal import Invalid, first_refusal, number_of, shorten
from leuthen.engine.ruleset import OTHER, Side, as_side
from leuthen.rulesets.campaigns.knowledge import View
from leuthen.rulesets.campaigns.model.actions import Attack, Declare, Feed, Hold, Join, React, Starve, Withdraw
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import Names
from leuthen.rulesets.campaigns.model.forces import SeenForce, is_friendly, is_held_back
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, UNKNOWN, Unit
from leuthen.rulesets.campaigns.model.state import Decision, Position
from leuthen.rulesets.campaigns.odds import battle_odds
from leuthen.rulesets.campaigns.rules.r04_command.activation import Passing
from leuthen.rulesets.campaigns.rules.r05_walk import REACTION, Pace
from leuthen.rulesets.campaigns.rules.r06_joining import Joining
from leuthen.rulesets.campaigns.rules.r06_meeting import Rousing
from leuthen.rulesets.campaigns.rules.r07_reaction import Reacting, ReactionWindow, companions_for, reaction_range
from leuthen.rulesets.campaigns.rules.r09_supply import Feeding, Toll
from leuthen.rulesets.campaigns.rules.r12_battle import Declaring, Leaving, Losses, Retreating
from leuthen.rulesets.campaigns.rules.r12_fight import Spreading, current
from leuthen.rulesets.campaigns.screen.layers import reach
from leuthen.rulesets.campaigns.screen.odds import moved, with_strength
from leuthen.screen.forces import band
from leuthen.screen.forms import path_to
from leuthen.screen.presenter import Clause, Surprise
from leuthen.screen.values import begun
from leuthen.wargame import grammar as parts
from leuthen.wargame.board import Hex, chosen_hex, hex_name, hexes_of
from leuthen.wargame.grammar import ActionGrammar, Candidate, Given, Grammar, LineSearch, Values, WordReader, write_line
from leuthen.wargame.strength import LeaderId

ANY: Final = 200  # TP: any strength
NEVER: Final = 101  # per cent of losses
# goal of a reaction: the mover's hex, a field hex, inside a stronghold (R7.4)
ATTACK, GO, INSIDE = WAYS = "attack", "to", "inside"
NONE, ALL, THESE = "never", "always", "these"  # who joins a battle (R6.3)
WITH, AGAINST, AT, WITHIN, OF, ODDS = "with", "against", "at", "within", "of", "odds"


class ClauseReader(WordReader):
    """The words of a clause; names of `own` and `foes` may be shortened."""

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


class GoalsPart(parts.HexesPart[ClauseReader]):
    """The goals of a reaction that does not attack, tried in turn."""

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


class StrengthPart(parts.Part[ClauseReader]):
    """The enemy's TP: `of 5-25`, `of 5+`, or (in input) `of 25` for at most 25."""

    kinds: Mapping[str, str] = {"least": "count", "most": "count"}

    def write(self, line: ClauseReader, values: Values) -> Iterable[str]:
        least, most = values["least"], values["most"]
        return [OF, f"{least}+" if most == ANY else f"{least}-{most}"] if (least, most) != (0, ANY) else []

    def read(self, line: ClauseReader, given: Given) -> None:
        given["least"], given["most"] = 0, ANY
        if not line.has(OF):
            return
        text = line.next("a number of TP")
        low, mark, high = text.partition("-")
        if text.endswith("+"):
            low, high = text[:-1], str(ANY)
        elif not mark:
            low, high = "0", text
        least, most = number_of(low, 3), number_of(high, 3)
        if least is None or most is None:
            raise Invalid(f'"{shorten(text)}" is not a valid strength: 0-25, 5+ or 25 is expected')
        given["least"], given["most"] = least, most

    def answers(self, slot: Slot, search: LineSearch, taken: Sequence[Token]) -> Sequence[Token]:
        is_said = not search.is_open(slot.name) or (slot.name == "least" and "-" in search.last)
        return [token for token in slot.values if not is_said or token == search.given[slot.name]]

    def candidates(self, line: ClauseReader, search: LineSearch) -> Iterator[Candidate]:
        """Offer the least first; after its hyphen the most."""
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


class WhoPart(parts.MembersPart[ClauseReader]):
    """The leaders who join a battle: none, all, or some by name."""

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


class ShareOfLossesPart(parts.NumberPart[ClauseReader]):
    """The losses at which a battle is broken off: `at 20`, or `never`."""

    def __init__(self) -> None:
        super().__init__("at", "per cent")

    def words(self, line: ClauseReader, value: Token) -> list[str]:
        return [NONE] if value == NEVER else [AT, str(value)]

    def value(self, line: ClauseReader) -> int:
        if line.has(NONE):
            return NEVER
        line.has(AT)
        return line.number(self.what)


STEP: Final = 5  # per cent, of odds and losses
Frame: TypeAlias = Any
"""The question, of a kind in the clause's `ANSWERS`."""
Said: TypeAlias = Action | Surprise | None
"""The answer; None if clauses do not apply."""


# --- the questions of a clause ----------------------------------------------------------------------------------------


class Asker(NamedTuple):
    """The side that makes a clause, a position that shows no more than its view, and the visible enemy leaders."""

    pos: Position
    side: Side
    foes: Sequence[LeaderId]

    def own(self) -> list[LeaderId]:
        return [n for n, unit in self.pos.units.items() if unit.tp and self.pos.side(n) == self.side]

    def leader_name(self, token: Token) -> str:
        leaders = self.pos.data.leaders
        return leaders[int(token)].name if isinstance(token, int) and 0 <= token < len(leaders) else str(token)

    def place_name(self, token: Token) -> str:
        return hex_name(here) if (here := chosen_hex(token)) in self.pos.data.board.terrain else str(token)


Questions: TypeAlias = Generator[Slot, Token, Given]
"""The questions of a part of a line; they return its fields."""


class Stretch(NamedTuple):
    """A part of a clause's line, with its questions, which may depend on earlier values."""

    part: parts.Part[ClauseReader]
    ask: Callable[[Asker, Values], Questions]


def _one(
    name: str,
    values: Sequence[Token],
    rule: str,
    reason: str,
    make: Callable[[Token], object] = int,
    canon: Sequence[Token] | None = None,
) -> Questions:
    return {name: make((yield Slot(name, values, Refusal(rule, reason), canon=canon)))}


def _choice(
    part: parts.OnePart[ClauseReader],
    values: Sequence[Token],
    rule: str,
    reason: str,
    make: Callable[[Token], object] = int,
) -> Stretch:
    """Return a part with one question that no earlier value changes."""
    return Stretch(part, lambda who, said: _one(part.name, values, rule, reason, make))


def _some(
    name: str, pool: Iterable[int], why: Callable[[Token], Refusal], *, least: int = 0, in_order: bool = True
) -> Questions:
    """Ask for at least `least` members of a pool; `in_order` if their order means nothing."""
    left, chosen = list(pool), list[int]()
    while True:
        values: list[Token] = [*([STOP] if len(chosen) >= least else []), *left]
        token = yield Slot(name, values, why, index=len(chosen), canon=values[:2])
        if token == STOP:
            return {name: tuple(chosen)}
        chosen.append(int(token))
        left = left[left.index(chosen[-1]) + 1 :] if in_order else [one for one in left if one != token]


def _leaders(who: Asker, name: str, pool: Iterable[int], rule: str, reason: str, least: int = 0) -> Questions:
    """Ask for at least `least` leaders of a pool; the reason against others names them."""
    return _some(name, pool, lambda token: Refusal(rule, reason, (who.leader_name(token),)), least=least)


def why_unsound(pos: Position, unit: Unit) -> Refusal | None:
    """Return the reason why a leader cannot be relied on, or None; an instruction that names him then stops."""
    name, is_variant = pos.leader(unit.number).name, pos.options.einhorn
    return first_refusal(
        unit.hex,
        (not unit.tp, "R7.2", "{} leads no TP", name),
        (unit.shaken or unit.daunted, "V8.2" if is_variant else "R13.3", "{} is demoralized", name),
        (unit.fodder == HUNGRY or unit.hunger, "V3.5" if is_variant else "R9.8", "{} is out of supply", name),
    )


def able(pos: Position, side: Side) -> list[LeaderId]:
    return [n for n, unit in pos.units.items() if not _why_not_lead(pos, unit, side)]


def _why_not_lead(pos: Position, unit: Unit, side: Side) -> Refusal | None:
    name = pos.leader(unit.number).name
    is_own = pos.side(unit.number) == side and not pos.data.is_wagon(unit.number)
    inside, waits = "{} is inside, and does not react", is_held_back(pos, unit.number)
    return (
        first_refusal(unit.hex, (not is_own, "R7.2", "{} is not a leader of yours", name))
        or why_unsound(pos, unit)
        or first_refusal(unit.hex, (unit.inside, "R7.2", inside, name), (waits, "R18.2", "{} does not react yet", name))
    )


def _leader(who: Asker, said: Values) -> Questions:
    def why(token: Token) -> Refusal:
        unit = who.pos.chosen(token)
        if unit is None:
            return Refusal("R7.2", "{} is not on the map", (who.leader_name(token),))
        return _why_not_lead(who.pos, unit, who.side) or Refusal("R7.2", "not he")

    return {"leader": int((yield Slot("leader", able(who.pos, who.side), why, refused=who.own)))}


def _companions(who: Asker, said: Values) -> Questions:
    pos, there = who.pos, companions_for(who.pos, said["leader"], who.side)
    sound = [n for n in there if pos.data.is_wagon(n) or why_unsound(pos, pos.units[n]) is None]
    return _leaders(who, "companions", sorted(sound), "R7.2", "{} cannot come along")


@memoized("known")
def reacts_at(pos: Position, leader: LeaderId, side: Side) -> list[Hex]:
    """Return the hexes where a mover is in a leader's reaction range (R7.1)."""
    here = pos.units[leader].hex
    return sorted(there for there in pos.data.board.reach(here, REACTION) if here in reaction_range(pos, there, side))


def _goals(who: Asker, said: Values) -> Questions:
    """Ask for the goals of a reaction (R7.4), in order of preference."""
    if said["way"] == ATTACK:
        return {"goals": ()}
    pos, is_inside = who.pos, said["way"] == INSIDE
    near = pos.data.board.reach(pos.units[said["leader"]].hex, REACTION)
    strongholds = {there for there in near if is_friendly(pos, there, who.side) and pos.data.kind_at(there).inside}

    def why(token: Token) -> Refusal:
        if token == STOP:
            return Refusal("R7.4", "to where? a hex is missing")
        where = f"a stronghold of yours within {REACTION} MP" if is_inside else f"within {REACTION} MP"
        return Refusal("R7.4", "{} is not {}", (who.place_name(token), where))

    return (yield from _some("goals", sorted(strongholds if is_inside else near), why, least=1, in_order=False))


def _hexes(rule: str, reason: str, members: Callable[[Asker, Values], Iterable[Hex]]) -> Stretch:
    """Return the part for the enemy's hexes, among those where the decision can arise."""

    def ask(who: Asker, said: Values) -> Questions:
        pool = sorted(members(who, said))
        return _some("hexes", pool, lambda token: Refusal(rule, "{} is {}", (who.place_name(token), reason)))

    return Stretch(parts.HexesPart("hexes", AT), ask)


def _near_all(who: Asker, said: Values) -> set[Hex]:
    field = [n for n in who.own() if not who.pos.units[n].inside]
    return {there for leader in field for there in reacts_at(who.pos, leader, who.side)}


def _strength(who: Asker, said: Values) -> Questions:
    def ask(name: str, first: int, last: int, usual: int) -> Generator[Slot, Token, int]:
        values, why = range(first, last + 1), "{} is not a number of TP from {} to {}"
        return int((yield Slot(name, values, lambda t: Refusal("R7.1", why, (t, first, last)), canon=(usual,))))

    least = yield from ask("least", 0, ANY - 1, 0)
    return {"least": least, "most": (yield from ask("most", max(1, least), ANY, ANY))}


def _odds(who: Asker, said: Values) -> Questions:
    if said.get("way", ATTACK) != ATTACK:
        return {"odds": 0}
    return (yield from _one("odds", range(0, 101, STEP), "R12.1", "0 to 100, by fives", canon=(0,)))


def _joining(who: Asker, said: Values) -> Questions:
    leaders = [n for n in who.own() if who.pos.units[n].inside and not who.pos.data.is_wagon(n)]
    kinds = (NONE, ALL, *([THESE] if leaders else []))
    given = yield from _one("who", kinds, "R6.3", "none of your leaders is inside", str)
    if given["who"] == THESE:
        given |= yield from _leaders(who, "leaders", leaders, "R6.3", "{} is not inside with TP", least=1)
    return given


def _intensity(who: Asker, said: Values) -> Questions:
    is_there = not who.pos.options.einhorn
    rule = "R12.2" if is_there else "V1"
    return _one("intense", (0, 1) if is_there else (0,), rule, "there is no high intensity", bool)


def _nothing(who: Asker, said: Values) -> Questions:
    yield from ()
    return {}


MOVERS: Final = Stretch(
    parts.MembersPart[ClauseReader]("movers", AGAINST, lambda line: line.foes),
    lambda who, said: _leaders(who, "movers", sorted(who.foes), "R7.1", "{} is not an enemy leader whom you see"),
)
STRENGTH: Final = Stretch(StrengthPart(), _strength)
GAIN: Final = Stretch(parts.NumberPart("odds", "per cent", ODDS), _odds)
SHARED: Final = _hexes("R6.1", "without field TP of yours", lambda who, said: hexes_of(who.pos.census.fields[who.side]))


# --- what is asked of a side, and its clauses -------------------------------------------------------------------------


class AskedDecision:
    """A question to a side, as that side sees it. `pos` shows no more than the view."""

    def __init__(self, names: Names, view: View, pos: Position, legal: LegalSet, clauses: Sequence[SaidClause]) -> None:
        self.names = names
        self.view = view
        self.pos = pos
        self.side = as_side(view.viewer)
        self.legal = legal
        self.clauses = clauses
        self.frame = pos.frames[-1]
        self.why_not = "no clause is about that"
        """The reason why no clause led to an attack."""
        self.is_spent = False
        """True if a named leader has already tried."""

    def quote(self, clause: Clause) -> str:
        return f'"{write_line(GRAMMAR, ClauseReader(self.names.data), clause)}"'

    def neutral_or_surprise(self, reason: str) -> Said:
        """Return the neutral answer if a clause demands it and it is legal, otherwise a surprise.

        The owner answers in person what decides something for good.
        """
        holds = any(isinstance(clause, HoldClause) for clause in self.clauses)
        neutral = self.frame.neutral(self.pos, self.side) if holds else None
        return neutral if neutral is not None and neutral in self.legal else Surprise(reason)

    def force(self, here: Hex) -> SeenForce | None:
        """Return the visible enemy force in the field of a hex."""
        there = (force for force in self.view.stacks if (force.hex, force.side) == (here, OTHER[self.side]))
        return next((force for force in there if not force.inside), None)

    def answer(self) -> Said:
        """Return the answer of the clauses; None if they do not apply."""
        is_upkeep = isinstance(self.frame, Feeding | Toll)
        if not is_upkeep and (type(self.frame) not in UNSAID or self.view.phasing != OTHER[self.side]):
            return None
        for clause in self.clauses if not is_upkeep else ():
            for number in clause.named():
                unit = self.pos.units.get(number)
                if unit is None:
                    return Surprise(f"{begun(self.names.unit(number))} is gone, whom {self.quote(clause)} names (R2.5)")
                if not self.pos.data.is_wagon(number) and (refusal := why_unsound(self.pos, unit)):
                    return Surprise(refusal.text)
        for clause in self.clauses:
            if isinstance(self.frame, clause.ANSWERS) and (found := clause.answer(self, self.frame)) is not None:
                return found
        return None if is_upkeep else UNSAID[type(self.frame)](self, self.frame)


class SaidClause(Clause, kw_only=True):
    """A clause of this rule set. `TITLE` is its label in a form, `ANSWERS` lists its decisions."""

    TITLE: ClassVar[str]
    SENTENCE: ClassVar[str] = ""  # if it is always the same
    ASKED: ClassVar[tuple[Stretch, ...]]
    ANSWERS: ClassVar[tuple[type[Decision], ...]] = ()

    @classmethod
    def script(cls, who: Asker) -> Script[Clause]:
        given: Given = {}
        for asked in cls.ASKED:
            given |= yield from asked.ask(who, given)
        return cls(**given)

    def sentence(self, names: Names) -> str:
        return self.SENTENCE

    def named(self) -> tuple[LeaderId, ...]:
        return ()

    def covers(self, later: SaidClause) -> bool:
        """Return whether it answers wherever a later clause would, or stops the instruction there."""
        return type(self) is type(later)

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        return None


class AgainstForce(SaidClause, kw_only=True):
    """The enemy force of a clause: under one of these leaders (empty: any), in one of these hexes (empty: any), with at
    least and at most these visible TP.
    """

    COVERS: ClassVar[tuple[str, ...]] = ()
    """The words of clauses that may follow it in vain."""
    movers: tuple[LeaderId, ...] = ()
    hexes: tuple[Hex, ...] = ()
    least: int = 0
    most: int = ANY

    def against(self, names: Names) -> str:
        """Return "Daun or Lacy of at most 25 TP at 1623 Dresden"."""
        who = _either(map(names.unit, self.movers)) if self.movers else "any enemy"
        low = f" of {self.least} TP or more" if self.least else ""
        high = f" of at most {self.most} TP" if self.most != ANY else ""
        both = f" of {self.least} to {self.most} TP" if low and high else low or high
        where = f" at {_either(map(names.hex, self.hexes))}" if self.hexes else ""
        return f"{who}{both}{where}"

    def covers(self, later: SaidClause) -> bool:
        """Return whether every enemy of the later clause meets this one: a stronger enemy stops the instruction."""
        if not isinstance(later, AgainstForce) or later.do not in self.COVERS:
            return False
        who = not self.movers or (bool(later.movers) and set(later.movers) <= set(self.movers))
        where = not self.hexes or (bool(later.hexes) and set(later.hexes) <= set(self.hexes))
        return who and where and self.least <= later.least

    def is_about(self, question: AskedDecision, frame: Frame) -> bool:
        force = question.force(frame.hex)
        leaders = (frame.mover,) if isinstance(frame, ReactionWindow) else force.units if force is not None else ()
        is_he = not self.movers or any(leader in self.movers for leader in leaders)
        return is_he and (not self.hexes or frame.hex in self.hexes) and (force is None or force.most >= self.least)

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        """Reply, unless the enemy may be stronger than the clause allows."""
        if not self.is_about(question, frame):
            return None
        force = question.force(frame.hex)
        if force is None or self.most == ANY or force.most <= self.most:
            return self.decide(question, frame)
        where, seen = question.names.hex(frame.hex), band(force.least, force.most)
        return Surprise(f"At {where} the enemy has {seen} TP: {question.quote(self)} allows at most {self.most}")

    def decide(self, question: AskedDecision, frame: Frame) -> Said:
        return Hold()

    def fits(self, question: AskedDecision, here: Hex, odds: int) -> bool:
        """Return whether the odds suffice for an attack on the strongest possible enemy."""
        force = question.force(here)
        if not odds or force is None:
            return True
        if force.most >= UNKNOWN:
            return False
        moved_there = moved(question.pos, self.named(), here)
        draft = with_strength(moved_there, here, OTHER[question.side], force.most)
        return 100 * battle_odds(draft, here, question.side).wins[question.side] >= odds


def _either(names: Iterable[str]) -> str:
    return " or ".join(names)


class HoldClause(SaidClause, kw_only=True, tag="hold"):
    """Everything without a clause stays as it is, wherever this one is in the list."""

    TITLE: ClassVar = "All else: leave it as it is"
    SENTENCE: ClassVar = "All else that the enemy's activity asks: leave it as it is"
    ASKED: ClassVar = (Stretch(parts.WordPart("other"), _nothing),)


class IgnoreClause(AgainstForce, kw_only=True, tag="ignore"):
    """No leader reacts (R7.1)."""

    TITLE: ClassVar = "No reaction (R7.1)"
    ASKED: ClassVar = (MOVERS, _hexes("R7.1", f"more than {REACTION} MP from all of yours", _near_all), STRENGTH)
    ANSWERS: ClassVar = (ReactionWindow,)
    COVERS: ClassVar = ("ignore", "react")

    def sentence(self, names: Names) -> str:
        return f"No reaction to {self.against(names)} (R7.1)"


class ReactClause(AgainstForce, kw_only=True, tag="react"):
    """A leader reacts with companions (R7.2) to a mover within these MP, and goes there (R7.4).

    `goals`: the first hex within reach counts. `odds`: the least chance to win, in per cent, for an attack.
    """

    TITLE: ClassVar = "A leader tries to react (R7.2)"
    ASKED: ClassVar = (
        Stretch(parts.UnitPart("leader"), _leader),
        Stretch(parts.MembersPart("companions", WITH), _companions),
        _choice(parts.ChoicePart("way", {way: way for way in WAYS}), WAYS, "R7.4", "attack, to or inside", str),
        Stretch(GoalsPart(), _goals),
        MOVERS,
        _hexes(
            "R7.1", f"more than {REACTION} MP from him", lambda who, said: reacts_at(who.pos, said["leader"], who.side)
        ),
        _choice(parts.NumberPart("within", "MP", WITHIN, REACTION), tuple(range(REACTION, 0, -1)), "R7.1", "1 to 3 MP"),
        STRENGTH,
        GAIN,
    )
    ANSWERS: ClassVar = (ReactionWindow, Reacting, Passing)
    COVERS: ClassVar = ("react",)
    leader: LeaderId
    companions: tuple[LeaderId, ...] = ()
    way: str = ATTACK
    goals: tuple[Hex, ...] = ()
    within: int = REACTION
    odds: int = 0

    def sentence(self, names: Names) -> str:
        group = f" with {names.units(self.companions)}" if self.companions else ""
        hexes = _either(names.hex(here) for here in self.goals)
        way = {ATTACK: "to attack", GO: f"to {hexes}", INSIDE: f"into {hexes}"}[self.way]
        near = f" within {self.within} MP" if self.within != REACTION else ""
        odds = f", if he wins {self.odds} % of the time" if self.odds else ""
        return f"{names.unit(self.leader)}{group} reacts to {self.against(names)}{near} {way}{odds} (R7)"

    def named(self) -> tuple[LeaderId, ...]:
        return (self.leader, *self.companions)

    def covers(self, later: SaidClause) -> bool:
        if not super().covers(later) or not isinstance(later, ReactClause):
            return False
        if self.leader != later.leader or self.within < later.within:  # who has tried leaves the answer to others
            return False
        return not self.odds or (self.companions == later.companions and self.odds <= later.odds)

    def is_about(self, question: AskedDecision, frame: Frame) -> bool:
        if not super().is_about(question, frame):
            return False
        unit = question.pos.units[self.leader]
        ways = reaction_range(question.pos, frame.hex, question.side)
        return unit.hex in ways and ways[unit.hex][0] <= self.within

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        """Try to react; after success choose the way, without actions on it (V3.4)."""
        if isinstance(frame, ReactionWindow):
            return super().answer(question, frame)
        if frame.group[0] != self.leader:
            return None
        if isinstance(frame, Passing):
            return Done()
        window = next(one for one in reversed(question.pos.frames) if isinstance(one, ReactionWindow))
        if not self.is_about(question, window):
            return None
        way = self._way(frame.hex, question.legal)
        return Surprise(f"The path of {question.quote(self)} is blocked (R7.4)") if way is None else way

    def decide(self, question: AskedDecision, frame: Frame) -> Said:
        if self.leader in frame.leaders_tried(question.pos):
            question.is_spent = True
            return None
        if not self.fits(question, frame.hex, self.odds):
            question.why_not = f"the odds are worse than {question.quote(self)} demands"
            return None
        ahead = Reacting(question.side, frame.hex, self.named())
        if self._way(frame.hex, LegalSet(lambda: ahead.script(question.pos, question.side))) is None:
            return Surprise(f"{question.names.unit(self.leader)} has no path that fits {question.quote(self)}")
        return React(self.leader, self.companions)

    def _way(self, here: Hex, legal: LegalSet) -> Action | None:
        for goal in (here,) if self.way == ATTACK else self.goals:
            try:
                move = legal.fill(_Walk(goal, self.way == INSIDE).reply)
            except ValueError:  # the rules do not let it lead there
                continue
            if move is not None:
                return move
        return None


class _Walk:
    """Answers the questions of a reaction move so that it reaches a goal."""

    def __init__(self, goal: Hex, inside: bool) -> None:
        self.goal = goal
        self.inside = inside
        self.left: list[Hex] | None = None

    def reply(self, slot: Slot) -> Token | None:
        """Return an answer; None if the goal is out of reach."""
        if slot.name != "path":
            return "move" if slot.name == "do" else int(self.inside)
        if self.left is None:
            pace = slot.about
            assert isinstance(pace, Pace)
            found = reach(pace)
            if self.goal != pace.here and self.goal not in found:
                return None
            self.left = [] if self.goal == pace.here else path_to(found, pace.here, self.goal)
        return self.left.pop(0) if self.left else STOP


class ShareClause(AgainstForce, kw_only=True, tag="share"):
    """Share the hex with an enemy who has entered it without attacking (R6.1)."""

    TITLE: ClassVar = "Share the hex with the enemy (R6.1)"
    ASKED: ClassVar[tuple[Stretch, ...]] = (MOVERS, SHARED, STRENGTH)
    ANSWERS: ClassVar = (Rousing,)
    COVERS: ClassVar = ("share", "attack")

    def sentence(self, names: Names) -> str:
        return f"Share the hex with {self.against(names)} (R6.1)"


class AttackClause(AgainstForce, kw_only=True, tag="attack"):
    """Try to attack, at these odds or better (R6.1)."""

    TITLE: ClassVar = "Try to attack an enemy in the same hex (R6.1)"
    ASKED: ClassVar = (MOVERS, SHARED, STRENGTH, GAIN)
    ANSWERS: ClassVar = (Rousing,)
    COVERS: ClassVar = ("share", "attack")
    odds: int = 0

    def sentence(self, names: Names) -> str:
        odds = f", if it wins {self.odds} % of the time" if self.odds else ""
        return f"Attack in the same hex on {self.against(names)}{odds} (R6.1)"

    def covers(self, later: SaidClause) -> bool:
        is_likelier = not self.odds or (isinstance(later, AttackClause) and self.odds <= later.odds)
        return super().covers(later) and is_likelier

    def decide(self, question: AskedDecision, frame: Frame) -> Said:
        return Attack() if self.fits(question, frame.hex, self.odds) else None


class JoinClause(SaidClause, kw_only=True, tag="join"):
    """The leaders who come out to join a battle (R6.3): none, all, or those of a list who are there."""

    TITLE: ClassVar = "Leaders who come out to join a battle (R6.3)"
    ASKED: ClassVar = (Stretch(WhoPart(), _joining),)
    ANSWERS: ClassVar = (Joining,)
    who: str = NONE
    leaders: tuple[LeaderId, ...] = ()

    def sentence(self, names: Names) -> str:
        who = {NONE: "No leader", ALL: "All leaders inside"}.get(self.who) or names.units(self.leaders)
        return f"{who} {'come' if self.who != NONE else 'comes'} out to join a battle (R6.3)"

    def named(self) -> tuple[LeaderId, ...]:
        return self.leaders

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        if self.who == NONE:
            return Hold()
        leaders = tuple(n for n in frame.able(question.pos) if self.who == ALL or n in self.leaders)
        return Join(leaders) if leaders else Hold()


class ConcentrateClause(SaidClause, kw_only=True, tag="concentrate"):
    """The declaration in a battle, if it can be paid (R12.2, V3.3)."""

    TITLE: ClassVar = "Concentration in battle (R12.2, V3.3)"
    ASKED: ClassVar = (
        _choice(
            parts.ChoicePart("concentrate", {"yes": True, "no": False}, "flag"), (0, 1), "R12.2", "yes or no", bool
        ),
        Stretch(parts.FlagPart("intense", "intensity"), _intensity),
    )
    ANSWERS: ClassVar = (Declaring,)
    concentrate: bool
    intense: bool = False

    def sentence(self, names: Names) -> str:
        parts = ["concentration"] * self.concentrate + ["high intensity"] * self.intense
        if not parts:
            return "Declare nothing in battle (R12.2)"
        return f"Declare {' and '.join(parts)} in battle if it can be paid (R12.2)"

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        choices = frame.choices(question.pos)
        tried = ((self.concentrate, self.intense), (self.concentrate, False), (False, self.intense))
        first = next((one for one in tried if one in choices and any(one)), None)
        return Declare(*first) if first is not None else Hold()


class BreakOffClause(SaidClause, kw_only=True, tag="break-off"):
    """The losses, in per cent of the first TP, at which a battle is broken off (R12.8)."""

    TITLE: ClassVar = "When to break off a battle (R12.8)"
    ASKED: ClassVar = (
        _choice(ShareOfLossesPart(), (*range(0, 101, STEP), NEVER), "R12.8", "0 to 100 per cent, by fives, or never"),
    )
    ANSWERS: ClassVar = (Leaving,)
    at: int = NEVER

    def sentence(self, names: Names) -> str:
        if self.at == NEVER:
            return "Never break off a battle (R12.8)"
        return f"Break off a battle after losing {self.at} % of the TP (R12.8)"

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        host = current(question.pos).host(question.side)
        return Withdraw() if 100 * host.lost >= self.at * host.began else Hold()


class LossesClause(SaidClause, kw_only=True, tag="losses"):
    """Losses follow the largest remainder (R12.6, V6.1)."""

    TITLE: ClassVar = "Losses by the largest remainder (R12.6)"
    SENTENCE: ClassVar = "Spread losses by the largest remainder (R12.6, V6.1)"
    ASKED: ClassVar = (Stretch(parts.WordPart("by-share"), _nothing),)
    ANSWERS: ClassVar = (Spreading,)

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        return question.legal.default()


class FeedClause(SaidClause, kw_only=True, tag="feed"):
    """Feed forces that can pay, or never (R9.7, V3.5)."""

    TITLE: ClassVar = "Feeding in step H (R9.7)"
    ASKED: ClassVar = (
        _choice(
            parts.ChoicePart("feed", {"always": True, "never": False}, "flag"), (0, 1), "R9.7", "always, or never", bool
        ),
    )
    ANSWERS: ClassVar = (Feeding,)
    feed: bool

    def sentence(self, names: Names) -> str:
        return f"Forces in need are {'fed' if self.feed else 'not fed'} where they could be (R9.7)"

    def answer(self, question: AskedDecision, frame: Frame) -> Said:
        return Feed() if self.feed else Starve()


CLAUSES: Final[Mapping[str, type[SaidClause]]] = {
    str(clause.__struct_config__.tag): clause
    for clause in (
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
}
"""The clauses by the first word of their line."""
GRAMMAR: Final[Grammar[Clause]] = {
    word: ActionGrammar(clause, tuple(asked.part for asked in clause.ASKED)) for word, clause in CLAUSES.items()
}
UNSAID: Final[ByKind[Decision, AskedDecision, Said]] = {
    ReactionWindow: lambda asked, frame: (
        Hold()
        if asked.is_spent
        else asked.neutral_or_surprise(
            f"{begun(asked.names.unit(frame.mover))} comes to {asked.names.hex(frame.hex)}, and {asked.why_not} (R7.1)"
        )
    ),
    Reacting: lambda asked, frame: Surprise(f"No clause says where {asked.names.unit(frame.group[0])} goes (R7.4)"),
    Passing: lambda asked, frame: Surprise("No clause says what to do on the way (V3.4)"),
    Rousing: lambda asked, frame: asked.neutral_or_surprise(
        f"The enemy shares {asked.names.hex(frame.hex)}, and no clause says what to do (R6.1)"
    ),
    Joining: lambda asked, frame: asked.neutral_or_surprise("No clause says who joins in the battle (R6.3)"),
    Declaring: lambda asked, frame: asked.neutral_or_surprise("No clause says whether to concentrate (R12.2)"),
    Leaving: lambda asked, frame: asked.neutral_or_surprise("No clause says when to break a battle off (R12.8)"),
    Losses: lambda asked, frame: asked.neutral_or_surprise("No clause says who bears the losses (R12.6)"),
    Retreating: lambda asked, frame: Surprise(f"A force has to retreat from {asked.names.hex(frame.hex)} (R12.9)"),
}
"""The answers without a clause, by the decisions that the opponent's activity may raise."""


def clause_script(who: Asker) -> Script[Clause]:
    kinds = [kind for kind, clause in CLAUSES.items() if clause is not ReactClause or able(who.pos, who.side)]
    kind = yield Slot("do", kinds, lambda token: Refusal("R7.1", "none of your leaders could react"))
    return (yield from CLAUSES[str(kind)].script(who))
