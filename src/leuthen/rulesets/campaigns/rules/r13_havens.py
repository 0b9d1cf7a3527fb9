"""V8.2: the forts that a demoralized leader makes for, and the distance to them."""

from collections.abc import Collection
from typing import Final

from leuthen.engine.memo import memoized
from leuthen.engine.ruleset import Side
from leuthen.rulesets.campaigns.model.forces import inside_tp, open_places
from leuthen.rulesets.campaigns.model.pieces import Unit
from leuthen.rulesets.campaigns.model.state import Position
from leuthen.wargame.board import Hex, Hexes, Search, moves_of


def havens_of(pos: Position, side: Side, coming: Collection[Unit] = ()) -> list[Hex]:
    """Return the friendly, occupied forts and fortresses that are not besieged; TP of the coming units do not count."""
    places = open_places(pos, side) & pos.census.insides[side]
    found = [here for here in pos.data.strongholds if places >> here & 1 and pos.data.kind_at(here).inside]
    own = [(unit.hex, unit.strength) for unit in coming if unit.inside]
    return [here for here in found if inside_tp(pos, here, side) > sum([tp for at, tp in own if at == here])]


LOST: Final = 1000  # more MP than any way home


@memoized("lasting")
def distances_home(pos: Position, havens: Hexes, barred: Hexes) -> Search:
    """Return the MP from every hex to the nearest of these forts, round barred hexes; `LOST` or more if none.

    The search starts at the forts: a step costs the same in both directions.
    """
    moves = pos.data.memo.get_or_compute("moves", lambda: moves_of(pos.data.board))
    return Search(moves, havens, 0, pos.data.board.land & ~barred, LOST)
