"""A whole position from a view: what is known stands as it is, and a filler says what is hidden.

Three fill: AT_LEAST, to ask the rules about what is known; a draw (`worlds`); the estimate of a general (his bot).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from leuthen.engine.kept import Kept, kept_with
from leuthen.engine.state import Cache
from leuthen.rulesets.frederick.knowledge.view import SeenStack, View
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.state import FIELDS, Stack, State, state_of
from leuthen.wargame.strength import EMPTY, bag


class Filler(ABC):
    """Says what a view hides. As it stands, a hidden stack has no juniors, and nobody has done anything unseen."""

    @abstractmethod
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """The SP of each hidden stack; of leaders alone they do not count. `pos` has what is known but for stacks."""

    def stacks(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[Stack]:
        """The hidden stacks, all of the nation that they show."""
        strengths = self.strengths(pos, view, hidden)
        return [
            seen.completed(
                EMPTY if seen.alone else bag(seen.nation, points), (seen.commander,) if seen.commander >= 0 else ()
            )
            for seen, points in zip(hidden, strengths, strict=True)
        ]

    def finished(self, pos: State, view: View) -> State:
        """The position with its stacks, after all else that is hidden has been filled in."""
        return pos


class _Least(Filler):
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        return [seen.least for seen in hidden]


_MOST: Final = 200
"""Arrangements of allegiances, owners and depots that are remembered."""
AT_LEAST: Final = _Least()
"""Hidden stacks have the least SP that they may have."""


def complete_view(data: GameData, view: View, filler: Filler) -> State:
    """A position with all that a viewer knows, and the rest as the filler has it."""
    values = {**{name: getattr(view, name) for name in FIELDS}, "stacks": {}, "moving": None}
    lasting = _lasting(data, view)
    bare = state_of(data, values, lasting)
    seen = [*view.stacks, *([view.moving] if view.moving is not None else [])]
    filled = iter(filler.stacks(bare, view, [one for one in seen if one.sp is None]))
    stacks = [next(filled) if one.sp is None else one.completed(one.sp, one.leaders or ()) for one in seen]
    values["moving"] = stacks.pop() if view.moving is not None else None
    values["stacks"] = {stack.key: stack for stack in stacks}
    return filler.finished(state_of(data, values, lasting), view)


def _lasting(data: GameData, view: View) -> Cache:
    """What is computed of positions that agree in allegiances, owners and depots (`Position.lasting`)."""
    kept: Kept[Cache] = kept_with(data, "lasting", _MOST)
    owners, depots = tuple(view.owners.items()), tuple(view.depots.items())
    return kept.of((view.allegiance, view.surrendered, view.german_open, owners, depots), dict)
