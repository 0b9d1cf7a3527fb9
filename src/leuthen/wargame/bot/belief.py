"""Estimates of hidden strengths: an expected total, divided among the forces that were seen."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from leuthen.wargame.board import StackKey


class Band(NamedTuple):
    """Bounds of a force's strength, the highest believable one, and its weight."""

    key: StackKey
    low: int
    high: int
    most: int
    weight: float


def share_strength(bands: Iterable[Band], total: float) -> dict[StackKey, int]:
    """Return the strengths: known ones, and the rest of the total divided by weight within the bounds."""
    found: dict[StackKey, int] = {}
    unknown = []
    for band in bands:
        if band.low == band.high:
            found[band.key] = band.low
        else:
            unknown.append(band)
    left, whole = total - sum(found.values()), sum(band.weight for band in unknown) or 1.0
    for band in unknown:
        found[band.key] = max(band.low, min(band.high, round(left * band.weight / whole), band.most), 1)
    return found
