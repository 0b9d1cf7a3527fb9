"""The course of a finished game: its actions without those taken back, with line and positions."""

from typing import Any, Final, NamedTuple, TypeAlias

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import ActorId, Outcome
from leuthen.play.record import TAKE_BACK, Record, RecordError
from leuthen.play.replay import Replay
from leuthen.play.table import LoggedAction
from leuthen.screen.presenter import TableRuleset

Position: TypeAlias = Any  # a position of a rule set, or a view
UNFINISHED: Final = "this game is not finished: only finished games have reports"


class Act(NamedTuple):
    """An action of the course, with its line in the record and the positions before and after it."""

    line: int
    actor: ActorId
    action: Action
    before: Position
    after: Position


class Course(NamedTuple):
    """A finished game without the actions taken back."""

    first: Position
    acts: tuple[Act, ...]
    outcome: Outcome
    closing: int  # the side that ended the game by a word of the table; -1 if the rules ended it


def course_of(ruleset: TableRuleset, recorded: Record) -> Course:
    """Return the course of a game. Raises RecordError for an unfinished one, or one that cannot be replayed here."""
    replay = Replay(ruleset, recorded)
    numbers, before = list[int](), list[LoggedAction]()  # the record lines of the actions that were not taken back
    for entry in replay:
        log = replay.table.log
        if len(log) > len(before):
            numbers.append(entry.number)
        elif len(log) < len(before) and entry.text.partition(" ")[0] == TAKE_BACK:
            del numbers[len(log) :]
        elif len(log) < len(before):
            changed = (at for at, (old, new) in enumerate(zip(before, log, strict=False)) if old is not new)
            del numbers[next(changed, len(log))]
        before = list(log)
    outcome, state, acts = replay.table.outcome, replay.table.first, []
    if outcome is None:
        raise RecordError(recorded.path, UNFINISHED)
    for number, counted in zip(numbers, replay.table.log, strict=True):
        after = ruleset.apply(state, counted.actor, counted.action).state
        acts.append(Act(number, counted.actor, counted.action, state, after))
        state = after
    last = recorded.entries[-1]
    closing = ruleset.sides.index(last.actor) if numbers[-1:] != [last.number] else -1
    return Course(replay.table.first, tuple(acts), outcome, closing)
