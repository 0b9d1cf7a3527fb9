"""Names of territories, regions and seas, where they stand well on the sheet (board coordinates)."""

from dataclasses import dataclass
from typing import Final

from leuthen.cartography.grid import Point, on_sheet
from leuthen.cartography.palette import FONT, INK, PAPER, WATER_LINE
from leuthen.cartography.svg import group, words


@dataclass(frozen=True)
class Name:
    """A wide-set name: of a territory of the game, of a region in it, or of a sea."""

    text: str
    at: Point
    size: float
    turn: float = 0.0
    spacing: float = 0.45


TERRITORIES: Final = (
    Name("BRANDENBURG", (21.9, 23.3), 32, spacing=0.5),
    Name("POMERANIA", (29.6, 27.35), 26, -24, 0.5),
    Name("SILESIA", (33.95, 15.5), 29, 0, 0.3),
    Name("EAST PRUSSIA", (42.6, 30.35), 26, 0, 0.4),
    Name("BOHEMIA", (25.3, 8.6), 42, 0, 0.75),
    Name("MORAVIA", (32.75, 7.35), 30, 0, 0.55),
    Name("AUSTRIA", (31.1, 0.98), 28, 0, 0.6),
    Name("SAXONY", (21.9, 14.6), 32, 0, 0.6),
    Name("HANOVER", (12.6, 23.35), 30, 0, 0.5),
    Name("FRANCE", (2.6, 5.15), 34, 0, 0.35),
    Name("GERMAN STATES", (14.7, 5.95), 38, 0, 0.45),
    Name("POLAND", (33.3, 19.85), 44, 0, 0.8),
    Name("MECKLENBURG", (19.5, 25.2), 22, 0, 0.34),
    Name("SWEDISH POMERANIA", (21.3, 28.05), 12.5, 0, 0.12),
    Name("HOLSTEIN", (13.2, 28.4), 19, 0, 0.3),
    Name("SCHLESWIG", (11.6, 31.7), 19, 68, 0.3),
)
REGIONS: Final = (
    Name("Westphalia", (6.9, 18.25), 24, 0, 0.3),
    Name("Hesse", (10.3, 13.45), 23, 0, 0.35),
    Name("Thuringia", (15.1, 14.55), 20, 0, 0.22),
    Name("Franconia", (13.5, 10.35), 23, 0, 0.35),
    Name("Swabia", (12.7, 4.2), 24, 0, 0.4),
    Name("Bavaria", (20.2, 2.15), 26, 0, 0.45),
    Name("The Palatinate", (6.1, 7.3), 18, 0, 0.12),
    Name("Lorraine", (3.4, 3.3), 18, 0, 0.16),
    Name("Luxembourg", (2.6, 9.5), 16, 0, 0.12),
    Name("Lower Silesia", (30.75, 16.3), 16, 0, 0.06),
    Name("Upper Silesia", (33.95, 13.0), 14, 0, 0.02),
    Name("Lusatia", (25.2, 15.35), 22, 0, 0.35),
    Name("Altmark", (17.3, 21.65), 17, 0, 0.2),
    Name("Neumark", (27.6, 22.7), 19, -12, 0.28),
    Name("Uckermark", (23.9, 24.15), 15, 0, 0.12),
    Name("Upper Austria", (25.3, 1.0), 15, 0, 0.12),
    Name("Hungary", (35.2, 3.5), 22, 0, 0.25),
    Name("Royal Prussia", (33.4, 26.6), 19, -30, 0.2),
    Name("Great Poland", (33.6, 21.7), 22, 0, 0.25),
    Name("Masovia", (43.4, 24.75), 21, 0, 0.4),
    Name("Samogitia", (44.6, 36.1), 20, 0, 0.25),
    Name("East Frisia", (6.6, 24.9), 14, 0, 0.1),
    Name("United Provinces", (2.6, 20.9), 19, 0, 0.15),
    Name("Denmark", (12.3, 35.4), 24, 0, 0.3),
    Name("Sweden", (24.6, 36.5), 26, 0, 0.4),
)
SEAS: Final = (
    Name("The North Sea", (5.0, 29.3), 40, 0, 0.4),
    Name("The Baltic Sea", (31.2, 33.4), 46, 0, 0.55),
    Name("Bay of Danzig", (37.2, 31.6), 17, -20, 0.1),
)


# No `opacity` here: on a group it costs a browser the frame rate.
def lands() -> str:
    """The names on land: territories of the game upright, regions in italics."""
    regions = group(*map(_name, REGIONS), font_style="italic", fill_opacity=0.5)
    return group(regions, group(*map(_name, TERRITORIES), fill_opacity=0.62), fill=INK, **_LOOK)


def land_name_boxes() -> list[tuple[float, float, float, float]]:
    """Left, top, width and height of the level names on land."""
    return [_box(n) for n in (*TERRITORIES, *REGIONS) if abs(n.turn) < 15]


def _box(name: Name) -> tuple[float, float, float, float]:
    x, y = on_sheet(name.at)
    wide = name.size * (0.6 + name.spacing) * len(name.text)
    return x - wide / 2, y - 0.7 * name.size, wide, 0.7 * name.size


def seas() -> str:
    """The names of the seas."""
    return group(*map(_name, SEAS), font_style="italic", fill=WATER_LINE, **_LOOK)


_HALO: Final = {"stroke": PAPER, "stroke_width": 2, "stroke_opacity": 0.3, "paint_order": "stroke"}
_LOOK: Final = {"font_family": FONT, "text_anchor": "middle"} | _HALO


def _name(name: Name) -> str:
    x, y = on_sheet(name.at)
    turned = {"transform": f"rotate({name.turn:.0f} {x:.0f} {y:.0f})"} if name.turn else {}
    return words(name.text, (x, y), font_size=name.size, letter_spacing=name.size * name.spacing, **turned)
