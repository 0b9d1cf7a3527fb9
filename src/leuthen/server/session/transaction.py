"""What each viewer would be told of something that is tried in a game. It is told once it is on disk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from leuthen.engine.events import Event
from leuthen.engine.ruleset import CHANCE, EVERYTHING, VIEWERS, ActorId, Side, ViewerId, is_side
from leuthen.play.drafts import Step
from leuthen.play.in_words import in_words
from leuthen.play.instruction import STOP
from leuthen.play.record import ADOPT, AGREE, FREE, RESIGN, STANDING, TAKE_BACK
from leuthen.play.transaction import Falls, Transaction
from leuthen.screen import LogEntry
from leuthen.server.session.history import GameHistory, Turn
from leuthen.server.session.seat_log import Notification


class GameTransaction(Transaction):
    """A transaction of a game at a server: what each viewer would be told of it."""

    def __init__(self, history: GameHistory) -> None:
        super().__init__(history.table)
        self.turns = history.turns.copy()
        self.counting = history.counting[:]
        self.open = history.open
        self.redo = history.redo
        self.left: int | None = None
        """Of the actions that counted before, how many are left if any are taken back."""
        self.notifications: dict[ViewerId, list[Notification]] = {viewer: [] for viewer in VIEWERS}
        self.history = history

    def told(self, viewer: ViewerId) -> list[LogEntry]:
        """What a viewer would be told, in order."""
        present = self.table.ruleset.presenter.present_event
        told = (what for news in self.notifications[viewer] for what in news.told)
        return [what if isinstance(what, LogEntry) else present(what) for what in told]

    def n(self, viewer: ViewerId) -> int:
        """The number of the viewer's last news, if this counts."""
        return self.history.logs[viewer].n + len(self.notifications[viewer])

    def proceed(self, dice: Falls) -> None:
        """Answers for chance and for who has nothing to choose, if the game can go on here."""
        if not self.history.stranded:
            super().proceed(dice)

    def say(self, actor: ActorId, text: str) -> None:
        """Carries out a line of a record, and tells everybody of what is no action of the rules."""
        word, _, rest = text.partition(" ")
        is_own = is_side(actor) and word == TAKE_BACK and self.table.is_waiting_order(actor, int(rest))
        super().say(actor, text)
        if not is_side(actor):
            return
        if word == STANDING:
            self._instructed(actor, rest)
        elif word == TAKE_BACK:
            self._taken_back(actor, int(rest), is_own=is_own)
        elif word in (RESIGN, AGREE, ADOPT):
            self._announce(actor, in_words(self.table.name(actor), text))

    def _instructed(self, side: Side, text: str) -> None:
        """Nobody else is told of a standing instruction, and its owner only that it stops."""
        word, _, reason = text.partition(" ")
        if word == STOP and not self.open[side]:
            said = LogEntry("table", f"The standing instruction is in force no longer: {reason}", "", side)
            for viewer in (side, EVERYTHING):
                self._tell(viewer, self._line, (said,))

    def _taken_back(self, side: Side, kept: int, *, is_own: bool) -> None:
        first, self.left = self.counting[kept], kept
        self.redo = ((), (), ())
        del self.counting[kept:]
        self._forget_turns(first)
        words = "takes back what has happened since." if self.table.takebacks == FREE else "grants a takeback."
        words = "takes back an order whose roll had to wait." if is_own else words
        self._announce(side, f"{self.table.name(side).capitalize()} {words}", first)

    def _announce(self, side: Side, text: str, void_from: int | None = None) -> None:
        said = LogEntry("table", text, "", side)
        for viewer in VIEWERS:
            dropped = 0 if void_from is None else self._void_from(viewer, void_from)
            self._tell(viewer, self._line, (said,), dropped)

    # --- what is heard meanwhile -------------------------------------------------------------------------------------

    def acted(self, step: Step) -> None:
        """An action: its own actor is told at once."""
        line = self._line
        self._open(step.actor, (*self.open[step.actor], line))
        self._given_again(step.actor, line)
        self.counting.append(line)
        date = self.table.ruleset.date(step.transition.state)
        if date != self.turns[-1][:2]:
            self.turns.append(Turn(*date, line + 1))
        if is_side(step.actor):
            self._tell(step.actor, line, self._own_lines(step, step.actor))

    def undone(self, step: Step) -> None:
        """A draft was taken back: its actor alone hears of it."""
        assert is_side(step.actor)
        *left, line = self.open[step.actor]
        self._open(step.actor, tuple(left))
        self._redo(step.actor, (*self.redo[step.actor], self._text(line)))
        self.counting.remove(line)
        self._forget_turns(line)
        self._tell(step.actor, self._line, (), len(self._own_lines(step, step.actor)))

    def _own_lines(self, step: Step, side: Side) -> tuple[object, ...]:
        """What an actor is told of his own action; of one that was given for him, that he had nothing to choose."""
        events, ruleset = step.transition.events(side), self.table.ruleset
        if events or ruleset.forced(step.before, side) is None:
            return events
        asked = next(pending for pending in ruleset.pending(step.before) if pending.actor == side)
        return (LogEntry("table", f"{asked.decision}: there was nothing to choose.", asked.rule, side),)

    def stood(self, steps: Sequence[Step]) -> None:
        """Steps that count for good: everybody else is told of them."""
        for step in steps:
            line, *left = self.open[step.actor]
            self._open(step.actor, tuple(left))
            for viewer in VIEWERS:
                is_own = viewer == step.actor != CHANCE
                if not is_own and (told := step.transition.events(viewer)):
                    self._tell(viewer, line, told)

    @property
    def _line(self) -> int:
        """The number of the line that is being carried out."""
        return len(self.history.record) + len(self.lines) - 1

    def _tell(self, viewer: ViewerId, line: int, told: tuple[object, ...], dropped: int = 0) -> None:
        turn = bisect_right(self.turns, line, key=attrgetter("line")) - 1
        is_last = self.turns[turn + 1 :] and self.turns[turn + 1].line == line + 1
        begun = next((at for at, what in enumerate(told) if is_last and _begins_turn(what)), len(told))
        self.notifications[viewer].append(Notification(self.n(viewer) + 1, line, turn, told, dropped, begun))

    def _open(self, actor: ActorId, lines: tuple[int, ...]) -> None:
        self.open = (*self.open[:actor], lines, *self.open[actor + 1 :])

    def _given_again(self, actor: ActorId, line: int) -> None:
        """Keep the orders that may be given again if this is the one that was taken back last; else forget them."""
        taken_back = self.redo[actor]
        if taken_back:
            self._redo(actor, taken_back[:-1] if self._text(line) == taken_back[-1] else ())

    def _redo(self, actor: ActorId, orders: tuple[str, ...]) -> None:
        self.redo = (*self.redo[:actor], orders, *self.redo[actor + 1 :])

    def _text(self, line: int) -> str:
        """A line of the record, or of what is being carried out."""
        done = len(self.history.record)
        return (self.history.record[line] if line < done else self.lines[line - done]).text

    def _forget_turns(self, line: int) -> None:
        """The turns that began after a line that is void."""
        while self.turns[-1].line > line:
            self.turns.pop()

    def _void_from(self, viewer: ViewerId, line: int) -> int:
        """How many lines of a viewer's chronicle are void from a line of the record on."""
        return self.history.logs[viewer].lines.void_from(line) + sum(
            len(news.told) - news.dropped for news in self.notifications[viewer]
        )


def _begins_turn(what: object) -> bool:
    """Whether an event begins a turn; what is said at the table does not."""
    return isinstance(what, Event) and what.BEGINS_TURN
