from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mapmaking import audit, inputs, make
from mapmaking.audit import Board, Row
from mapmaking.board import neighbours

BOARD = Board.read()
Damage = Callable[[Board], Board]


def change_hex(here: str, **values: str) -> Damage:
    return lambda board: replace(board, hexes=board.hexes | {here: board.hexes[here] | values})


def add_sides(*sides: Row) -> Damage:
    blank = {"river": "", "ridge": "0", "pass": "", "water": "0"}
    return lambda board: replace(board, sides=board.sides + [blank | s for s in sides])


def change_fortress(name: str, **values: str) -> Damage:
    def change(board: Board) -> Board:
        rows = [f | values if f["name"] == name else f for f in board.fortresses]
        return replace(board, fortresses=rows)

    return change


def move_place(name: str, here: str) -> Damage:
    return lambda board: replace(board, places=[p | {"hex": here} if p["name"] == name else p for p in board.places])


def delete_pass(name: str) -> Damage:
    return lambda board: replace(board, sides=[s | {"pass": ""} if s["pass"] == name else s for s in board.sides])


def move_pass(name: str, there: str) -> Damage:
    def change(board: Board) -> Board:
        sides = [s | {"pass": ""} if s["pass"] == name else s for s in board.sides]
        return replace(board, sides=[s | {"pass": name} if s["a"] + s["b"] == there else s for s in sides])

    return change


def enclose(here: str, *gaps: str) -> Damage:
    walls = [(min(here, n), max(here, n)) for n in neighbours(here) if n not in gaps]
    return add_sides(*({"a": a, "b": b, "ridge": "1"} for a, b in walls))


DAMAGES: list[tuple[Callable[[Board], list[str]], Damage]] = [
    (audit.hexes, lambda board: replace(board, hexes={h: r for h, r in board.hexes.items() if h != "2020"})),
    (audit.hexes, change_hex("2020", terrain="water")),
    (audit.hexes, change_hex("2020", range="Harz")),
    (audit.coasts, change_hex("2020", coast="1")),
    (audit.coasts, change_hex("3328", coast="0")),
    (audit.hexsides, add_sides({"a": "2021", "b": "2020", "river": "Elbe"})),
    (audit.hexsides, add_sides({"a": "2020", "b": "2025", "river": "Elbe"})),
    (audit.hexsides, add_sides({"a": "1336", "b": "1337", "river": "Elbe"})),
    (audit.hexsides, add_sides({"a": "3328", "b": "3428", "river": "Elbe"})),
    (audit.hexsides, add_sides({"a": "2020", "b": "2021", "pass": "Nowhere"})),
    (audit.hexsides, add_sides({"a": "2020", "b": "2021", "water": "1", "ridge": "1"})),
    (audit.hexsides, add_sides({"a": "2020", "b": "2021"})),
    (audit.hexsides, lambda board: replace(board, sides=[*board.sides, board.sides[0]])),
    (audit.rivers, add_sides({"a": "1929", "b": "1930", "river": "Bober"})),
    (audit.rivers, add_sides({"a": "1829", "b": "1929", "river": "Bober"})),
    (audit.rivers, add_sides({"a": "1929", "b": "2029", "river": "Queis"})),
    (audit.places, move_place("Berlin", "3428")),
    (audit.fortresses, change_fortress("Berlin", hex="3428")),
    (audit.fortresses, change_fortress("Breslau", province="bohemia")),
    (audit.fortresses, move_place("Breslau", "1734")),
    (audit.set_up, change_hex("1821", territory="brandenburg")),
    (audit.set_up, move_place("Torgau", "1822")),
    (audit.set_up, change_hex("3742", territory="east-prussia")),
    (audit.silesia, change_fortress("Cosel", province="moravia")),
    (audit.points, change_fortress("Berlin", vp="10")),
    (audit.connected, enclose("3321")),
    (audit.connected, enclose("2020")),
    (audit.sealed, enclose("2020", "2021")),
    (audit.passes, delete_pass("Nachod")),
    (audit.passes, move_pass("Nachod", "05230524")),
]


def test_the_map_passes_every_check() -> None:
    assert audit.audit(BOARD) == []


@pytest.mark.parametrize(("check", "damage"), DAMAGES)
def test_a_check_finds_planted_damage(check: Callable[[Board], list[str]], damage: Damage) -> None:
    assert check(damage(BOARD)) != []


def test_every_check_has_planted_damage() -> None:
    assert {check for check, _ in DAMAGES} == set(audit.CHECKS)


def test_data_and_sheets_are_up_to_date(tmp_path: Path) -> None:
    make.main(tmp_path)
    folders = ({path.name: path.read_bytes() for path in folder.iterdir()} for folder in (tmp_path, make.OUTPUT))
    fresh, committed = folders
    assert fresh == committed


def test_a_decision_changes_the_data() -> None:
    draft = inputs.read()
    kept = [d for d in draft.decisions.all if d.a != "3742"]
    without = replace(draft, decisions=inputs.Decisions(kept))
    assert make.make(without)["hexes.csv"] != make.make(draft)["hexes.csv"]


def test_every_decision_has_a_reason() -> None:
    assert [d for d in inputs.read().decisions.all if not d.reason] == []


@pytest.mark.parametrize("pair", ["1630-1730", "1730-1731", "1731-1830"])
def test_a_published_correction_is_applied(pair: str) -> None:
    assert [s for s in BOARD.sides if f"{s['a']}-{s['b']}" == pair and s["river"]] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("Spandau", "Havel"), ("Wehlau", "Pregel"), ("Colberg", "Persante"), ("Passau", "Danube"), ("Pirna", "Elbe")],
)
def test_a_town_lies_on_its_river(one: str, other: str) -> None:
    here = BOARD.at(one)
    assert other in {s["river"] for s in BOARD.sides if here in (s["a"], s["b"])}


@pytest.mark.parametrize(("one", "other", "far"), [("Dresden", "Pirna", 1), ("Troppau", "Domstadtl", 2)])
def test_distances_over_open_ground_are_correct(one: str, other: str, far: int) -> None:
    assert audit.distances(BOARD, BOARD.at(one))[BOARD.at(other)] == far


def test_dresden_and_pirna_have_no_river_between_them() -> None:
    between = (BOARD.at("Dresden"), BOARD.at("Pirna"))
    assert between not in {(s["a"], s["b"]) for s in BOARD.sides}


def test_western_enclaves_are_german_states() -> None:
    west = ("Wesel", "Venlo", "Roermond", "Minden", "Münster", "Cassel", "Emden", "Lippstadt")
    assert {BOARD.hexes[BOARD.at(name)]["territory"] for name in west} == {"german-states"}
