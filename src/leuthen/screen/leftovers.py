"""What is left undone before a phase ends, the dearest first."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from leuthen.screen.values import Left
from leuthen.wargame.board import NOWHERE, Hex, hex_name


class Undone(NamedTuple):
    """Something left undone, and about how many men or points it costs; 0 if nothing by itself."""

    cost: float
    left: Left


def note(text: str, rule: str, here: Hex = NOWHERE, cost: float = 0) -> Undone:
    """A line, which begins with a capital."""
    return Undone(cost, Left(text[0].upper() + text[1:], rule, hex_name(here) if here >= 0 else ""))


def dearest_first(found: Iterable[Undone]) -> tuple[Left, ...]:
    """What is left undone, in the order in which it is told."""
    return tuple([undone.left for undone in sorted(found, key=lambda undone: -undone.cost)])
