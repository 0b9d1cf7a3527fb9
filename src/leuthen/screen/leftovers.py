"""Warnings before a phase ends: what the side has not done, and its cost by the rules, the dearest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeVar

from leuthen.engine.choice import ByKind
from leuthen.screen.values import Left, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name


class Undone(NamedTuple):
    """A warning, with its rough cost in men or points; 0 if it costs nothing by itself."""

    cost: float
    left: Left


def note(text: str, rule: str, here: Hex = NOWHERE, cost: float = 0) -> Undone:
    return Undone(cost, Left(begun(text), rule, hex_name(here) if here >= 0 else ""))


R = TypeVar("R")
D = TypeVar("D")


def undone(review: R, frames: Iterable[D], make: ByKind[D, R, Iterator[Undone]]) -> tuple[Left, ...]:
    """Return the warnings for the innermost decision that has any, the dearest first."""
    known = next((frame for frame in frames if type(frame) in make), None)
    found = make[type(known)](review, known) if known is not None else ()
    return tuple([one.left for one in sorted(found, key=lambda one: -one.cost)])
