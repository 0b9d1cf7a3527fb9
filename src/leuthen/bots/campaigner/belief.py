"""The position as a general imagines it, from his view alone."""

from __future__ import annotations

from leuthen.campaigns.gamedata import GameData
from leuthen.campaigns.state import State
from leuthen.campaigns.view import View
from leuthen.campaigns.worlds import world_of


def imagine(data: GameData, view: View) -> State:
    """A whole position that agrees with everything the viewer knows (R1.6)."""
    return world_of(data, view)
