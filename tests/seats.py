"""Seats and observers for tables in tests."""

from collections.abc import Sequence
from typing import Any

from leuthen.engine.choice import LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Answer, LeaveGame, Look
from leuthen.play.table import Step


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
