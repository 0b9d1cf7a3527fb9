"""Armies as a viewer knows them, put into words; and a view with the names of its game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, Generic, NamedTuple, Protocol, TypeVar

from leuthen.engine.memo import memo_of
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, OwnerId, Side, ViewerId, as_side, is_side
from leuthen.screen.values import Layer, Place
from leuthen.wargame.board import Hex
from leuthen.wargame.names import NameBook
from leuthen.wargame.strength import NO_BOUND, LeaderId


def band(least: int, most: int) -> str:
    """What is known of a strength: «–» of none, «12», «4–9», «10+» or «?»."""
    if least == most:
        return str(least) if least else "–"
    if most >= NO_BOUND:
        return f"{least}+" if least > 1 else "?"
    return f"{least}–{most}"


class KnownForce(NamedTuple):
    """An army as it is known: who commands it, whether it is inside a place and of what name, between which bounds its
    strength lies, and in what that is counted."""

    commander: str
    inside: bool
    place: str
    least: int
    most: int
    unit: str

    @property
    def strength(self) -> str:
        """«12 SP», «4–9 SP», «without SP», «strength not known»"""
        known = band(self.least, self.most)
        return {"–": f"without {self.unit}", "?": "strength not known"}.get(known, f"{known} {self.unit}")

    @property
    def where(self) -> str:
        """«at 1623 Dresden», «inside 1623 Dresden»"""
        return f"{'inside' if self.inside else 'at'} {self.place}"

    def describe(self) -> str:
        """«Keith, 8 SP, at 1623 Dresden»"""
        return f"{self.commander}, {self.strength}, {self.where}"


class WithBook(Protocol):
    """The data of a game with names."""

    @property
    def book(self) -> NameBook: ...


class Viewed(Protocol):
    """A view."""

    @property
    def viewer(self) -> ViewerId: ...

    def knows(self, side: Side, /) -> bool:
        """Whether the viewer knows all of a side."""
        ...


D = TypeVar("D", bound=WithBook)
V = TypeVar("V", bound=Viewed)


class Reporter(ABC, Generic[D, V]):
    """A view with the names of its game: what everything that shows a position has in common."""

    SIDE_NAMES: ClassVar[Sequence[str]]

    def __init__(self, data: D, view: V) -> None:
        self.data = data
        self.view = view
        self.book = data.book
        self._places = memo_of(data, "places")

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides that something is about: the viewer's own, for a watcher both."""
        return (as_side(self.view.viewer),) if is_side(self.view.viewer) else SIDES

    def sides_at(self, place: Place) -> tuple[Side, ...]:
        """The side of a force in a place, if one is named and somebody is there; else the viewer's. Raises Invalid."""
        found = tuple(dict.fromkeys(self.present(self.hex_of(place)))) if place else ()
        own = tuple(side for side in found if side in self.sides)
        return own or found[:1] or self.sides

    @abstractmethod
    def present(self, here: Hex) -> Iterable[Side]:
        """The sides of the forces that are seen in a hex."""

    def knows(self, side: Side) -> bool:
        """Whether the viewer knows all of a side."""
        return self.view.knows(side)

    def hex_of(self, place: Place) -> Hex:
        """The hex of a place or of a piece's key. Raises Invalid."""
        return self.book.hex(place.partition("-")[0])

    def place(self, here: Hex) -> str:
        """A hex with its town: «1623 Dresden»."""
        return self._places.once(here, lambda: self.book.place(here))

    def side(self, side: OwnerId) -> str:
        """A side by name: «Prussian side»."""
        return self.SIDE_NAMES[side]

    @abstractmethod
    def name(self, number: LeaderId) -> str:
        """A leader's name."""

    @abstractmethod
    def ratings(self, number: LeaderId) -> str:
        """A leader's ratings, as on a counter."""

    def leader(self, number: LeaderId) -> str:
        """A leader with his ratings: «Keith 3-3-1-9»."""
        return f"{self.name(number)} {self.ratings(number)}"


R = TypeVar("R")
"""The report of a view."""


def lay(layers: Mapping[str, Callable[[R, Place], Layer]], report: R, name: str, place: Place) -> Layer:
    """A layer over the map. Raises Invalid for an unknown layer or place."""
    if name not in layers:
        raise Invalid(f"«{name}» is no layer: {', '.join(layers)}")
    return layers[name](report, place)
