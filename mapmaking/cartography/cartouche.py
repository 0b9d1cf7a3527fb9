"""The title, the legend and the scales, on a panel outside the hexes."""

import math
from itertools import pairwise
from typing import Final

from mapmaking.cartography.curve import path
from mapmaking.cartography.grid import SCALE, Point, on_sheet
from mapmaking.cartography.palette import FONT, GOLD, HACHURE, INK, LAUREL, PAPER, RIVER, RIVER_LIGHT, TINTS
from mapmaking.cartography.rivers import WIDTHS
from mapmaking.cartography.svg import box, group, line, tag, use, words
from mapmaking.cartography.towns import sign

LEFT, TOP = on_sheet((37.35, 22.75))
RIGHT, BOTTOM = on_sheet((47.1, 0.2))
MIDDLE: Final = (LEFT + RIGHT) / 2
HEX_KM: Final = 25.0
MILE_KM: Final = 7.42
TITLE: Final = (
    ("A NEW MAP", 76, 30, "normal", 7),
    ("of the Seat of War in", 122, 31, "italic", 1),
    ("GERMANY", 190, 66, "normal", 12),
    ("Bohemia, Silesia, Poland & Prussia", 236, 29, "italic", 0.6),
    ("from the Year 1756 to the Year 1762", 276, 24, "italic", 0.4),
    ("for the Campaigns of", 348, 21, "italic", 0.4),
    ("LEUTHEN", 394, 38, "normal", 8),
)
POWERS: Final = (
    ("brandenburg", "Prussia"),
    ("austria", "Austria"),
    ("saxony", "Saxony"),
    ("hanover", "Hanover"),
    ("france", "France"),
    ("sweden", "Sweden"),
    ("russia", "Russia"),
    ("german-states", "German States"),
    ("poland", "Poland"),
    ("mecklenburg", "Mecklenburg"),
    ("holstein", "Holstein, Schleswig"),
    ("off", "Out of play"),
    ("prussian", "Prussian lands in the Empire"),
)
RULINGS: Final = {"off": "ruled", "prussian": "prussian"}
"""The rulings over a wash."""


def panel() -> str:
    """Return the whole panel."""
    sheet = [_ruled(0, 3.2, PAPER), _ruled(8, 1.0, "none")]
    return group(*sheet, _title(), _signs(), _powers(), _scales(), class_="legend", font_family=FONT)


def _ruled(inset: float, width: float, fill: str) -> str:
    wide, high = RIGHT - LEFT - 2 * inset, BOTTOM - TOP - 2 * inset
    return box(LEFT + inset, TOP + inset, wide, high, fill=fill, stroke=INK, stroke_width=width)


def _title() -> str:
    lines = [_centred(text, TOP + y, size, style, gap) for text, y, size, style, gap in TITLE]
    half = group(_scrolls(), _laurel())
    other = group(half, transform=f"translate({2 * MIDDLE:.1f} 0) scale(-1 1)")
    return group(half, other, _sabres((MIDDLE, TOP + 310)), *lines)


def _centred(text: str, y: float, size: float, style: str, gap: float) -> str:
    look = {"font_size": size, "font_style": style, "letter_spacing": gap, "text_anchor": "middle", "fill": INK}
    return words(text, (MIDDLE + gap / 2, y), **look)


def _spiral(at: Point, start: float, size: float, turns: float) -> str:
    count = 40
    return path([_on_spiral(at, start, size, turns, k / count) for k in range(count + 1)])


def _on_spiral(at: Point, start: float, size: float, turns: float, t: float) -> Point:
    turn, far = start + math.tau * turns * t, size * (1 - 0.92 * t)
    return at[0] + far * math.cos(turn), at[1] + far * math.sin(turn)


def _scrolls() -> str:
    """Return the left half of the ornament around the title: leaf-like scrolls of the rocaille."""
    x, y = LEFT + 30, TOP + 26
    sweep = f"M{MIDDLE} {y + 6}C{x + 190} {y - 8} {x + 150} {y + 34} {x + 66} {y + 22}"
    side = f"M{x + 12} {y + 58}C{x + 44} {y + 130} {x - 26} {y + 170} {x + 14} {y + 236}"
    foot = f"M{x + 30} {y + 402}C{x + 120} {y + 380} {x + 130} {y + 424} {MIDDLE} {y + 410}"
    curls = [
        _spiral((x + 44, y + 40), -0.7, 30.0, 1.6),
        _spiral((x + 30, y + 262), -2.2, 30.0, -1.5),
        _spiral((x + 22, y + 378), 1.3, 25.0, -1.5),
        _spiral((x + 22, y + 320), -1.4, 20.0, 1.4),
    ]
    d = "".join([sweep, side, foot, *curls])
    shadow = line(d, stroke=INK, stroke_width=6.5, stroke_linecap="round")
    return shadow + line(d, stroke=GOLD, stroke_width=3.6, stroke_linecap="round")


def _laurel() -> str:
    """Return a branch of laurel on the left of the lower lines."""
    stem = [(MIDDLE - 130 - 62 * math.sin(t), TOP + 416 - 62 * (1 - math.cos(t))) for t in _steps(0.0, 2.2, 11)]
    leaves = [_leaf(at, -2.9 + 2.2 * k / 10 + side, 17.0) for k, at in enumerate(stem[1:]) for side in (-0.6, 0.6)]
    return line(path(stem), stroke=INK, stroke_width=1.6) + "".join(leaves)


def _steps(low: float, high: float, count: int) -> list[float]:
    return [low + (high - low) * k / (count - 1) for k in range(count)]


