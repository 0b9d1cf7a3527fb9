import pytest

from leuthen.wargame.board import parse_hex
from leuthen.wargame.names import NameBook
from tests.campaigns.positions import rules
from tests.frederick.handmade import game_data

BOOKS = (game_data().book, rules().data.book)

# Spelling by players, older records and books; printed spelling; hex.
SPELLINGS = """
Kolberg | Colberg | 3328
kolb | Colberg | 3328
Kuestrin | Cüstrin | 2425
KÜSTRIN | Cüstrin | 2425
Kustrin | Cüstrin | 2425
Köslin | Cöslin | 3330
Koeslin | Cöslin | 3330
Krefeld | Crefeld | 1803
Korbach | Corbach | 1710
Kassel | Cassel | 1811
Koblenz | Coblenz | 1306
Kosel | Cosel | 1436
Krossen | Crossen | 2227
Koburg | Coburg | 1216
Munster | Münster | 2107
Muenster | Münster | 2107
Grünberg | Grünberg | 2129
"""


@pytest.mark.parametrize("book", BOOKS, ids=["frederick", "campaigns"])
@pytest.mark.parametrize("line", SPELLINGS.strip().splitlines())
def test_a_place_is_found_by_another_spelling(book: NameBook, line: str) -> None:
    written, printed, here = line.split(" | ")
    assert (book.hex(written), book.town(book.hex(written))) == (parse_hex(here), printed)


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
