"""The plug-in: the places of the files, and the method that makes the game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from fords.ruleset import Fords
from fords.sheet import draw
from leuthen.plugin import Plugin

HERE: Final = Path(__file__).parent


class FordsPlugin(Plugin):
    """The Fords."""

    name = "fords"
    data = (HERE / "data",)
    rulebook = HERE / "rulebook"

    def make(self, files: Mapping[str, str]) -> Fords:
        """Return the game, from the texts of its data files."""
        return Fords(files)

    def sheet(self, files: Mapping[str, str]) -> str:
        """Return the sheet of its map, as SVG."""
        return draw(files)


PLUGIN: Final = FordsPlugin()
