"""Where leaders stood in the last turns, as a general remembers it in the notes of his thought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from leuthen.wargame.board import Hex
from leuthen.wargame.strength import LeaderId

LAST: Final = 4
"""Places where a leader stood that are remembered."""
_SIZE: Final = 4096
"""More hexes than a board has."""
_STOOD: Final = "stood "


def with_stands(notes: Mapping[str, int], stands: Iterable[tuple[LeaderId, Hex]]) -> Mapping[str, int]:
    """The notes with the hexes in which leaders stand now, packed into a number for each of them.

    Who stays where he is has not halted once more.
    """
    kept = dict(notes)
    for leader, here in stands:
        stood = kept.get(key := f"{_STOOD}{leader}", 0)
        if stood % _SIZE != here + 1:
            kept[key] = (stood * _SIZE + here + 1) % _SIZE**LAST
    return kept


def halts_in(notes: Mapping[str, int]) -> dict[LeaderId, tuple[Hex, ...]]:
    """Where each leader stood, by his number; the last place first."""
    found: dict[LeaderId, tuple[Hex, ...]] = {}
    for key, value in notes.items():
        if key.startswith(_STOOD):
            digits = [value // _SIZE**place % _SIZE for place in range(LAST)]
            found[LeaderId(int(key[len(_STOOD) :]))] = tuple(Hex(digit - 1) for digit in digits if digit)
    return found
