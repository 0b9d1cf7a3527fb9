"""The sheet for a table in a browser: lean, in colours that a page may change, without what the page draws itself."""

import re
from pathlib import Path

from leuthen.cartography.data import Board, read
from leuthen.cartography.drawing import grid_lines, ground, letters, lines, printed
from leuthen.cartography.grid import SCALE, on_sheet


def table_sheet(board_files: Path) -> str:
    """The map in a folder of board files for a table; raises `OSError` if a file is missing.

    Colours are CSS variables `--map-…`, ids begin with `sheet-`. `data-hex` is the width of a hex in pixels,
    `data-zero` where row 0, column 0 of the board would lie, `data-rows` the hexes of each row: «01:1-36 02:1-36 …».
    """
    board = read(board_files)
    layers = [*ground(board), grid_lines(board), *lines(board), *letters(board)]
    zero = "{:.1f} {:.1f}".format(*on_sheet((0.0, 0.0)))
    place = {"data_hex": f"{SCALE:.0f}", "data_zero": zero, "data_rows": _rows(board)}
    return _surnamed(printed(board, layers, class_="sheet", **place))


def _rows(board: Board) -> str:
    rows: dict[str, list[int]] = {}
    for here in sorted(board.hexes):
        rows.setdefault(here[:2], []).append(int(here[2:]))
    return " ".join(f"{row}:{','.join(_runs(columns))}" for row, columns in rows.items())


def _runs(numbers: list[int]) -> list[str]:
    first = [n for n in numbers if n - 1 not in numbers]
    last = [n for n in numbers if n + 1 not in numbers]
    return [f"{a}-{b}" for a, b in zip(first, last, strict=True)]


# The sheet stands inside a page that has ids of its own.
def _surnamed(drawing: str) -> str:
    return re.sub(r'(\bid="|href="#|url\(#)', r"\1sheet-", drawing)
