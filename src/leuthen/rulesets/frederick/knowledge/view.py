"""Views of a position for a side, a spectator or the umpire (O3), and positions completed from a view."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from leuthen.engine.fields import Seen
from leuthen.engine.memo import Memo, memo_of
from leuthen.engine.ruleset import NOBODY, OwnerId, ViewerId
from leuthen.rulesets.frederick.model.data import GameData
from leuthen.rulesets.frederick.model.pieces import SeenStack, Stack, knows
from leuthen.rulesets.frederick.model.state import FIELDS, TABLE, Memos, Position, SharedFields, State, state_of
from leuthen.wargame.board import StackKey
from leuthen.wargame.strength import EMPTY, Bag, LeaderId, PowerId, bag


class View(Seen, SharedFields):
    """A position as `viewer` may know it: the value that bots get and from which worlds are drawn.

    Hidden are strengths and junior leaders of the enemy, his depots under construction, his reinforcements, his sealed
    choices and the movement points of his leaders. Where leaders are (map, pool, prison), RP, prisoners and owners of
    fortresses are open (O3.5).
    """

    stacks: tuple[SeenStack, ...]
    """In the order of the board."""
    moving: SeenStack | None

    def side_of(self, power: PowerId) -> OwnerId:
        return NOBODY if power in self.surrendered else self.allegiance[power]

    def knows(self, side: OwnerId) -> bool:
        return knows(self.viewer, side)


def make_view(pos: Position, viewer: ViewerId) -> View:
    """Return what a side (0, 1), WATCHER or EVERYTHING may know of a position."""
    return View.of({**TABLE.seen(pos, viewer), "viewer": viewer})


class Filler(ABC):
    """Supplies what a view hides. By default a hidden stack has no juniors and nothing unseen has happened."""

    @abstractmethod
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        """Return the SP of each hidden stack, ignored for leaders alone. `pos` has all known facts except stacks."""

    def stacks(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[Stack]:
        """Return the hidden stacks, each of the nation that it shows."""
        strengths, completed = self.strengths(pos, view, hidden), Completed(pos.lasting, view.viewer)
        return [
            completed.of(
                seen.key, seen, EMPTY if seen.alone else bag(seen.nation, points),
                (seen.commander,) if seen.commander >= 0 else (),
            )
            for seen, points in zip(hidden, strengths, strict=True)
        ]  # fmt: skip

    def finished(self, pos: State, view: View) -> State:
        """Return the position, which has its stacks, with everything else that is hidden."""
        return pos


class _Least(Filler):
    def strengths(self, pos: State, view: View, hidden: Sequence[SeenStack]) -> Sequence[int]:
        return [seen.least for seen in hidden]


class Completed:
    """Stacks completed from a view; a stack that looks the same is the same object as before."""

    def __init__(self, lasting: Memo, viewer: ViewerId) -> None:
        self._before: dict[StackKey, tuple[SeenStack, Bag, Stack]] = lasting.once(("completed", viewer), dict)

    def of(self, key: StackKey, seen: SeenStack, sp: Bag, leaders: tuple[LeaderId, ...]) -> Stack:
        """Return the stack with this appearance, these SP and these known leaders."""
        last = self._before.get(key)
        if last is None or last[0] is not seen or last[1] != sp:
            last = self._before[key] = seen, sp, seen.completed(sp, leaders)
        return last[2]


_MOST: Final = 200
"""Arrangements of allegiances, owners and depots for which memos are stored with the data."""
AT_LEAST: Final = _Least()
"""Hidden stacks have the least SP that they may have."""


def complete_view(data: GameData, view: View, filler: Filler) -> State:
    """Return a position with all that a viewer knows; `filler` supplies the rest."""
    data = data.of(view.scenario)
    values = {**{name: getattr(view, name) for name in FIELDS}, "stacks": {}, "moving": None}
    memos, force = _memos(data, view), view.moving
    bare, completed = state_of(data, values, memos), Completed(memos.lasting, view.viewer)
    seen = view.stacks if force is None else (*view.stacks, force)
    filled = iter(filler.stacks(bare, view, [one for one in seen if one.sp is None]))
    values["stacks"] = {
        key: next(filled) if one.sp is None else completed.of(key, one, one.sp, one.leaders or ())
        for key, one in [(one.key, one) for one in view.stacks]
    }
    if force is not None:
        values["moving"] = next(filled) if force.sp is None else force.completed(force.sp, force.leaders or ())
    return filler.finished(state_of(data, values, memos), view)


def _memos(data: GameData, view: View) -> Memos:
    """Return memos shared by positions with equal allegiances, with equal owners too, and with equal depots too."""
    memo, lands = memo_of(data, "positions", _MOST), (view.allegiance, view.surrendered, view.german_open)
    return Memos(
        memo.once(lands, Memo),
        memo.once((lands, "owners", tuple(view.owners.items())), Memo),
        memo.once((lands, "depots", tuple(view.depots.items())), Memo),
    )
