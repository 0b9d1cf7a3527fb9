"""The estimate of an enemy whose strength is hidden: what he should have, shared out over what was seen of him."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from leuthen.wargame.board import StackKey


class Band(NamedTuple):
    """What was seen of a force: the bounds of its strength, its most that is believed, how strong it looks."""

    key: StackKey
    low: int
    high: int
    most: int
    weight: float


def share_out(bands: Iterable[Band], total: float) -> dict[StackKey, int]:
    """Known strengths stand; the rest of the total goes to the others by weight, within their bounds."""
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
