"""What stands on the map of a case: units, garrisons, places, prisoners (docs/cases.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from leuthen.engine.fields import Values
from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.cases.words import BOTH, ROSTER_WORDS, SIDE_WORDS, STATUS_WORDS, Words, give_sight
from leuthen.rulesets.campaigns.model import state
from leuthen.rulesets.campaigns.model.census import side_of
from leuthen.rulesets.campaigns.model.data import NOBODY, SIDE_OF
from leuthen.rulesets.campaigns.rules.r18_setup import home_side
from leuthen.wargame.board import Hex
from leuthen.wargame.case_words import BadLine, pair_of, sets
from leuthen.wargame.strength import EMPTY, NO_LEADER, PowerId, bag, powers, total

if TYPE_CHECKING:
    from leuthen.rulesets.campaigns.cases.position import Builder

FLAGS: Final = ("inside", "moved", "left", "forced", "cornered", "far")
NUMBERS: Final = ("sp", "moves", "hunger", "rolls")
FODDER: Final = {"hungry": state.HUNGRY, "paid": state.PAID}

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
    if values.get("fodder") == state.PAID:
        values["fed"] = total(values.get("tp", EMPTY))
    if values.get("inside"):
        _check_stronghold(to, here)
        to.lines[here] = line
    if values.pop("far", False):
        to.known_far.add(number)
    to.draft.put(state.Unit(number, here, **values))
    if not is_wagon:
        to.draft.set_roster(number, state.ON_MAP)


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
        sides = {NOBODY if to.draft.status[nation] == state.NEUTRAL else SIDE_OF[nation] for nation in nations}
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
        since = (to.draft.year - 1756) * state.TURNS + words.number("a turn")
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


def _freed(to: Builder, words: Words, line: int) -> None:
    to.draft.set_freed(words.hex(), words.tp())


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
    to.draft.set_depot(here, state.Depot(nation, words.number("steps") if words.has("cut") else 0))


def _siege(to: Builder, words: Words, line: int) -> None:
    """`siege 1623 turns 2 breaches 1 shut 3`."""
    here, found = words.hex(), dict.fromkeys(("turns", "breaches", "shut"), 0)
    while name := words.has(*found):
        found[name] = words.number(name)
    to.draft.set_siege(here, state.Siege(**found))


def _prisoners(to: Builder, words: Words, line: int) -> None:
    """`prisoners prussia 3 Austria`: held by the Prussian side."""
    side = words.side()
    to.draft.prisoners = state.of_side(to.draft.prisoners, side, words.tp())


def _captive(to: Builder, words: Words, line: int) -> None:
    """`captive prussia Browne [senior]`: held by the Prussian side."""
    side, leader = words.side(), words.leader()
    held = (*to.draft.captives[side], state.Captive(leader, bool(words.has("senior"))))
    to.draft.captives = state.of_side(to.draft.captives, side, held)
    to.draft.set_roster(leader, state.CAPTIVE)


def _coming(to: Builder, words: Words, line: int) -> None:
    """`coming 5 Prussia due 6`, `coming Keith due 6`: on that turn of the year."""
    points = words.maybe_number()
    leader = words.leader() if points is None else NO_LEADER
    nation = words.power() if points is not None else to.data.leaders[leader].nation
    if not words.has("due"):
        raise Invalid("«due» and a turn are expected")
    due = (to.draft.year - 1756) * state.TURNS + words.number("a turn")
    to.draft.coming = (*to.draft.coming, state.Coming(due, nation, points or 0, leader))
    if leader >= 0:
        to.draft.set_roster(leader, state.COMING)


def _leader(to: Builder, words: Words, line: int) -> None:
    number = words.leader()
    to.draft.set_roster(number, words.choose(ROSTER_WORDS, "place of a leader"))


def _conquered(to: Builder, words: Words, line: int) -> None:
    to.draft.conquered |= {words.power()}


def _joined(to: Builder, words: Words, line: int) -> None:
    """`joined France 1757 1`: it joined in that year and turn."""
    nation = words.power()
    to.draft.set_joined(nation, (words.number("a year") - 1756) * state.TURNS + words.number("a turn"))


def _raised(to: Builder, words: Words, line: int) -> None:
    raised, nation = list(to.draft.raised), words.power()
    raised[nation] = words.number("a number of TP")
    to.draft.raised = tuple(raised)


NATIONS: Final[Mapping[str, Handler]] = {"status": _status}
LATE: Final[Mapping[str, Handler]] = {
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
    "last-battle": sets("last_battle", Words.side),
    "conquered": _conquered,
    "joined": _joined,
    "raised": _raised,
    "known": give_sight,
    "battles": sets("battles", pair_of(*BOTH)),
    "killed": sets("killed", pair_of(*BOTH)),
}
