"""A rule set's `Showing`, put together of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from leuthen.engine.ruleset import SIDES, Pending
from leuthen.screen.answers import About, Odds
from leuthen.screen.basics import Place
from leuthen.screen.form import Form, Wishes
from leuthen.screen.layer import Layer, Left
from leuthen.screen.log_entries import Told
from leuthen.screen.scene import Scene
from leuthen.screen.setting import Setting


class MakeLayer(Protocol):
    """A layer over the map, of a place if it needs one."""

    def __call__(self, view: Any, name: str, place: Place = "", /) -> Layer:
        """Raises Invalid for an unknown layer or place."""


@dataclass(frozen=True)
class Window:
    """How a rule set shows itself (`Showing`): each part is a function that knows the rule set's data."""

    setting: Callable[[], Setting]
    scene: Callable[[Any], Scene]
    told: Callable[[Any], Told]
    form: Callable[[Any, int, Wishes], Form]
    layer: MakeLayer
    left_undone: Callable[[Any], tuple[Left, ...]]
    odds: Callable[[Any, str], Odds]
    about: Callable[[Any, str], About]

    def asked(self, pending: Pending, viewer: int) -> Pending:
        """A decision as a viewer may know it: of another side only which, and its rule; its text may tell secrets."""
        if pending.actor == viewer and viewer in SIDES:  # a watcher has chance's number
            return pending
        return Pending(pending.actor, pending.decision, pending.rule, "")
