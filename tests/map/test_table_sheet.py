import gzip
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mapmaking.cartography import grid, read, table_sheet
from mapmaking.cartography.curve import number, path, spline, strokes
from mapmaking.cartography.palette import plain
from mapmaking.make import OUTPUT

BOARD = read(OUTPUT)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawn() -> str:
    return table_sheet(OUTPUT)


@pytest.fixture(scope="module")
def tree(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def test_it_is_lean(drawn: str) -> None:
    assert len(gzip.compress(drawn.encode(), 6)) < 70_000


def test_it_needs_no_other_file_and_no_style(drawn: str, tree: ElementTree.Element) -> None:
    assert re.findall(r"https?://(?!www\.w3\.org/2000/svg)", drawn) == []
    assert not {e.tag for e in tree.iter()} & {f"{SVG}image", f"{SVG}script", f"{SVG}style"}
    assert not [e for e in tree.iter() if "style" in e.attrib]


def test_every_reference_is_answered_once(drawn: str) -> None:
    ids = re.findall(r'\bid="([\w-]+)"', drawn)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|url\(#)([\w-]+)', drawn)) == set(ids)
    assert {name for name in ids if not name.startswith("sheet-")} == set()


def test_every_colour_may_be_changed(drawn: str) -> None:
    assert re.findall(r"#[0-9a-f]{6}", re.sub(r"var\(--map-[\w-]+,#[0-9a-f]{6}\)", "", drawn)) == []
    assert "var(" not in plain(drawn)
    assert plain("var(--map-ink,#3a2a1a)") == "#3a2a1a"


def test_a_variable_has_one_colour(drawn: str) -> None:
    found = set(re.findall(r"var\((--map-[\w-]+),(#[0-9a-f]{6})\)", drawn))
    assert len(found) == len({name for name, _ in found}) > 30


def test_it_tells_where_its_hexes_lie(tree: ElementTree.Element) -> None:
    rows = dict(part.split(":") for part in tree.attrib["data-rows"].split())
    named = {
        f"{row}{column:02d}"
        for row, runs in rows.items()
        for a, b in (run.split("-") for run in runs.split(","))
        for column in range(int(a), int(b) + 1)
    }
    assert named == set(BOARD.hexes)
    x, y = (float(n) for n in tree.attrib["data-zero"].split())
    wide = float(tree.attrib["data-hex"])
    there = grid.on_sheet(grid.centre("1624"))
    assert there == pytest.approx((x + 24.5 * wide, y - 16 * wide * 3**0.5 / 2), abs=0.1)


def test_it_names_no_hexes_but_every_town(tree: ElementTree.Element) -> None:
    texts = {"".join(t.itertext()) for t in tree.iter(f"{SVG}text")}
    assert not {t for t in texts if re.fullmatch(r"\d{4}", t)}
    assert {p["name"] for p in BOARD.places if p["kind"] not in ("battle", "camp")} <= texts


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        table_sheet(tmp_path)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (-0.04, "0"), (0.5, ".5"), (-0.5, "-.5"), (10.0, "10"), (100.04, "100"), (-20.46, "-20.5")],
)
def test_numbers_are_short(value: float, text: str) -> None:
    assert number(value) == text


def test_a_path_is_relative() -> None:
    assert path([(10.0, 20.04), (12.0, 19.0), (12.5, 19.0)]) == "M10 20l2-1 .5 0"
    assert path([(0.0, 0.0), (3.0, 0.0)], closed=True) == "M0 0l3 0z"


def test_strokes_follow_each_other() -> None:
    assert strokes([((1.0, 1.0), (2.0, 3.0)), ((5.0, 5.0), (4.0, 5.0))]) == "m1 1l1 2m3 2l-1 0"


def test_a_spline_ends_where_its_bends_end() -> None:
    bends = [(0.0, 0.0), (10.0, 0.0), (20.0, 10.0), (31.0, 11.0)]
    assert spline(bends) == "M0 0l5 0q5 0 10 5t10.5 5.5l5.5 .5"
    assert spline(bends[:2]) == "M0 0l10 0"
    assert spline(bends[:3], closed=True) == "M5 0q5 0 10 5t-5 0t-5-5z"
