"""Words of cases that all rule sets share: positions and facts as text (docs/cases.md).

A rule set adds its own words in a `CaseBook`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias

from typing_extensions import TypeVar

from leuthen.engine.refusal import Invalid, number_of, read_number, require, shorten
from leuthen.engine.ruleset import CHANCE, EVERYTHING, Ruleset, Transition, ViewerId, as_viewer
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import NO_BOUND, LeaderId, PowerId
from leuthen.wargame.war import TURNS

WATCHER: Final = "watcher"
DENIALS: Final = ("no", "not")
DIE: Final = 6
TWO_DICE: Final = 12
YEARS: Final = (1756, 1762)
_DIGITS: Final = 6  # digits of a number in a case: `since 175704` is a year with its turn


class BadLine(Invalid):
    """An invalid line of GIVEN; `line` is its number."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


class Given(NamedTuple):
    """The position at the first decision, the transition that led to it, and dice with their lines."""

    transition: Transition
    dice: tuple[tuple[int, str], ...]


class Unexpected(Exception):
    """A fact that is not as expected; the text states both."""


D = TypeVar("D", default=Any)  # a rule set's data
D_contra = TypeVar("D_contra", default=Any, contravariant=True)
S = TypeVar("S", default=Any)  # a rule set's states


class CaseMoment(NamedTuple, Generic[D, S]):
    """A position, the transitions since the last action, and a bit mask of viewers who learned something hidden."""

    ruleset: Any  # a rule set with a presenter
    data: D
    state: S
    steps: Sequence[Transition]
    learned: int


class CaseBook(Protocol[D_contra]):
    """The words of a rule set's cases."""

    def build_position(self, data: D_contra, given: Sequence[tuple[int, str]]) -> Given:
        """Return the position that numbered lines describe. Raise BadLine."""

    def check(self, moment: CaseMoment, text: str) -> None:
        """Check one statement of EXPECT. Raise Unexpected, or Invalid if it is invalid."""

    def answers(self, data: D_contra, text: str) -> list[str]:
        """Return the answers of chance in a line of DICE, as order lines. Raise Invalid."""


def expect(expected: str, found: str) -> None:
    """Raise Unexpected if two texts differ."""
    if expected != found:
        raise Unexpected(f"expected {expected or 'nothing'}; it is {found or 'nothing'}")


def judge(found: bool, deny: bool, what: str) -> None:
    """Raise Unexpected if a denied fact holds, or an affirmed one does not."""
    if found == deny:
        raise Unexpected(f"expected {'not ' if deny else ''}{what}; it is{' not' if deny is False else ''} so")


class CaseWords:
    """The words of a line. Methods that read a word raise Invalid if it does not fit."""

    def __init__(self, book: NameBook, text: str) -> None:
        self.book = book
        self.words = text.split()

    def next(self, what: str) -> str:
        require(self.words, f"{what} is missing at the end")
        return self.words.pop(0)

    def has(self, *words: str) -> str:
        """Take the next word if it is one of these; else return ""."""
        return self.words.pop(0) if self.words and self.words[0] in words else ""

    def rest(self) -> str:
        text = " ".join(self.words)
        self.words = []
        return text

    def end(self) -> None:
        """Raise Invalid if any words remain."""
        require(not self.words, f'"{" ".join(self.words[:1])}" is not understood here')

    def choose(self, words: Sequence[str], what: str) -> int:
        """Return the index of the next word among these."""
        text = self.next(what)
        require(text in words, f'"{text}" is not a valid {what}: {", ".join(words)}')
        return words.index(text)

    def number(self, what: str) -> int:
        text = self.next(what)
        number = read_number(text.removeprefix("-"), what, _DIGITS)
        return -number if text.startswith("-") else number

    def within(self, what: str, least: int, most: int) -> int:
        found = self.number(what)
        require(least <= found <= most, f"{what.removeprefix('a ')} {found} cannot be: {least} to {most}")
        return found

    def year(self) -> int:
        return self.within("a year", *YEARS)

    def turn(self) -> int:
        return self.within("a turn", 1, TURNS)

    def read_optional_number(self) -> int | None:
        """Return the next word as a number; None if it is not one."""
        number = number_of(self.words[0]) if self.words else None
        if number is not None:
            self.words.pop(0)
        return number

    def power(self) -> PowerId:
        return self.book.powers.find(self.next("a power"))

    def is_power(self) -> bool:
        return bool(self.words and self.book.powers.find_exact(self.words[0]))

    def is_hex(self) -> bool:
        return bool(self.words) and (self.words[0][:1].isdigit() or self.book.towns.take([*self.words]) is not None)

    def hex(self) -> Hex:
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        here = self.book.towns.take(self.words)
        if here is None:
            raise Invalid(f'"{self.words[0]}" is not a valid hex or town')
        return here

    def leader(self, others: Iterable[str] = ()) -> LeaderId:
        """Return a leader; the error also lists `others`, words that may come here."""
        leader = self.book.leaders.take(self.words)
        if leader is None:
            known = f"none of {', '.join(others)}" if others else "no word for here"
            raise Invalid(f'"{self.next("a leader")}" is not understood: no leader of this game, and {known}')
        return leader

    def leaders(self) -> tuple[LeaderId, ...]:
        found: list[LeaderId] = []
        while self.words:
            found.append(self.leader())
        return tuple(found)


