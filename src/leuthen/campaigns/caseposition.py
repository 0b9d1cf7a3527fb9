"""A position from the GIVEN lines of a case (docs/cases.md). Pure: lines in, a position out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from leuthen.campaigns.casewords import CHIT, ROSTER_WORDS, STATUS_WORDS, STEPS, Words
from leuthen.campaigns.forces import side_of
from leuthen.campaigns.gamedata import GameData
from leuthen.campaigns.gameoptions import OPTIONS, options_of
from leuthen.campaigns.rules.battle import Battle
from leuthen.campaigns.rules.command import Command, Orders
from leuthen.campaigns.rules.lone import settle
from leuthen.campaigns.rules.sequence import GameTurn, War
from leuthen.campaigns.rules.setup import blank, new_position
from leuthen.campaigns.rules.supply import is_near
from leuthen.campaigns.state import (
    CAPTIVE,
    COMING,
    HUNGRY,
    ON_MAP,
    PAID,
    TURNS,
    Captive,
    Coming,
    Depot,
    Draft,
    Siege,
    Unit,
    of_side,
)
from leuthen.core.casework import BadLine, Given
from leuthen.core.door import chosen_options, run_sequence
from leuthen.core.refusal import Invalid
from leuthen.core.ruleset import Transition
from leuthen.core.strength import bag

FLAGS: Final = ("inside", "moved", "left", "forced", "cornered", "far")
NUMBERS: Final = ("sp", "moves", "hunger", "rolls")
FODDER: Final = {"hungry": HUNGRY, "paid": PAID}
SPARE: Final = (1,)
"""The chits that are left in the cup if nothing is said of it: one, so that play rests there."""


class _Builder:
    """The position in the making."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.options: dict[str, str] = {}
        self.scenario = "1757"
        self.whole = False
        self.year, self.turn, self.first = 0, 4, False
        self.frames: tuple[Any, ...] = ()
        self.step = "F"
        self.chit = -1
        self.battle: Battle | None = None
        self.cup: tuple[int, ...] = SPARE
        self.dice: list[tuple[int, str]] = []
        self.draft: Draft
        self.starts: dict[int, int] = {}
        self.known_far: set[int] = set()

    def begin(self) -> None:
        """The calendar is known: an empty map, or a set-up."""
        options = options_of(chosen_options(OPTIONS, self.options))
        if self.whole:
            self.draft = new_position(self.data, self.scenario, options, (War(),))
            return
        self.draft = Draft(blank(self.data, self.scenario, options))
        self.draft.year = self.year or self.draft.year
        self.draft.turn = self.turn
        self.draft.first = self.draft.clock if self.first else -1


def build_position(data: GameData, given: Sequence[tuple[int, str]]) -> Given:
    """The position that these lines (number and text) describe. Raises BadLine."""
    to = _Builder(data)
    lines = [(number, Words(data, text)) for number, text in given]
    _pass(to, lines, _EARLY)
    to.begin()
    _pass(to, lines, _LATE)
    for number, words in lines:
        if words.words:
            raise BadLine(number, f"«{words.words[0]}» is not understood: a leader, a nation or one of {_known()}")
    return _finish(to)


_Handler = Callable[[_Builder, Words, int], None]


def _pass(to: _Builder, lines: Sequence[tuple[int, Words]], handlers: Mapping[str, _Handler]) -> None:
    """The handlers of this pass read what is theirs; several words of the calendar may stand in one line."""
    for number, words in lines:
        try:
            while words.words and (kind := _kind(words)) in handlers:
                if kind in handlers and kind not in ("unit", "status"):
                    words.next("a word")
                handlers[kind](to, words, number)
                if handlers is _LATE:
                    words.end()
        except Invalid as error:
            raise BadLine(number, str(error)) from error


def _kind(words: Words) -> str:
    first, second = words.words[0], " ".join(words.words[1:2])
    if first in _EARLY or first in _LATE:
        return first
    if words.is_power() and second in STATUS_WORDS:
        return "status"
    return "unit" if words.is_unit() else ""


def _known() -> str:
    return ", ".join(sorted({*_EARLY, *_LATE} - {"unit", "status"}))


def _year(to: _Builder, words: Words, line: int) -> None:
    to.year = words.number("a year")


def _turn(to: _Builder, words: Words, line: int) -> None:
    to.turn = words.number("a turn")


def _first(to: _Builder, words: Words, line: int) -> None:
    to.first = True


def _scenario(to: _Builder, words: Words, line: int) -> None:
    to.scenario = words.next("a scenario")
    if to.scenario not in to.data.scenarios:
        raise Invalid(f"«{to.scenario}» is no scenario: {', '.join(to.data.scenarios)}")


def _setup(to: _Builder, words: Words, line: int) -> None:
    to.whole = True


