from itertools import pairwise

import pytest

from leuthen.wargame.board import Hex
from tests.frederick.handmade import game_data

DATA = game_data()
BOOK = DATA.book
BOARD = DATA.board
TOLERANCE = 2

# march, estimate by hand, cost. Bevern and Schwerin gain a hex because Prague is nearer to the passes on the map than
# in reality; from Berlin to Torgau there are six hexes and two rivers, on the map as in reality.
MARCHES = """
Maurice 1757           | Chemnitz, Prague                      |  7 |  7
Frederick 1757         | Pirna, Lobositz, Prague               |  7 |  7
Bevern 1757            | Zittau, Reichenberg, Prague           | 11 | 10
Schwerin 1757          | Landeshut, Trautenau, Prague          | 12 | 11
Soubise 1757           | Eisenach, Rossbach                    |  6 |  6
Frederick 1757         | Leipzig, Görlitz, Leuthen             | 19 | 19
Frederick 1758         | Schweidnitz, Neisse, Troppau, Olmütz  | 11 | 11
Frederick 1758, back   | Olmütz, Königgrätz, Landeshut         | 10 | 10
Daun 1758              | Königgrätz, Zittau, Hochkirch         | 10 | 10
Saltykov 1759          | Posen, Züllichau, Kunersdorf          |  8 |  8
Laudon 1759            | Görlitz, Guben, Kunersdorf            |  7 |  7
Contades 1759          | Frankfurt a.M., Cassel, Minden        | 13 | 13
Henry 1759             | Zwickau, Hof, Bamberg                 |  7 |  7
Fermor 1757            | Memel, Tilsit, Gross-Jägersdorf       |  8 |  8
Daun 1759              | Reichenberg, 1627, Lauban             |  3 |  3
Hadik 1757             | Bautzen, Lübben, Berlin               | 10 | 10
Frederick 1760         | Berlin, Wittenberg, Torgau            | 10 |  8
"""

# The river is between the two hexes, or, with "not", is not: the banks of the war's towns.
BANKS = """
Bober  | 1829, 1929                  | not
Bober  | 1829, 1828                  |
Oder   | 2424, Cüstrin               |
Oder   | Cüstrin, Kunersdorf         | not
Warthe | Cüstrin, Zorndorf           |
Oder   | Frankfurt a.d. Oder, Kunersdorf |
Warthe | Posen, 2433                 |
Warthe | 2431, Posen                 | not
Oder   | Cosel, 1536                 |
Oder   | 1435, Cosel                 | not
Main   | Frankfurt a.M., Bergen      | not
Main   | Frankfurt a.M., 1009        |
Main   | Hanau, 1010                 |
Lahn   | Giessen, Marburg            | not
Lahn   | Marburg, 1509               |
Diemel | Warburg, Cassel             |
Swine  | 3124, Swinemünde            |
Weser  | 2211, Hameln                |
Eger   | Saaz, Kommotau              |
White Elster | Leipzig, 1619         |
Lippe  | Paderborn, 1910             |
Peenestrom | Anklam, 3124            |
"""


def _table(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def _at(place: str) -> Hex:
    return BOOK.hex(place)


def _cost(march: str) -> int:
    return sum(BOARD.reach(_at(one), 40)[_at(other)] for one, other in pairwise(march.split(", ")))


@pytest.mark.parametrize(("who", "march", "reckoned", "cost"), _table(MARCHES))
def test_a_historical_march_costs_as_estimated(who: str, march: str, reckoned: str, cost: str) -> None:
    assert _cost(march) == int(cost), who
    assert abs(_cost(march) - int(reckoned)) <= TOLERANCE, who


@pytest.mark.parametrize(("river", "pair", "lies"), _table(BANKS))
def test_a_town_is_on_its_bank_of_the_river(river: str, pair: str, lies: str) -> None:
    one, other = map(_at, pair.split(", "))
    assert other in BOARD.steps[one]
    assert (BOARD.side(one, other).river == river) != (lies == "not")


def test_the_road_of_friedland_is_open() -> None:
    assert BOARD.side(_at("Reichenberg"), _at("1627")).pass_ == "Friedland"
