"""A map of characters around a place, from a view only."""

from __future__ import annotations

from leuthen.frederick.gamedata import GameData
from leuthen.frederick.view import View


def char_map(data: GameData, view: View, place: str, radius: int) -> str:
    """A map of characters around a place."""
    return place
