"""What a side leaves undone before a phase ends, and what that will cost by the rules, the dearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from leuthen.engine.choice import ByKind
from leuthen.screen.values import Left, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name


class Undone(NamedTuple):
    """Something left undone, and about how many men or points it costs; 0 if nothing by itself."""

    cost: float
    left: Left


def note(text: str, rule: str, here: Hex = NOWHERE, cost: float = 0) -> Undone:
    """A line, which begins with a capital."""
    return Undone(cost, Left(begun(text), rule, hex_name(here) if here >= 0 else ""))


R = TypeVar("R")
"""A side's position before it ends something."""
D = TypeVar("D")
"""A rule set's decisions."""


def undone(review: R, frames: Iterable[D], make: ByKind[D, R, Iterator[Undone]]) -> tuple[Left, ...]:
    """What is left undone by who ends the first of the decisions that is known, the dearest first."""
    known = next((frame for frame in frames if type(frame) in make), None)
    found = make[type(known)](review, known) if known is not None else ()
    return tuple([one.left for one in sorted(found, key=lambda one: -one.cost)])
