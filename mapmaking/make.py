"""Write the map data and draw the sheets: `python -m mapmaking.make [FOLDER]`."""

import csv
import io
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from mapmaking import courses, hexes, places, sides
from mapmaking.cartography import sheet, table_sheet
from mapmaking.inputs import FOLDER, Inputs, read

OUTPUT: Final = FOLDER.parent / "src" / "leuthen" / "data" / "map"
SOURCE: Final = (
    "# Made by mapmaking/make.py from mapmaking/inputs and mapmaking/decisions.csv; do not edit. See docs/map.md."
)


def make(inputs: Inputs) -> dict[str, str]:
    """Return the text of every data file by its name."""
    board = hexes.build(inputs)
    return {
        "hexes.csv": _csv("hex,terrain,territory,coast,range,lat,lon", _hex_rows(board)),
        "sides.csv": _csv("a,b,river,ridge,pass,water", _side_rows(inputs, board)),
        "fortresses.csv": _csv("name,hex,power,province,vp,great,star,hex_mark,vp_mark", places.fortresses(inputs)),
        "places.csv": _csv("name,modern,hex,lat,lon,fortification,kind,note", places.places(inputs)),
        "courses.json": courses.text(inputs, board),
    }


def _hex_rows(board: dict[str, hexes.Hex]) -> list[list[str]]:
    return [
        [here, h.terrain, h.territory, str(int(h.coast)), h.range, f"{h.lat:.3f}", f"{h.lon:.3f}"]
        for here, h in sorted(board.items())
    ]


def _side_rows(inputs: Inputs, board: dict[str, hexes.Hex]) -> list[list[str]]:
    edges = sides.build(inputs, board).items()
    return [[a, b, e.river, str(int(e.ridge)), e.passage, str(int(e.water))] for (a, b), e in edges]


def _csv(header: str, rows: Iterable[list[str]]) -> str:
    text = io.StringIO()
    text.write(f"{SOURCE}\n{header}\n")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def draw(folder: Path) -> dict[str, str]:
    """Return the sheets of the board in a folder of data files: for the wall, and for the table in a browser."""
    return {"wall.svg": sheet(folder), "table.svg": table_sheet(folder)}


def main(folder: Path = OUTPUT) -> None:
    """Write the data files and the sheets."""
    folder.mkdir(parents=True, exist_ok=True)
    _write(folder, make(read()))
    _write(folder, draw(folder))


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(*(Path(a) for a in sys.argv[1:2]))
