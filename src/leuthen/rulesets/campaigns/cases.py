"""The words of this rule set's cases (docs/cases.md): `GIVEN` lines build a position, `EXPECT` lines check one.

One word gives and expects each field of a position or a unit; `THINGS` and `MARKS` list these words.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from leuthen.engine.refusal import Invalid, number_of, shorten
from leuthen.engine.ruleset import NOBODY, Transition, as_side, as_viewer
from leuthen.engine.ruleset_base import resolve_options, run_sequence
from leuthen.engine.state import Values
from leuthen.rulesets.campaigns.model import pieces, state
from leuthen.rulesets.campaigns.model.data import OPTIONS, SIDE_OF, GameData, options_of
from leuthen.rulesets.campaigns.model.events import STEPS
from leuthen.rulesets.campaigns.model.forces import commander, force_at, is_besieged, limit, senior, side_of
from leuthen.rulesets.campaigns.rules import r09_supply as supply
from leuthen.rulesets.campaigns.rules.r02_leaders import resolve_hexes
from leuthen.rulesets.campaigns.rules.r03_turn import GameTurn, War
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r04_command.marching import Marching
from leuthen.rulesets.campaigns.rules.r12_battle import Battle
from leuthen.rulesets.campaigns.rules.r16_victory import is_area_controlled, level, score, victory_points
from leuthen.rulesets.campaigns.rules.r18_setup import blank, home_side, new_position
from leuthen.wargame import case_words
from leuthen.wargame.board import NOWHERE, Hex, StackKey, hex_name, stack_key
from leuthen.wargame.case_words import (
    TWO_DICE,
    BadLine,
    CaseWords,
    Fact,
    Given,
    Unexpected,
    band_text,
    check_fact,
    die_of,
    expect,
    field_fact,
    hex_fact,
    judge,
    number_fact,
    pair_of,
    read_band,
    sets,
    viewers_of,
)
from leuthen.wargame.strength import EMPTY, NO_LEADER, Bag, bag, of, powers, total

CaseMoment: TypeAlias = case_words.CaseMoment[GameData, state.State]
SIDE_WORDS: Final = ("prussia", "coalition", "nobody")
STEP_LETTERS: Final = "".join(STEPS)
BOTH: Final = ("the Prussian number", "the number of the Coalition")
CHIT: Final = 8  # encodes side and command in one number (R4.1)
HEX_DIGITS: Final = 4
SPARE: Final = (1,)
"""The chits in the cup by default: one, so that play stops at its draw."""
MARKS: Final[Mapping[str, Mapping[str, int | bool]]] = {
    **{name: {name: True} for name in ("inside", "moved", "left", "far", "forced", "cornered")},
    "outside": {"inside": False},
    "ready": {"moved": False},
    "near": {"far": False},
    "hungry": {"fodder": pieces.HUNGRY},
    "paid": {"fodder": pieces.PAID},
    "fresh": {"fodder": pieces.FRESH},
    "shaken": {"shaken": True},
    "daunted": {"daunted": True},
    "demoralized": {"shaken": True, "daunted": True},
    "steady": {"shaken": False},
    "undaunted": {"daunted": False},
    "sound": {"shaken": False, "daunted": False},
}
"""The marks of a unit with the fields they set; a case checks only the marks it names."""
SINCE: Final = ("shaken", "daunted", "demoralized")  # given with the turn of the year on which they began
GIVEN_MARKS: Final = ("inside", "moved", "left", "forced", "cornered", "far", "hungry", "paid")
NUMBERS: Final = ("sp", "moves", "hunger", "rolls")


class Words(CaseWords):
    def __init__(self, data: GameData, text: str) -> None:
        super().__init__(data.book, text)
        self.data = data

    def side(self) -> Any:
        return self.choose(SIDE_WORDS, "side")

    def is_unit(self) -> bool:
        return (
            bool(self.words) and not self.words[0][:1].isdigit() and self.book.leaders.take([*self.words]) is not None
        )

    def chit(self) -> int:
        """Read a chit, such as `prussia-3`. Raise Invalid."""
        side, _, command = self.next("a chit").partition("-")
        number = number_of(command, 1)
        if side not in SIDE_WORDS[:2] or number is None:
            raise Invalid(f'"{shorten(side)}-{shorten(command)}" is not a valid chit: prussia-3 is expected')
        return SIDE_WORDS.index(side) * CHIT + number

    def chits(self) -> tuple[int, ...]:
        """Read `prussia-2 coalition-1`, or `empty`."""
        found: list[int] = []
        while not self.has("empty") and self.words and "-" in self.words[0]:
            found.append(self.chit())
        return tuple(sorted(found))

    def tp(self) -> Bag:
        """Read `3 Austria 2 Russia` to the end of the line. Raise Invalid."""
        found = EMPTY
        while self.words:
            points = self.number("a number of TP")
            found += bag(self.power(), points)
        return found

    def stronghold(self) -> Hex:
        here = self.hex()
        if here not in self.data.strongholds:
            raise Invalid("there is no stronghold")
        return here

    def force(self) -> StackKey:
        """Read `1632 prussia field`. Raise Invalid."""
        here, side = self.hex(), self.side()
        return stack_key(here, side, self.choose(state.PLACE_WORDS, "place") > 0)

    def date(self) -> int:
        """Read `1757 1`, a year and a turn, as a turn since 1756. Raise Invalid."""
        return (self.number("a year") - 1756) * pieces.TURNS + self.number("a turn")


def _chits_text(chits: Sequence[int]) -> str:
    return " ".join(f"{SIDE_WORDS[chit // CHIT]}-{chit % CHIT}" for chit in chits)


def _tp_text(data: GameData, tp: Bag) -> str:
    return " ".join(f"{of(tp, nation)} {data.nations[nation].name}" for nation in powers(tp)) or "0 TP"


def _name(data: GameData, number: int) -> str:
    return data.leaders[number].name if number >= 0 else "nobody"


# --- GIVEN ------------------------------------------------------------------------------------------------------------


class Builder:
    def __init__(self, data: GameData) -> None:
        self.data = data
        self.options: dict[str, str] = {}
        self.scenario = "1757"
        self.whole = False
        self.year, self.turn, self.first = 0, 4, False
        self.frames: tuple[state.Decision, ...] = ()
        self.step = "F"
        self.chit = -1
        self.battle: Battle | None = None
        self.cup: tuple[int, ...] = SPARE
        self.dice: list[tuple[int, str]] = []
        self.draft: state.Draft
        self.starts: dict[int, int] = {}
        self.known_far: set[int] = set()
        self.lines: dict[Hex, int] = {}

    def begin(self) -> None:
        """Start with the set-up or an empty map; the calendar lines have been read."""
        options = options_of(resolve_options(OPTIONS, self.options))
        if self.whole:
            self.draft = new_position(self.data, self.scenario, options, (War(),))
            return
        self.draft = state.Draft(blank(self.data, self.scenario, options))
        self.draft.year = self.year or self.draft.year
        self.draft.turn = self.turn
        self.draft.first = self.draft.clock if self.first else -1

    @property
    def new_year(self) -> int:
        return self.draft.clock - self.draft.turn

    def check_inside(self) -> None:
        """Raise BadLine if both sides are inside the same stronghold."""
        for here, line in self.lines.items():
            there = [unit.number for unit in self.draft.units.values() if unit.inside and unit.hex == here]
            nations = {self.data.leaders[n].nation for n in there} | {*powers(self.draft.garrisons.get(here, EMPTY))}
            status = self.draft.status
            sides = {NOBODY if status[nation] == pieces.NEUTRAL else SIDE_OF[nation] for nation in nations}
            if len(sides) > 1:
                name, names = self.data.strongholds[here].name, " and ".join(SIDE_WORDS[side] for side in sorted(sides))
                raise BadLine(line, f"{names} inside {name} together (R10.3)")

    def finish(self) -> Given:
        """Run the sequence to the first decision, and return the position there."""
        draft = self.draft
        if not self.whole:
            for number, unit in list(draft.units.items()):  # as in step F: where each began, and how far (V3.5)
                start = self.starts.get(number, -1 if unit.left else unit.hex)
                near = supply.is_near(draft, unit.hex, draft.side(number), unit.inside)
                draft.change(number, start=start, far=number in self.known_far or not near)
            draft.frames = War(True), GameTurn(STEP_LETTERS.index(self.step))
            if self.chit >= 0 or self.battle is not None:
                inner = self.battle or Orders(as_side(self.chit // CHIT), self.chit % CHIT)
                draft.frames = War(True), GameTurn(STEP_LETTERS.index("F") + 1), Command(self.cup), inner
            if self.chit >= 0:
                draft.phasing = as_side(self.chit // CHIT)
        draft.touched = set()
        draft.recompute()
        before = state.Draft(draft.freeze())
        before.update_knowledge()
        run_sequence(before, resolve_hexes)
        step = Transition(before.freeze(), tuple(before.facts), before.learned, not before.options.hidden)
        return Given(step, tuple(self.dice))


Handler = Callable[[Builder, Words, int], None]
"""Reads the rest of the line with that number."""


def build_position(data: GameData, given: Sequence[tuple[int, str]]) -> Given:
    """Return the position that these numbered lines describe. Raise BadLine."""
    to = Builder(data)
    lines = [(number, Words(data, text)) for number, text in given]
    _pass(to, lines, CALENDAR)
    to.begin()
    _pass(to, lines, {"status": _give_status})
    _pass(to, lines, {"unit": _give_unit, **{word: thing.give for word, thing in THINGS.items()}})
    to.check_inside()
    for number, words in lines:
        if words.words:
            known = ", ".join(sorted({*CALENDAR, *THINGS}))
            raise BadLine(number, f'"{words.words[0]}" is not understood: a leader, a nation or one of {known}')
    return to.finish()


def _pass(to: Builder, lines: Sequence[tuple[int, Words]], handlers: Mapping[str, Handler]) -> None:
    """Run the handlers of one pass over the lines; one line may hold several words of the calendar."""
    for number, words in lines:
        try:
            while words.words and (kind := _kind(words)) in handlers:
                if kind not in ("unit", "status"):
                    words.next("a word")
                handlers[kind](to, words, number)
                if handlers is not CALENDAR:
                    words.end()
        except Invalid as error:
            raise BadLine(number, str(error)) from error


def _kind(words: Words) -> str:
    if words.words[0] in CALENDAR or words.words[0] in THINGS:
        return words.words[0]
    if words.is_power() and " ".join(words.words[1:2]) in state.STATUS_WORDS:
        return "status"
    return "unit" if words.is_unit() else ""


def _sets(name: str, read: Callable[[Words], object]) -> Handler:
    return lambda to, words, line: setattr(to, name, read(words))


def _scenario(to: Builder, words: Words, line: int) -> None:
    to.scenario = words.next("a scenario")
    if to.scenario not in to.data.scenarios:
        raise Invalid(f'"{to.scenario}" is not a valid scenario: {", ".join(to.data.scenarios)}')


def _option(to: Builder, words: Words, line: int) -> None:
    name, _, value = words.next("an option").partition("=")
    to.options[name] = value
    resolve_options(OPTIONS, to.options)


def _battle(to: Builder, words: Words, line: int) -> None:
    """`battle 1632 prussia [march|reaction|sortie|rousing] [from 1633] [crossed]`: it is about to begin."""
    here, side = words.hex(), words.side()
    how = words.has("march", "reaction", "sortie", "rousing") or "rousing"
    to.battle = Battle(here, side, how, words.hex() if words.has("from") else NOWHERE, bool(words.has("crossed")))


CALENDAR: Final[Mapping[str, Handler]] = {
    "year": _sets("year", Words.year),
    "turn": _sets("turn", Words.turn),
    "first": _sets("first", lambda words: True),
    "scenario": _scenario,
    "setup": _sets("whole", lambda words: True),
    "option": _option,
    "step": _sets("step", lambda words: STEP_LETTERS[words.choose(tuple(STEP_LETTERS), "step")]),
    "chit": _sets("chit", Words.chit),
    "cup": _sets("cup", Words.chits),
    "die": lambda to, words, line: to.dice.append((line, die_of(words.next("a die"), TWO_DICE))),
    "battle": _battle,
}


def _give_status(to: Builder, words: Words, line: int) -> None:
    """`France neutral`: neutralizes its places, or gives them to its side if at war; later lines may differ."""
    nation = words.power()
    to.draft.set_status(nation, words.choose(state.STATUS_WORDS, "status"))
    for here in to.data.homes[nation]:
        to.draft.set_owner(here, home_side(to.data.strongholds[here], to.draft.status))


def _give_unit(to: Builder, words: Words, line: int) -> None:
    """`Keith 1821 inside 20 sp 2 moved`, `P1 1821 4`: a leader with TP, a wagon with SP. `shaken 3`: since turn 3."""
    number, here = words.leader(), words.hex()
    if not to.data.board.is_in_play(here):
        raise Invalid("no unit may enter that hex (R5.4)")
    if number in to.draft.units:
        raise Invalid(f"{to.data.leaders[number].name} is in two places")
    values: Values = {}
    is_wagon, nation = to.data.is_wagon(number), to.data.leaders[number].nation
    while words.words:
        points = words.read_optional_number()
        if points is not None:
            values["sp" if is_wagon else "tp"] = points if is_wagon else bag(nation, points)
        elif words.has("start"):
            to.starts[number] = words.hex()
        elif words.has("men"):
            men = words.number("a number of freed men")
            values["tp"] = values.get("tp", EMPTY) + bag(words.power() if words.is_power() else nation, men)
        elif mark := words.has(*GIVEN_MARKS):
            values |= MARKS[mark]
        elif mark := words.has(*SINCE):
            values |= dict.fromkeys(MARKS[mark], to.new_year + words.number("a turn"))
        elif mark := words.has(*NUMBERS):
            values[mark] = words.number(mark)
        else:
            raise Invalid(f'"{words.next("a mark")}" is not understood here')
    if values.get("fodder") == pieces.PAID:
        values["fed"] = total(values.get("tp", EMPTY))
    if values.get("inside"):
        if here not in to.data.strongholds:
            raise Invalid("there is no stronghold to be inside")
        if not to.data.kind_at(here).inside:
            raise Invalid(f"{to.data.strongholds[here].name} is a city: no leader or wagon is inside (R10.3)")
        to.lines[here] = line
    if values.pop("far", False):
        to.known_far.add(number)
    to.draft.put(pieces.Unit(number, here, **values))
    if not is_wagon:
        to.draft.set_roster(number, pieces.ON_MAP)


# --- what is given and expected by one word ---------------------------------------------------------------------------


class Thing(NamedTuple):
    """The handler for a GIVEN line and the check for an EXPECT line; `is_deniable` allows `no` before the word."""

    give: Handler
    fact: Fact | None = None
    is_deniable: bool = False


def _updates(name: str, change: Callable[..., object]) -> Handler:
    """Return the handler that changes a field of the draft by the rest of the line."""
    return lambda to, words, line: setattr(to.draft, name, change(getattr(to.draft, name), words))


def _tp_fact(tp: Callable[[CaseMoment, Words], Bag]) -> Fact:
    """TP by nation: `garrison 1623 4 Prussia`; `no garrison 1623`."""

    def check(moment: CaseMoment, words: Words, deny: bool) -> None:
        found = _tp_text(moment.data, tp(moment, words))
        expect("0 TP" if deny else _tp_text(moment.data, words.tp()), found)

    return check


def _give_garrison(to: Builder, words: Words, line: int) -> None:
    """`garrison 1623 4 Prussia` also gives the place to that side, unless an `owner` line differs."""
    here, tp = words.stronghold(), words.tp()
    to.draft.set_garrison(here, tp)
    to.draft.set_owner(here, side_of(tp))


def _give_owner(to: Builder, words: Words, line: int) -> None:
    """`owner 1623 prussia`, `owner all prussia`."""
    places = to.data.strongholds if words.has("all") else (words.stronghold(),)
    side = words.side()
    for here in places:
        to.draft.set_owner(here, side)


def _owner(moment: CaseMoment, words: Words, deny: bool) -> None:
    here, side = words.stronghold(), words.side()
    where = f"owner {hex_name(here)}"
    expect(f"{where} {SIDE_WORDS[side]}", f"{where} {SIDE_WORDS[moment.state.owners[here]]}")


def _give_depot(to: Builder, words: Words, line: int) -> None:
    nation, here = words.power(), words.hex()
    to.draft.set_depot(here, pieces.Depot(nation, words.number("steps") if words.has("cut") else 0))


def _depot(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`depot Prussia 1623 [cut 2]`; `no depot 1623`."""
    nation = words.power() if words.is_power() else -1
    depot = moment.state.depots.get(words.hex())
    found = f"depot of {moment.data.nations[depot.nation].name}, cut {depot.cut}" if depot is not None else "no depot"
    cut = words.number("steps") if words.has("cut") else depot.cut if depot is not None else 0
    expect("no depot" if (deny or nation < 0) else f"depot of {moment.data.nations[nation].name}, cut {cut}", found)