def _option(to: _Builder, words: Words, line: int) -> None:
    name, _, value = words.next("an option").partition("=")
    to.options[name] = value
    chosen_options(OPTIONS, to.options)


def _step(to: _Builder, words: Words, line: int) -> None:
    to.step = STEPS[words.choose(tuple(STEPS), "step")]


def _chit(to: _Builder, words: Words, line: int) -> None:
    to.chit = words.chit()


def _cup(to: _Builder, words: Words, line: int) -> None:
    """`cup prussia-2 coalition-1`, `cup empty`: what is left in it."""
    found: list[int] = []
    if not words.has("empty"):
        while words.words and "-" in words.words[0]:
            found.append(words.chit())
    to.cup = tuple(sorted(found))


def _die(to: _Builder, words: Words, line: int) -> None:
    to.dice.append((line, str(words.number("a die"))))


def _battle(to: _Builder, words: Words, line: int) -> None:
    """`battle 1632 prussia [march|reaction|sortie|rousing] [from 1633] [crossed]`: it is about to begin."""
    here, side = words.hex(), words.side()
    how = words.has("march", "reaction", "sortie", "rousing") or "rousing"
    came = words.hex() if words.has("from") else -1
    to.battle = Battle(here, side, how, came, bool(words.has("crossed")))


def _status(to: _Builder, words: Words, line: int) -> None:
    nation = words.power()
    to.draft.set_status(nation, words.choose(STATUS_WORDS, "status"))


def _unit(to: _Builder, words: Words, line: int) -> None:
    """`Keith 1821 inside 20 sp 2 moved`, `P1 1821 4`: a leader with TP, a wagon with SP."""
    number, here = words.leader(), words.hex()
    if not to.data.board.in_play(here):
        raise Invalid("nobody can stand in that hex (R5.4)")
    if number in to.draft.units:
        raise Invalid(f"{to.data.leaders[number].name} is in two places")
    values: dict[str, Any] = {}
    is_wagon, nation = to.data.is_wagon(number), to.data.leaders[number].nation
    while words.words:
        points = words.maybe_number()
        if points is not None:
            values["sp" if is_wagon else "tp"] = points if is_wagon else bag(nation, points)
        elif words.has("start"):
            to.starts[number] = words.hex()
        else:
            _mark(to, words, values, nation)
    if values.get("inside") and here not in to.data.strongholds:
        raise Invalid("there is no stronghold to be inside")
    if values.pop("far", False):
        to.known_far.add(number)
    to.draft.put(Unit(number, here, **values))
    if not is_wagon:
        to.draft.set_roster(number, ON_MAP)


def _mark(to: _Builder, words: Words, values: dict[str, Any], nation: int) -> None:
    """What else is said of a unit; `shaken 3`, `daunted 3`: since that turn of the year, `demoralized 3`: both."""
    mark = words.has(*FLAGS, *NUMBERS, *FODDER, "shaken", "daunted", "demoralized", "men")
    if not mark:
        raise Invalid(f"«{words.next('a mark')}» is not understood here")
    if mark in FLAGS:
        values[mark] = True
    elif mark in NUMBERS:
        values[mark] = words.number(mark)
    elif mark in FODDER:
        values["fodder"] = FODDER[mark]
    elif mark == "men":
        values["tp"] = bag(nation, words.number("a number of freed men"))
    else:
        since = (to.draft.year - 1756) * TURNS + words.number("a turn")
        for name in ("shaken", "daunted"):
            if mark in (name, "demoralized"):
                values[name] = since


def _garrison(to: _Builder, words: Words, line: int) -> None:
    """`garrison 1623 4 Prussia`: it controls the place too, unless something else is said."""
    here, tp = words.hex(), words.tp()
    if here not in to.data.strongholds:
        raise Invalid("there is no stronghold")
    to.draft.set_garrison(here, tp)
    to.draft.set_owner(here, side_of(tp))


def _freed(to: _Builder, words: Words, line: int) -> None:
    to.draft.set_freed(words.hex(), words.tp())


def _owner(to: _Builder, words: Words, line: int) -> None:
    """`owner 1623 prussia`, `owner all prussia`."""
    if words.has("all"):
        side = words.side()
        for place in to.data.strongholds:
            to.draft.set_owner(place, side)
        return
    here = words.hex()
    if here not in to.data.strongholds:
        raise Invalid("there is no stronghold")
    to.draft.set_owner(here, words.side())


def _depot(to: _Builder, words: Words, line: int) -> None:
    """`depot Prussia 1623 [cut 2]`."""
    nation, here = words.power(), words.hex()
    to.draft.set_depot(here, Depot(nation, words.number("steps") if words.has("cut") else 0))


