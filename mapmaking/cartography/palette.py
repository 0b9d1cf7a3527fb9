"""Colours of the sheet: ink, paper, water, and the washes of a hand-coloured map.

Each is a CSS variable with its colour on paper, so that a page can show the sheet in dark colours; `plain` replaces the
variables for programs that do not know them.
"""

import re
from collections.abc import Mapping
from typing import Final

COLOURS: Final = {
    "paper": "#efe2c4",
    "land": "#f2e7cb",
    "ink": "#3a2a1a",
    "faint": "#7a6748",
    "sea": "#cddad6",
    "water-line": "#4f7480",
    "river": "#2f6385",
    "river-light": "#a9cbd6",
    "hachure": "#4d3822",
    "border": "#43301d",
    "red": "#8e2a1d",
    "gold": "#d9bf86",
    "laurel": "#8f9a63",
    "hull": "#6b4a2c",
}
# Wash and border band of each territory; any two washes can be told apart, with colour blindness too (tests/map).
WASHES: Final = {
    "brandenburg": ("#acb8c8", "#2f5585"),
    "bohemia": ("#f3e0a8", "#b3862a"),
    "saxony": ("#dbe1b4", "#5d7f3c"),
    "hanover": ("#d4b3a4", "#a34a3a"),
    "france": ("#cdc5ce", "#70528f"),
    "sweden": ("#a0c0b6", "#2f7d70"),
    "russia": ("#afb98f", "#33663c"),
    "german-states": ("#f2e7cb", "#a08a5c"),
    "poland": ("#e8cac2", "#b06f72"),
    "mecklenburg": ("#cdbf84", "#85773a"),
    "holstein": ("#ebc79e", "#ad6c30"),
    "schleswig": ("#ebc79e", "#ad6c30"),
    "off": ("#d8ccb0", "#9d8f6f"),
}
PRUSSIAN: Final = frozenset({"brandenburg", "silesia", "east-prussia"})
AUSTRIAN: Final = frozenset({"bohemia", "moravia", "austria"})
FONT: Final = "'EB Garamond','IM FELL English','Adobe Garamond Pro',Garamond,'Hoefler Text',Georgia,serif"


def _paint(name: str, colour: str) -> str:
    return f"var(--map-{name},{colour})"


def _mixed(one: str, other: str, part: float) -> str:
    """Return a mix of two colours, with the given share of the first."""
    pairs = [(int(one[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(part * a + (1 - part) * b):02x}" for a, b in pairs)


def _tints() -> Mapping[str, tuple[str, str]]:
    """Return the paints of each territory: its wash on the land, and its band."""
    own = {name: name for name in WASHES}
    own |= dict.fromkeys(PRUSSIAN, "brandenburg") | dict.fromkeys(AUSTRIAN, "bohemia")
    paints = {kin: (_paint(f"wash-{kin}", wash), _paint(f"band-{kin}", band)) for kin, (wash, band) in WASHES.items()}
    return {name: paints[kin] for name, kin in own.items()}


def shore(strength: float) -> str:
    """Return the paint of an engraved line in the sea."""
    colour = _mixed(COLOURS["water-line"], COLOURS["sea"], strength)
    return _paint(f"shore-{100 * strength:.0f}", colour)


def plain(drawing: str) -> str:
    """Return a drawing with colours in place of variables."""
    return re.sub(r"var\(--map-[\w-]+,(#\w+)\)", r"\1", drawing)


PAPER: Final = _paint("paper", COLOURS["paper"])
LAND: Final = _paint("land", COLOURS["land"])
INK: Final = _paint("ink", COLOURS["ink"])
FAINT: Final = _paint("faint", COLOURS["faint"])
SEA: Final = _paint("sea", COLOURS["sea"])
WATER_LINE: Final = _paint("water-line", COLOURS["water-line"])
RIVER: Final = _paint("river", COLOURS["river"])
RIVER_LIGHT: Final = _paint("river-light", COLOURS["river-light"])
HACHURE: Final = _paint("hachure", COLOURS["hachure"])
BORDER: Final = _paint("border", COLOURS["border"])
RED: Final = _paint("red", COLOURS["red"])
GOLD: Final = _paint("gold", COLOURS["gold"])
LAUREL: Final = _paint("laurel", COLOURS["laurel"])
HULL: Final = _paint("hull", COLOURS["hull"])
TINTS: Final = _tints()
