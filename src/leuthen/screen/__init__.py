"""What a table shows of a game, in words that every rule set shares.

A rule set turns views, events and decisions into these values; a client draws them and knows no rule. Everything that
shows a position is made from a `view`, so that it can show no secret. Hexes stand here as players write them («1623»).
"""

from __future__ import annotations

from typing import Any, Protocol

from leuthen.engine.ruleset import Pending
from leuthen.screen.answers import About, Case, Odds, Part, Spread
from leuthen.screen.basics import Place, Reason, Shown
from leuthen.screen.form import Barred, Choice, Field, Form, Reached, Wishes
from leuthen.screen.layer import Layer, Left, Line, Shade
from leuthen.screen.log_entries import Luck, Spot, Told
from leuthen.screen.presenter import Window
from leuthen.screen.scene import (
    Badge,
    Chip,
    Chit,
    Contest,
    Contestant,
    Entry,
    Holding,
    Marker,
    Muster,
    Piece,
    Scene,
    Score,
    SiegeTrack,
    Stage,
    Standing,
)
from leuthen.screen.setting import (
    FortressCard,
    LayerCard,
    LeaderCard,
    OptionCard,
    PowerCard,
    ScenarioCard,
    Setting,
    TableCard,
    Town,
)

__all__ = [
    "About", "Badge", "Barred", "Case", "Chip", "Chit", "Choice", "Contest", "Contestant", "Entry",
    "Field", "Form", "FortressCard", "Holding", "Layer", "LayerCard", "LeaderCard", "Left", "Line", "Luck", "Marker",
    "Muster", "Odds", "OptionCard", "Part", "Piece", "Place", "PowerCard", "Reached", "Reason", "ScenarioCard",
    "Scene", "Score", "Setting", "Shade", "Showing", "Shown", "SiegeTrack", "Spot", "Spread", "Stage", "Standing",
    "TableCard", "Told", "Town", "Window", "Wishes",
]  # fmt: skip


class Showing(Protocol):
    """How a rule set shows itself. Everything about a position is made from a view; a form from the legal set,
    which is the same in every world that the actor's view allows."""

    def setting(self) -> Setting:
        """What never changes."""
        ...

    def scene(self, view: Any, /) -> Scene:
        """A position as its viewer may see it."""
        ...

    def told(self, event: Any, /) -> Told:
        """An event, as its viewer got it."""
        ...

    def asked(self, pending: Pending, viewer: int, /) -> Pending:
        """A decision that is awaited, as a viewer may know it: of another side only what and by which rule."""
        ...

    def form(self, state: Any, actor: int, wishes: Wishes, /) -> Form:
        """An order in the making. A wish that cannot be granted is answered with the rule; never raises."""
        ...

    def layer(self, view: Any, name: str, place: Place = "", /) -> Layer:
        """A layer over the map. Raises Invalid for an unknown layer or place."""
        ...

    def left_undone(self, view: Any, /) -> tuple[Left, ...]:
        """What the viewer leaves undone if he ends the phase now, and what it will cost."""
        ...

    def odds(self, view: Any, text: str, /) -> Odds:
        """The exact odds of what `text` names, as `Ruleset.odds` reads it. Raises Invalid or Ambiguous."""
        ...

    def about(self, view: Any, place: str, /) -> About:
        """A hex or a town and all that the viewer may know of it. Raises Invalid or Ambiguous."""
        ...
