"""Readers of a rule set's data files: tables, and the board with its places (docs/map.md).

Errors name file and line.
"""

import csv
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Final, TypeVar

from leuthen.engine.refusal import Invalid, lines_of, number_of, plain_spaces, require, shorten
from leuthen.wargame.board import CLEAR, MOUNTAIN, OFF, WATER, Board, Hex, Hexside, around, parse_hex

Files = Mapping[str, str]
_DIGITS: Final = 9
K = TypeVar("K")
T = TypeVar("T")


class Row:
    """A line of a table. All methods raise Invalid with the column and its text."""

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    def __getitem__(self, column: str) -> str:
        return self._values[column]

    def has(self, column: str) -> bool:
        """Return whether the table has a column, which older data may lack."""
        return column in self._values

    def number(self, column: str, least: int = 0, most: int = 10_000) -> int:
        """Return a whole number within limits."""
        text = self._values[column]
        number = number_of(text.removeprefix("-"), _DIGITS)
        if number is None:
            raise Invalid(f'{column}: "{shorten(text)}" is not a valid whole number')
        number = -number if text.startswith("-") else number
        require(least <= number <= most, f"{column}: {text} is not between {least} and {most}")
        return number

    def number_or_none(self, column: str) -> int:
        """Return a whole number from 1 up; 0 for an empty cell."""
        return self.number(column, 1) if self._values[column] else 0

    def word(self, column: str, words: Sequence[str]) -> str:
        text = self._values[column]
        require(text in words, f'{column}: "{text}" is none of {", ".join(word or "nothing" for word in words)}')
        return text

    def is_set(self, column: str) -> bool:
        """Return whether the cell has "yes" instead of nothing."""
        return self.word(column, ("", "yes")) == "yes"

    def flag(self, column: str) -> bool:
        """Return whether the cell has 1 instead of 0."""
        return self.word(column, ("0", "1")) == "1"

    def name(self, column: str) -> str:
        """Return a name, which may not be empty."""
        text = self._values[column]
        require(text.strip(), f"{column}: a name is missing")
        return text

    def hex(self, column: str) -> Hex:
        try:
            return parse_hex(self._values[column])
        except Invalid as error:
            raise Invalid(f"{column}: {error}") from None


def read_rows(files: Files, path: str, columns: str) -> Iterator[tuple[int, Row]]:
    """Yield the lines of a table with their numbers. Raise Invalid, also if the file or one of its `columns` is
    missing.
    """
    require(path in files, f"the data folder has no file {path}")
    lines = enumerate(lines_of(files[path]), 1)
    numbered = [(n, line) for n, line in lines if line and not line.startswith("#")]
    for number, line in numbered:
        if strange := "a carriage return" if "\r" in line else "a no-break space" if plain_spaces(line) != line else "":
            raise Invalid(f"{path}, line {number}: the line contains {strange}")
    require(numbered, f"{path}: the header line is missing")
    parsed = zip((number for number, _ in numbered), csv.reader(line for _, line in numbered), strict=False)
    number, header = next(parsed)
    if missing := [column for column in columns.split() if column not in header]:
        raise Invalid(f"{path}, line {number}: there is no column {' and no column '.join(missing)}")
    for number, values in parsed:
        require(len(values) == len(header), f"{path}, line {number}: {len(values)} values for {len(header)} columns")
        yield number, Row(dict(zip(header, values, strict=True)))


def read_each(
    files: Files, path: str, columns: str, read: Callable[[Row], T], key: Callable[[T], object] | None = None
) -> list[T]:
    """Return the value of each line; `key` must be unique. Raise Invalid."""
    found: list[T] = []
    lines: dict[object, int] = {}
    for number, row in read_rows(files, path, columns):
        try:
            value = read(row)
        except ValueError as error:
            raise Invalid(f"{path}, line {number}: {error}") from error
        if key is not None and lines.setdefault(key(value), number) != number:
            raise Invalid(f"{path}, line {number}: repeats line {lines[key(value)]}")
        found.append(value)
    return found


def read_table(files: Files, path: str, columns: str, read: Callable[[Row], tuple[K, T]]) -> dict[K, T]:
    """Return a table of the keys and values of its lines. Raise Invalid."""
    return dict(read_each(files, path, columns, read, itemgetter(0)))


def digest_of(files: Files) -> str:
    """Return a short digest of all the texts, which a record names."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path}\n{files[path]}\n".encode())
    return whole.hexdigest()[:16]


def read_board(files: Files, territories: Sequence[str] = ()) -> Board:
    """Return the board; land must be in one of the territories, if any are named, or off. Raise Invalid."""
    lands = (*territories, OFF) if territories else ()
    ground = (CLEAR, MOUNTAIN, WATER)

    def hex_of(row: Row) -> tuple[Hex, str, str]:
        if (terrain := row.word("terrain", ground)) == WATER:
            return row.hex("hex"), terrain, OFF
        return row.hex("hex"), terrain, row.word("territory", lands) if lands else row["territory"]

    hexes = read_each(files, "map/hexes.csv", "hex terrain territory", hex_of, itemgetter(0))
    terrain = {here: kind for here, kind, _ in hexes}
    territory = {here: land for here, _, land in hexes}

    def side(row: Row) -> tuple[tuple[Hex, Hex], Hexside]:
        a, b = row.hex("a"), row.hex("b")
        is_side = a in terrain and b in terrain and b in around(a)
        require(is_side, f"{row['a']} and {row['b']} are not neighbours on the board")
        found = Hexside(row["river"], row.flag("ridge"), row["pass"], row.flag("water"))
        require(found.ridge or not found.pass_, "pass: there is no ridge to pass")
        return (a, b), found

    sides = read_each(files, "map/sides.csv", "a b river ridge pass water", side, lambda each: frozenset(each[0]))
    return Board(terrain, territory, dict(sides))


def read_places(files: Files) -> dict[str, Hex]:
    """Return the hexes of the named places. Raise Invalid."""
    return read_table(files, "map/places.csv", "name hex", lambda row: (row.name("name"), row.hex("hex")))


def read_modern(files: Files) -> dict[str, str]:
    """Return the known modern names of places. Raise Invalid."""
    names = read_table(files, "map/places.csv", "name modern", lambda row: (row.name("name"), row["modern"]))
    return {name: modern for name, modern in names.items() if modern}
