"""How a rule set shows itself: functions from its views and events to the values of `leuthen.screen.values`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol

from typing_extensions import TypeVar

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, ActorId, Pending, Ruleset, ViewerId
from leuthen.screen.standing import Standing
from leuthen.screen.values import About, Form, Layer, Left, LogEntry, Odds, PartialOrder, Place, Scene, Setting

V = TypeVar("V", default=Any, contravariant=True)
"""A rule set's views."""
S = TypeVar("S", default=Any, contravariant=True)
"""Its positions."""
E = TypeVar("E", default=Any, contravariant=True)
"""Its events."""


class MakeLayer(Protocol[V]):
    """A layer over the map, of a place if it needs one."""

    def __call__(self, view: V, name: str, place: Place = "", /) -> Layer:
        """Raises Invalid for an unknown layer or place."""


def no_layer(view: object, name: str, place: Place = "", /) -> Layer:
    """The answer of a game without layers: raises Invalid."""
    raise Invalid(f"«{name}» is no layer: this game has none")


def no_choices(state: object, actor: ActorId, action: Action) -> PartialOrder:
    """The answer of a game that does not tell."""
    return {}


def nothing_left(view: object) -> tuple[Left, ...]:
    """The answer of a game that does not say what is left undone."""
    return ()


def no_odds(view: object, text: str, /) -> Odds:
    """The answer of a game that tells no odds: raises Invalid."""
    raise Invalid("this game tells no odds")


@dataclass(frozen=True)
class Presenter(Generic[V, S, E]):
    """What a rule set gives a table to show. A game may do without the last four functions.

    All but `form` are made from a view alone, so that they can show no secret; a form is made from the legal set, which
    is the same in every world that the actor's view allows.
    """

    setting: Callable[[], Setting]
    """What never changes."""
    scene: Callable[[V], Scene]
    """A view as a position on the table."""
    present_event: Callable[[E], LogEntry]
    """An event, as its viewer got it, as a line of the log."""
    form: Callable[[S, ActorId, PartialOrder], Form]
    """An order in the making, of state, actor and what was chosen so far. A choice that cannot be granted is answered
    with the rule; never raises."""
    about: Callable[[V, str], About]
    """A place, by number or name, and all that the viewer may know of it. Raises Invalid or Ambiguous."""
    choices: Callable[[S, ActorId, Action], PartialOrder] = no_choices
    """What is chosen in the form of a whole order: of state, actor and action. {} where the game does not tell."""
    layer: MakeLayer[V] = no_layer
    """A layer over the map. Raises Invalid for an unknown layer or place."""
    left_undone: Callable[[V], tuple[Left, ...]] = nothing_left
    """What the viewer leaves undone if he ends the phase now, and what it will cost."""
    odds: Callable[[V, str], Odds] = no_odds
    """The exact odds of what a line names (an attack, a siege, a roll). Raises Invalid or Ambiguous."""

    def asked(self, pending: Pending, viewer: ViewerId) -> Pending:
        """A decision as a viewer may know it: of another side only which, and its rule; its text may tell secrets."""
        if pending.actor == viewer and viewer in SIDES:  # a watcher has chance's number
            return pending
        return Pending(pending.actor, pending.decision, pending.rule, "")


class TableRuleset(Ruleset, Protocol):
    """A rule set that a table can show: what `load` makes."""

    @property
    def presenter(self) -> Presenter:
        """How it shows itself."""
        ...

    @property
    def standing(self) -> Standing | None:
        """What it has for standing instructions; None if every decision waits for a player."""
        ...
