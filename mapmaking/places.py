"""Fortresses of the game and named places."""

from mapmaking.board import all_hexes
from mapmaking.inputs import Inputs

FIELDS = ("battle", "camp")
STARS = {
    "Venlo": "france",
    "Roermond": "france",
    "Wesel": "france",
    "Minden": "hanover",
    "Münster": "hanover",
}


def fortresses(inputs: Inputs) -> list[list[str]]:
    """Return the rows of `fortresses.csv`, sorted by hex."""
    columns = ("name", "hex", "power", "province", "vp", "great", "hex_mark", "vp_mark")
    rows = sorted(inputs.fortresses, key=lambda r: r["hex"])
    return [[*(r[c] for c in columns[:6]), STARS.get(r["name"], ""), *(r[c] for c in columns[6:])] for r in rows]


def places(inputs: Inputs) -> list[list[str]]:
    """Return the rows of `places.csv` for places on the board, sorted by hex, towns before fields and camps, then by
    name.
    """
    board = set(all_hexes())
    rows = [_place(row, inputs) for row in inputs.places]
    return sorted((row for row in rows if row[2] in board), key=lambda row: (row[2], row[6] in FIELDS, row[0]))


def _place(row: dict[str, str], inputs: Inputs) -> list[str]:
    name = inputs.decisions.values("place-name").get(row["name"], row["name"])
    here = inputs.decisions.values("place-hex").get(row["name"], row["hex"])
    rest = ("lat", "lon", "fortress", "kind", "note")
    return [name, row["modern_name"], here, *(row[column] for column in rest)]
