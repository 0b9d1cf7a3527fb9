"""Fortresses of the game and named places."""

from mapmaking.board import all_hexes
from mapmaking.inputs import Inputs

STARS = {
    "Venlo": "france",
    "Roermond": "france",
    "Wesel": "france",
    "Minden": "hanover",
    "Munster": "hanover",
}


def fortresses(inputs: Inputs) -> list[list[str]]:
    """Rows of `fortresses.csv`, sorted by hex."""
    columns = ("name", "hex", "power", "province", "vp", "great", "hex_mark", "vp_mark")
    rows = sorted(inputs.fortresses, key=lambda r: r["hex"])
    return [[*(r[c] for c in columns[:6]), STARS.get(r["name"], ""), *(r[c] for c in columns[6:])] for r in rows]


def places(inputs: Inputs) -> list[list[str]]:
    """Rows of `places.csv`, sorted by hex and name: all that lie on the board."""
    board = set(all_hexes())
    names = inputs.decisions.values("place-name")
    rows = [_place(r, names) for r in inputs.places if r["hex"] in board]
    return sorted(rows, key=lambda r: (r[2], r[0]))


def _place(row: dict[str, str], names: dict[str, str]) -> list[str]:
    name = names.get(row["name"], row["name"])
    rest = ("modern_name", "hex", "lat", "lon", "fortress", "kind", "note")
    return [name, *(row[c] for c in rest)]
