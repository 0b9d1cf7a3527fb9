"""Where a beaten army goes (R12.9, V8.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from leuthen.engine.choice import Action
from leuthen.rulesets.campaigns.bot.situation import Situation
from leuthen.rulesets.campaigns.model.actions import Retreat
from leuthen.rulesets.campaigns.model.forces import is_besieged
from leuthen.rulesets.campaigns.rules.r09_supply.supply import is_near
from leuthen.rulesets.campaigns.rules.r12_battle.retreat import Retreating
from leuthen.wargame.board import Hex

INSIDE: Final = 6.0
FED: Final = 2.0


def retreat_actions(s: Situation, frame: Retreating) -> Iterator[Action]:
    """The ways of a retreat, the best first: into a fort, near depots, far from the enemy."""
    units = [s.pos.units[number] for number in frame.group(s.pos)]
    tp = sum(unit.strength for unit in units)

    def rate(found: tuple[tuple[Hex, ...], bool]) -> float:
        path, inside = found
        here = path[-1] if path else frame.hex
        value = FED * is_near(s.pos, here, s.side, inside)
        if not inside:
            return value - 0.2 * s.danger(units, here)
        if is_besieged(s.pos, here, s.side) or not s.has("shelter") or s.is_trap(tp, here):
            return value - INSIDE
        crowded = tp > 3 * s.data.kind_at(here).garrison
        return value + INSIDE - 3 * crowded - 4 * (here == frame.hex)

    found = list(_ends(s, frame, (), frame.hex, frame.first(s.pos)))
    for path, inside in sorted(found, key=lambda end: (-rate(end), end)):
        yield Retreat(path, inside)


def _ends(
    s: Situation, frame: Retreating, path: tuple[Hex, ...], here: Hex, left: int
) -> Iterator[tuple[tuple[Hex, ...], bool]]:
    for inside in frame.ends(s.pos, here, left):
        yield path, bool(inside)
    for there, rest in frame.onward(s.pos, here, left).items():
        yield from _ends(s, frame, (*path, there), there, rest)
