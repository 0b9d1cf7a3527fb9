"""Draws the map of the war as one sheet, in the manner of the engravers of the time.

`sheet(folder)` gives the SVG of the board in a folder of map data; `Mark` puts counters on it.
"""

from leuthen.cartography.data import Board, read
from leuthen.cartography.drawing import Mark, draw_map, sheet

__all__ = ["Board", "Mark", "draw_map", "read", "sheet"]
