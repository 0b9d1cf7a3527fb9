"""A position from the GIVEN lines of a case (docs/cases.md). Pure: lines in, a position out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from leuthen.engine.fields import Values
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import NOBODY, Transition, as_side, as_viewer
from leuthen.engine.ruleset_base import chosen_options, run_sequence
from leuthen.engine.texts import brief, number_of
from leuthen.rulesets.campaigns.model import events
from leuthen.rulesets.campaigns.model.data import OPTIONS, SIDE_OF, GameData, options_of
from leuthen.rulesets.campaigns.model.decisions import Decision
from leuthen.rulesets.campaigns.model.forces import SeenForce, side_of
from leuthen.rulesets.campaigns.model.knowledge import update_knowledge
from leuthen.rulesets.campaigns.model.pieces import (
    CAPTIVE,
    COMING,
    HUNGRY,
    NEUTRAL,
    ON_MAP,
    PAID,
    TURNS,
    Captive,
    Coming,
    Depot,
    Siege,
    Sight,
    Unit,
)
from leuthen.rulesets.campaigns.model.state import ROSTER_WORDS, STATUS_WORDS, Draft, Position, State, of_side
from leuthen.rulesets.campaigns.rules.r02_stragglers import resolve_hexes
from leuthen.rulesets.campaigns.rules.r03_sequence import GameTurn, War
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r09_supply import is_near
from leuthen.rulesets.campaigns.rules.r12_battle.battle import Battle
from leuthen.rulesets.campaigns.rules.r18_setup import blank, home_side, new_position
from leuthen.wargame import case_words
from leuthen.wargame.board import NOWHERE, Hex, StackKey, hex_name, stack_key
from leuthen.wargame.case_words import (
    TWO_DICE,
    BadLine,
    CaseWords,
    Fact,
    Given,
    band_text,
    die_of,
    expect,
    judge,
    pair_of,
    read_band,
    sets,
    viewers_of,
)
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, PowerId, bag, of, powers, total

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, State]
"""A position that is checked, with what led to it."""
SIDE_WORDS: Final = ("prussia", "coalition", "nobody")
STEPS: Final = "".join(events.STEPS)
BOTH: Final = ("the Prussian number", "the number of the Coalition")
CHIT: Final = 8
"""Of a side and a command in one number (R4.1)."""


class Words(CaseWords):
    """A line of this rule set, word by word."""

    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(data.book, text)
        self.data = data

    def side(self) -> Any:
        """A side, or NOBODY. Raises Invalid."""
        return self.choose(SIDE_WORDS, "side")

    def is_unit(self) -> bool:
        """Whether a leader or a wagon comes next."""
        return bool(self.words) and not self.words[0][:1].isdigit() and self.book.leaders.take(self.words) is not None

    def chit(self) -> int:
        """A chit: `prussia-3`. Raises Invalid."""
        side, _, command = self.next("a chit").partition("-")
        number = number_of(command, 1)
        if side not in SIDE_WORDS[:2] or number is None:
            raise Invalid(f"«{brief(side)}-{brief(command)}» is no chit: prussia-3 is expected")
        return SIDE_WORDS.index(side) * CHIT + number

    def tp(self) -> Bag:
        """`3 Austria 2 Russia`: all further words. Raises Invalid."""
        found = EMPTY
        while self.words:
            points = self.number("a number of TP")
            found += bag(self.power(), points)
        return found


def tp_text(data: GameData, tp: Bag) -> str:
    """`3 Austria 2 Russia`."""
    return " ".join(f"{of(tp, nation)} {data.nations[nation].name}" for nation in powers(tp)) or "0 TP"


def chit_text(chit: int) -> str:
    """`prussia-3`."""
    side, command = divmod(chit, CHIT)
    return f"{SIDE_WORDS[side]}-{command}"


PLACES: Final = ("field", "inside")


def give_sight(to: Builder, words: Words, line: int) -> None:
    """`known 1632 prussia field 8-12 [since 20]`: what the other side knows of a force."""
    key = _force(words)
    low, high = read_band(words.next("a strength"))
    since = words.number("a turn") if words.has("since") else 0
    to.draft.sights = {**to.draft.sights, key: Sight(low, high, since)}


def _force(words: Words) -> StackKey:
    here, side = words.hex(), words.side()
    return stack_key(here, side, words.choose(PLACES, "place") > 0)


def _known(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`known 1632 prussia field 8-12`: what the other side knows of a force; `no known 1632 prussia field`: nothing."""
    pos: Position = moment.state
    sight = pos.sights.get(_force(words))
    found = band_text(sight.low, sight.high) if sight is not None else "nothing"
    expect("known nothing" if deny else f"known {words.next('a strength')}", f"known {found}")
    if words.has("since"):
        expect(f"since {words.number('a turn')}", f"since {sight.since if sight is not None else 0}")


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """What a viewer sees of a force: `view coalition 1733 prussia field Prussia Keith known 4-9`, or `alone`.

    That is its colours, its commander, what he knows of its TP. `view coalition Keith 1733`: he sees Keith there.
    """
    view = moment.ruleset.view(moment.state, as_viewer(words.choose(viewers_of(moment.ruleset), "viewer")))
    if words.is_unit():
        number = words.leader()
        seen = {number: unit.hex for number, unit in view.units.items()}
        judge(number in seen, deny, f"view of {moment.data.leaders[number].name}")
        if words.words:
            expect(hex_name(words.hex()), hex_name(seen[number]))
        return
    key = _force(words)
    found = [_seen(moment, force) for force in view.stacks if force.key == key]
    expect("" if deny else " ".join(words.words), "".join(found))
    words.words = []


