"""The rule set: the few pure functions through which everything drives it."""

from collections.abc import Mapping
from functools import cached_property, partial

import msgspec

from leuthen.engine.choice import Action, RandomSource
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import SIDES, WATCHER, ActorId, Transition, as_viewer
from leuthen.engine.ruleset_base import resolve_options, run_sequence
from leuthen.engine.state import Values
from leuthen.rulesets.campaigns.knowledge import MIDDLE, Filler, View, complete_view, hidden_forces, make_view
from leuthen.rulesets.campaigns.model.data import NATIONS, OPTIONS, GameData, options_of, read_game
from leuthen.rulesets.campaigns.model.events import Names
from leuthen.rulesets.campaigns.model.pieces import AT_WAR
from leuthen.rulesets.campaigns.model.state import TABLE, Draft, State, snapshot_of, state_of
from leuthen.rulesets.campaigns.orders import GRAMMAR, Reader
from leuthen.rulesets.campaigns.rules.r02_leaders import resolve_hexes
from leuthen.rulesets.campaigns.rules.r03_turn import War
from leuthen.rulesets.campaigns.rules.r16_victory import score, victory_points
from leuthen.rulesets.campaigns.rules.r18_setup import new_position
from leuthen.rulesets.campaigns.screen.forces import Report
from leuthen.rulesets.campaigns.screen.forms import Questions, summary_of
from leuthen.rulesets.campaigns.screen.layers import LAYERS, left_undone
from leuthen.rulesets.campaigns.screen.log import present_event
from leuthen.rulesets.campaigns.screen.odds import ORDER_ODDS, make_odds
from leuthen.rulesets.campaigns.screen.scene import make_about, make_scene
from leuthen.rulesets.campaigns.screen.setting import make_setting
from leuthen.rulesets.campaigns.standing.answers import CampaignsStanding
from leuthen.screen.forces import make_layer
from leuthen.screen.forms import choices_of, make_form
from leuthen.screen.presenter import Presenter
from leuthen.wargame.data_files import Files
from leuthen.wargame.ruleset import GrammarRuleset
from leuthen.wargame.strength import total


class Campaigns(GrammarRuleset[State, Draft]):
    """The game of the campaigns, with the variant or without, made from the texts of its data files."""

    name = "campaigns"
    version = "2"
    sides = ("prussia", "coalition")
    options = OPTIONS
    data: GameData
    scenarios: Mapping[str, str]
    TABLE = TABLE
    STATE = State
    VIEW = View
    GRAMMAR = GRAMMAR
    READER = Reader
    TWO_PLAYERS = "R1.3"
    NOT_ASKED = "R4.6"
    NOT_THERE = "R1.4"
    resolve_hexes = staticmethod(resolve_hexes)

    def __init__(self, files: Files) -> None:
        self.data = read_game(files)
        self.digest = self.data.digest
        self.names = Names(self.data)
        self.book = self.names.book
        self.standing = CampaignsStanding(self.names, self.NOT_THERE)
        self.scenarios = {name: scenario.text for name, scenario in self.data.scenarios.items()}

    def __getstate__(self) -> dict[str, object]:
        """Omit the presenter, whose tables hold functions that cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "presenter"}

    @cached_property
    def presenter(self) -> Presenter:
        data = self.data
        return Presenter(
            setting=partial(make_setting, self, data),
            scene=partial(make_scene, data),
            present_event=partial(present_event, data, self.names),
            form=partial(make_form, self, ask=Questions, summary_of=summary_of, odds=ORDER_ODDS),
            choices=partial(choices_of, self, ask=Questions),
            layer=partial(make_layer, LAYERS, partial(Report, data)),
            left_undone=partial(left_undone, data),
            odds=partial(make_odds, data),
            about=partial(make_about, data),
        )

    def draft(self, state: State) -> Draft:
        draft = Draft(state)
        if state.options.hidden:
            draft.snapshot = snapshot_of(state)
        return draft

    def apply(self, state: State, actor: ActorId, action: Action) -> Transition:
        """Carry out a legal action. With `hidden`, the side that sees enemy forces change has learned something
        (R1.11).
        """
        step = super().apply(state, actor, action)
        if not state.options.hidden:
            return step
        changed = [side for side in SIDES if hidden_forces(state, side) != hidden_forces(step.state, side)]
        learned = sum(1 << viewer for viewer in (*changed, *([WATCHER] if changed else [])))
        return msgspec.structs.replace(step, learned=step.learned | learned)

    def is_open(self, state: State) -> bool:
        return not state.options.hidden

    def new_game(self, scenario: str = "1757", options: Mapping[str, str] | None = None) -> State:
        """Return the first position of a scenario. Raise Invalid for an unknown scenario, option or value."""
        if scenario not in self.scenarios:
            raise Invalid(f'"{scenario}" is not a valid scenario: {", ".join(self.scenarios)}')
        draft = new_position(self.data, scenario, options_of(resolve_options(OPTIONS, options or {})), (War(),))
        run_sequence(draft, self.resolve_hexes)
        return draft.freeze()

    def state_of(self, values: Values) -> State:
        return state_of(self.data, values)

    def view(self, state: State, viewer: int) -> View:
        """Return the view of a side, WATCHER or EVERYTHING (R1.6)."""
        return make_view(state, as_viewer(viewer))

    def sample_state(self, view: View, rng: RandomSource) -> State:
        """Return a state that fits the view; in an open game there is only one."""
        return complete_view(self.data, view, Filler(rng.random))

    def outline(self, view: View) -> State:
        return complete_view(self.data, view, MIDDLE)

    def summary(self, state: State) -> dict[str, object]:
        return {
            "year": state.year,
            "vp": list(victory_points(state)),
            "score": score(state),
            "at war": [name for nation, name in enumerate(NATIONS) if state.status[nation] == AT_WAR],
            "battles": list(state.battles),
            "killed": list(state.killed),
            "prisoners": [total(held) for held in state.prisoners],
        }
