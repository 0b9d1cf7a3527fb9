import gzip
import math
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import pytest

from leuthen.server.http.files import CLIENT
from leuthen.wargame.board import Hex, parse_hex
from leuthen.wargame.names import NameBook
from mapmaking import audit, inputs, make
from mapmaking.audit import Board, Row
from mapmaking.board import neighbours
from mapmaking.cartography import palette, table_sheet
from mapmaking.cartography.palette import plain
from mapmaking.make import OUTPUT
from tests.campaigns.positions import rules
from tests.frederick.handmade import game_data
from tests.rows import rows

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


def test_western_enclaves_are_german_states() -> None:
    west = ("Wesel", "Venlo", "Roermond", "Minden", "Münster", "Cassel", "Emden", "Lippstadt")
    assert {BOARD.hexes[BOARD.at(name)]["territory"] for name in west} == {"german-states"}


BOOKS = (game_data().book, rules().data.book)


@pytest.mark.parametrize("book", BOOKS, ids=["frederick", "campaigns"])
# written: as players, older records and books spell it
@pytest.mark.parametrize(("written", "printed", "here"), rows("map-spellings"))
def test_a_place_is_found_by_another_spelling(book: NameBook, written: str, printed: str, here: int) -> None:
    assert (book.hex(written), book.town(book.hex(written))) == (parse_hex(f"{here:04}"), printed)


# Corrected places, and names of hexes with several places.
HEX_NAMES = (
    "2325 Frankfurt a.d. Oder, 2212 Hameln, 1223 Saaz, 1904 Mörs, 1424 Leitmeritz, 2326 Kunersdorf, 1629 Hirschberg"
)


@pytest.mark.parametrize("line", HEX_NAMES.split(", "))
def test_a_hex_has_its_main_name(line: str) -> None:
    here, name = line.split(" ", 1)
    assert [book.town(parse_hex(here)) for book in BOOKS] == [name, name]


def test_place_names_are_printed_with_c() -> None:
    assert not {"Kolberg", "Küstrin", "Köslin", "Krefeld", "Korbach"} & set(BOOKS[0].towns.names.values())


BOOK, GROUND = game_data().book, game_data().board
TOLERANCE = 2


def _at(place: str) -> Hex:
    return BOOK.hex(place)


def _cost(march: str) -> int:
    return sum(GROUND.reach(_at(one), 40)[_at(other)] for one, other in pairwise(march.split(", ")))


# reckoned by hand: Bevern and Schwerin gain a hex because Prague is nearer to the passes on the map than in reality;
# from Berlin to Torgau there are six hexes and two rivers, on the map as in reality
@pytest.mark.parametrize(("who", "march", "reckoned", "cost"), rows("map-marches"))
def test_a_historical_march_costs_as_estimated(who: str, march: str, reckoned: int, cost: int) -> None:
    assert _cost(march) == cost, who
    assert abs(_cost(march) - reckoned) <= TOLERANCE, who


# the river is between the two hexes, or, with "not", is not: the banks of the war's towns
@pytest.mark.parametrize(("river", "pair", "lies"), rows("map-banks"))
def test_a_town_is_on_its_bank_of_the_river(river: str, pair: str, lies: str) -> None:
    one, other = map(_at, pair.split(", "))
    assert other in GROUND.steps[one]
    assert (GROUND.side(one, other).river == river) != (lies == "not")


def test_the_road_of_friedland_is_open() -> None:
    assert GROUND.side(_at("Reichenberg"), _at("1627")).pass_ == "Friedland"


SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sheet() -> str:
    return table_sheet(OUTPUT)


@pytest.fixture(scope="module")
def tree(sheet: str) -> ElementTree.Element:
    return ElementTree.fromstring(sheet)


def test_the_sheet_is_small(sheet: str) -> None:
    assert len(gzip.compress(sheet.encode(), 6)) < 70_000


def test_the_sheet_is_self_contained_and_unstyled(sheet: str, tree: ElementTree.Element) -> None:
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", sheet) == []
    assert not {e.tag for e in tree.iter()} & {f"{SVG}image", f"{SVG}script", f"{SVG}style"}
    assert not [e for e in tree.iter() if "style" in e.attrib]


def test_every_colour_is_a_variable(sheet: str) -> None:
    assert re.findall(r"#[0-9a-f]{6}", re.sub(r"var\(--map-[\w-]+,#[0-9a-f]{6}\)", "", sheet)) == []
    assert "var(" not in plain(sheet)
    assert plain("var(--map-ink,#3a2a1a)") == "#3a2a1a"


def test_a_variable_has_one_colour(sheet: str) -> None:
    found = set(re.findall(r"var\((--map-[\w-]+),(#[0-9a-f]{6})\)", sheet))
    assert len(found) == len({name for name, _ in found}) > 30


VISION: Final = {
    "most people": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopes": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopes": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopes": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
MIN_DISTANCE: Final = {"light": 6.5, "dark": 5.5}
SIMILAR_PAIR: Final = frozenset({"holstein", "schleswig"})


@pytest.mark.parametrize("theme", MIN_DISTANCE)
@pytest.mark.parametrize("eye", VISION)
def test_washes_are_distinguishable_for_every_vision(theme: str, eye: str) -> None:
    seen = {name: perceived_colour(colour, eye) for name, colour in wash_colours(theme).items()}
    pairs = [(math.dist(seen[a], seen[b]), a, b) for a, b in combinations(seen, 2) if {a, b} != SIMILAR_PAIR]
    assert [pair for pair in pairs if pair[0] < MIN_DISTANCE[theme]] == []


def test_the_light_theme_has_the_colours_of_the_sheet() -> None:
    assert wash_colours("light") == {name: wash for name, (wash, _) in palette.WASHES.items()}


def wash_colours(theme: str) -> dict[str, str]:
    style = (CLIENT / "css" / "map.css").read_text(encoding="utf-8")
    found = re.findall(r"--map-wash-([\w-]+): var\(--is-light, (#\w{6})\) var\(--is-dark, (#\w{6})\)", style)
    return {name: day if theme == "light" else night for name, day, night in found}


def perceived_colour(colour: str, eye: str) -> tuple[float, float, float]:
    light = [to_linear(int(colour[k : k + 2], 16) / 255) for k in (1, 3, 5)]
    r, g, b = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in VISION[eye])
    x = lab_root((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
    y = lab_root(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
    z = lab_root((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def to_linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def lab_root(part: float) -> float:
    return part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116