def die_of(text: str, most: int = DIE) -> str:
    """Return a roll of one die, or of two. Raise Invalid."""
    if not 1 <= (number_of(text, 2) or 0) <= most:
        two = f", two together 2 to {most}" if most > DIE else ""
        raise Invalid(f'"{shorten(text)}" is not a valid roll: a die shows 1 to {DIE}{two}')
    return text


def dice_and_leaders(book: NameBook, text: str) -> list[str]:
    """Return the answers of chance for dice and for leaders who are drawn. Raise Invalid."""
    words, found = text.split(), list[str]()
    while words:
        if words[0][:1].isdigit():
            found.append(f"roll {die_of(words.pop(0))}")
            continue
        leader = book.leaders.take(words)
        if leader is None:
            raise Invalid(f'"{words[0]}" is neither a die nor a leader')
        found.append(f"draw {book.leaders.names[leader]}")
    return found


def read_band(text: str) -> tuple[int, int]:
    """Return the bounds of a strength: "8", "3-8", "3+". Raise Invalid."""
    low, dash, high = text.rstrip("+").partition("-")
    least, most = number_of(low), number_of(high if dash else low)
    if least is None or most is None:
        raise Invalid(f'"{shorten(text)}" is not a valid strength: 8, 3-8 or 3+ is expected')
    return least, NO_BOUND if text.endswith("+") else most


def band_text(low: int, high: int) -> str:
    """Return the bounds of a strength as text, as `read_band` reads it."""
    if low == high:
        return str(low)
    return f"{low}+" if high == NO_BOUND else f"{low}-{high}"


def viewers_of(ruleset: Ruleset) -> tuple[str, ...]:
    return (*ruleset.sides, WATCHER)


def actors_of(ruleset: Ruleset) -> tuple[str, ...]:
    return (*ruleset.sides, "chance")


def check_event(moment: CaseMoment, text: str) -> None:
    """Check an event as a viewer sees it: `event "text"`, `no event "text"`, `event austria "text"`."""
    head, said, rest = (part.strip() for part in (*text.split('"'), "", "")[:3])
    words = head.split()
    deny = bool(words) and words[0] in DENIALS
    del words[:deny]
    require(words[:1] == ["event"] and not rest, 'event "text" is expected')
    viewer: ViewerId = EVERYTHING
    if words[1:]:
        known = viewers_of(moment.ruleset)
        require(words[1] in known, f'"{words[1]}" is not a valid viewer: {", ".join(known)}')
        viewer = as_viewer(known.index(words[1]))
    require(not words[2:], f'"{" ".join(words[2:3])}" is not understood here')
    events = (event for step in moment.steps for event in step.events(viewer))
    told = [moment.ruleset.presenter.present_event(event).sentence for event in events]
    if any(said in line for line in told) == deny:
        raise Unexpected(f'{"no " if deny else ""}event "{said}" was expected; there were: {" / ".join(told)}')


def asked_text(ruleset: Ruleset, state: object) -> str:
    """Return the pending decisions, each with the word that ends it: `prussia March (done ends it)`."""
    asked = []
    for one in ruleset.pending(state):
        who, order = f"{actors_of(ruleset)[one.actor]} {one.decision}", " "
        if one.actor != CHANCE:
            order = ruleset.format_action(state, one.actor, ruleset.legal_actions(state, one.actor).default())
        asked.append(who if " " in order else f"{who} ({order} ends it)")
    return ", ".join(asked) or "nobody"


def check_pending(moment: CaseMoment, words: CaseWords, deny: bool) -> None:
    """Check `pending prussia March`, `pending nobody` when the game has ended, or `no pending austria`."""
    actors = actors_of(moment.ruleset)
    asked = {actors[one.actor]: one.decision for one in moment.ruleset.pending(moment.state)}
    who = words.next("an actor")
    what = words.rest()
    found = asked_text(moment.ruleset, moment.state)
    require(who in (*actors, "nobody"), f'"{who}" is none of {", ".join(actors)}, nobody')
    met = not asked if who == "nobody" else who in asked and what.casefold() in ("", asked[who].casefold())
    if met == deny:
        raise Unexpected(f"expected {'no ' if deny else ''}pending {who} {what}".rstrip() + f"; asked is {found}")