def _siege(to: _Builder, words: Words, line: int) -> None:
    """`siege 1623 turns 2 breaches 1 shut 3`."""
    here, found = words.hex(), dict.fromkeys(("turns", "breaches", "shut"), 0)
    while name := words.has(*found):
        found[name] = words.number(name)
    to.draft.set_siege(here, Siege(**found))


def _prisoners(to: _Builder, words: Words, line: int) -> None:
    """`prisoners prussia 3 Austria`: held by the Prussian side."""
    side = words.side()
    to.draft.prisoners = of_side(to.draft.prisoners, side, words.tp())


def _captive(to: _Builder, words: Words, line: int) -> None:
    """`captive prussia Browne [senior]`: held by the Prussian side."""
    side, leader = words.side(), words.leader()
    held = (*to.draft.captives[side], Captive(leader, bool(words.has("senior"))))
    to.draft.captives = of_side(to.draft.captives, side, held)
    to.draft.set_roster(leader, CAPTIVE)


def _coming(to: _Builder, words: Words, line: int) -> None:
    """`coming 5 Prussia due 6`, `coming Keith due 6`: on that turn of the year."""
    points = words.maybe_number()
    leader = words.leader() if points is None else -1
    nation = words.power() if points is not None else to.data.leaders[leader].nation
    if not words.has("due"):
        raise Invalid("«due» and a turn are expected")
    due = (to.draft.year - 1756) * TURNS + words.number("a turn")
    to.draft.coming = (*to.draft.coming, Coming(due, nation, points or 0, leader))
    if leader >= 0:
        to.draft.set_roster(leader, COMING)


def _leader(to: _Builder, words: Words, line: int) -> None:
    number = words.leader()
    to.draft.set_roster(number, words.choose(ROSTER_WORDS, "place of a leader"))


def _last_battle(to: _Builder, words: Words, line: int) -> None:
    to.draft.last_battle = words.side()


def _conquered(to: _Builder, words: Words, line: int) -> None:
    to.draft.conquered |= {words.power()}


def _joined(to: _Builder, words: Words, line: int) -> None:
    """`joined France 1757 1`: it joined in that year and turn."""
    nation = words.power()
    to.draft.set_joined(nation, (words.number("a year") - 1756) * TURNS + words.number("a turn"))


def _raised(to: _Builder, words: Words, line: int) -> None:
    raised, nation = list(to.draft.raised), words.power()
    raised[nation] = words.number("a number of TP")
    to.draft.raised = tuple(raised)


def _pair(name: str) -> _Handler:
    def read(to: _Builder, words: Words, line: int) -> None:
        setattr(to.draft, name, (words.number("a number"), words.number("a number")))

    return read


_EARLY: Final[Mapping[str, _Handler]] = {
    "year": _year,
    "turn": _turn,
    "first": _first,
    "scenario": _scenario,
    "setup": _setup,
    "option": _option,
    "step": _step,
    "chit": _chit,
    "cup": _cup,
    "die": _die,
    "battle": _battle,
}
_LATE: Final[Mapping[str, _Handler]] = {
    "status": _status,
    "unit": _unit,
    "garrison": _garrison,
    "freed": _freed,
    "owner": _owner,
    "depot": _depot,
    "siege": _siege,
    "prisoners": _prisoners,
    "captive": _captive,
    "coming": _coming,
    "leader": _leader,
    "last-battle": _last_battle,
    "conquered": _conquered,
    "joined": _joined,
    "raised": _raised,
    "battles": _pair("battles"),
    "killed": _pair("killed"),
}


def _finish(to: _Builder) -> Given:
    draft = to.draft
    if not to.whole:
        _take_snapshot(to)
        draft.frames = _frames(to)
        if to.chit >= 0:
            draft.phasing = to.chit // CHIT
    draft.touched, draft.known = set(), {}
    before = Draft(draft.freeze())
    run_sequence(before, settle)
    return Given(Transition(before.freeze(), tuple(before.facts), before.learned), tuple(to.dice))


def _take_snapshot(to: _Builder) -> None:
    """As in step F: who began where, and how far from depots (V3.5)."""
    draft = to.draft
    for number, unit in list(draft.units.items()):
        start = to.starts.get(number, -1 if unit.left else unit.hex)
        far = number in to.known_far or not is_near(draft, unit.hex, draft.side(number), unit.inside)
        draft.change(number, start=start, far=far)


def _frames(to: _Builder) -> tuple[Any, ...]:
    """The decisions in progress, so that play goes on by itself."""
    if to.chit < 0 and to.battle is None:
        return War(True), GameTurn(STEPS.index(to.step))
    inner = to.battle or Orders(*divmod(to.chit, CHIT))
    return War(True), GameTurn(STEPS.index("F") + 1), Command(to.cup), inner
