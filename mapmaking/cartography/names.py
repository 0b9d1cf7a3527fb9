"""Names of territories, regions and seas, with their positions on the sheet (board coordinates)."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from mapmaking.cartography.grid import Point, on_sheet
from mapmaking.cartography.palette import FONT, HACHURE, INK, PAPER, WATER_LINE
from mapmaking.cartography.svg import group, words


@dataclass(frozen=True)
class MapName:
    """A letter-spaced name of a territory of the game, of a region in it, or of a sea."""

    text: str
    at: Point
    size: float
    turn: float = 0.0
    spacing: float = 0.45


TERRITORIES: Final = (
    MapName("BRANDENBURG", (21.2, 23.48), 32, 0, 0.5),
    MapName("POMERANIA", (29.78, 26.83), 26, -24, 0.5),
    MapName("SILESIA", (33.95, 15.5), 29, 0, 0.3),
    MapName("EAST PRUSSIA", (42.77, 30.53), 26, 0, 0.4),
    MapName("BOHEMIA", (24.95, 7.55), 42, 0, 0.75),
    MapName("MORAVIA", (32.75, 7.35), 30, 0, 0.55),
    MapName("AUSTRIA", (31.1, 0.98), 28, 0, 0.6),
    MapName("SAXONY", (21.35, 13.7), 25, 0, 0.45),
    MapName("HANOVER", (12.6, 23.35), 30, 0, 0.5),
    MapName("FRANCE", (3.65, 4.98), 34, 0, 0.35),
    MapName("GERMAN STATES", (14.7, 6.12), 38, 0, 0.45),
    MapName("POLAND", (33.47, 19.68), 44, 0, 0.8),
    MapName("MECKLENBURG", (19.5, 25.2), 22, 0, 0.34),
    MapName("SWEDISH POMERANIA", (21.3, 28.05), 12.5, 0, 0.12),
    MapName("HOLSTEIN", (13.2, 28.4), 19, 0, 0.3),
    MapName("SCHLESWIG", (11.6, 31.7), 19, 68, 0.3),
)
REGIONS: Final = (
    MapName("Westphalia", (6.9, 17.25), 24, 0, 0.3),
    MapName("Hesse", (10.3, 13.45), 23, 0, 0.35),
    MapName("Thuringia", (14.9, 15.15), 20, 0, 0.22),
    MapName("Franconia", (13.5, 10.35), 23, 0, 0.35),
    MapName("Swabia", (12.7, 4.2), 24, 0, 0.4),
    MapName("Bavaria", (20.2, 2.15), 26, 0, 0.45),
    MapName("The Palatinate", (6.1, 7.3), 18, 0, 0.12),
    MapName("Lorraine", (3.4, 3.3), 18, 0, 0.16),
    MapName("Luxembourg", (2.6, 9.5), 16, 0, 0.12),
    MapName("Lower Silesia", (30.35, 16.5), 16, 0, 0.06),
    MapName("Upper Silesia", (35.5, 11.5), 14, 0, 0.02),
    MapName("Lusatia", (24.8, 15.35), 22, 0, 0.35),
    MapName("Altmark", (17.3, 21.65), 17, 0, 0.2),
    MapName("Neumark", (27.6, 22.7), 19, -12, 0.28),
    MapName("Uckermark", (23.9, 24.35), 15, 0, 0.12),
    MapName("Upper Austria", (25.1, 1.0), 15, 0, 0.12),
    MapName("Hungary", (35.2, 3.5), 22, 0, 0.25),
    MapName("Royal Prussia", (33.4, 26.6), 19, -30, 0.2),
    MapName("Great Poland", (34.0, 22.1), 22, 0, 0.25),
    MapName("Masovia", (43.4, 24.75), 21, 0, 0.4),
    MapName("Samogitia", (44.6, 36.1), 20, 0, 0.25),
    MapName("East Frisia", (6.6, 24.9), 14, 0, 0.1),
    MapName("United Provinces", (2.6, 20.9), 19, 0, 0.15),
    MapName("Denmark", (12.3, 35.4), 24, 0, 0.3),
    MapName("Sweden", (24.6, 36.5), 26, 0, 0.4),
)
RANGES: Final = (
    MapName("Erzgebirge", (22.0, 12.72), 12, -30, 0.25),
    MapName("Riesengebirge", (29.04, 12.26), 11, 0, 0.12),
    MapName("Bohemian Forest", (22.76, 6.54), 15, 42, 0.4),
    MapName("Thuringian Forest", (15.26, 11.75), 12, 38, 0.2),
    MapName("Harz", (15.25, 17.75), 13, 0, 0.3),
    MapName("Black Forest", (7.03, 2.01), 13, -66, 0.3),
    MapName("Vosges", (4.06, 2.24), 12, -60, 0.3),
    MapName("Swabian Jura", (11.09, 1.77), 12, -40, 0.3),
    MapName("Sauerland", (8.38, 14.29), 12, 0, 0.25),
    MapName("Eifel", (3.5, 11.5), 12, 0, 0.3),
    MapName("Altvater", (33.99, 9.74), 11, 48, 0.15),
    MapName("Fichtelgebirge", (19.39, 9.84), 10, 0, 0.1),
    MapName("Rhön", (13.0, 11.2), 11, 0, 0.25),
)
SEAS: Final = (
    MapName("The North Sea", (5.0, 29.3), 40, 0, 0.4),
    MapName("The Baltic Sea", (31.2, 33.4), 46, 0, 0.55),
    MapName("Bay of Danzig", (37.2, 31.6), 17, -20, 0.1),
)


# No `opacity` here: on a group it lowers a browser's frame rate.
def lands() -> str:
    """Return the names on land: territories of the game upright, regions in italics."""
    regions = group(*map(_name, REGIONS), font_style="italic", fill_opacity=0.5)
    return group(regions, group(*map(_name, TERRITORIES), fill_opacity=0.62), fill=INK, **_LOOK)


def ranges() -> str:
    """Return the names of the mountain ranges, along their crests."""
    return group(*map(_name, RANGES), font_style="italic", fill=HACHURE, **_LOOK | {"stroke_opacity": 0.8})


def letters(names: Iterable[MapName]) -> Iterator[tuple[Point, float]]:
    """Yield the positions of the letters of names, each with the size of its name."""
    for name in names:
        (x, y), step, turn = on_sheet(name.at), name.size * (0.56 + name.spacing), math.radians(name.turn)
        for k, letter in enumerate(name.text):
            far = (k - (len(name.text) - 1) / 2) * step
            up = 0.35 * name.size
            if letter != " ":
                at = x + far * math.cos(turn) + up * math.sin(turn), y + far * math.sin(turn) - up * math.cos(turn)
                yield at, name.size


def seas() -> str:
    """Return the names of the seas."""
    return group(*map(_name, SEAS), font_style="italic", fill=WATER_LINE, **_LOOK)


_HALO: Final = {"stroke": PAPER, "stroke_width": 2, "stroke_opacity": 0.3, "paint_order": "stroke"}
_LOOK: Final = {"font_family": FONT, "text_anchor": "middle"} | _HALO


def _name(name: MapName) -> str:
    x, y = on_sheet(name.at)
    turned = {"transform": f"rotate({name.turn:.0f} {x:.0f} {y:.0f})"} if name.turn else {}
    return words(name.text, (x, y), font_size=name.size, letter_spacing=name.size * name.spacing, **turned)
