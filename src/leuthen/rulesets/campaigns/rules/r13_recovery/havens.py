"""V8.2: the forts that a demoralized leader makes for, and how far they are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from leuthen.engine.ruleset import Side
from leuthen.engine.state import once
from leuthen.rulesets.campaigns.model.data import GameData
from leuthen.rulesets.campaigns.model.forces import inside_tp, is_besieged, is_occupied
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.wargame.board import Hex, Hexes, hex_set
from leuthen.wargame.ways import Search, moves_of


def havens_of(pos: Position, side: Side, coming: Collection[Unit] = ()) -> list[Hex]:
    """The friendly, occupied forts and fortresses that are not besieged; those who come do not occupy one."""
    return [here for here in pos.data.strongholds if _is_haven(pos, here, side, coming)]


def _is_haven(pos: Position, here: Hex, side: Side, coming: Collection[Unit]) -> bool:
    if not is_occupied(pos, here, side) or not pos.data.kind_at(here).inside or is_besieged(pos, here, side):
        return False
    own = sum(unit.strength for unit in coming if unit.inside and unit.hex == here)
    return inside_tp(pos, here, side) > own


LOST: Final = 1000
"""More MP than any way home takes."""


def ways_home(pos: Position, havens: Sequence[Hex], barred: Hexes) -> Search:
    """The MP from every hex to the nearest of these forts, through no hex that is barred; `LOST` or more if none."""
    return once(pos.lasting, ("ways home", barred, tuple(havens)), lambda: _measure(pos.data, havens, barred))


def _measure(data: GameData, havens: Sequence[Hex], barred: Hexes) -> Search:
    """A step costs the same there and back, so that the search may begin at the forts."""
    moves = once(data.__dict__, "moves", lambda: moves_of(data.board))
    return Search(moves, hex_set(havens), 0, data.board.land & ~barred, LOST)
