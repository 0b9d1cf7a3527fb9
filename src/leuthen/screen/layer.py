"""What lies over the map, and what is left undone."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.screen.basics import Place, Shown


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
