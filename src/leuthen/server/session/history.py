"""The course of a game: its table, its record, and what each viewer was told of it."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from zlib import compress, decompress

from leuthen.engine.ruleset import VIEWERS, Outcome, Ruleset, ViewerId
from leuthen.play.in_words import in_words, may_read
from leuthen.play.packed import Packed
from leuthen.play.record import CONSENT
from leuthen.play.replay import carry_out
from leuthen.play.table import Table
from leuthen.play.transaction import RecordLine
from leuthen.screen import LogEntry
from leuthen.server.session.seat_log import Notification, SeatLog

if TYPE_CHECKING:
    from leuthen.server.session.transaction import GameTransaction

CHECKPOINT: Final = 64
"""Lines at least between two positions that are kept, to look back."""


class Turn(NamedTuple):
    """A turn of the game, and the number of lines before it began."""

    year: int
    turn: int
    line: int


class Waypoint(NamedTuple):
    """A table as it stood after so many lines of the record, when nobody had drafts."""

    done: int
    table: Table
    """Without its position, unless it is that of the beginning."""
    position: bytes = b""

    def stand(self) -> Table:
        """A table that stands so."""
        table = self.table.copy()
        if self.position:
            table.state = table.ruleset.restore(decompress(self.position))
        return table


class GameHistory:
    """A game as it stands. It changes only by an attempt that was accepted."""

    def __init__(self, ruleset: Ruleset, state: object, takebacks: str = CONSENT) -> None:
        self.ruleset = ruleset
        self.table = Table(ruleset, state, takebacks=takebacks)
        self.table.log = Packed()
        self.record: Packed[RecordLine] = Packed()
        self.logs: Mapping[ViewerId, SeatLog] = {viewer: SeatLog() for viewer in VIEWERS}
        self.turns = [Turn(*ruleset.date(state), 0)]
        self.counting = array("I")
        """The lines of the actions that count, as `table.log` has them."""
        self.open: tuple[tuple[int, ...], ...] = ((), (), ())
        """By actor: the lines of his drafts."""
        self.redo: tuple[tuple[str, ...], ...] = ((), (), ())
        """By actor: the orders that he took back, the last one last, as long as he gave no other since."""
        self.version, self.data = ruleset.version, ruleset.digest
        """Of the rules and the data that the game was begun with."""
        self.stranded = ""
        """Why the game cannot go on by the rules that are here."""
        self.lost = range(0)
        """The lines that they do not carry out."""
        self._waypoints = [Waypoint(0, self.table)]

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, by the rules or because the players ended it."""
        return self.table.outcome

    def position(self, viewer: ViewerId) -> object:
        """The position of which a viewer may have a view now."""
        return self.table.seen_by(viewer)

    def turns_of(self, viewer: ViewerId) -> tuple[Turn, ...]:
        """The turns that have begun as far as a viewer knows: not those that began by a draft of somebody else."""
        drafts = (lines[0] for actor, lines in enumerate(self.open) if lines and actor != viewer)
        hidden = min(drafts, default=len(self.record))
        return tuple(turn for turn in self.turns if turn.line <= hidden)

    def as_told(self, table: Table, line: int, viewer: ViewerId) -> object:
        """The position, on the table as it stood after a line, of which a viewer may have a view as he was told of it.

        What others did he is told of when it stands; by a line of his own he is told of nothing that they only try.
        """
        is_own = line >= 0 and self.record[line].actor == viewer
        return table.seen_by(viewer) if is_own else table.state

    def way_to(self, line: int) -> tuple[Table, Iterator[None]]:
        """A table that stands as after a line of the record when the steps were taken; -1 is the beginning."""
        waypoint = self._waypoints[bisect_right(self._waypoints, line + 1, key=attrgetter("done")) - 1]
        table, done = waypoint.stand(), waypoint.done
        return table, _carry_out_all(table, [self.record[n] for n in range(done, line + 1) if n not in self.lost])

    def at(self, line: int) -> Table:
        """The table as it stood after a line of the record; -1 is the beginning."""
        table, steps = self.way_to(line)
        for _ in steps:
            pass
        return table

    def strand(self, rest: Sequence[RecordLine], why: str) -> None:
        """The game goes no further by the rules that are here: each viewer is told why, and of the rest in words."""
        first = len(self.record)
        self.record.extend(rest)
        self.lost, self.stranded = range(first, len(self.record)), why
        for viewer, log in self.logs.items():
            lines = (in_words(self.table.name(actor), text) for actor, text in rest if may_read(viewer, actor, text))
            told = tuple(LogEntry("table", text, "") for text in (why, *lines))
            log.add([Notification(log.n + 1, len(self.record) - 1, len(self.turns) - 1, told, 0, len(told))])

    def conclude(self, outcome: Outcome) -> None:
        """The game has ended so, by rules that are not here."""
        self.table = self.table.copy()
        self.table.conclude(outcome)

    def accept(self, transaction: GameTransaction) -> None:
        """What was tried is on disk: it counts now."""
        before, self.table = self.table, transaction.kept()
        self.record.extend(transaction.lines)
        self.turns, self.counting, self.open = transaction.turns, transaction.counting, transaction.open
        self.redo = transaction.redo
        for viewer, log in self.logs.items():
            if news := transaction.notifications[viewer]:
                log.add(news)
            elif not log.is_stirred:
                log.is_stirred = self._looks_different(before.seen_by(viewer), self.table.seen_by(viewer), viewer)
        if len(self.record) >= self._waypoints[-1].done + CHECKPOINT and not len(self.table.drafts):
            self._waypoints.append(self._here())

    def _here(self) -> Waypoint:
        table = self.table.copy()
        table.state = None
        _shut(table.log)
        return Waypoint(len(self.record), table, compress(self.ruleset.dump(self.table.state), 1))

    def rest(self) -> None:
        """Nobody is expected to look at it soon: it takes less room."""
        for values in (self.record, self.table.log, *(log.news for log in self.logs.values())):
            _shut(values)

    def _looks_different(self, before: object, after: object, viewer: ViewerId) -> bool:
        if before is after:
            return False
        return bool(self.ruleset.view(before, viewer) != self.ruleset.view(after, viewer))


def _shut(values: Sequence[object]) -> None:
    if isinstance(values, Packed):
        values.shut()


def _carry_out_all(table: Table, lines: Sequence[RecordLine]) -> Iterator[None]:
    for actor, text in lines:
        carry_out(table, table.name(actor), text)
        table.pass_on()
        yield