def check_outcome(moment: CaseMoment, words: CaseWords, deny: bool) -> None:
    """Check `outcome prussia decisive C12.3`, `outcome draw` or `no outcome`; later words may be omitted."""
    outcome = moment.state.outcome
    said, found = words.rest(), ""
    if outcome is not None:
        winner = "draw" if outcome.winner is None else moment.ruleset.sides[outcome.winner]
        found = f"{winner} {outcome.how} {outcome.rule}"
    told, wanted = found.split(), said.split()
    if deny or not (outcome is not None and wanted[:1] == told[:1] and {*wanted} <= {*told}):
        expect("no outcome" if deny else f"outcome {said}", f"outcome {found}" if found else "no outcome")


def check_learned(moment: CaseMoment, words: CaseWords, deny: bool) -> None:
    """Check whether a viewer learned something hidden by the last action: `learned austria`, `no learned watcher`."""
    viewers = viewers_of(moment.ruleset)
    viewer = words.choose(viewers, "viewer")
    judge(bool(moment.learned >> viewer & 1), deny, f"learned {viewers[viewer]}")


W = TypeVar("W", bound=CaseWords)
OwnWords: TypeAlias = Any  # the rule set's own subclass of CaseWords
Fact = Callable[[CaseMoment, OwnWords, bool], None]
"""Check of a fact: the moment, the rest of the line, and whether it is denied."""


def number_fact(name: str, number: Callable[[CaseMoment, OwnWords], object], *asked: str) -> Fact:
    """Return the check of one or more numbers, such as `vp 8 7`; `asked` describes each of them. A denied one is 0."""

    def check(moment: CaseMoment, words: CaseWords, deny: bool) -> None:
        found, wanted = number(moment, words), [0 if deny else words.number(what) for what in asked]
        told = found if isinstance(found, tuple) else (found,)
        expect(f"{name} {' '.join(map(str, wanted))}", f"{name} {' '.join(map(str, told))}")

    return check


def field_fact(name: str, *asked: str) -> Fact:
    return number_fact(name, lambda moment, words: getattr(moment.state, name), *asked)


def text_fact(wanted: Callable[[OwnWords], str], found: Callable[[CaseMoment], str]) -> Fact:
    return lambda moment, words, deny: expect(wanted(words), found(moment))


def hex_fact(name: str, is_so: Callable[[CaseMoment, OwnWords, Hex], bool]) -> Fact:
    """Return the check of a hex, such as `zone 1623` or `besieged 1623 prussia`; `is_so` reads the rest."""

    def check(moment: CaseMoment, words: CaseWords, deny: bool) -> None:
        here = words.hex()
        judge(is_so(moment, words, here), deny, f"{name} {hex_name(here)}")

    return check


def sets(name: str, read: Callable[[OwnWords], object]) -> Callable[..., None]:
    """Return a handler of GIVEN that sets a field of the draft."""
    return lambda to, words, *line: setattr(to.draft, name, read(words))


def pair_of(*asked: str) -> Callable[[CaseWords], tuple[int, ...]]:
    """Return a reader of as many numbers as `asked` describes."""
    return lambda words: tuple([words.number(what) for what in asked])


DENIABLE: Final[Mapping[str, Fact]] = {"pending": check_pending, "outcome": check_outcome, "learned": check_learned}
PLAIN: Final[Mapping[str, Fact]] = {"year": field_fact("year", "a year"), "turn": field_fact("turn", "a turn")}


def check_fact(
    moment: CaseMoment,
    text: str,
    words: W,
    deniable: Mapping[str, Fact],
    plain: Mapping[str, Fact],
    check_other: Callable[[CaseMoment, W], None],
    is_other: Callable[[W], bool],
    others: str,
) -> None:
    """Check one statement: an event, a fact, or one of the rule set's own statements (`others`).

    Raise Unexpected, or Invalid if it is invalid.
    """
    if '"' in text:
        check_event(moment, text)
        return
    deny = bool(words.has(*DENIALS))
    word = words.words[0] if words.words else ""
    require(word, "a fact is missing")
    require(not deny or word in deniable, f'"{word}" cannot be denied: say what is')
    fact = deniable.get(word) or plain.get(word)
    if fact is not None:
        words.words.pop(0)
        fact(moment, words, deny)
    elif is_other(words):
        check_other(moment, words)
    else:
        known = ", ".join(sorted({*deniable, *plain, "event"}))
        raise Invalid(f'"{words.words[0]}" is not a valid {others}, and none of the facts {known}')
    words.end()