def _leaf(at: Point, turn: float, long: float) -> str:
    place = f"translate({at[0]:.1f} {at[1]:.1f}) rotate({math.degrees(turn):.0f})"
    d = f"M0 0Q{long * 0.5} {-long * 0.32} {long} 0Q{long * 0.5} {long * 0.32} 0 0"
    return tag("path", d=d, fill=LAUREL, stroke=INK, stroke_width=0.8, transform=place)


def _sabres(at: Point) -> str:
    blade = "M-62 12C-30 10 20 2 58 -18C24 8 -28 16 -62 15Z"
    hilt = "M-62 4L-58 22M-62 13L-78 17M-60 21C-70 30 -80 26 -79 18"
    one = tag("path", d=blade, fill=PAPER, stroke=INK, stroke_width=1.3)
    one += line(hilt, stroke=INK, stroke_width=2.4, stroke_linecap="round")
    other = group(one, transform="scale(-1 1)")
    return group(one, other, transform=f"translate({at[0]:.1f} {at[1] - 4:.1f})")


def _heading(text: str, y: float) -> str:
    rule = path([(MIDDLE - 200, y + 12), (MIDDLE + 200, y + 12)])
    return _centred(text, y, 23, "normal", 4) + line(rule, stroke=INK, stroke_width=0.8)


def _signs() -> str:
    samples = (
        (sign("great", (0, 0)), "Great fortress: 10 victory points"),
        (sign("fortress", (0, 0)), "Fortress: 5 victory points"),
        (sign("walls", (-14, 0)) + sign("town", (14, 0)), "Walled place, open town"),
        (sign("battle", (0, 0)), "Field of battle"),
        (_river(), "River on a hexside: one more to cross"),
        (_ridge(), "Ridge: nobody crosses"),
        (_pass(), "Pass over a ridge: one more to cross"),
        (_hills(), "Mountain hex"),
        (_strait(), "Water between two hexes: nobody crosses"),
        (_borders(), "Border of powers, of provinces"),
    )
    rows = [_row(k, sample, text) for k, (sample, text) in enumerate(samples)]
    return group(_heading("EXPLANATION", TOP + 478), *rows)


def _row(k: int, sample: str, text: str) -> str:
    y = TOP + 522 + 41 * k
    here = group(sample, transform=f"translate({LEFT + 84:.1f} {y:.1f})")
    return here + words(text, (LEFT + 152, y + 7), font_size=22, fill=INK)


def _river() -> str:
    d = "M-42 6C-24 -12 -10 12 6 0S30 -10 42 2"
    banks, water, _ = WIDTHS[1]
    bed = line(d, stroke=RIVER, stroke_width=banks, stroke_linecap="round")
    return bed + line(d, stroke=RIVER_LIGHT, stroke_width=water, stroke_linecap="round")


def _strokes(low: int, high: int) -> str:
    marks = [(x, 1.5 + 0.6 * math.sin(x)) for x in range(low, high, 3)]
    return "".join(f"M{x} 1.5L{x + s} 12M{x} -1.5L{x - s} -10" for x, s in marks)


def _ridge() -> str:
    return line(_strokes(-42, 43), stroke=HACHURE, stroke_width=1.15, stroke_linecap="round")


def _pass() -> str:
    slopes = line(_strokes(-42, -9) + _strokes(9, 43), stroke=HACHURE, stroke_width=1.15, stroke_linecap="round")
    return slopes + use("pass", transform="rotate(90)")


def _hills() -> str:
    return use("hills-0")


def _strait() -> str:
    return line("M-42 0H42", stroke=RIVER, stroke_width=7, stroke_dasharray="2 5")


def _borders() -> str:
    powers = line("M-42 -6H42", stroke=INK, stroke_width=1.8, stroke_dasharray="9 4 1.5 4", stroke_linecap="round")
    return powers + line("M-42 7H42", stroke=INK, stroke_width=1.8, stroke_dasharray="1.5 5", stroke_linecap="round")


def _powers() -> str:
    swatches = [_swatch(k, name, text) for k, (name, text) in enumerate(POWERS)]
    return group(_heading("POWERS AND LANDS", TOP + 976), *swatches)


def _swatch(k: int, name: str, text: str) -> str:
    x, y = LEFT + 52 + 270 * (k % 2), TOP + 1004 + 31 * (k // 2)
    wash, band = TINTS["german-states" if name == "prussian" else name]
    fill = box(x, y, 52, 22, fill=wash, stroke=band, stroke_width=3)
    ruling = box(x, y, 52, 22, fill=f"url(#{RULINGS[name]})") if name in RULINGS else ""
    return fill + ruling + words(text, (x + 66, y + 18), font_size=21, fill=INK)


def _scales() -> str:
    y = TOP + 1254
    miles = _bar(y, "German miles", MILE_KM, (0, 5, 10, 15, 20))
    metres = _bar(y + 48, "kilometres", 1.0, (0, 50, 100, 150))
    note = _centred("A hex measures 25 kilometres.", y + 82, 18, "italic", 0.3)
    return miles + metres + note


def _bar(y: float, unit: str, km: float, marks: tuple[int, ...]) -> str:
    x = LEFT + 48
    ends = [x + mark * km / HEX_KM * SCALE for mark in marks]
    pieces = [
        box(a, y, b - a, 7, fill=INK if k % 2 == 0 else PAPER, stroke=INK, stroke_width=1)
        for k, (a, b) in enumerate(pairwise(ends))
    ]
    figures = [
        words(str(m), (e, y - 5), font_size=16, text_anchor="middle", fill=INK)
        for m, e in zip(marks, ends, strict=True)
    ]
    return "".join(
        [*pieces, *figures, words(unit, (ends[-1] + 30, y + 8), font_size=18, font_style="italic", fill=INK)]
    )
