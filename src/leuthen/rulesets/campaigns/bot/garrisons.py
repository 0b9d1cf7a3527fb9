"""What is left in a place, and what is taken out of it (R10.4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Leave
from leuthen.rulesets.campaigns.model.data import CITY, FORT
from leuthen.rulesets.campaigns.model.forces import inside_tp
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.rules.r05_movement.hex_actions import givers
from leuthen.rulesets.campaigns.rules.r09_supply.supply import need
from leuthen.wargame.board import Hex

WANTED: Final = {CITY: 1, FORT: 2}
STRONG: Final = 3
"""TP of a garrison in a fortress."""
COLUMN: Final = 19
"""TP that need no supply (V3)."""
SHED: Final = 5
"""TP that an army leaves behind for that."""


def leaving_garrison(s: Situation, units: Sequence[Unit]) -> Iterator[Action]:
    """Men for a place that has too few, from the strongest."""
    here = units[0].hex
    if units[0].inside or here not in s.data.strongholds:
        return
    able = givers(s.pos, s.side, units)
    lacking = wanted(s, here) - inside_tp(s.pos, here, s.side)
    for unit in sorted(units, key=lambda unit: (-unit.strength, unit.number)):
        numbers = [n for n in able.get(unit.number, ()) if n <= lacking and unit.strength - n >= s.temper.spare * n]
        spare = surplus(s, unit)
        if spare in able.get(unit.number, ()):
            numbers.append(spare)
        if numbers:
            yield Leave(unit.number, max(numbers))


def surplus(s: Situation, unit: Unit) -> int:
    """The TP of a leader without SP that would make an army of him that needs none (V3); 0 if too many."""
    over = unit.strength - COLUMN
    if not s.has("supply") or unit.sp or need(s.pos, COLUMN) or not need(s.pos, unit.strength):
        return 0
    return over if over <= SHED else 0


def wanted(s: Situation, here: Hex) -> int:
    """The garrison that a place should have."""
    kind = s.data.strongholds[here].kind
    return WANTED.get(kind, STRONG)
