"""Ships of the line as decoration of the seas."""

from typing import Final

from mapmaking.cartography.grid import Point, on_sheet
from mapmaking.cartography.palette import HULL, INK, PAPER, RED, WATER_LINE
from mapmaking.cartography.svg import group, line, tag

# Positions on the board, sizes and directions.
FLEET: Final = (((2.6, 26.95), 1.0, 1), ((6.1, 27.5), 0.62, 1), ((35.4, 35.6), 1.0, -1), ((32.6, 36.1), 0.6, -1))
MASTS: Final = ((-27.0, 0.82), (0.0, 1.0), (25.0, 0.74))
# Sails of a mast: foot, head, half the width at the foot and at the head.
SAILS: Final = ((-7.0, -26.0, 15.0, 12.5), (-28.0, -44.0, 12.0, 9.0), (-46.0, -57.0, 8.5, 6.0))


def ships() -> str:
    """Return all ships."""
    return group(*(_ship(at, size, course) for at, size, course in FLEET))


def _ship(at: Point, size: float, course: int) -> str:
    x, y = on_sheet(at)
    place = f"translate({x:.0f} {y:.0f}) scale({course * size:.2f} {size:.2f})"
    rigs = [_mast(x, tall) for x, tall in MASTS]
    return group(*rigs, _bowsprit(), _hull(), _waves(), transform=place, stroke_linejoin="round")


def _mast(x: float, tall: float) -> str:
    top = -64 * tall
    mast = line(f"M{x} 10V{top:.1f}", stroke=INK, stroke_width=1.6)
    pennant = tag("path", d=f"M{x} {top:.1f}q9 -3 19 2q-9 1 -19 3Z", fill=RED)
    return mast + pennant + "".join(_sail(x, tall, *sail) for sail in SAILS)


def _sail(x: float, tall: float, foot: float, head: float, low: float, high: float) -> str:
    foot, head, low, high = foot * tall, head * tall, low * tall, high * tall
    waist, drop = (foot + head) / 2, 0.7 * (foot - head)
    lee = f"M{-high:.1f} {head:.1f}H{high:.1f}Q{low + 6:.1f} {waist:.1f} {low:.1f} {foot:.1f}"
    luff = f"Q3 {foot - 4:.1f} {-low:.1f} {foot:.1f}Q{5 - high:.1f} {waist:.1f} {-high:.1f} {head:.1f}Z"
    folds = f"M{-high / 2:.1f} {head + 1:.1f}q3 5 1 {drop:.1f}M{high / 3:.1f} {head + 1:.1f}q4 5 2 {drop:.1f}"
    cloth = tag("path", d=lee + luff, fill=PAPER, stroke=INK, stroke_width=1.0)
    return group(cloth, line(folds, stroke=INK, stroke_width=0.5), transform=f"translate({x:.0f} 0)")


def _bowsprit() -> str:
    jib = tag("path", d="M30 -30Q46 -16 62 -6Q48 -6 33 0Z", fill=PAPER, stroke=INK, stroke_width=0.9)
    return line("M44 6L70 -10", stroke=INK, stroke_width=1.6) + jib


def _hull() -> str:
    hull = "M-54 -3L-50 16Q-46 25 -36 25H36Q47 22 54 2L44 6H-38L-42 -3Z"
    ports = line("M-44 12H44", stroke=PAPER, stroke_width=3.4, stroke_dasharray="3.2 3.2")
    return tag("path", d=hull, fill=HULL, stroke=INK, stroke_width=1.3) + ports


def _waves() -> str:
    crests = "M-72 25q8 -6 16 0t16 0t16 0t16 0t16 0t16 0t16 0t16 0t16 0M-50 31q7 -5 14 0t14 0t14 0t14 0t14 0t14 0"
    return line(crests, stroke=WATER_LINE, stroke_width=1.4)
