"""Wagons, depots, loading, feeding (R9, V3)."""

from __future__ import annotations

from collections.abc import Iterator

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Build, Create, Done, Feed, Load, Starve
from leuthen.rulesets.campaigns.rules.r09_supply.check import Feeding
from leuthen.rulesets.campaigns.rules.r09_supply.provisions import SupplyStep
from leuthen.rulesets.campaigns.rules.r09_supply.supply import depot_range, load_limit, stock


def supply_actions(s: Situation, frame: SupplyStep) -> Iterator[Action]:
    """A depot where an army is beyond the others, wagons where an army is, loading from wagons."""
    pos = s.pos
    if s.has("depots"):
        for wagon in frame.builders(pos):
            if not depot_range(pos, s.side) >> pos.units[wagon].hex & 1:
                yield Build(wagon)
    if s.has("wagons"):
        for leader, wagons in frame.loads(pos).items():
            unit = pos.units[leader]
            yield Load(leader, wagons[0], min(pos.units[wagons[0]].sp, load_limit(pos, unit) - unit.sp))
        armies = {unit.hex for unit in s.generals}
        yield from (Create(here) for here in frame.creatable(pos) if here in armies)
    yield Done()


def feeding_actions(s: Situation, frame: Feeding) -> Iterator[Action]:
    """Who can pay, pays; but who besieges keeps his last SP, that the siege may go on (R11.5)."""
    units = s.field(frame.hex, s.side)
    if s.has("supply") and not frame.inside and s.guards(frame.hex) and stock(units) < 2 * frame.due:
        yield Starve()
    yield Feed()
