"""What a side, a watcher, or somebody who may know everything sees of a position (R1.6, R1.8)."""

from __future__ import annotations

from leuthen.engine.fields import Seen
from leuthen.engine.ruleset import Side, ViewerId
from leuthen.rulesets.campaigns.model.fields import TABLE, SharedFields
from leuthen.rulesets.campaigns.model.seen import SeenForce as SeenForce
from leuthen.rulesets.campaigns.model.seen import knows, see_forces
from leuthen.rulesets.campaigns.model.state import Position


class View(Seen, SharedFields):
    """A position as `viewer` may know it: a value that a bot gets, and that worlds are drawn from.

    With the option `hidden` the other side's strengths, SP, junior leaders and what they have done stand in no field:
    `units` has of the enemy only whom the viewer sees, with those TP alone of which he knows (1 for «some»), and
    `garrisons`, `freed`, `dead` and `drawn` are his own.
    """

    stacks: tuple[SeenForce, ...]
    """The forces, in the order of the board."""
    moving = None
    """No force stands outside of the board while it moves."""

    def knows(self, side: Side) -> bool:
        """Whether the viewer knows all of a side."""
        return knows(self.options, self.viewer, side)


def make_view(pos: Position, viewer: ViewerId) -> View:
    """What a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    return View.of({**TABLE.seen(pos, viewer), "viewer": viewer})


def hidden_forces(pos: Position, viewer: ViewerId) -> list[SeenForce]:
    """The forces that a viewer does not know in full, as he sees them."""
    return [force for force in see_forces(pos, viewer) if not knows(pos.options, viewer, force.side)]
