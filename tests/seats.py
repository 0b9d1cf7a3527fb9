"""Seats and observers for tables in tests."""

from collections.abc import Sequence
from typing import Any

from leuthen.engine.choice import LegalSet
from leuthen.engine.ruleset import CHANCE, Answer, LeaveGame, Look, Pending
from leuthen.play.record import CONSENT, Writer
from leuthen.play.table import Step, Table
from tests.toy import Bid, Die, Toy


class ScriptedPlayer:
    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.views: list[Any] = []
        self.asked: list[Pending] = []

    def choose(self, look: Look, legal: LegalSet[Any], pending: Pending) -> Answer:
        self.views.append(look())
        self.asked.append(pending)
        return self.answers.pop(0) if self.answers else LeaveGame()


class RecordingObserver:
    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_action(self, step: Step) -> None:
        self.lines.append(f"{step.actor} {step.action.do}")

    def on_undo(self, step: Step) -> None:
        self.lines.append(f"{step.actor} undid {step.action.do}")

    def on_committed(self, steps: Sequence[Step]) -> None:
        self.lines.append("committed " + " ".join(step.action.do for step in steps))


def toy_in_move(toy: Toy, *, rounds: str = "3", takebacks: str = CONSENT, record: Writer | None = None) -> Table:
    """Return a table after both bids and the die, with Prussia to move."""
    table = Table(toy, toy.new_game("parley", {"rounds": rounds}), record=record, takebacks=takebacks)
    table.act(0, Bid(2))
    table.act(1, Bid(3))
    table.act(CHANCE, Die(1))
    return table
