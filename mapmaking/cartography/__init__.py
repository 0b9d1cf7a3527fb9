"""The map sheet of the war, drawn in the style of eighteenth-century engravers.

`sheet(folder)` returns the SVG of the board in a folder of map data; `Mark` puts counters on it. `table_sheet(folder)`
is the sheet for a table in a browser.
"""

from mapmaking.cartography.data import Drawing, read
from mapmaking.cartography.drawing import Mark, draw_map, sheet
from mapmaking.cartography.table import table_sheet

__all__ = ["Drawing", "Mark", "draw_map", "read", "sheet", "table_sheet"]
