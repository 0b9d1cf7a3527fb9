"""The plug-in of the rule set *Campaigns*."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from leuthen.plugin import BOARD, PAGES, Plugin

if TYPE_CHECKING:
    from leuthen.engine.ruleset import Side, Thinker
    from leuthen.rulesets.campaigns.bot.features import CampaignsAnalyst
    from leuthen.rulesets.campaigns.ruleset import Campaigns
    from leuthen.wargame.bot.value import See, Value
    from leuthen.wargame.case_words import CaseBook

HERE: Final = Path(__file__).parent


class CampaignsPlugin(Plugin):
    """*Campaigns of Frederick the Great*, with the variant or without."""

    name = "campaigns"
    data = (BOARD, HERE / "data")
    rulebook = PAGES / "rulebook" / "campaigns"
    rulings = PAGES / "rulings-campaigns.md"
    kept = HERE / "kept"
    levels = ("cadet", "captain")
    value = HERE / "bot" / "value.json"

    def make(self, files: Mapping[str, str]) -> Campaigns:
        from leuthen.rulesets.campaigns.ruleset import Campaigns

        return Campaigns(files)

    def make_bot(self, level: str, rules: Campaigns, value: Callable[[], Value], side: Side, seed: int) -> Thinker:
        from leuthen.rulesets.campaigns.bot.captain import Captain
        from leuthen.rulesets.campaigns.bot.weights import LEVELS

        return Captain(rules.data, side, seed, LEVELS[level])

    def features(self) -> tuple[Sequence[str], See]:
        from leuthen.rulesets.campaigns.bot.features import FEATURES, features

        return FEATURES, cast("See", features)

    def casebook(self) -> CaseBook:
        from leuthen.rulesets.campaigns import cases

        return cases

    def analyst(self) -> CampaignsAnalyst:
        from leuthen.rulesets.campaigns.bot.features import CampaignsAnalyst

        return CampaignsAnalyst()


PLUGIN: Final = CampaignsPlugin()