def _seen(moment: CaseMoment, force: SeenForce) -> str:
    """`Prussia Keith known 4-9`; `alone` without TP."""
    if force.alone:
        return "alone"
    chief = moment.data.leaders[force.commander].name if force.commander >= 0 else "leaderless"
    return f"{moment.data.nations[force.nation].name} {chief} known {band_text(force.least, force.most)}"


SIGHTS: Final[Mapping[str, Fact]] = {"known": _known, "view": _view}


FLAGS: Final = ("inside", "moved", "left", "forced", "cornered", "far")
NUMBERS: Final = ("sp", "moves", "hunger", "rolls")
FODDER: Final = {"hungry": HUNGRY, "paid": PAID}

Handler = Callable[["Builder", Words, int], None]
"""Reads the rest of a line with that number."""


def _status(to: Builder, words: Words, line: int) -> None:
    """`France neutral`: its places are then nobody's, those of a nation at war its side's, unless more is said."""
    nation = words.power()
    to.draft.set_status(nation, words.choose(STATUS_WORDS, "status"))
    for here in to.data.homes(nation):
        to.draft.set_owner(here, home_side(to.data.strongholds[here], to.draft.status))


def _unit(to: Builder, words: Words, line: int) -> None:
    """`Keith 1821 inside 20 sp 2 moved`, `P1 1821 4`: a leader with TP, a wagon with SP."""
    number, here = words.leader(), words.hex()
    if not to.data.board.in_play(here):
        raise Invalid("nobody can stand in that hex (R5.4)")
    if number in to.draft.units:
        raise Invalid(f"{to.data.leaders[number].name} is in two places")
    values: Values = {}
    is_wagon, nation = to.data.is_wagon(number), to.data.leaders[number].nation
    while words.words:
        points = words.maybe_number()
        if points is not None:
            values["sp" if is_wagon else "tp"] = points if is_wagon else bag(nation, points)
        elif words.has("start"):
            to.starts[number] = words.hex()
        else:
            _mark(to, words, values, nation)
    if values.get("fodder") == PAID:
        values["fed"] = total(values.get("tp", EMPTY))
    if values.get("inside"):
        _check_stronghold(to, here)
        to.lines[here] = line
    if values.pop("far", False):
        to.known_far.add(number)
    to.draft.put(Unit(number, here, **values))
    if not is_wagon:
        to.draft.set_roster(number, ON_MAP)


def _check_stronghold(to: Builder, here: Hex) -> None:
    if here not in to.data.strongholds:
        raise Invalid("there is no stronghold to be inside")
    if not to.data.kind_at(here).inside:
        raise Invalid(f"{to.data.strongholds[here].name} is a city: no leader or wagon is inside (R10.3)")


def check_inside(to: Builder) -> None:
    """Nobody shares the inside of a place with enemies. Raises BadLine."""
    for here, line in to.lines.items():
        there = [unit.number for unit in to.draft.units.values() if unit.inside and unit.hex == here]
        nations = {to.data.leaders[number].nation for number in there} | {*powers(to.draft.garrisons.get(here, EMPTY))}
        sides = {NOBODY if to.draft.status[nation] == NEUTRAL else SIDE_OF[nation] for nation in nations}
        if len(sides) > 1:
            name, names = to.data.strongholds[here].name, " and ".join(SIDE_WORDS[side] for side in sorted(sides))
            raise BadLine(line, f"{names} inside {name} together (R10.3)")


def _mark(to: Builder, words: Words, values: Values, nation: PowerId) -> None:
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
        men = words.number("a number of freed men")
        whose = words.power() if words.is_power() else nation
        values["tp"] = values.get("tp", EMPTY) + bag(whose, men)
    else:
        since = (to.draft.year - 1756) * TURNS + words.number("a turn")
        for name in ("shaken", "daunted"):
            if mark in (name, "demoralized"):
                values[name] = since


