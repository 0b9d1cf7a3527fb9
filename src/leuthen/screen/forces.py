"""Descriptions of armies as a viewer knows them, and the base class of a view with the names of its game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from leuthen.engine.choice import ByKind
from leuthen.engine.memo import memo_of
from leuthen.engine.refusal import require
from leuthen.engine.ruleset import SIDES, OwnerId, Side, as_side, is_side
from leuthen.screen.values import Layer, Left, Place, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name
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
        """The strength with its unit: "12 SP", "4–9 SP", "without SP", "strength unknown"."""
        known = band(self.least, self.most)
        return {"–": f"without {self.unit}", "?": "strength unknown"}.get(known, f"{known} {self.unit}")

    @property
    def where(self) -> str:
        """The position: "at 1623 Dresden", "inside 1623 Dresden"."""
        return f"{'inside' if self.inside else 'at'} {self.place}"

    @property
    def summary(self) -> str:
        """Commander and strength: "Keith, 8 SP", "8 SP without a leader"."""
        return f"{self.commander}, {self.strength}" if self.commander else f"{self.strength} without a leader"

    def describe(self) -> str:
        """Return the army in one phrase: "Keith, 8 SP, at 1623 Dresden"."""
        return f"{self.summary}, {self.where}"


D = TypeVar("D", bound=Any)  # a game's data, with a `book` of names
V = TypeVar("V", bound=Any)  # a view, with its `viewer` and what it `knows` of a side


class Reporter(ABC, Generic[D, V]):
    """A view with the names of its game; base class of everything that shows a position."""

    SIDE_NAMES: ClassVar[Sequence[str]]

    def __init__(self, data: D, view: V) -> None:
        self.data = data
        self.view = view
        self.book: NameBook = data.book
        self._places = memo_of(data, "places")

    @property
    def sides(self) -> tuple[Side, ...]:
        """The sides to report on: the viewer's own side, or both for a spectator."""
        return (as_side(self.view.viewer),) if is_side(self.view.viewer) else SIDES

    @property
    def side_asked(self) -> Side:
        """The viewer's own side, for views of sides alone."""
        return self.sides[0]

    def sides_at(self, place: Place) -> tuple[Side, ...]:
        """Return the side of a force in a place, or the viewer's sides if no force is there. Raises Invalid."""
        found = tuple(dict.fromkeys(self.present(self.hex_of(place)))) if place else ()
        return tuple(side for side in found if side in self.sides) or found[:1] or self.sides

    @abstractmethod
    def present(self, here: Hex) -> Iterable[Side]:
        """Yield the sides of the visible forces in a hex."""

    def knows(self, side: Side) -> bool:
        return bool(self.view.knows(side))

    def hex_of(self, place: Place) -> Hex:
        """Return the hex of a place or of a piece's key. Raises Invalid."""
        return self.book.hex(place.partition("-")[0])

    def place(self, here: Hex) -> str:
        return self._places.get_or_compute(here, lambda: self.book.place(here))

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
W = TypeVar("W")


def make_layer(
    layers: Mapping[str, Callable[[R, Place], Layer]],
    report_of: Callable[[W], R],
    view: W,
    name: str,
    place: Place = "",
) -> Layer:
    """Return a layer over the map. Raises Invalid for an unknown layer or place."""
    require(name in layers, f'Unknown layer "{name}". Known layers: {", ".join(layers)}')
    return layers[name](report_of(view), place)


class Undone(NamedTuple):
    """A warning, with its rough cost in men or points; 0 if it costs nothing by itself."""

    cost: float
    left: Left


def note(text: str, rule: str, here: Hex = NOWHERE, cost: float = 0) -> Undone:
    return Undone(cost, Left(begun(text), rule, hex_name(here) if here >= 0 else ""))


N = TypeVar("N")


def collect_leftovers(review: R, frames: Iterable[N], make: ByKind[N, R, Iterable[Undone]]) -> tuple[Left, ...]:
    """Return the warnings for the innermost decision that has any, the dearest first."""
    known = next((frame for frame in frames if type(frame) in make), None)
    found = make[type(known)](review, known) if known is not None else ()
    return tuple([one.left for one in sorted(found, key=lambda one: -one.cost)])
