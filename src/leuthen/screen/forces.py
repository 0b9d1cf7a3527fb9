"""Descriptions of armies as a viewer knows them, and the base class of a view with the names of its game."""

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
    """Return a known strength as text: "–" for none, "12", "4–9", "10+" or "?"."""
    if least == most:
        return str(least) if least else "–"
    if most >= NO_BOUND:
        return f"{least}+" if least > 1 else "?"
    return f"{least}–{most}"


class KnownForce(NamedTuple):
    """An army as the viewer knows it, with the bounds of its strength in units of `unit`."""

    commander: str
    inside: bool
    place: str
    least: int
    most: int
    unit: str

    @property
    def strength(self) -> str:
        """The strength with its unit: "12 SP", "4–9 SP", "without SP", "strength not known"."""
        known = band(self.least, self.most)
        return {"–": f"without {self.unit}", "?": "strength not known"}.get(known, f"{known} {self.unit}")

    @property
    def where(self) -> str:
        """The position: "at 1623 Dresden", "inside 1623 Dresden"."""
        return f"{'inside' if self.inside else 'at'} {self.place}"

    def describe(self) -> str:
        """Return the army in one phrase: "Keith, 8 SP, at 1623 Dresden"."""
        return f"{self.commander}, {self.strength}, {self.where}"


class WithBook(Protocol):
    """Game data with a book of names."""

    @property
    def book(self) -> NameBook: ...


class Viewed(Protocol):
    @property
    def viewer(self) -> ViewerId: ...

    def knows(self, side: Side, /) -> bool:
        """Return whether the viewer knows everything about a side."""
        ...


D = TypeVar("D", bound=WithBook)
V = TypeVar("V", bound=Viewed)


class Reporter(ABC, Generic[D, V]):
    """A view with the names of its game; base class of everything that shows a position."""

    SIDE_NAMES: ClassVar[Sequence[str]]

    def __init__(self, data: D, view: V) -> None:
        self.data = data
        self.view = view
        self.book = data.book
        self._places = memo_of(data, "places")

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides to report on: the viewer's own side, or both for a spectator."""
        return (as_side(self.view.viewer),) if is_side(self.view.viewer) else SIDES

    def sides_at(self, place: Place) -> tuple[Side, ...]:
        """Return the side of a force in a place, or the viewer's sides if no force is there. Raises Invalid."""
        found = tuple(dict.fromkeys(self.present(self.hex_of(place)))) if place else ()
        own = tuple(side for side in found if side in self.sides)
        return own or found[:1] or self.sides

    @abstractmethod
    def present(self, here: Hex) -> Iterable[Side]:
        """Yield the sides of the visible forces in a hex."""

    def knows(self, side: Side) -> bool:
        return self.view.knows(side)

    def hex_of(self, place: Place) -> Hex:
        """Return the hex of a place or of a piece's key. Raises Invalid."""
        return self.book.hex(place.partition("-")[0])

    def place(self, here: Hex) -> str:
        return self._places.once(here, lambda: self.book.place(here))

    def side(self, side: OwnerId) -> str:
        """Return the name of a side: "Prussian side"."""
        return self.SIDE_NAMES[side]

    @abstractmethod
    def name(self, number: LeaderId) -> str:
        """Return a leader's name."""

    @abstractmethod
    def ratings(self, number: LeaderId) -> str:
        """Return a leader's ratings as printed on the counter."""

    def leader(self, number: LeaderId) -> str:
        """Return a leader's name with his ratings: "Keith 3-3-1-9"."""
        return f"{self.name(number)} {self.ratings(number)}"


R = TypeVar("R")


def lay(layers: Mapping[str, Callable[[R, Place], Layer]], report: R, name: str, place: Place) -> Layer:
    """Return a layer over the map. Raises Invalid for an unknown layer or place."""
    if name not in layers:
        raise Invalid(f"«{name}» is no layer: {', '.join(layers)}")
    return layers[name](report, place)
