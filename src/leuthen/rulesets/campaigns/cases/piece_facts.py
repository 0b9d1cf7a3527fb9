"""What EXPECT compares: leaders and wagons; the facts with a word of their own are in `casenamed`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.campaigns.cases.facts import DENIABLE, PLAIN
from leuthen.rulesets.campaigns.cases.words import ROSTER_WORDS, STATUS_WORDS, CaseMoment, Words
from leuthen.rulesets.campaigns.model.state import FRESH, HUNGRY, PAID, Unit
from leuthen.wargame.board import hex_name
from leuthen.wargame.case_words import Unexpected, check_fact, expect

FLAGS: Final[Mapping[str, Callable[[Unit], bool]]] = {
    "inside": lambda unit: unit.inside,
    "outside": lambda unit: not unit.inside,
    "moved": lambda unit: unit.moved,
    "ready": lambda unit: not unit.moved,
    "left": lambda unit: unit.left,
    "far": lambda unit: unit.far,
    "near": lambda unit: not unit.far,
    "forced": lambda unit: unit.forced,
    "cornered": lambda unit: unit.cornered,
    "hungry": lambda unit: unit.fodder == HUNGRY,
    "paid": lambda unit: unit.fodder == PAID,
    "fresh": lambda unit: unit.fodder == FRESH,
    "shaken": lambda unit: unit.shaken > 0,
    "daunted": lambda unit: unit.daunted > 0,
    "demoralized": lambda unit: unit.shaken > 0 and unit.daunted > 0,
    "steady": lambda unit: not unit.shaken,
    "undaunted": lambda unit: not unit.daunted,
    "sound": lambda unit: not unit.shaken and not unit.daunted,
}
"""What may be said of a unit; only what is said counts."""
NUMBERS: Final[Mapping[str, Callable[[Unit], int]]] = {
    "sp": lambda unit: unit.sp,
    "men": lambda unit: unit.strength,
    "moves": lambda unit: unit.moves,
    "hunger": lambda unit: unit.hunger,
    "rolls": lambda unit: unit.rolls,
}

HEX_DIGITS: Final = 4


def check(moment: CaseMoment, text: str) -> None:
    """Compares one statement. Raises Unexpected, or Invalid if it is not understood."""
    check_fact(
        moment, text, Words(moment.data, text), DENIABLE, PLAIN, _check_thing, _is_thing, "leader or wagon, no nation"
    )


def _is_thing(words: Words) -> bool:
    """A nation, a leader or a wagon comes next."""
    return words.is_power() or words.is_unit()


def _check_thing(moment: CaseMoment, words: Words) -> None:
    """A nation, a leader or a wagon."""
    if words.is_power():
        _status(moment, words)
    else:
        _unit(moment, words)


def _status(moment: CaseMoment, words: Words) -> None:
    """`France neutral`, `Prussia war`."""
    nation = words.power()
    name = moment.data.nations[nation].name
    wanted = STATUS_WORDS[words.choose(STATUS_WORDS, "status")]
    expect(f"{name} {wanted}", f"{name} {STATUS_WORDS[moment.state.status[nation]]}")


def _unit(moment: CaseMoment, words: Words) -> None:
    """`Keith 1821 20 sp 2 moved`; `Keith captive`; `P1 1821 4`, `P1 none`."""
    number = words.leader()
    unit = moment.state.units.get(number)
    name = moment.data.leaders[number].name
    if place := words.has("none", *ROSTER_WORDS):
        is_wagon = moment.data.is_wagon(number)
        found = ROSTER_WORDS[moment.state.roster[number]] if not is_wagon else "map" if unit else "none"
        expect(f"{name} {place}", f"{name} {found}")
    elif unit is None:
        raise Unexpected(f"{name} is not on the map")
    else:
        _compare(moment, words, unit, name)


def _compare(moment: CaseMoment, words: Words, unit: Unit, name: str) -> None:
    is_wagon = moment.data.is_wagon(unit.number)
    found = unit_text(moment, unit)
    if words.words and _is_place(words.words[0]):
        here = words.hex()
        if here != unit.hex:
            raise Unexpected(f"expected {name} at {hex_name(here)}; it is {found}")
    while words.words:
        points = words.maybe_number()
        if points is not None:
            if points != (unit.sp if is_wagon else unit.strength):
                raise Unexpected(f"expected {name} with {points}; it is {found}")
        elif flag := words.has(*FLAGS):
            if not FLAGS[flag](unit):
                raise Unexpected(f"expected {name} {flag}; it is {found}")
        elif mark := words.has(*NUMBERS):
            wanted = words.number(mark)
            if NUMBERS[mark](unit) != wanted:
                raise Unexpected(f"expected {name} {mark} {wanted}; it is {found}")
        else:
            known = ", ".join((*FLAGS, *NUMBERS))
            raise Invalid(f"«{words.words[0]}» is not understood here: none of {known}")


def _is_place(word: str) -> bool:
    """A hex or a town, and not a number of TP or a mark."""
    return len(word) == HEX_DIGITS if word.isdecimal() else word not in (*FLAGS, *NUMBERS)


def unit_text(moment: CaseMoment, unit: Unit) -> str:
    """A leader or a wagon in the words of a case."""
    flags = ("inside", "moved", "left", "far", "forced", "cornered", "hungry", "paid", "shaken", "daunted")
    parts = [moment.data.leaders[unit.number].name, hex_name(unit.hex), str(unit.strength)]
    parts += [f"{mark} {NUMBERS[mark](unit)}" for mark in ("sp", "moves", "hunger", "rolls") if NUMBERS[mark](unit)]
    return " ".join([*parts, *(flag for flag in flags if FLAGS[flag](unit))])
