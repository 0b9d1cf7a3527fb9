"""Tables of tests as text: `rows(NAME)` reads tests/tables/NAME.txt, a row in each line, its values between bars."""

from ast import literal_eval
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent / "tables"
LITERALS: Final = ('"', "'", 'b"', "b'", "[", "(", "{")


def value_of(cell: str) -> Any:
    """Return a cell as it stands; a Python literal if it begins like one, or is a number or True, False, None."""
    is_literal = cell.startswith(LITERALS) or cell in ("True", "False", "None") or cell.lstrip("-").isdecimal()
    return literal_eval(cell) if is_literal else cell


def rows(name: str) -> list[Any]:
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    cells = [[value_of(cell.strip()) for cell in line.split(" | ")] for line in lines if line]
    return [tuple(row) if len(row) > 1 else row[0] for row in cells]
