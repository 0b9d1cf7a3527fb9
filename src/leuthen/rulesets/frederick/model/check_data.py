"""What must hold between the data's files and lines. Each fault is a sentence that begins with its file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from leuthen.rulesets.frederick.model.data import CAMPAIGN, MINORS, NATIONS, NOBODY, POWERS, Force, GameData, Scenario
from leuthen.wargame.board import NOWHERE, WIDTH, hex_name

DICE: Final = range(-1, 10)
"""The results of a battle's die (O9.9)."""
LEAST_RATIO: Final = 25
"""In per cent; below it nobody fights (O9.2)."""
DIPLOMACY: Final = range(-1, 8)
"""The results of C5.3."""
COMMITMENT: Final = range(-1, 7)
"""The rows of C7.2."""


def faults(data: GameData) -> Iterator[str]:
    """All faults, the plainest first."""
    for check in (_hexes, _places, _leaders, _combat, _politics, _dice, _scenarios):
        yield from check(data)


def _hexes(data: GameData) -> Iterator[str]:
    """The board has no hole: the hexes of a row follow one upon another, and so do the rows."""
    hexes = sorted(data.board.terrain)
    if not hexes:
        yield "map/hexes.csv: there is no hex"
    for here, there in pairwise(hexes):
        same_row, next_row = there == here + 1, there // WIDTH == here // WIDTH + 1 and there % WIDTH == 1
        if not (same_row or next_row):
            yield f"map/hexes.csv: between {hex_name(here)} and {hex_name(there)} hexes are missing"


def _places(data: GameData) -> Iterator[str]:
    for name, here in data.places.items():
        if here not in data.board.terrain:
            yield f"map/places.csv: {name} is in {hex_name(here)}, which is not on the board"
    for name, times in Counter(fort.name for fort in data.fortresses.values()).items():
        if times > 1:
            yield f"map/fortresses.csv: two fortresses are named {name}"


def _leaders(data: GameData) -> Iterator[str]:
    """A power's leaders of the set-up have places of their own (C2), and none has the name of a nameless one (C8.4)."""
    starts = Counter((leader.power, leader.start) for leader in data.leaders if leader.start)
    for (power, start), times in starts.items():
        if times > 1:
            yield f"leaders.csv: {times} leaders of {POWERS[power]} have start {start}"
    for name, times in Counter(leader.name for leader in data.leaders).items():
        if times > 1:
            yield f"leaders.csv: {name} is the name of a leader that every game has ({', '.join(NATIONS)} general)"


def _combat(data: GameData) -> Iterator[str]:
    if min(data.columns, default=LEAST_RATIO + 1) > LEAST_RATIO:
        yield f"tables/combat.csv: there is no column for a ratio of {LEAST_RATIO} per cent"
    for die in DICE:
        for column in data.columns:
            if (die, column) not in data.combat:
                yield f"tables/combat.csv: there is no line for die {die}, column {column}"


def _politics(data: GameData) -> Iterator[str]:
    for rolls, path, table in (
        (DIPLOMACY, "tables/diplomacy.csv", set(data.diplomacy)),
        (COMMITMENT, "tables/commitment.csv", set(data.commitment)),
    ):
        for roll in rolls:
            for power in MINORS:
                if (roll, power) not in table:
                    yield f"{path}: there is no line for roll {roll}, {POWERS[power]}"


def _dice(data: GameData) -> Iterator[str]:
    for name, table in (("subsidy", data.subsidy), ("leader", data.leader_table)):
        if len(table) != 6:
            yield f"tables/{name}.csv: a line for each face of the die is expected, 1 to 6"
    for name, lines in (("attrition", data.attrition), ("siege", data.siege)):
        if not lines:
            yield f"tables/{name}.csv: there is no line"
    rolls = [roll for roll, _ in data.siege]
    if rolls != sorted(set(rolls)):
        yield "tables/siege.csv: the rolls do not rise from line to line"


def _scenarios(data: GameData) -> Iterator[str]:
    if CAMPAIGN not in data.scenarios:
        yield f"the data folder has no file scenarios/{CAMPAIGN}.csv"
    for name, plan in data.scenarios.items():
        placed = _set_up(data, plan.forces) if plan.par is None else _listed(data, plan)
        for fault in (*placed, *_mustered(data, plan.forces)):
            yield f"scenarios/{name}.csv: {fault}"


def _listed(data: GameData, plan: Scenario) -> Iterator[str]:
    """All stand in the part of the map that is played, and fight (C14.1, C14.4); no hex is shared by enemies."""
    places = {*data.fortresses, *(base.hex for base in plan.bases)}
    for force in plan.forces:
        if not (data.board.in_play(force.hex) and plan.is_played(force.hex)):
            yield f"nobody can stand in {hex_name(force.hex)}"
        if force.inside and force.hex not in places:
            yield f"{hex_name(force.hex)} has no fortress to be inside of"
        if plan.sides[force.power] == NOBODY:
            yield f"{POWERS[force.power]} is on no side"
    for here in {force.hex for force in plan.forces}:
        if len({plan.sides[force.power] for force in plan.forces if force.hex == here}) > 1:
            yield f"enemies share {hex_name(here)}"


def _set_up(data: GameData, forces: tuple[Force, ...]) -> Iterator[str]:
    """Just the majors deploy in secret (C2.4); a place holds one force of the others."""
    if sorted(force.power for force in forces if force.hex == NOWHERE) != [0, 1]:
        yield "just Prussia and Austria deploy in secret, in one line each"
    fixed = [force for force in forces if force.hex != NOWHERE]
    for force in fixed:
        if not data.board.in_play(force.hex):
            yield f"nobody can stand in {hex_name(force.hex)}"
        if force.inside and force.hex not in data.fortresses:
            yield f"{hex_name(force.hex)} has no fortress to be inside of"
        if force.power not in MINORS:
            yield f"{POWERS[force.power]} deploys in secret, not in {hex_name(force.hex)}"
    for (here, _), times in Counter((force.hex, force.inside) for force in fixed).items():
        if times > 1:
            yield f"{times} forces in {hex_name(here)}; there can be one in the field and one inside"


def _mustered(data: GameData, forces: tuple[Force, ...]) -> Iterator[str]:
    for force in forces:
        for leader in force.leaders:
            if data.leaders[leader].power != force.power:
                yield f"{data.leaders[leader].name} is no leader of {POWERS[force.power]}"
    for leader, times in Counter(leader for force in forces for leader in force.leaders).items():
        if times > 1:
            yield f"{data.leaders[leader].name} stands in {times} places"
