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
    Name("BRANDENBURG", (21.6, 22.05), 34, spacing=0.55),
    Name("POMERANIA", (29.6, 27.35), 26, -24, 0.5),
    Name("SILESIA", (31.9, 16.7), 34, 38, 0.75),
    Name("EAST PRUSSIA", (42.6, 30.35), 26, 0, 0.4),
    Name("BOHEMIA", (25.3, 8.6), 42, 0, 0.75),
    Name("MORAVIA", (32.4, 8.2), 30, 24, 0.55),
    Name("AUSTRIA", (28.6, 2.25), 36, 0, 0.8),
    Name("SAXONY", (20.9, 14.45), 32, 0, 0.6),
    Name("HANOVER", (12.6, 23.35), 30, 0, 0.5),
    Name("FRANCE", (2.6, 5.15), 34, 0, 0.35),
    Name("THE GERMAN STATES", (12.6, 8.2), 40, 0, 0.62),
    Name("POLAND", (33.3, 19.85), 44, 0, 0.8),
    Name("MECKLENBURG", (19.4, 25.75), 22, 0, 0.32),
    Name("SWEDISH POMERANIA", (21.3, 28.05), 12.5, 0, 0.12),
    Name("HOLSTEIN", (13.2, 28.4), 19, 0, 0.3),
    Name("SCHLESWIG", (11.6, 31.7), 19, 68, 0.3),
    Name("RUSSIA", (42.5, 31.83), 12.5, 0, 0.14),
)
REGIONS: Final = (
    Name("Westphalia", (6.9, 18.25), 24, 0, 0.3),
    Name("Hesse", (10.3, 13.45), 23, 0, 0.35),
    Name("Thuringia", (15.1, 14.55), 20, 0, 0.22),
    Name("Franconia", (13.5, 10.35), 23, 0, 0.35),
    Name("Swabia", (11.0, 3.9), 24, 0, 0.4),
    Name("Bavaria", (18.3, 3.1), 26, 0, 0.45),
    Name("The Palatinate", (6.1, 7.3), 18, 0, 0.12),
    Name("Lorraine", (3.4, 3.3), 18, 0, 0.16),
    Name("Alsace", (5.4, 2.5), 17, -72, 0.2),
    Name("Luxembourg", (2.6, 9.5), 16, 0, 0.12),
    Name("Lusatia", (25.1, 16.05), 22, 0, 0.4),
    Name("Altmark", (17.3, 21.65), 17, 0, 0.2),
    Name("Neumark", (27.6, 22.7), 19, -12, 0.28),
    Name("Uckermark", (23.0, 24.6), 16, 0, 0.14),
    Name("Upper Austria", (25.3, 1.0), 15, 0, 0.12),
    Name("Lower Austria", (31.0, 1.05), 15, 0, 0.12),
    Name("Hungary", (35.2, 3.5), 22, 0, 0.25),
    Name("Royal Prussia", (33.4, 26.6), 19, -30, 0.2),
    Name("Great Poland", (33.6, 21.7), 22, 0, 0.25),
    Name("Masovia", (43.4, 24.75), 21, 0, 0.4),
    Name("Samogitia", (44.6, 36.1), 20, 0, 0.25),
    Name("East Frisia", (6.6, 24.9), 14, 0, 0.1),
    Name("County of Glatz", (33.0, 11.66), 10.5, 0, 0.02),
    Name("United Provinces", (2.6, 20.9), 19, 0, 0.15),
    Name("Denmark", (12.3, 35.4), 24, 0, 0.3),
    Name("Sweden", (24.6, 36.5), 26, 0, 0.4),
)
SEAS: Final = (
    Name("The North Sea", (5.0, 29.3), 40, 0, 0.4),
    Name("The Baltic Sea", (31.2, 33.4), 46, 0, 0.55),
    Name("Bay of Danzig", (37.2, 31.6), 17, -20, 0.1),
    Name("Bay of Lübeck", (16.3, 28.75), 13, 0, 0.05),
)


def lands() -> str:
    """The names on land: territories of the game upright, regions in italics."""
    capitals = [_name(n, INK, "normal", 0.62) for n in TERRITORIES]
    return group(*(_name(n, INK, "italic", 0.5) for n in REGIONS), *capitals, font_family=FONT)


def seas() -> str:
    """The names of the seas."""
    return group(*(_name(n, WATER_LINE, "italic", 0.9) for n in SEAS), font_family=FONT)


def _name(name: Name, colour: str, style: str, opacity: float) -> str:
    x, y = on_sheet(name.at)
    return words(
        name.text,
        (x, y),
        font_size=name.size,
        font_style=style,
        letter_spacing=name.size * name.spacing,
        text_anchor="middle",
        fill=colour,
        opacity=f"{opacity:.2f}",
        stroke=PAPER,
        stroke_width=2.0,
        stroke_opacity=0.5,
        paint_order="stroke",
        transform=f"rotate({name.turn:.0f} {x:.1f} {y:.1f})",
    )
