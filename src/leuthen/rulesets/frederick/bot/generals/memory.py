"""What a general remembers: where his leaders stood last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from leuthen.rulesets.frederick.bot.situation import Situation
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Thought
from leuthen.wargame.strength import LeaderId

LAST: Final = 4
"""Places."""
_SIZE: Final = 4096
"""More hexes than a board has."""
_STOOD: Final = "stood "


def noted(s: Situation, notes: Mapping[str, int]) -> Mapping[str, int]:
    """The notes with the hexes in which leaders with men stand now, packed into a number for each of them.

    Who stays where he is has not halted once more.
    """
    kept = dict(notes)
    for army in s.armies:
        for leader in army.leaders:
            key = f"{_STOOD}{leader}"
            stood = kept.get(key, 0)
            if stood % _SIZE != army.hex + 1:
                kept[key] = (stood * _SIZE + army.hex + 1) % _SIZE**LAST
    return kept


def halts(thought: Thought) -> dict[LeaderId, tuple[Hex, ...]]:
    """Where each leader stood, by his number."""
    return {
        LeaderId(int(key[len(_STOOD) :])): _unpacked(value)
        for key, value in thought.notes.items()
        if key.startswith(_STOOD)
    }


def _unpacked(value: int) -> tuple[Hex, ...]:
    found: list[Hex] = []
    while value:
        value, here = divmod(value, _SIZE)
        found.append(Hex(here - 1))
    return tuple(found)
