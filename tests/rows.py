"""Test tables as text: `rows(NAME)` reads tests/tables/NAME.txt, with one row per line and values between bars."""

from ast import literal_eval
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "tables"
LITERALS: Final = ('"', "'", 'b"', "b'", "[", "(", "{")


def value_of(cell: str) -> Any:
    """Return the text of a cell, or its value if it is a number, True, False, None or another Python literal."""
    is_literal = cell.startswith(LITERALS) or cell in ("True", "False", "None") or cell.lstrip("-").isdecimal()
    return literal_eval(cell) if is_literal else cell


def rows(name: str) -> list[Any]:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    cells = [[value_of(cell.strip()) for cell in line.split(" | ")] for line in lines if line]
    return [tuple(row) if len(row) > 1 else row[0] for row in cells]
