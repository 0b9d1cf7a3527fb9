"""How the rule set shows itself at a table: each part stands in a module of its own."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from leuthen.core.showing import Window
from leuthen.frederick.odds.sheet import make_odds
from leuthen.frederick.showing.about import make_about
from leuthen.frederick.showing.forms import make_form
from leuthen.frederick.showing.layers import make_layer
from leuthen.frederick.showing.leftovers import left_undone
from leuthen.frederick.showing.scene import make_scene
from leuthen.frederick.showing.setting import make_setting
from leuthen.frederick.showing.told import make_told

if TYPE_CHECKING:
    from leuthen.frederick.game import Frederick


def make_window(game: Frederick) -> Window:
    """Views, events and decisions as a table shows them."""
    data = game.data
    return Window(
        setting=partial(make_setting, game),
        scene=partial(make_scene, data),
        told=partial(make_told, data, game.names),
        form=partial(make_form, game),
        layer=partial(make_layer, data),
        left_undone=partial(left_undone, data),
        odds=partial(make_odds, data),
        about=partial(make_about, data),
    )
