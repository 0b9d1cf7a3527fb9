"""The machine players by level."""

from __future__ import annotations

from collections.abc import Callable

from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.bot.staff import StaffCaptain
from leuthen.rulesets.campaigns.bot.weights import CADET
from leuthen.rulesets.campaigns.ruleset import Campaigns
from leuthen.wargame.bot.value import Value


def cadet(ruleset: Campaigns, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """Return a captain who judges places, dangers and his own strength less well."""
    return StaffCaptain(ruleset.data, side, seed, CADET)


def captain(ruleset: Campaigns, value: Callable[[], Value], side: Side, seed: int) -> StaffCaptain:
    """Return a bot that plans and does not search; it needs no learned value."""
    return StaffCaptain(ruleset.data, side, seed)
