"""The rule set: the pure functions through which play, bots and screens use it."""

from collections.abc import Mapping
from functools import cached_property, partial

import msgspec

from leuthen.engine.choice import Action, RandomSource, Refusal
from leuthen.engine.events import Event
from leuthen.engine.refusal import require
from leuthen.engine.ruleset import as_viewer
from leuthen.engine.ruleset_base import resolve_options, run_sequence
from leuthen.engine.state import Values
from leuthen.rulesets.frederick.knowledge import AT_LEAST, RandomFill, View, complete_view, make_view
from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.data import CAMPAIGN, POWERS, GameData, GameOptions, read_game
from leuthen.rulesets.frederick.model.events import Names
from leuthen.rulesets.frederick.model.state import TABLE, Draft, State, state_of
from leuthen.rulesets.frederick.orders import GRAMMAR, Reader
from leuthen.rulesets.frederick.rules.c02_setup import new_position
from leuthen.rulesets.frederick.rules.c04_sequence import War
from leuthen.rulesets.frederick.rules.c12_victory import score, victory_points
from leuthen.rulesets.frederick.rules.o05_forces import absent_sp
from leuthen.rulesets.frederick.rules.o12_fortresses import resolve_hexes
from leuthen.rulesets.frederick.screen.forms import Questions, summary_of
from leuthen.rulesets.frederick.screen.layers import LAYERS, left_undone
from leuthen.rulesets.frederick.screen.log import present_event
from leuthen.rulesets.frederick.screen.odds import ORDER_ODDS, make_odds
from leuthen.rulesets.frederick.screen.scene import Report, make_about, make_scene
from leuthen.rulesets.frederick.screen.setting import make_setting
from leuthen.screen.forces import make_layer
from leuthen.screen.forms import choices_of, make_form
from leuthen.screen.presenter import Presenter
from leuthen.wargame.data_files import Files
from leuthen.wargame.ruleset import GrammarRuleset
from leuthen.wargame.strength import total

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "march-die": ("phase", "force"),
    "morale-target": ("7", "5", "6", "8"),
    "hanover-note": ("any", "marked"),
    "besieged-redeployment": ("allowed", "barred"),
    "counters": ("limited", "unlimited"),
    "austrian-points": ("30", "33", "36", "39", "42"),
    "last-year": ("1762", "1756", "1757", "1758", "1759", "1760", "1761"),
}


class Frederick(GrammarRuleset[State, Draft]):
    """The Campaign Game, made from the texts of its data files."""

    name = "frederick"
    version = "2"
    sides = ("prussia", "austria")
    options = OPTIONS
    data: GameData
    scenarios: Mapping[str, str]
    standing = None
    TABLE = TABLE
    STATE = State
    VIEW = View
    GRAMMAR = GRAMMAR
    READER = Reader
    TWO_PLAYERS = "C1.2"
    NOT_ASKED = "O4.2"
    NOT_THERE = "O2.4"

    def __init__(self, files: Files) -> None:
        self.data = read_game(files)
        self.digest = self.data.digest
        self.names = Names(self.data)
        self.book = self.data.book
        self.scenarios = {name: plan.text for name, plan in self.data.scenarios.items()}

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "presenter"}

    @cached_property
    def presenter(self) -> Presenter[View, State, Event]:
        return Presenter(
            setting=partial(make_setting, self, self.data),
            scene=partial(make_scene, self.data),
            present_event=partial(present_event, self.data, self.names),
            form=partial(make_form, self, ask=Questions, summary_of=summary_of, odds=ORDER_ODDS),
            choices=partial(choices_of, self, ask=Questions),
            layer=partial(make_layer, LAYERS, partial(Report, self.data)),
            left_undone=partial(left_undone, self.data),
            odds=partial(make_odds, self.data),
            about=partial(make_about, self.data),
        )

    def draft(self, state: State) -> Draft:
        return Draft(state)

    def resolve_hexes(self, draft: Draft) -> None:
        """Judge the hexes that were touched, unless a battle's own order of steps does it later (O9.13)."""
        if draft.touched:
            resolve_hexes(draft)

    def explain_unknown(self, state: State, action: Action) -> Refusal | None:
        """Explain SP of a power that is absent, such as SP without a power's name."""
        return absent_sp(state, action) if isinstance(action, March) else None

    def new_game(self, scenario: str = "campaign", options: Mapping[str, str] | None = None) -> State:
        """Return the position before the first decision (C2, C14). Raises Invalid for an unknown name or value."""
        require(scenario in self.scenarios, f'"{scenario}" is not a valid scenario: {", ".join(self.scenarios)}')
        chosen = read_options(options or {})
        for what, name, is_given in (
            ("an end", "last-year", chosen.last_year != GameOptions().last_year),
            ("points", "austrian-points", chosen.austrian_points is not msgspec.UNSET),
        ):
            reason = f'scenario "{scenario}" has {what} of its own: the option {name} is for "{CAMPAIGN}" (C14.6)'
            require(scenario == CAMPAIGN or not is_given, reason)
        draft = Draft(new_position(self.data, scenario, chosen, (War(),)))
        run(draft)
        return draft.freeze()

    def view(self, state: State, viewer: int) -> View:
        """Return what a side, WATCHER or EVERYTHING may know (O3)."""
        return make_view(state, as_viewer(viewer))

    def sample_state(self, view: View, rng: RandomSource) -> State:
        return complete_view(self.data, view, RandomFill(rng))

    def summary(self, state: State) -> dict[str, object]:
        return {
            **({} if state.plan.par is None else {"score": score(state)}),
            "year": state.year,
            "vp": list(victory_points(state)),
            "surrenders": [POWERS[power] for power in sorted(state.surrendered)],
            "allegiances": {POWERS[power]: (*self.sides, None)[side] for power, side in enumerate(state.allegiance)},
            "rp": list(state.rp),
            "prisoners": [total(held) for held in state.prisoners],
        }

    def outline(self, view: View) -> State:
        return complete_view(self.data, view, AT_LEAST)

    def state_of(self, values: Values) -> State:
        return state_of(self.data, values)


def read_options(given: Mapping[str, str]) -> GameOptions:
    """Return the options of a game. Raises Invalid for an unknown option or value."""
    chosen = resolve_options(OPTIONS, given).items()
    values = {name.replace("-", "_"): value for name, value in chosen if value != OPTIONS[name][0]}
    return msgspec.convert(values, GameOptions, strict=False)


def run(draft: Draft) -> None:
    run_sequence(draft, resolve_hexes)
