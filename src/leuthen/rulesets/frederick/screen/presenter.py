"""The presenter of the rule set."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Concatenate, ParamSpec, TypeVar

from leuthen.engine.ruleset_base import RulesetBase
from leuthen.rulesets.frederick.knowledge import View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.events import Names
from leuthen.rulesets.frederick.model.state import Draft, State
from leuthen.rulesets.frederick.screen.forms import Questions, summary_of
from leuthen.rulesets.frederick.screen.layers import LAYERS
from leuthen.rulesets.frederick.screen.leftovers import left_undone
from leuthen.rulesets.frederick.screen.log import present_event
from leuthen.rulesets.frederick.screen.odds import ORDER_ODDS, make_odds
from leuthen.rulesets.frederick.screen.scene import Report, make_about, make_scene
from leuthen.rulesets.frederick.screen.setting import make_setting
from leuthen.screen.forces import make_layer
from leuthen.screen.forms import choices_of, make_form
from leuthen.screen.presenter import Presenter

P = ParamSpec("P")
T = TypeVar("T")


def make_presenter(game: RulesetBase[State, Draft], data: GameData, names: Names) -> Presenter:
    return Presenter(
        setting=partial(make_setting, game, data),
        scene=_with_scenario_data(data, make_scene),
        present_event=partial(present_event, data, names),
        form=partial(make_form, game, ask=Questions, summary_of=summary_of, odds=ORDER_ODDS),
        choices=partial(choices_of, game, ask=Questions),
        layer=partial(make_layer, LAYERS, lambda view: Report(data.of(view.scenario), view)),
        left_undone=_with_scenario_data(data, left_undone),
        odds=_with_scenario_data(data, make_odds),
        about=_with_scenario_data(data, make_about),
    )


def _with_scenario_data(
    data: GameData, make: Callable[Concatenate[GameData, View, P], T]
) -> Callable[Concatenate[View, P], T]:
    """Return a function of a view that uses the data of the view's scenario (C14)."""

    def made(view: View, /, *args: P.args, **named: P.kwargs) -> T:
        return make(data.of(view.scenario), view, *args, **named)

    return made