def _give_siege(to: Builder, words: Words, line: int) -> None:
    here, found = words.hex(), dict.fromkeys(pieces.Siege.__struct_fields__, 0)
    while name := words.has(*found):
        found[name] = words.number(name)
    to.draft.set_siege(here, pieces.Siege(**found))


def _siege(moment: CaseMoment, words: Words, deny: bool) -> None:
    """Compare the numbers that the line names; `no siege 1623` means neither turns nor breaches."""
    siege = moment.state.sieges.get(words.hex())
    found = {name: getattr(siege, name, 0) for name in pieces.Siege.__struct_fields__}
    wanted = {"turns": 0, "breaches": 0} if deny else {}
    while name := words.has(*found):
        wanted[name] = words.number(name)
    expect(str(wanted), str({name: found[name] for name in wanted}))


def _give_captive(to: Builder, words: Words, line: int) -> None:
    side, leader = words.side(), words.leader()
    held = (*to.draft.captives[side], pieces.Captive(leader, bool(words.has("senior"))))
    to.draft.captives = state.with_side_value(to.draft.captives, side, held)
    to.draft.set_roster(leader, pieces.CAPTIVE)


def _captive(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`captive prussia Browne [senior]`; `no captive prussia` means none at all."""
    held = {one.leader: one.senior for one in moment.state.captives[words.side()]}
    if deny:
        judge(not held, False, "no captive")
        return
    leader = words.leader()
    judge(leader in held, False, f"{moment.data.leaders[leader].name} captive")
    if words.has("senior"):
        judge(held[leader], False, f"{moment.data.leaders[leader].name} senior when taken")


def _give_coming(to: Builder, words: Words, line: int) -> None:
    """`coming 5 Prussia due 6`, `coming Keith due 6`: on that turn of the year."""
    points = words.read_optional_number()
    leader = words.leader() if points is None else NO_LEADER
    nation = words.power() if points is not None else to.data.leaders[leader].nation
    if not words.has("due"):
        raise Invalid('"due" and a turn are expected')
    to.draft.coming = (
        *to.draft.coming,
        pieces.Coming(to.new_year + words.number("a turn"), nation, points or 0, leader),
    )
    if leader >= 0:
        to.draft.set_roster(leader, pieces.COMING)


def _coming(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`coming 5 Prussia due 6`, counted from the start of the year; `no coming`."""
    data, start = moment.data, moment.state.clock - moment.state.turn
    found = [
        f"{_name(data, one.leader) if one.leader >= 0 else f'{one.tp} {data.nations[one.nation].name}'} "
        f"due {one.due - start}"
        for one in moment.state.coming
    ]
    said = words.rest()
    if (said in found) == deny or (deny and not said and found):
        raise Unexpected(f"expected {'no ' if deny else ''}coming {said}; there is {', '.join(found) or 'nobody'}")


def _conquered(moment: CaseMoment, words: Words, deny: bool) -> None:
    nation = words.power()
    judge(nation in moment.state.conquered, deny, f"{moment.data.nations[nation].name} conquered")


def _joined(moment: CaseMoment, words: Words, deny: bool) -> None:
    found = moment.state.joined[words.power()]
    expect(f"joined on turn {words.date()} since 1756", f"joined on turn {found} since 1756")


def _give_sight(to: Builder, words: Words, line: int) -> None:
    """`known 1632 prussia field 8-12 [since 20]`: the band that the opponent knows."""
    key = words.force()
    low, high = read_band(words.next("a strength"))
    since = words.number("a turn") if words.has("since") else 0
    to.draft.sights = {**to.draft.sights, key: pieces.Sight(low, high, since)}


def _known(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`known 1632 prussia field 8-12`; `no known 1632 prussia field` means that the opponent knows nothing."""
    sight = moment.state.sights.get(words.force())
    found = band_text(sight.low, sight.high) if sight is not None else "nothing"
    expect("known nothing" if deny else f"known {words.next('a strength')}", f"known {found}")
    if words.has("since"):
        expect(f"since {words.number('a turn')}", f"since {sight.since if sight is not None else 0}")


THINGS: Final[Mapping[str, Thing]] = {
    "garrison": Thing(
        _give_garrison, _tp_fact(lambda moment, words: moment.state.garrisons.get(words.hex(), EMPTY)), True
    ),
    "freed": Thing(
        lambda to, words, line: to.draft.set_freed(words.hex(), words.tp()),
        _tp_fact(lambda moment, words: moment.state.freed.get(words.hex(), EMPTY)),
        True,
    ),
    "owner": Thing(_give_owner, _owner),
    "depot": Thing(_give_depot, _depot, True),
    "siege": Thing(_give_siege, _siege, True),
    "prisoners": Thing(
        _updates("prisoners", lambda old, words: state.with_side_value(old, words.side(), words.tp())),
        _tp_fact(lambda moment, words: moment.state.prisoners[words.side()]),
        True,
    ),
    "captive": Thing(_give_captive, _captive, True),
    "coming": Thing(_give_coming, _coming, True),
    "leader": Thing(
        lambda to, words, line: to.draft.set_roster(
            words.leader(), words.choose(state.ROSTER_WORDS, "place of a leader")
        )
    ),
    "last-battle": Thing(sets("last_battle", Words.side)),
    "conquered": Thing(_updates("conquered", lambda old, words: old | {words.power()}), _conquered, True),
    "joined": Thing(lambda to, words, line: to.draft.set_joined(words.power(), words.date()), _joined),
    "raised": Thing(
        _updates("raised", lambda old, words: state.with_item(old, words.power(), words.number("a number of TP")))
    ),
    "known": Thing(_give_sight, _known, True),
    "battles": Thing(sets("battles", pair_of(*BOTH)), field_fact("battles", *BOTH)),
    "killed": Thing(sets("killed", pair_of(*BOTH)), field_fact("killed", *BOTH)),
}


# --- EXPECT -----------------------------------------------------------------------------------------------------------


def _view(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`view coalition 1733 prussia field Prussia Keith known 4-9`, or `alone`: colours, commander and known TP.

    `view coalition Keith 1733`: the viewer sees Keith there.
    """
    viewer, data = words.choose(viewers_of(moment.ruleset), "viewer"), moment.data
    view = moment.ruleset.view(moment.state, as_viewer(viewer))
    if words.is_unit():
        number = words.leader()
        judge(number in view.units, deny, f"view of {data.leaders[number].name}")
        if words.words:
            expect(hex_name(words.hex()), hex_name(view.units[number].hex))
        return
    key = words.force()
    force = next((force for force in view.stacks if force.key == key), None)
    found = "" if force is None else "alone"
    if force is not None and not force.alone:
        chief = data.leaders[force.commander].name if force.commander >= 0 else "leaderless"
        found = f"{data.nations[force.nation].name} {chief} known {band_text(force.least, force.most)}"
    expect("" if deny else " ".join(words.words), found)
    words.words = []


def _force_at(moment: CaseMoment, words: Words) -> list[pieces.Unit]:
    here, side = words.hex(), words.side()
    return force_at(moment.state, here, side, words.has(*state.PLACE_WORDS) == "inside")


def _leader_fact(word: str, find: Callable[[CaseMoment, Words], int]) -> Fact:
    """Return the check of a leader: `commander 1623 prussia [field|inside] Frederick` (R2.2)."""

    def check(moment: CaseMoment, words: Words, deny: bool) -> None:
        found = find(moment, words)
        expect(f"{word} {_name(moment.data, words.leader())}", f"{word} {_name(moment.data, found)}")

    return check


def _unit_of(moment: CaseMoment, words: Words) -> pieces.Unit:
    number = words.leader()
    if number not in moment.state.units:
        raise Unexpected(f"{moment.data.leaders[number].name} is not on the map")
    return moment.state.units[number]


def _supplied(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`supplied 1623 prussia [field|inside]`: the force there is in supply (R9.6)."""
    where = " ".join(words.words[:1])
    force = _force_at(moment, words)
    if not force:
        raise Unexpected(f"there is no force at {where}")
    here, side = force[0].hex, moment.state.side(force[0].number)
    with_wagons = supply.payers(moment.state, side, (here, force[0].inside))
    judge(supply.is_supplied(moment.state, with_wagons), deny, f"supplied {hex_name(here)}")


def _area(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`area prussia Lower Silesia`: controlled by that side (R16.1)."""
    side, name = words.side(), words.rest()
    areas = [area.name for area in moment.data.areas]
    if name not in areas:
        raise Invalid(f'"{name}" is not a valid area: {", ".join(areas)}')
    judge(is_area_controlled(moment.state, areas.index(name), side), deny, f"area {name}")


def _score(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`score -3 [draw]` (R16.4)."""
    found = score(moment.state)
    expect(f"score {words.number('a score')}", f"score {found}")
    if words.words:
        expect(words.rest(), level(found))


def _battle_of(moment: CaseMoment) -> Battle:
    battle = state.innermost(moment.state.frames, Battle)
    if battle is None or battle.hosts is None:
        raise Unexpected("there is no battle")
    return battle


def _left_to_march(moment: CaseMoment, words: Words) -> int:
    march = state.innermost(moment.state.frames, Marching)
    if march is None:
        raise Unexpected("no force is on the march")
    return march.left


def _cup(moment: CaseMoment, words: Words, deny: bool) -> None:
    """`cup prussia-2 coalition-1`: exactly these chits remain; `cup empty`."""
    frame = state.innermost(moment.state.frames, Command)
    expect(f"cup {_chits_text(words.chits())}", f"cup {_chits_text(sorted(frame.cup if frame is not None else ()))}")


DENIABLE: Final[Mapping[str, Fact]] = {
    **case_words.DENIABLE,
    **{word: thing.fact for word, thing in THINGS.items() if thing.fact is not None and thing.is_deniable},
    "range": hex_fact(
        "range", lambda moment, words, here: bool(supply.depot_range(moment.state, words.side()) >> here & 1)
    ),
    "supplied": _supplied,
    "besieged": hex_fact("besieged", lambda moment, words, here: is_besieged(moment.state, here, words.side())),
    "cut": hex_fact("cut", lambda moment, words, here: supply.is_cut(moment.state, here)),
    "works": hex_fact("works", lambda moment, words, here: supply.is_working(moment.state, here)),
    "area": _area,
    "view": _view,
}
PLAIN: Final[Mapping[str, Fact]] = {
    **case_words.PLAIN,
    **{word: thing.fact for word, thing in THINGS.items() if thing.fact is not None and not thing.is_deniable},
    "commander": _leader_fact("commander", lambda moment, words: commander(moment.state, _force_at(moment, words))),
    "senior": _leader_fact("senior", lambda moment, words: senior(moment.state, words.power())),
    "limit": number_fact(
        "limit", lambda moment, words: limit(moment.state, _unit_of(moment, words).number), "a number of TP"
    ),
    "carries": number_fact(
        "carries", lambda moment, words: supply.load_limit(moment.state, _unit_of(moment, words)), "a number of SP"
    ),
    "need": number_fact(
        "need", lambda moment, words: supply.need(moment.state, words.number("a number of TP")), "a number of SP"
    ),
    "vp": number_fact("vp", lambda moment, words: victory_points(moment.state), *BOTH),
    "score": _score,
    "round": number_fact("round", lambda moment, words: _battle_of(moment).round, "a round"),
    "share": number_fact("share", lambda moment, words: _battle_of(moment).host(words.side()).share, "per cent"),
    "mp": number_fact("mp", _left_to_march, "movement points"),
    "cup": _cup,
}


def check(moment: CaseMoment, text: str) -> None:
    """Compare one statement. Raise Unexpected, or Invalid if the statement is not understood."""
    words, others = Words(moment.data, text), "leader or wagon, no nation"
    check_fact(
        moment, text, words, DENIABLE, PLAIN, _check_thing, lambda words: words.is_power() or words.is_unit(), others
    )


def _check_thing(moment: CaseMoment, words: Words) -> None:
    """`France neutral`; `Keith 1821 20 sp 2 moved`, `Keith captive`; `P1 1821 4`, `P1 none`."""
    if words.is_power():
        nation = words.power()
        name = moment.data.nations[nation].name
        wanted = state.STATUS_WORDS[words.choose(state.STATUS_WORDS, "status")]
        expect(f"{name} {wanted}", f"{name} {state.STATUS_WORDS[moment.state.status[nation]]}")
        return
    number = words.leader()
    unit = moment.state.units.get(number)
    name = moment.data.leaders[number].name
    if place := words.has("none", *state.ROSTER_WORDS):
        is_wagon = moment.data.is_wagon(number)
        found = state.ROSTER_WORDS[moment.state.roster[number]] if not is_wagon else "map" if unit else "none"
        expect(f"{name} {place}", f"{name} {found}")
    elif unit is None:
        raise Unexpected(f"{name} is not on the map")
    else:
        _compare(moment, words, unit, name)


def _has(unit: pieces.Unit, mark: str) -> bool:
    return all(type(wanted)(getattr(unit, field)) == wanted for field, wanted in MARKS[mark].items())


def _compare(moment: CaseMoment, words: Words, unit: pieces.Unit, name: str) -> None:
    flags = ("inside", "moved", "left", "far", "forced", "cornered", "hungry", "paid", "shaken", "daunted")
    parts = [name, hex_name(unit.hex), str(unit.strength)]
    parts += [f"{mark} {getattr(unit, mark)}" for mark in NUMBERS if getattr(unit, mark)]
    found = " ".join([*parts, *(flag for flag in flags if _has(unit, flag))])
    known = (*MARKS, "men", *NUMBERS)
    word = words.words[0] if words.words else ""  # a hex or a town, unless it is a number of TP or a mark
    if word and (len(word) == HEX_DIGITS if number_of(word) is not None else word not in known):
        here = words.hex()
        if here != unit.hex:
            raise Unexpected(f"expected {name} at {hex_name(here)}; it is {found}")
    while words.words:
        points = words.read_optional_number()
        if points is not None:
            is_so, said = points == (unit.sp if moment.data.is_wagon(unit.number) else unit.strength), f"with {points}"
        elif mark := words.has(*MARKS):
            is_so, said = _has(unit, mark), mark
        elif words.has("men"):
            men, whose = words.number("men"), [words.power()] if words.is_power() else powers(unit.tp)
            is_so, said = sum(of(unit.tp, nation) for nation in whose) == men, f"men {men}"
        elif mark := words.has(*NUMBERS):
            number = words.number(mark)
            is_so, said = getattr(unit, mark) == number, f"{mark} {number}"
        else:
            raise Invalid(f'"{words.words[0]}" is not understood here: none of {", ".join(known)}')
        if not is_so:
            raise Unexpected(f"expected {name} {said}; it is {found}")


def answers(data: GameData, text: str) -> list[str]:
    """Return the order lines for dice, sums of two dice and chits: `4 9 prussia-3`. Raise Invalid."""
    words, found = Words(data, text), list[str]()
    while words.words:
        number = words.read_optional_number()
        if number is not None:
            found.append(f"roll {die_of(str(number), TWO_DICE)}")
        elif "-" in words.words[0]:
            side, command = divmod(words.chit(), CHIT)
            found.append(f"chit {SIDE_WORDS[side]} {command}")
        else:
            raise Invalid(f'"{words.words[0]}" is neither a die nor a chit')
    return found
