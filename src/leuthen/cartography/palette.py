"""Colours of the sheet: ink, paper, water, and the washes of a hand-coloured map."""

from typing import Final

PAPER: Final = "#efe2c4"
LAND: Final = "#f2e7cb"
INK: Final = "#3a2a1a"
FAINT: Final = "#7a6748"
SEA: Final = "#cddad6"
WATER_LINE: Final = "#4f7480"
RIVER: Final = "#2f6385"
RIVER_LIGHT: Final = "#a9cbd6"
HACHURE: Final = "#4d3822"
RED: Final = "#8e2a1d"
FONT: Final = "'EB Garamond','IM FELL English','Adobe Garamond Pro',Garamond,'Hoefler Text',Georgia,serif"

# Wash and border band of each territory.
TINTS: Final = {
    "brandenburg": ("#7c9bc7", "#2f5585"),
    "silesia": ("#7c9bc7", "#2f5585"),
    "east-prussia": ("#7c9bc7", "#2f5585"),
    "bohemia": ("#ecd391", "#b3862a"),
    "moravia": ("#ecd391", "#b3862a"),
    "austria": ("#ecd391", "#b3862a"),
    "saxony": ("#b3c795", "#5d7f3c"),
    "hanover": ("#e2a898", "#a34a3a"),
    "france": ("#c3b0d0", "#70528f"),
    "sweden": ("#97c4ba", "#2f7d70"),
    "russia": ("#8fb08a", "#33663c"),
    "german-states": ("#f2e7cb", "#a08a5c"),
    "poland": ("#e7c6c2", "#b06f72"),
    "mecklenburg": ("#d3c898", "#85773a"),
    "holstein": ("#e5b98c", "#ad6c30"),
    "schleswig": ("#ecc9a2", "#ad6c30"),
    "off": ("#e4d9bd", "#9d8f6f"),
}
PRUSSIAN: Final = frozenset({"brandenburg", "silesia", "east-prussia"})
AUSTRIAN: Final = frozenset({"bohemia", "moravia", "austria"})
