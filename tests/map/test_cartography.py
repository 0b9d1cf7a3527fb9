import math
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mapmaking import board as geometry
from mapmaking.cartography import Drawing, Mark, curve, draw_map, grid, labels, read, sheet, towns
from mapmaking.make import OUTPUT

BOARD = read(OUTPUT)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn() -> str:
    return sheet(OUTPUT)


@pytest.fixture(scope="module")
def tree(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def _texts(tree: ElementTree.Element) -> list[str]:
    return ["".join(t.itertext()) for t in tree.iter(f"{SVG}text")]


def test_it_stands_alone(drawn: str, tree: ElementTree.Element) -> None:
    assert tree.tag == f"{SVG}svg"
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", drawn) == []
    assert not {e.tag for e in tree.iter()} & {f"{SVG}image", f"{SVG}script", f"{SVG}style"}


def test_every_reference_is_answered(drawn: str) -> None:
    wanted = set(re.findall(r'(?:href="#|url\(#)([\w-]+)', drawn))
    assert wanted - set(re.findall(r'id="([\w-]+)"', drawn)) == set()


def test_every_hex_has_its_number(tree: ElementTree.Element) -> None:
    assert {t for t in _texts(tree) if re.fullmatch(r"\d{4}", t)} == set(BOARD.hexes)


def test_every_town_and_fortress_is_named(tree: ElementTree.Element) -> None:
    wanted = {p["name"] for p in BOARD.places if p["kind"] not in ("battle", "camp")} | set(BOARD.fortresses)
    assert wanted - set(_texts(tree)) == set()


def test_names_cover_no_name() -> None:
    boxes = [(label.town.name, label.box) for label in labels.labels(BOARD)]
    pairs = combinations(boxes, 2)
    assert [(one, other) for (one, a), (other, b) in pairs if a.overlap(b) > 40] == []


def test_signs_stand_in_their_hex() -> None:
    for town in towns.towns(BOARD):
        x, y = grid.on_sheet(grid.centre(town.here))
        assert (town.at[0] - x) ** 2 + (town.at[1] - y) ** 2 < (grid.SCALE / 2) ** 2, town.name


@pytest.mark.parametrize("here", ["1125", "1733", "1821", "2210", "1727"])
def test_a_battle_at_a_fortress_is_shown_beside_it(here: str) -> None:
    found = [town for town in towns.towns(BOARD) if town.here == here]
    (place,) = [town for town in found if town.name in ("Prague", "Breslau", "Torgau", "Minden", "Görlitz")]
    battles = [town for town in found if town.sign == "battle" and town is not place]
    assert [b for b in battles if math.dist(b.at, place.at) > place.radius]


def test_marks_are_drawn_on_their_hex() -> None:
    text = draw_map(BOARD, [Mark("2422", "F 12", "prussia"), Mark("2422", "K<3", "austria"), Mark("9999", "lost")])
    found = _texts(ElementTree.fromstring(text))
    assert "F 12" in found
    assert "K<3" in found
    assert "lost" not in found


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        sheet(tmp_path)


@pytest.mark.parametrize("here", ["0101", "2422", "4346", "2001"])
def test_geometry_agrees_with_the_maker(here: str) -> None:
    assert grid.neighbours(here) == geometry.neighbours(here)
    assert grid.centre(here) == geometry.centre(here)


def test_outlines_close_around_holes() -> None:
    ring = set(grid.neighbours("2020"))
    assert sorted(len(loop) for loop in grid.outlines(ring)) == [6, 18]
    assert grid.outlines(set()) == []


def test_curves_keep_their_ends() -> None:
    chain = [(0.0, 0.0), (10.0, 0.0), (15.0, 8.0), (25.0, 8.0)]
    smooth = curve.flowing(chain)
    wild = curve.meandering(smooth, "Elbe", 4.0, 20.0)
    assert (smooth[0], smooth[-1]) == (chain[0], chain[-1])
    assert wild[0] == pytest.approx(chain[0])
    assert wild[-1] == pytest.approx(chain[-1])


def test_even_steps() -> None:
    steps = curve.evenly([(0.0, 0.0), (3.0, 0.0), (3.0, 9.0)], 3.0)
    assert steps == [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (3.0, 6.0), (3.0, 9.0)]


def test_a_board_without_rivers_can_be_drawn() -> None:
    bare = Drawing(BOARD.hexes, [], {}, [], BOARD.courses | {"rivers": [], "ridges": [], "places": []})
    assert "Elbe" not in draw_map(bare)
