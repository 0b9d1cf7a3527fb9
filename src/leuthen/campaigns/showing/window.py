"""How the rule set shows itself at a table: each part stands in a module of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leuthen.campaigns.odds.line import make_odds
from leuthen.campaigns.showing.about import make_about
from leuthen.campaigns.showing.forms import make_form
from leuthen.campaigns.showing.layers import make_layer
from leuthen.campaigns.showing.leftovers import left_undone
from leuthen.campaigns.showing.scene import make_scene
from leuthen.campaigns.showing.setting import make_setting
from leuthen.campaigns.showing.told import make_asked, make_told
from leuthen.campaigns.state import State
from leuthen.campaigns.view import View
from leuthen.core.event import Event
from leuthen.core.ruleset import Pending
from leuthen.core.showing import About, Form, Layer, Left, Odds, Place, Scene, Setting, Told, Wishes

if TYPE_CHECKING:
    from leuthen.campaigns.game import Campaigns


class CampaignsShowing:
    """Views, events and decisions as a table shows them (`core.showing.Showing`)."""

    def __init__(self, game: Campaigns) -> None:
        self.game = game
        self.data = game.data

    def setting(self) -> Setting:
        """What never changes."""
        return make_setting(self.game)

    def scene(self, view: View) -> Scene:
        """A position as its viewer may see it."""
        return make_scene(self.data, view)

    def told(self, event: Event) -> Told:
        """An event, as its viewer got it."""
        return make_told(self.data, self.game.names, event)

    def asked(self, pending: Pending, viewer: int) -> Pending:
        """A decision as a viewer may know it."""
        return make_asked(pending, viewer)

    def form(self, state: State, actor: int, wishes: Wishes) -> Form:
        """An order in the making."""
        return make_form(self.game, state, actor, wishes)

    def layer(self, view: View, name: str, place: Place = "") -> Layer:
        """A layer over the map. Raises Invalid for an unknown layer or place."""
        return make_layer(self.data, view, name, place)

    def left_undone(self, view: View) -> tuple[Left, ...]:
        """What the viewer leaves undone if he ends what he is asked now, and what it will cost."""
        return left_undone(self.data, view)

    def odds(self, view: View, text: str) -> Odds:
        """The odds of what `text` names. Raises Invalid or Ambiguous."""
        return make_odds(self.data, view, text)

    def about(self, view: View, place: str) -> About:
        """A hex or a town and all that the viewer may know of it. Raises Invalid or Ambiguous."""
        return make_about(self.data, view, place)
