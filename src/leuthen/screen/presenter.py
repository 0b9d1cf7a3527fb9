"""The interface through which a rule set is displayed: functions from views and events to display values."""

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
S = TypeVar("S", default=Any, contravariant=True)
E = TypeVar("E", default=Any, contravariant=True)


class MakeLayer(Protocol[V]):
    def __call__(self, view: V, name: str, place: Place = "", /) -> Layer:
        """Return a layer over the map, of a place if it needs one. Raises Invalid for an unknown layer or place."""


def no_layer(view: object, name: str, place: Place = "", /) -> Layer:
    raise Invalid(f'Unknown layer "{name}". This game has no layers')


def no_choices(state: object, actor: ActorId, action: Action) -> PartialOrder:
    return {}


def nothing_left(view: object) -> tuple[Left, ...]:
    return ()


def no_odds(view: object, text: str, /) -> Odds:
    raise Invalid("this game has no odds")


@dataclass(frozen=True)
class Presenter(Generic[V, S, E]):
    """The display functions of a rule set. Those with a default are optional.

    All but `form` are functions of a view, so that they can show no secret; a form is made from the legal set, which is
    the same in every world that the actor's view allows.
    """

    setting: Callable[[], Setting]
    scene: Callable[[V], Scene]
    present_event: Callable[[E], LogEntry]
    """The log entry of an event as the viewer received it."""
    form: Callable[[S, ActorId, PartialOrder], Form]
    """The form of an order, from state, actor and the choices so far. Never raises."""
    about: Callable[[V, str], About]
    """Everything that the viewer may know of a place, by number or name. Raises Invalid or Ambiguous."""
    choices: Callable[[S, ActorId, Action], PartialOrder] = no_choices
    """The choices that make a whole action, from state, actor and action; {} if unknown."""
    layer: MakeLayer[V] = no_layer
    left_undone: Callable[[V], tuple[Left, ...]] = nothing_left
    """Warnings if the viewer ends the phase now."""
    odds: Callable[[V, str], Odds] = no_odds
    """The exact odds of what a line names (an attack, a siege, a roll). Raises Invalid or Ambiguous."""

    def asked(self, pending: Pending, viewer: ViewerId) -> Pending:
        """Return a decision as a viewer may know it: of the other side only its name and rule, as its text may hold
        secrets."""
        if pending.actor == viewer and viewer in SIDES:  # a watcher has chance's number
            return pending
        return Pending(pending.actor, pending.decision, pending.rule, "")


class TableRuleset(Ruleset, Protocol):
    """A rule set that a table can show."""

    @property
    def presenter(self) -> Presenter: ...

    @property
    def standing(self) -> Standing | None:
        """Support for standing instructions; None if every decision waits for a player."""
        ...
