"""The plug-in of the rule set *Frederick*."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from leuthen.plugin import BOARD, PAGES, Plugin

if TYPE_CHECKING:
    from leuthen.engine.choice import RandomSource
    from leuthen.engine.ruleset import Side, Thinker
    from leuthen.rulesets.frederick.bot.features import FrederickAnalyst
    from leuthen.rulesets.frederick.knowledge import View
    from leuthen.rulesets.frederick.model.state import State
    from leuthen.rulesets.frederick.ruleset import Frederick
    from leuthen.wargame.bot.value import See, Value
    from leuthen.wargame.case_words import CaseBook

HERE: Final = Path(__file__).parent


class FrederickPlugin(Plugin):
    """The Campaign Game on the operational rules of *Frederick the Great*."""

    name = "frederick"
    data = (BOARD, HERE / "data")
    rulebook = PAGES / "rulebook" / "frederick"
    rulings = PAGES / "rulings.md"
    kept = HERE / "kept"
    levels = ("cadet", "captain", "colonel")
    value = HERE / "bot" / "value.json"

    def make(self, files: Mapping[str, str]) -> Frederick:
        from leuthen.rulesets.frederick.ruleset import Frederick

        return Frederick(files)

    def make_bot(self, level: str, rules: Frederick, value: Callable[[], Value], side: Side, seed: int) -> Thinker:
        from leuthen.rulesets.frederick.bot.captain import Captain, Searcher
        from leuthen.rulesets.frederick.bot.weights import LEVELS

        if level == "colonel":
            return Searcher(rules, value(), side, seed)
        return Captain(rules.data, side, seed, LEVELS[level])

    def features(self) -> tuple[Sequence[str], See]:
        from leuthen.rulesets.frederick.bot.features import FEATURES, features

        return FEATURES, cast("See", features)

    def casebook(self) -> CaseBook:
        from leuthen.rulesets.frederick import cases

        return cases

    def analyst(self) -> FrederickAnalyst:
        from leuthen.rulesets.frederick.bot.features import FrederickAnalyst

        return FrederickAnalyst()

    def sample_likely_state(self, rules: Frederick, view: View, rng: RandomSource) -> State:
        from leuthen.rulesets.frederick.bot.situation import sample_likely_state

        return sample_likely_state(rules.data, view, rng)


PLUGIN: Final = FrederickPlugin()
