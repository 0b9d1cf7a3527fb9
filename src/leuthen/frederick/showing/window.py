"""How the rule set shows itself at a table: each part stands in a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.core.ruleset import Pending
from leuthen.core.showing import About, Form, Layer, Left, Odds, Place, Scene, Setting, Told, Wishes
from leuthen.frederick.events import Event
from leuthen.frederick.odds.sheet import make_odds
from leuthen.frederick.showing.about import make_about
from leuthen.frederick.showing.forms import make_form
from leuthen.frederick.showing.layers import make_layer
from leuthen.frederick.showing.leftovers import left_undone
from leuthen.frederick.showing.scene import make_scene
from leuthen.frederick.showing.setting import make_setting
from leuthen.frederick.showing.told import make_asked, make_told
from leuthen.frederick.state import State
from leuthen.frederick.view import View

if TYPE_CHECKING:
    from leuthen.frederick.game import Frederick


class FrederickShowing:
    """Views, events and decisions of the Campaign Game as a table shows them (`core.showing.Showing`)."""

    def __init__(self, game: Frederick) -> None:
        self.game = game
        self.data = game.data

    def setting(self) -> Setting:
        """What never changes."""
        return make_setting(self.game)

    def scene(self, view: View) -> Scene:
        """A position as its viewer may see it (O3)."""
        return make_scene(self.data, view)

    def told(self, event: Event) -> Told:
        """An event, as its viewer got it."""
        return make_told(self.data, self.game.names, event)

    def asked(self, pending: Pending, viewer: int) -> Pending:
        """A decision as a viewer may know it: of another side only what and by which rule."""
        return make_asked(pending, viewer)

    def form(self, state: State, actor: int, wishes: Wishes) -> Form:
        """An order in the making."""
        return make_form(self.game, state, actor, wishes)

    def layer(self, view: View, name: str, place: Place = "") -> Layer:
        """A layer over the map. Raises Invalid for an unknown layer or place."""
        return make_layer(self.data, view, name, place)

    def left_undone(self, view: View) -> tuple[Left, ...]:
        """What the viewer leaves undone if he ends the phase now, and what it will cost."""
        return left_undone(self.data, view)

    def odds(self, view: View, text: str) -> Odds:
        """The exact odds of what `text` names. Raises Invalid or Ambiguous."""
        return make_odds(self.data, view, text)

    def about(self, view: View, place: str) -> About:
        """A hex or a town and all that the viewer may know of it. Raises Invalid or Ambiguous."""
        return make_about(self.data, view, place)