def _garrison(to: Builder, words: Words, line: int) -> None:
    """`garrison 1623 4 Prussia`: it controls the place too, unless something else is said."""
    here, tp = words.hex(), words.tp()
    if here not in to.data.strongholds:
        raise Invalid("there is no stronghold")
    to.draft.set_garrison(here, tp)
    to.draft.set_owner(here, side_of(tp))


def _owner(to: Builder, words: Words, line: int) -> None:
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


def _depot(to: Builder, words: Words, line: int) -> None:
    """`depot Prussia 1623 [cut 2]`."""
    nation, here = words.power(), words.hex()
    to.draft.set_depot(here, Depot(nation, words.number("steps") if words.has("cut") else 0))


def _siege(to: Builder, words: Words, line: int) -> None:
    """`siege 1623 turns 2 breaches 1 shut 3`."""
    here, found = words.hex(), dict.fromkeys(("turns", "breaches", "shut"), 0)
    while name := words.has(*found):
        found[name] = words.number(name)
    to.draft.set_siege(here, Siege(**found))


def _prisoners(to: Builder, words: Words, line: int) -> None:
    """`prisoners prussia 3 Austria`: held by the Prussian side."""
    side = words.side()
    to.draft.prisoners = of_side(to.draft.prisoners, side, words.tp())


def _captive(to: Builder, words: Words, line: int) -> None:
    """`captive prussia Browne [senior]`: held by the Prussian side."""
    side, leader = words.side(), words.leader()
    held = (*to.draft.captives[side], Captive(leader, bool(words.has("senior"))))
    to.draft.captives = of_side(to.draft.captives, side, held)
    to.draft.set_roster(leader, CAPTIVE)


def _coming(to: Builder, words: Words, line: int) -> None:
    """`coming 5 Prussia due 6`, `coming Keith due 6`: on that turn of the year."""
    points = words.maybe_number()
    leader = words.leader() if points is None else NO_LEADER
    nation = words.power() if points is not None else to.data.leaders[leader].nation
    if not words.has("due"):
        raise Invalid("«due» and a turn are expected")
    due = (to.draft.year - 1756) * TURNS + words.number("a turn")
    to.draft.coming = (*to.draft.coming, Coming(due, nation, points or 0, leader))
    if leader >= 0:
        to.draft.set_roster(leader, COMING)


def _leader(to: Builder, words: Words, line: int) -> None:
    number = words.leader()
    to.draft.set_roster(number, words.choose(ROSTER_WORDS, "place of a leader"))


def _conquered(to: Builder, words: Words, line: int) -> None:
    to.draft.conquered |= {words.power()}


def _joined(to: Builder, words: Words, line: int) -> None:
    """`joined France 1757 1`: it joined in that year and turn."""
    nation = words.power()
    to.draft.set_joined(nation, (words.number("a year") - 1756) * TURNS + words.number("a turn"))


def _raised(to: Builder, words: Words, line: int) -> None:
    raised, nation = list(to.draft.raised), words.power()
    raised[nation] = words.number("a number of TP")
    to.draft.raised = tuple(raised)


NATIONS: Final[Mapping[str, Handler]] = {"status": _status}
LATE: Final[Mapping[str, Handler]] = {
    "unit": _unit,
    "garrison": _garrison,
    "freed": lambda to, words, line: to.draft.set_freed(words.hex(), words.tp()),
    "owner": _owner,
    "depot": _depot,
    "siege": _siege,
    "prisoners": _prisoners,
    "captive": _captive,
    "coming": _coming,
    "leader": _leader,
    "last-battle": sets("last_battle", Words.side),
    "conquered": _conquered,
    "joined": _joined,
    "raised": _raised,
    "known": give_sight,
    "battles": sets("battles", pair_of(*BOTH)),
    "killed": sets("killed", pair_of(*BOTH)),
}


SPARE: Final = (1,)
"""The chits that are left in the cup if nothing is said of it: one, so that play rests there."""


class Builder:
    """The position in the making."""

    def __init__(self, data: GameData) -> None:
        self.data = data
        self.options: dict[str, str] = {}
        self.scenario = "1757"
        self.whole = False
        self.year, self.turn, self.first = 0, 4, False
        self.frames: tuple[Decision, ...] = ()
        self.step = "F"
        self.chit = -1
        self.battle: Battle | None = None
        self.cup: tuple[int, ...] = SPARE
        self.dice: list[tuple[int, str]] = []
        self.draft: Draft
        self.starts: dict[int, int] = {}
        self.known_far: set[int] = set()
        self.lines: dict[Hex, int] = {}

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
    to = Builder(data)
    lines = [(number, Words(data, text)) for number, text in given]
    _pass(to, lines, _EARLY)
    to.begin()
    _pass(to, lines, NATIONS)
    _pass(to, lines, LATE)
    check_inside(to)
    for number, words in lines:
        if words.words:
            raise BadLine(number, f"«{words.words[0]}» is not understood: a leader, a nation or one of {_all_words()}")
    return _finish(to)


