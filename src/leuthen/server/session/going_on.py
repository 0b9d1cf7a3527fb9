"""Going on: a seat leaves the rest of a phase or turn as it is, and whatever asks for more than that stops it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Final

from leuthen.engine.choice import Action
from leuthen.play.table import Table
from leuthen.play.transaction import Falls
from leuthen.screen import LogEntry
from leuthen.server.session.problems import STALE, fault
from leuthen.server.session.transaction import GameTransaction

EVENT: Final = "event"
_MOST: Final = 1000
"""Answers in one go: more is a fault of a rule set."""
_STRUGGLES: Final = ("opening", "battle")
"""Topics of events after which a side is asked again, whatever it wanted to leave."""


def go_on(transaction: GameTransaction, side: int, scope: str, dice: Falls) -> None:
    """Answers for a side what leaves everything as it is, until a phase, a turn, or the quiet ends.

    It ends too where something has to be chosen, when something is done to the side, and when a battle begins; a quiet
    also when the enemy marches. Raises Fault if the side has something to choose at once.
    """
    table, mark = transaction.table, MARKS[scope]
    start, heard = mark(table, side), 0
    action = _idle(transaction, side)
    if action is None:
        raise fault(STALE, "There is something to decide", "What is asked now cannot be left as it is.")
    for _ in range(_MOST):
        transaction.answer_for(side, action)
        transaction.proceed(dice)
        told = transaction.told(side)
        ended = table.outcome is not None or mark(table, side) != start
        action = _idle(transaction, side)
        if ended or action is None or any(stops(side, scope, entry) for entry in told[heard:]):
            return
        heard = len(told)


def _idle(transaction: GameTransaction, side: int) -> Action | None:
    """The side's answer that leaves everything as it is; None if it is not asked, or has to choose."""
    table = transaction.table
    if table.outcome is not None or all(asked.actor != side for asked in table.ruleset.pending(table.state)):
        return None
    least = table.ruleset.legal_actions(table.seen_by(side), side).default()
    return least if least.IDLE else None


def stops(side: int, scope: str, entry: LogEntry) -> bool:
    """Whether a line of the chronicle is something that the side should look at before it goes on."""
    touches = entry.hurts == side or entry.topic in _STRUGGLES
    return touches or (scope == EVENT and entry.side == 1 - side and bool(entry.path))


def _phase(table: Table, side: int) -> Hashable:
    scene = table.ruleset.presenter.scene(table.ruleset.view(table.state, side))
    now = (stage for stage in scene.stages if stage.when == "now")
    return _turn(table, side), tuple((stage.group, stage.name, stage.side) for stage in now)


def _turn(table: Table, side: int) -> Hashable:
    return table.ruleset.date(table.state)


def _quiet(table: Table, side: int) -> Hashable:
    return None


MARKS: Final[Mapping[str, Callable[[Table, int], Hashable]]] = {"phase": _phase, "turn": _turn, EVENT: _quiet}
"""What lasts as long as a side wants to go on, by the word for it."""
