"""By which way a group gets to a hex in its reach (R5.1)."""

from __future__ import annotations

from leuthen.rulesets.campaigns.rules.r05_movement.walk import Walk
from leuthen.wargame.board import NOWHERE, Hex


def path_of(walk: Walk, there: Hex) -> tuple[Hex, ...]:
    """A way that leaves the most MP, without its first hex; empty if there is none."""
    if there not in walk.reach:
        return ()
    path = [there]
    while path[0] != walk.here:
        before = _before(walk, path[0])
        if before < 0 or len(path) > 12:
            return ()
        path.insert(0, before)
    return tuple(path[1:])


def _before(walk: Walk, last: Hex) -> Hex:
    for here in walk.pos.data.board.neighbours[last]:
        left = walk.reach.get(here)
        own = here == walk.here
        if left is None or (not own and walk.enemy_fields >> here & 1):
            continue
        steps = walk.steps(here, left, inside=own and walk.inside, fresh=own and walk.fresh)
        if steps.get(last) == walk.reach[last]:
            return here
    return NOWHERE
