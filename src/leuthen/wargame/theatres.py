"""The theatres of the war: which lands of the map were fought over together."""

from __future__ import annotations

from typing import Final

THEATRES: Final = {
    "silesia": "Silesia",
    "bohemia": "Bohemia",
    "saxony": "Saxony",
    "brandenburg": "Brandenburg",
    "east": "the East",
    "west": "the West",
    "sweden": "Swedish Pomerania",
}
"""Their names by their words."""
_LANDS: Final = {
    "silesia": "silesia", "bohemia": "bohemia", "moravia": "bohemia", "austria": "bohemia", "saxony": "saxony",
    "brandenburg": "brandenburg", "mecklenburg": "brandenburg", "east-prussia": "east", "poland": "east",
    "russia": "east", "sweden": "sweden",
}  # fmt: skip


def theatre_of(territory: str) -> str:
    """The word of the theatre to which a territory belongs: the west, if to no other."""
    return _LANDS.get(territory, "west")
