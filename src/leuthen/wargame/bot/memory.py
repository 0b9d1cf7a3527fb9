"""Memory of the hexes where leaders halted, in the notes of a thought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId

LAST: Final = 4  # halts remembered for each leader
_SIZE: Final = 4096  # more than the hexes of a board
_STOOD: Final = "stood "


def with_stands(notes: Mapping[str, int], stands: Iterable[tuple[LeaderId, Hex]]) -> Mapping[str, int]:
    """Return the notes with the leaders' hexes added, packed into a number for each; staying is no new halt."""
    kept = dict(notes)
    for leader, here in stands:
        stood = kept.get(key := f"{_STOOD}{leader}", 0)
        if stood % _SIZE != here + 1:
            kept[key] = (stood * _SIZE + here + 1) % _SIZE**LAST
    return kept


def halts_in(notes: Mapping[str, int]) -> dict[LeaderId, tuple[Hex, ...]]:
    """Return the last halts of each leader, the latest first."""
    found: dict[LeaderId, tuple[Hex, ...]] = {}
    for key, value in notes.items():
        if key.startswith(_STOOD):
            digits = [value // _SIZE**place % _SIZE for place in range(LAST)]
            found[LeaderId(int(key[len(_STOOD) :]))] = tuple(Hex(digit - 1) for digit in digits if digit)
    return found
