"""What lies over the map, and what is left undone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from leuthen.screen.basics import Place, Shown
from leuthen.wargame.board import NOWHERE, Hex, hex_name


class Shade(Shown, frozen=True):
    """How a layer marks a hex: level 1 (faint) to 4, side (2: none), and a text.

    `value` is what the text tells, as a number, where the layer is one of numbers: the MP of a reach.
    """

    level: int
    side: int = 2
    text: str = ""
    value: int | None = None


class Trace(Shown, frozen=True):
    """A line of a layer, hex by hex."""

    path: tuple[Place, ...]
    side: int = 2
    text: str = ""


class Layer(Shown, frozen=True):
    """Something laid over the map, from what the viewer may know; `notes` say so, and what it rests on."""

    id: str
    title: str
    shades: Mapping[str, Shade]
    lines: tuple[Trace, ...] = ()
    notes: tuple[str, ...] = ()


class Left(Shown, frozen=True):
    """Something left undone before a phase ends, and what it will cost by the rules."""

    text: str
    rule: str
    place: Place = ""


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
