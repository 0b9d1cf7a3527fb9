"""The presenter of the rule set."""

from functools import partial

from leuthen.engine.ruleset_base import RulesetBase
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.events import Names
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.screen.forces import Report
from leuthen.rulesets.campaigns.screen.forms import Questions, summary_of
from leuthen.rulesets.campaigns.screen.layers import LAYERS
from leuthen.rulesets.campaigns.screen.leftovers import left_undone
from leuthen.rulesets.campaigns.screen.log import present_event
from leuthen.rulesets.campaigns.screen.odds import ORDER_ODDS, make_odds
from leuthen.rulesets.campaigns.screen.scene import make_about, make_scene
from leuthen.rulesets.campaigns.screen.setting import make_setting
from leuthen.screen.forces import make_layer
from leuthen.screen.forms import choices_of, make_form
from leuthen.screen.presenter import Presenter


def make_presenter(game: RulesetBase[State, Draft], data: GameData, names: Names) -> Presenter:
    return Presenter(
        setting=partial(make_setting, game, data),
        scene=partial(make_scene, data),
        present_event=partial(present_event, data, names),
        form=partial(make_form, game, ask=Questions, summary_of=summary_of, odds=ORDER_ODDS),
        choices=partial(choices_of, game, ask=Questions),
        layer=partial(make_layer, LAYERS, partial(Report, data)),
        left_undone=partial(left_undone, data),
        odds=partial(make_odds, data),
        about=partial(make_about, data),
    )
