"""The tables of a campaign: march, combat, siege, attrition, as rows and columns made from what the rules read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.options import GameOptions
from leuthen.rulesets.frederick.rules.o05_march.walk import MOST
from leuthen.rulesets.frederick.rules.o09_combat.combat import SERIOUS, commander_fate
from leuthen.rulesets.frederick.rules.o12_fortresses import CAUGHT
from leuthen.rulesets.frederick.rules.o13_siege import GREAT, MOST_DEFENCE, strength_modifier
from leuthen.rulesets.frederick.screen.table_cells import (
    DIE,
    SIEGE_WORDS,
    Rows,
    attrition_rows,
    column_heading,
    combat_rows,
    make_card,
    plus,
    siege_rows,
    signed,
)
from leuthen.screen import TableCard
from leuthen.wargame.board import Hexside


def _by_initiative(data: GameData, cell: Callable[[int, int], str]) -> Rows:
    """A row for each die, a cell for each initiative."""
    for die in DIE:
        yield str(die), *(cell(die, initiative) for initiative in _initiatives(data))


def _initiatives(data: GameData) -> range:
    return range(1 + max(leader.initiative for leader in data.leaders))


def _initiative_columns(data: GameData) -> Iterable[str]:
    return ("Die", *(f"initiative {initiative}" for initiative in _initiatives(data)))


def _terrain(data: GameData) -> TableCard:
    river, pass_ = Hexside("river", False, "", False).cost, Hexside("", True, "pass", False).cost
    rows = [
        ("the hex itself", "1"),
        ("over a river hexside", plus(river)),
        ("over a pass hexside", plus(pass_)),
        ("the hex is in an enemy zone of control", "+1"),
        ("overwhelming attack", "+1"),
        ("ridge without a pass, water, off the theatre", "barred"),
    ]
    notes = ("A force may always go one hex, if die and initiative come to 1 or more (O5.6).",)
    return make_card("terrain", "Cost of a hex", "O5.3", ("Entering", "MP"), rows, *notes)


def _march(data: GameData) -> TableCard:
    rows = _by_initiative(data, lambda die, initiative: str(min(MOST, die + initiative)))
    notes = ("In winter, on turns 15 to 18, 1 less (O5.5).",)
    return make_card("march", "Movement points", "O5.2", _initiative_columns(data), rows, *notes)


def _force_march(data: GameData) -> TableCard:
    def cell(die: int, initiative: int) -> str:
        return f"{min(MOST, die + initiative)}{' *' if die + initiative > MOST else ''}"

    notes = ("* costs the force 1 SP.", "In winter 1 MP less; the sum is compared with 6 before that (O6.3).")
    return make_card(
        "force-march", "Force march", "O6.1", _initiative_columns(data), _by_initiative(data, cell), *notes
    )


def _combat(data: GameData) -> TableCard:
    def loss(percent: int) -> str:
        return f"{percent}{'L' if percent >= SERIOUS else ''}"

    rows = [
        (signed(die), *("/".join(map(loss, data.combat[die, column])) for column in data.columns))
        for die in combat_rows(data)
    ]
    columns = ("Die", *(column_heading(data, column) for column in data.columns))
    notes = (
        "Loss of the attacker / of the defender in per cent of its own SP, nearest whole, halves up (O9.5).",
        "Columns: 100 × attacker's SP / defender's SP, fraction dropped (O9.3); 400 or more, under 25: no die (O9.10).",
        "Die + attack bonus − defence bonus − 2 in a mountain hex, from −1 to 9 (O9.4).",
        "Score: SP that the enemy lost + own initiative; the higher wins, the difference are prisoners (O9.6).",
        "L: the commander rolls (O8.3).",
    )
    return make_card("combat", "Combat results", "O9.9", columns, rows, *notes)


def _commander(data: GameData) -> TableCard:
    rows = ((str(die), commander_fate(die, lost=True), commander_fate(die, lost=False)) for die in DIE)
    return make_card("commander", "Commander after an L", "O8.3", ("Die", "battle lost", "battle not lost"), rows)


def _stray(data: GameData) -> TableCard:
    rows = ((str(die), "captured" if die <= CAUGHT else "escapes") for die in DIE)
    notes = (
        "He escapes to the nearest friendly stack with SP that is not besieged; if there is none, he is captured.",
    )
    return make_card("stray", "Leader without SP among enemies", "O5.10", ("Die", "fate"), rows, *notes)


def _retreat(data: GameData) -> TableCard:
    rows = _by_initiative(data, lambda die, initiative: str(min(MOST, die + initiative)))
    return make_card("retreat", "Retreat in hexes", "O9.7", _initiative_columns(data), rows)


def _morale(data: GameData) -> TableCard:
    def cell(die: int, initiative: int) -> str:
        return str(die + initiative)

    target = GameOptions().morale_target
    notes = (f"Die + printed initiative: {target} or more recovers; another number by the option morale-target.",)
    return make_card(
        "morale", "Recovery of morale", "O11.2", _initiative_columns(data), _by_initiative(data, cell), *notes
    )


def _siege(data: GameData) -> TableCard:
    rows = ((heading, SIEGE_WORDS[result]) for heading, result in siege_rows(data))
    four, one = plus(strength_modifier(4, 1)), plus(strength_modifier(1, 1))
    notes = (
        f"Defence bonus of the commander inside: −1 or −2 (at most −{MOST_DEFENCE}).",
        f"Besieger has at least 4 SP for each SP inside: {four}; fewer than 2: {one}.",
        f"Fortress of {GREAT} VP: −1. Winter: −1. Each earlier roll in this siege: +1.",
    )
    return make_card("siege", "Siege", "O13.2", ("Die, modified", "result"), rows, *notes)


def _attrition(data: GameData) -> TableCard:
    rows = ((heading, f"{percent} %" if percent else "none") for heading, percent in attrition_rows(data))
    notes = (
        "+1 for every earlier turn out of supply in a row.",
        "Winter: who is in supply rolls too; who is not has +1 (O14.2).",
        "Nearest whole, halves up; at least 1 SP from the second turn on, and at 10 % or more.",
        "At the year's end field stacks out of supply roll once more with +2 (O14.6).",
    )
    return make_card("attrition", "Attrition", "O10.8", ("Die, modified", "loss"), rows, *notes)


FIELD_TABLES: Final[tuple[Callable[[GameData], TableCard], ...]] = (
    _terrain,
    _march,
    _force_march,
    _combat,
    _commander,
    _retreat,
    _stray,
    _morale,
    _siege,
    _attrition,
)
