"""The situation as text, from a view only."""

from __future__ import annotations

from leuthen.frederick.gamedata import GameData
from leuthen.frederick.view import View


def describe(data: GameData, view: View, topic: str = "") -> str:
    """The situation as text."""
    return f"{view.year}, turn {view.turn}"
