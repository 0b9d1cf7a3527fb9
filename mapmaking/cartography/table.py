"""The sheet for a table in a browser: compact, with variable colours, without elements that the page draws."""

import re
from pathlib import Path

from leuthen.wargame.board import rows_of
from mapmaking.cartography.data import read
from mapmaking.cartography.drawing import grid_lines, ground, letters, lines, printed
from mapmaking.cartography.grid import SCALE, on_sheet


def table_sheet(board_files: Path) -> str:
    """Return the map in a board folder for a table. Raise OSError if a file is missing.

    Colours are CSS variables `--map-…`, ids begin with `sheet-`. `data-hex` is the width of a hex in pixels,
    `data-zero` the position of row 0, column 0 of the board, `data-rows` the hexes of each row: "01:1-36 02:1-36 …".
    """
    board = read(board_files)
    layers = [*ground(board), grid_lines(board), *lines(board), *letters(board)]
    zero = "{:.1f} {:.1f}".format(*on_sheet((0.0, 0.0)))
    place = {"data_hex": f"{SCALE:.0f}", "data_zero": zero, "data_rows": rows_of(board.hexes)}
    return _surnamed(printed(board, layers, class_="sheet", **place))


# The sheet is embedded in a page that has its own ids.
def _surnamed(drawing: str) -> str:
    return re.sub(r'(\bid="|href="#|url\(#)', r"\1sheet-", drawing)
