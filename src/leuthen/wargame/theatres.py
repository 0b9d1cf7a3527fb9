"""Theatres of the war: lands of the map that were fought over together."""

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
"""names of theatres by word"""
_LANDS: Final = {
    "silesia": "silesia", "bohemia": "bohemia", "moravia": "bohemia", "austria": "bohemia", "saxony": "saxony",
    "brandenburg": "brandenburg", "mecklenburg": "brandenburg", "east-prussia": "east", "poland": "east",
    "russia": "east", "sweden": "sweden",
}  # fmt: skip


def theatre_of(territory: str) -> str:
    """Return the word of a territory's theatre; "west" if it is in no other."""
    return _LANDS.get(territory, "west")
