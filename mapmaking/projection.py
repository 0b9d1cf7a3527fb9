"""Projection between latitude and longitude and the plane of the board.

A Lambert conformal conic (parallels 49 and 54 N, origin 51.5 N 12 E), a similarity, and a few small Gaussian bumps that
move the towns with published hexes into those hexes.
"""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from mapmaking.board import Point

EARTH: Final = 6371.0
HEX_KM: Final = 25.0
LOW, HIGH, ORIGIN, MERIDIAN = 49.0, 54.0, 51.5, 12.0


def _stretch(latitude: float) -> float:
    return math.tan(math.pi / 4 + math.radians(latitude) / 2)


_CONE: Final = math.log(math.cos(math.radians(LOW)) / math.cos(math.radians(HIGH))) / math.log(
    _stretch(HIGH) / _stretch(LOW)
)
_SCALE: Final = EARTH * math.cos(math.radians(LOW)) * _stretch(LOW) ** _CONE / _CONE
_RHO: Final = _SCALE / _stretch(ORIGIN) ** _CONE


def conic(lat: float, lon: float) -> Point:
    """Return the kilometres east and north of the origin."""
    rho = _SCALE / _stretch(lat) ** _CONE
    theta = _CONE * math.radians(lon - MERIDIAN)
    return rho * math.sin(theta), _RHO - rho * math.cos(theta)


@dataclass(frozen=True)
class Projection:
    """The fitted transform of `warp.json`."""

    turn: tuple[float, float, float, float]
    sigma: float
    bumps: tuple[tuple[float, float, float, float], ...]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read the fit from a file."""
        fit = json.loads(path.read_text(encoding="utf-8"))
        a, b, x, y = fit["similarity"]
        return cls((a, b, x, y), fit["sigma"], tuple((p, q, u, v) for p, q, u, v in fit["nodes"]))

    def to_board(self, lat: float, lon: float) -> Point:
        """Return the position of a geographic point on the board, in hexes."""
        east, north = (v / HEX_KM for v in conic(lat, lon))
        a, b, x, y = self.turn
        flat = a * east - b * north + x, b * east + a * north + y
        dx, dy = self._shift(flat)
        return flat[0] + dx, flat[1] + dy

    def _shift(self, point: Point) -> Point:
        dx = dy = 0.0
        for x, y, wx, wy in self.bumps:
            g = math.exp(-((point[0] - x) ** 2 + (point[1] - y) ** 2) / (2 * self.sigma**2))
            dx, dy = dx + g * wx, dy + g * wy
        return dx, dy
