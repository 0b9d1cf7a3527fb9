"""The course of a finished game: its actions without those taken back, with line and positions."""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId, Outcome
from leuthen.play.record import TAKE_BACK, Record, RecordEntry, RecordError
from leuthen.play.replay import Replay
from leuthen.play.table import LoggedAction, Table
from leuthen.screen.presenter import TableRuleset

Position: TypeAlias = Any
"""A position of a rule set, or a view."""
UNFINISHED: Final = "this game is not finished: only finished games have reports"


class Act(NamedTuple):
    """An action of the course, with its line in the record and the positions before and after it."""

    line: int
    actor: ActorId
    action: Action
    before: Position
    after: Position


class Course(NamedTuple):
    """A finished game without the actions taken back. `end` is the number of the record's last line."""

    first: Position
    acts: tuple[Act, ...]
    outcome: Outcome
    end: int
    closing: int
    """The side that ended the game by a word of the table; -1 if the rules ended it."""


def course_of(ruleset: TableRuleset, recorded: Record) -> Course:
    """Return the course of a game. Raises RecordError for an unfinished one, or one that cannot be replayed here."""
    replay = Replay(ruleset, recorded)
    lines = _Lines(replay.table)
    for entry in replay:
        lines.note(entry)
    outcome = replay.table.outcome
    if outcome is None:
        raise RecordError(recorded.path, UNFINISHED)
    last = recorded.entries[-1]
    by_word = lines.numbers[-1:] != [last.number]
    closing = ruleset.sides.index(last.actor) if by_word else -1
    return Course(replay.table.first, lines.replay_actions(ruleset), outcome, last.number, closing)


class _Lines:
    """Finds the record lines of the actions that were not taken back."""

    def __init__(self, table: Table) -> None:
        self.numbers: list[int] = []
        self._table = table
        self._log: list[LoggedAction] = []

    def note(self, entry: RecordEntry) -> None:
        """Follow the table by one line of the record."""
        log, word = self._table.log, entry.text.partition(" ")[0]
        if len(log) > len(self._log):
            self.numbers.append(entry.number)
        elif len(log) < len(self._log):
            self._forget(len(log), is_granted=word == TAKE_BACK)
        self._log = list(log)

    def _forget(self, kept: int, *, is_granted: bool) -> None:
        if is_granted:
            del self.numbers[kept:]
            return
        pairs = enumerate(zip(self._log, self._table.log, strict=False))
        del self.numbers[next((at for at, (old, new) in pairs if old is not new), kept)]

    def replay_actions(self, ruleset: TableRuleset) -> tuple[Act, ...]:
        state, acts = self._table.first, []
        for number, counted in zip(self.numbers, self._table.log, strict=True):
            after = ruleset.apply(state, counted.actor, counted.action).state
            acts.append(Act(number, counted.actor, counted.action, state, after))
            state = after
        return tuple(acts)
