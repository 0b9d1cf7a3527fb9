import gzip
import re
from xml.etree import ElementTree

import pytest

from mapmaking.cartography import table_sheet
from mapmaking.cartography.palette import plain
from mapmaking.make import OUTPUT

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


def test_every_colour_may_be_changed(drawn: str) -> None:
    assert re.findall(r"#[0-9a-f]{6}", re.sub(r"var\(--map-[\w-]+,#[0-9a-f]{6}\)", "", drawn)) == []
    assert "var(" not in plain(drawn)
    assert plain("var(--map-ink,#3a2a1a)") == "#3a2a1a"


def test_a_variable_has_one_colour(drawn: str) -> None:
    found = set(re.findall(r"var\((--map-[\w-]+),(#[0-9a-f]{6})\)", drawn))
    assert len(found) == len({name for name, _ in found}) > 30
