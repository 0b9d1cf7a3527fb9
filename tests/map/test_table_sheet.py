import gzip
import re
from xml.etree import ElementTree

import pytest

from mapmaking.cartography import table_sheet
from mapmaking.cartography.palette import plain
from mapmaking.make import OUTPUT

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
