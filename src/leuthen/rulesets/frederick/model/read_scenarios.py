"""Reads the scenarios: that of the article (C2), and those of C14. Raises Invalid, naming file and line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.engine.refusal import Invalid
from leuthen.rulesets.frederick.model.data import (
    AUSTRIA,
    CAMPAIGN,
    NO_POWER,
    NOBODY,
    POWERS,
    PRUSSIA,
    Force,
    Fortress,
    Leader,
    Scenario,
    power_named,
)
from leuthen.wargame.board import NOWHERE, WIDTH, Board, parse_hex
from leuthen.wargame.data_files import Files, Row, read_each
from leuthen.wargame.names import NO_LEADER, LeaderId
from leuthen.wargame.strength import PowerId

PLANS: Final = "scenarios.csv"
LAST_TURN: Final = 18
"""Instead of a hex: where its major likes (C2.4)."""
_FORCE: Final = "power hex where sp leaders depots"
_PLAN: Final = (
    "name setup year turn last last_turn par prussian austrian surrendered rp_prussia rp_austria gone bases area text"
)
_SIDES: Final = (("prussian", PRUSSIA), ("austrian", AUSTRIA))


def read_scenarios(files: Files, leaders: tuple[Leader, ...], board: Board) -> dict[str, Scenario]:
    """The scenarios by name, that of the article first; data that were kept from earlier may have no others."""
    numbers = {leader.name: LeaderId(number) for number, leader in enumerate(leaders)}
    setups = {path: _setup(files, path, numbers) for path in sorted(files) if path.startswith("scenarios/")}
    first = setups.get(_path(CAMPAIGN))
    found = {} if first is None else {CAMPAIGN: Scenario(CAMPAIGN, "August 1756 to the end of 1762", first)}
    if PLANS in files:
        plans = read_each(files, PLANS, _PLAN, lambda row: _plan(row, setups, numbers, board), lambda plan: plan.name)
        found |= {plan.name: plan for plan in plans}
    return found


def _path(setup: str) -> str:
    return f"scenarios/{setup}.csv"


def _setup(files: Files, path: str, numbers: Mapping[str, LeaderId]) -> tuple[Force, ...]:
    return tuple(read_each(files, path, _FORCE, lambda row: _force(row, numbers)))


def _force(row: Row, numbers: Mapping[str, LeaderId]) -> Force:
    here = NOWHERE if row["hex"] == "secret" else row.hex("hex")
    inside = row.word("where", ("",) if here == NOWHERE else ("inside", "field")) == "inside"
    who = _leaders(row, "leaders", numbers)
    return Force(power_named(row["power"]), here, inside, row.number("sp"), who, row.number("depots", 0, 1))


def _leaders(row: Row, column: str, numbers: Mapping[str, LeaderId]) -> tuple[LeaderId, ...]:
    who = tuple(numbers.get(name, NO_LEADER) for name in row[column].split(";") if name)
    if NO_LEADER in who:
        raise Invalid(f"{column}: somebody among «{row[column]}» is no leader of this game")
    return who


def _plan(row: Row, setups: Mapping[str, tuple[Force, ...]], numbers: Mapping[str, LeaderId], board: Board) -> Scenario:
    setup = _path(row.name("setup"))
    if setup not in setups:
        raise Invalid(f"setup: the data folder has no file {setup}")
    sides: list[int] = [NOBODY] * len(POWERS)
    for column, side in _SIDES:
        for power in _powers(row, column):
            sides[power] = side
    return Scenario(
        row.name("name"), row.name("text"), setups[setup],
        row.number("year", 1757, 1762), row.number("turn", 1, LAST_TURN),
        row.number("last", 1757, 1762), row.number("last_turn", 1, LAST_TURN),
        row.number("par", -999, 999), tuple(sides), frozenset(_powers(row, "surrendered")),
        (row.number("rp_prussia"), row.number("rp_austria")), _leaders(row, "gone", numbers),
        tuple([_base(text, board) for text in row["bases"].split(";") if text]), _area(row["area"]),
    )  # fmt: skip


def _powers(row: Row, column: str) -> list[PowerId]:
    return [power_named(name) for name in row[column].split(";") if name]


def _base(text: str, board: Board) -> Fortress:
    """«russia 2432 Posen»: a fortress of a power, with no VP (C14.3)."""
    power, place, name = (*text.split(" ", 2), "", "")[:3]
    here = parse_hex(place)
    if not name or not board.in_play(here):
        raise Invalid(f"bases: «{text}» is no base: a power, a hex in play and a name are expected")
    return Fortress(name, here, power_named(power), board.territory[here], 0, False, NO_POWER)


def _area(text: str) -> tuple[int, int, int, int] | None:
    """«1020-1734»: the hexes of its north-western and south-eastern corners, or nothing for the whole map (C14.4)."""
    if not text:
        return None
    first, _, last = text.partition("-")
    (top, left), (bottom, right) = (divmod(parse_hex(corner), WIDTH) for corner in (first, last))
    if top > bottom or left > right:
        raise Invalid(f"area: «{text}» is none: the corner with the lower row and column comes first")
    return top, bottom, left, right
