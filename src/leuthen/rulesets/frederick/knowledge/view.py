"""What a side, a watcher, or somebody who may know everything sees of a position, built up from nothing (O3)."""

from __future__ import annotations

from leuthen.engine.fields import Seen
from leuthen.engine.ruleset import OwnerId, ViewerId
from leuthen.rulesets.frederick.model.data import NOBODY
from leuthen.rulesets.frederick.model.fields import TABLE, SharedFields
from leuthen.rulesets.frederick.model.pieces import SeenStack as SeenStack
from leuthen.rulesets.frederick.model.pieces import knows
from leuthen.rulesets.frederick.model.state import Position
from leuthen.wargame.strength import PowerId


class View(Seen, SharedFields):
    """A position as `viewer` may know it: a value that a bot gets, and that worlds are drawn from.

    What is hidden stands in no field: strengths and junior leaders of the enemy, his depots under construction, his
    reinforcements, his sealed choices, the movement points of his leaders. Where leaders are (map, pool, prison), RP,
    prisoners and owners of fortresses are open (O3.5).
    """

    stacks: tuple[SeenStack, ...]
    """In the order of the board."""
    moving: SeenStack | None

    def side_of(self, power: PowerId) -> OwnerId:
        """The side that a power fights on, or NOBODY."""
        return NOBODY if power in self.surrendered else self.allegiance[power]

    def knows(self, side: OwnerId) -> bool:
        """Whether the viewer knows all of a side: his own; a neutral's; or everything."""
        return knows(self.viewer, side)


def make_view(pos: Position, viewer: ViewerId) -> View:
    """What a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    return View.of({**TABLE.seen(pos, viewer), "viewer": viewer})
