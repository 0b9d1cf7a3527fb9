"""Wagons and depots (R9): no more wagons than armies have a use for."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot import stores
from leuthen.rulesets.campaigns.bot.convoys import destination
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Create
from leuthen.rulesets.campaigns.model.forces import strength, wagons_at
from leuthen.rulesets.campaigns.rules.r09_supply.provisions import SupplyStep
from leuthen.rulesets.campaigns.rules.r09_supply.supply import need
from leuthen.wargame.board import Hex


def supply_actions(s: Situation, frame: SupplyStep) -> Iterator[Action]:
    """Depots and loading as ever; a wagon where an army has none that needs one."""
    for action in stores.supply_actions(s, frame):
        if not isinstance(action, Create) or is_wanted(s, action.hex):
            yield action


def is_wanted(s: Situation, here: Hex) -> bool:
    """Whether an army has use for another wagon, or a place for a depot."""
    wagons = len(wagons_at(s.pos, here, s.side))
    return wagons < need(s.pos, strength(s.field(here, s.side))) or (not wagons and destination(s, here) >= 0)
