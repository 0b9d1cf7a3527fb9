"""A rule set's `Showing`, put together of functions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from leuthen.core.ruleset import SIDES, Pending
from leuthen.core.showing.answers import About, Odds
from leuthen.core.showing.basics import Place
from leuthen.core.showing.form import Form, Wishes
from leuthen.core.showing.layer import Layer, Left
from leuthen.core.showing.scene import Scene
from leuthen.core.showing.setting import Setting
from leuthen.core.showing.telling import Told


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