def _pass(to: Builder, lines: Sequence[tuple[int, Words]], handlers: Mapping[str, Handler]) -> None:
    """The handlers of this pass read what is theirs; several words of the calendar may stand in one line."""
    for number, words in lines:
        try:
            while words.words and (kind := _kind(words)) in handlers:
                if kind in handlers and kind not in ("unit", "status"):
                    words.next("a word")
                handlers[kind](to, words, number)
                if handlers is not _EARLY:
                    words.end()
        except Invalid as error:
            raise BadLine(number, str(error)) from error


def _kind(words: Words) -> str:
    first, second = words.words[0], " ".join(words.words[1:2])
    if first in _EARLY or first in LATE:
        return first
    if words.is_power() and second in STATUS_WORDS:
        return "status"
    return "unit" if words.is_unit() else ""


def _all_words() -> str:
    return ", ".join(sorted({*_EARLY, *LATE} - {"unit"}))


def _sets(name: str, read: Callable[[Words], object]) -> Handler:
    """Reads a value of the builder."""
    return lambda to, words, line: setattr(to, name, read(words))


def _scenario(to: Builder, words: Words, line: int) -> None:
    to.scenario = words.next("a scenario")
    if to.scenario not in to.data.scenarios:
        raise Invalid(f"«{to.scenario}» is no scenario: {', '.join(to.data.scenarios)}")


def _option(to: Builder, words: Words, line: int) -> None:
    name, _, value = words.next("an option").partition("=")
    to.options[name] = value
    chosen_options(OPTIONS, to.options)


def _cup(to: Builder, words: Words, line: int) -> None:
    """`cup prussia-2 coalition-1`, `cup empty`: what is left in it."""
    found: list[int] = []
    if not words.has("empty"):
        while words.words and "-" in words.words[0]:
            found.append(words.chit())
    to.cup = tuple(sorted(found))


def _die(to: Builder, words: Words, line: int) -> None:
    to.dice.append((line, die_of(words.next("a die"), TWO_DICE)))


def _battle(to: Builder, words: Words, line: int) -> None:
    """`battle 1632 prussia [march|reaction|sortie|rousing] [from 1633] [crossed]`: it is about to begin."""
    here, side = words.hex(), words.side()
    how = words.has("march", "reaction", "sortie", "rousing") or "rousing"
    came = words.hex() if words.has("from") else NOWHERE
    to.battle = Battle(here, side, how, came, bool(words.has("crossed")))


_EARLY: Final[Mapping[str, Handler]] = {
    "year": _sets("year", Words.year),
    "turn": _sets("turn", Words.turn),
    "first": _sets("first", lambda words: True),
    "scenario": _scenario,
    "setup": _sets("whole", lambda words: True),
    "option": _option,
    "step": _sets("step", lambda words: STEPS[words.choose(tuple(STEPS), "step")]),
    "chit": _sets("chit", Words.chit),
    "cup": _cup,
    "die": _die,
    "battle": _battle,
}


def _finish(to: Builder) -> Given:
    draft = to.draft
    if not to.whole:
        _take_snapshot(to)
        draft.frames = _frames(to)
        if to.chit >= 0:
            draft.phasing = as_side(to.chit // CHIT)
    draft.touched = set()
    draft.recompute()
    before = Draft(draft.freeze())
    update_knowledge(before)
    run_sequence(before, judge_hexes)
    return Given(
        Transition(before.freeze(), tuple(before.facts), before.learned, not before.options.hidden), tuple(to.dice)
    )


def judge_hexes(draft: Draft) -> None:
    """What the door judges after each step."""
    resolve_hexes(draft)
    update_knowledge(draft)


def _take_snapshot(to: Builder) -> None:
    """As in step F: who began where, and how far from depots (V3.5)."""
    draft = to.draft
    for number, unit in list(draft.units.items()):
        start = to.starts.get(number, -1 if unit.left else unit.hex)
        far = number in to.known_far or not is_near(draft, unit.hex, draft.side(number), unit.inside)
        draft.change(number, start=start, far=far)


def _frames(to: Builder) -> tuple[Decision, ...]:
    """The decisions in progress, so that play goes on by itself."""
    if to.chit < 0 and to.battle is None:
        return War(True), GameTurn(STEPS.index(to.step))
    inner = to.battle or Orders(as_side(to.chit // CHIT), to.chit % CHIT)
    return War(True), GameTurn(STEPS.index("F") + 1), Command(to.cup), inner
