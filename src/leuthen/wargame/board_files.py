"""The board and its named places, read from the files of the map (docs/map.md)."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.refusal import Invalid
from leuthen.wargame.board import CLEAR, MOUNTAIN, OFF, WATER, Board, Hex, Hexside, around
from leuthen.wargame.data_files import Files, Row, read_each


def read_board(files: Files, territories: Sequence[str] = ()) -> Board:
    """The board; each hex of land is in one of the territories, or off; without a list of them all are taken.

    Raises Invalid, naming file and line.
    """
    lands = (*territories, OFF) if territories else ()
    hexes = read_each(files, "map/hexes.csv", "hex terrain territory", lambda row: _hex(row, lands), _first)
    terrain = {here: kind for here, kind, _ in hexes}
    territory = {here: land for here, _, land in hexes}

    def side(row: Row) -> tuple[tuple[Hex, Hex], Hexside]:
        a, b = row.hex("a"), row.hex("b")
        if not (a in terrain and b in terrain and b in around(a)):
            raise Invalid(f"{row['a']} and {row['b']} are no two neighbours of the board")
        return (a, b), _side(row)

    sides = read_each(files, "map/sides.csv", "a b river ridge pass water", side, lambda each: frozenset(each[0]))
    return Board(terrain, territory, dict(sides))


def read_places(files: Files) -> dict[str, Hex]:
    """The hexes of the named places. Raises Invalid, naming file and line."""
    return dict(read_each(files, "map/places.csv", "name hex", _place, _first))


def read_modern(files: Files) -> dict[str, str]:
    """How the named places are called today, where that is known. Raises Invalid, naming file and line."""
    names = read_each(files, "map/places.csv", "name modern", lambda row: (row.name("name"), row["modern"]), _first)
    return {name: modern for name, modern in names if modern}


def _first(values: tuple[object, ...]) -> object:
    return values[0]


def _hex(row: Row, lands: Sequence[str]) -> tuple[Hex, str, str]:
    terrain = row.word("terrain", (CLEAR, MOUNTAIN, WATER))
    if terrain == WATER:
        return row.hex("hex"), terrain, OFF
    return row.hex("hex"), terrain, row.word("territory", lands) if lands else row["territory"]


def _side(row: Row) -> Hexside:
    side = Hexside(row["river"], row.flag("ridge"), row["pass"], row.flag("water"))
    if side.pass_ and not side.ridge:
        raise Invalid("pass: there is no ridge to pass")
    return side


def _place(row: Row) -> tuple[str, Hex]:
    return row.name("name"), row.hex("hex")
