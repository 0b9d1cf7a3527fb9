from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mapmaking import audit, inputs, make
from mapmaking.audit import Board, Row
from mapmaking.board import neighbours

BOARD = Board.read()
Damage = Callable[[Board], Board]


def _with_hex(here: str, **values: str) -> Damage:
    return lambda board: replace(board, hexes=board.hexes | {here: board.hexes[here] | values})


def _with_sides(*sides: Row) -> Damage:
    blank = {"river": "", "ridge": "0", "pass": "", "water": "0"}
    return lambda board: replace(board, sides=board.sides + [blank | s for s in sides])


def _with_fortress(name: str, **values: str) -> Damage:
    def change(board: Board) -> Board:
        rows = [f | values if f["name"] == name else f for f in board.fortresses]
        return replace(board, fortresses=rows)

    return change


def _with_place(name: str, here: str) -> Damage:
    return lambda board: replace(board, places=[p | {"hex": here} if p["name"] == name else p for p in board.places])


def _without_pass(name: str) -> Damage:
    return lambda board: replace(board, sides=[s | {"pass": ""} if s["pass"] == name else s for s in board.sides])


def _moved_pass(name: str, there: str) -> Damage:
    def change(board: Board) -> Board:
        sides = [s | {"pass": ""} if s["pass"] == name else s for s in board.sides]
        return replace(board, sides=[s | {"pass": name} if s["a"] + s["b"] == there else s for s in sides])

    return change


def _walled(here: str, *gaps: str) -> Damage:
    walls = [(min(here, n), max(here, n)) for n in neighbours(here) if n not in gaps]
    return _with_sides(*({"a": a, "b": b, "ridge": "1"} for a, b in walls))


DAMAGES: list[tuple[Callable[[Board], list[str]], Damage]] = [
    (audit.hexes, lambda board: replace(board, hexes={h: r for h, r in board.hexes.items() if h != "2020"})),
    (audit.hexes, _with_hex("2020", terrain="water")),
    (audit.hexes, _with_hex("2020", range="Harz")),
    (audit.coasts, _with_hex("2020", coast="1")),
    (audit.coasts, _with_hex("3328", coast="0")),
    (audit.hexsides, _with_sides({"a": "2021", "b": "2020", "river": "Elbe"})),
    (audit.hexsides, _with_sides({"a": "2020", "b": "2025", "river": "Elbe"})),
    (audit.hexsides, _with_sides({"a": "1336", "b": "1337", "river": "Elbe"})),
    (audit.hexsides, _with_sides({"a": "3328", "b": "3428", "river": "Elbe"})),
    (audit.hexsides, _with_sides({"a": "2020", "b": "2021", "pass": "Nowhere"})),
    (audit.hexsides, _with_sides({"a": "2020", "b": "2021", "water": "1", "ridge": "1"})),
    (audit.hexsides, _with_sides({"a": "2020", "b": "2021"})),
    (audit.hexsides, lambda board: replace(board, sides=[*board.sides, board.sides[0]])),
    (audit.rivers, _with_sides({"a": "1929", "b": "1930", "river": "Bober"})),
    (audit.rivers, _with_sides({"a": "1829", "b": "1929", "river": "Bober"})),
    (audit.rivers, _with_sides({"a": "1929", "b": "2029", "river": "Queis"})),
    (audit.places, _with_place("Berlin", "3428")),
    (audit.fortresses, _with_fortress("Berlin", hex="3428")),
    (audit.fortresses, _with_fortress("Breslau", province="bohemia")),
    (audit.fortresses, _with_place("Breslau", "1734")),
    (audit.set_up, _with_hex("1821", territory="brandenburg")),
    (audit.set_up, _with_place("Torgau", "1822")),
    (audit.set_up, _with_hex("3742", territory="east-prussia")),
    (audit.silesia, _with_fortress("Cosel", province="moravia")),
    (audit.points, _with_fortress("Berlin", vp="10")),
    (audit.connected, _walled("3321")),
    (audit.connected, _walled("2020")),
    (audit.sealed, _walled("2020", "2021")),
    (audit.passes, _without_pass("Nachod")),
    (audit.passes, _moved_pass("Nachod", "05230524")),
]


def test_no_fault() -> None:
    assert audit.audit(BOARD) == []


@pytest.mark.parametrize(("check", "damage"), DAMAGES)
def test_every_check_can_fail(check: Callable[[Board], list[str]], damage: Damage) -> None:
    assert check(damage(BOARD)) != []


def test_every_check_is_tried() -> None:
    assert {check for check, _ in DAMAGES} == set(audit.CHECKS)


def test_data_and_sheets_are_a_fresh_run(tmp_path: Path) -> None:
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
def test_published_correction(pair: str) -> None:
    assert [s for s in BOARD.sides if f"{s['a']}-{s['b']}" == pair and s["river"]] == []


@pytest.mark.parametrize(
    ("one", "other"),
    [("Spandau", "Havel"), ("Wehlau", "Pregel"), ("Colberg", "Persante"), ("Passau", "Danube"), ("Pirna", "Elbe")],
)
def test_towns_on_rivers(one: str, other: str) -> None:
    here = BOARD.at(one)
    assert other in {s["river"] for s in BOARD.sides if here in (s["a"], s["b"])}


@pytest.mark.parametrize(("one", "other", "far"), [("Dresden", "Pirna", 1), ("Troppau", "Domstadtl", 2)])
def test_open_ground(one: str, other: str, far: int) -> None:
    assert audit.distances(BOARD, BOARD.at(one))[BOARD.at(other)] == far


def test_no_river_between_dresden_and_the_camp_of_pirna() -> None:
    between = (BOARD.at("Dresden"), BOARD.at("Pirna"))
    assert between not in {(s["a"], s["b"]) for s in BOARD.sides}


def test_enclaves_of_the_west_are_neutral_ground() -> None:
    west = ("Wesel", "Venlo", "Roermond", "Minden", "Münster", "Cassel", "Emden", "Lippstadt")
    assert {BOARD.hexes[BOARD.at(name)]["territory"] for name in west} == {"german-states"}
