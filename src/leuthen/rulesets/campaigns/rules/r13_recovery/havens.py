"""V8.2: the forts that a demoralized leader makes for, and how far they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.forces import inside_tp, is_besieged, is_occupied
from leuthen.rulesets.campaigns.model.state import Position, Unit
from leuthen.wargame.board import Hex, Hexes


def havens_of(pos: Position, side: int, coming: Collection[Unit] = ()) -> list[Hex]:
    """The friendly, occupied forts and fortresses that are not besieged; those who come do not occupy one."""
    return [here for here in pos.data.strongholds if _is_haven(pos, here, side, coming)]


def _is_haven(pos: Position, here: Hex, side: int, coming: Collection[Unit]) -> bool:
    if not is_occupied(pos, here, side) or not pos.data.kind_at(here).inside or is_besieged(pos, here, side):
        return False
    own = sum(unit.strength for unit in coming if unit.inside and unit.hex == here)
    return inside_tp(pos, here, side) > own


def ways_home(pos: Position, havens: Sequence[Hex], barred: Hexes) -> dict[Hex, int]:
    """The MP from every hex to the nearest of these forts, through no hex that is barred."""
    return once(pos.lasting, ("ways home", barred, tuple(havens)), lambda: _measure(pos, havens, barred))


def _measure(pos: Position, havens: Sequence[Hex], barred: Hexes) -> dict[Hex, int]:
    board = pos.data.board
    found = dict.fromkeys(havens, 0)
    shells: dict[int, list[Hex]] = {0: list(havens)}
    while shells:
        spent = min(shells)
        for place in shells.pop(spent):
            if found[place] != spent:
                continue
            for there in board.neighbours[place]:
                cost = spent + board.steps[there][place]
                if not barred >> there & 1 and cost < found.get(there, 999):
                    found[there] = cost
                    shells.setdefault(cost, []).append(there)
    return found
