"""Something tried on a copy of a game, with all that everybody would be told: it counts once it is on disk."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, Final

from leuthen.engine.choice import Action
from leuthen.engine.events import Event
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING
from leuthen.engine.standing import Surprise
from leuthen.play.dice import Dice
from leuthen.play.drafts import Step
from leuthen.play.instruction import STOP
from leuthen.play.record import ADOPT, AGREE, FREE, RESIGN, STANDING, TAKE_BACK, UNDO
from leuthen.play.replay import carry_out
from leuthen.screen import LogEntry
from leuthen.server.session.history import VIEWERS, GameHistory, Line, Turn
from leuthen.server.session.seat_log import Notification

_MOST_CHANCES: Final = 10_000
"""Answers of chance in a row: more is a fault of the rule set."""


class Transaction:
    """Tries something on a copy of a course's table. As its observer it hears what each viewer would be told."""

    def __init__(self, history: GameHistory) -> None:
        self.table = history.table.copy(self)
        self.record: list[Line] = []
        self.turns = history.turns.copy()
        self.counting = history.counting.copy()
        self.open = history.open
        self.notifications: dict[int, list[Notification]] = {viewer: [] for viewer in VIEWERS}
        self._history = history

    def n(self, viewer: int) -> int:
        """The number of the viewer's last news, if this counts."""
        return self._history.logs[viewer].n + len(self.notifications[viewer])

    # --- what may be tried -------------------------------------------------------------------------------------------

    def act(self, side: int, text: str) -> None:
        """Carries out a side's order in the record's notation. Raises Invalid, Ambiguous or Illegal.

        What is refused is refused by what the side sees: the drafts of others make no difference.
        """
        table, ruleset = self.table, self.table.ruleset
        if table.outcome is not None:
            raise Invalid("the game has ended")
        seen = table.seen_by(side)
        action = ruleset.parse_action(seen, side, text)
        if seen is not table.state:
            ruleset.apply(seen, side, action)
        line = Line(side, ruleset.format_action(table.state, side, action))
        table.act(side, action)
        self._passed(line)

    def roll(self, dice: Dice) -> None:
        """Answers for chance as long as it is asked."""
        table, ruleset = self.table, self.table.ruleset
        if self._history.stranded:
            return
        for _ in range(_MOST_CHANCES):
            if table.outcome is not None or not (chances := ruleset.chances(table.state)):
                return
            action = dice.at(table.place, chances)
            line = Line(CHANCE, ruleset.format_action(table.state, CHANCE, action))
            table.act(CHANCE, action)
            self._passed(line)
        raise RuntimeError("chance is asked without end")

    def undo(self, side: int) -> None:
        """Takes back the side's last action. Raises NothingToUndo."""
        self.table.undo(side)
        self._passed(Line(side, UNDO))

    def resign(self, side: int) -> None:
        """The side gives up. Raises Invalid after the end."""
        self.table.resign(side)
        self._announce(Line(side, RESIGN), "resigns.")

    def agree(self, side: int) -> None:
        """The side takes the draw that it was offered. Raises Invalid after the end."""
        self.table.agree(side)
        self._announce(Line(side, AGREE), "accepts the draw.")

    def adopt(self, side: int, number: int) -> None:
        """The side agrees to play on by the rulings up to a number. Raises Invalid."""
        self.table.adopt(side, number)
        self._announce(Line(side, f"{ADOPT} {number}"), f"agrees to play on by the rulings up to number {number}.")

    def take_back(self, side: int, kept: int) -> None:
        """The side grants the other that only the first `kept` actions count, or takes back. Raises Invalid."""
        self.table.take_back(side, kept)
        first = self.counting[kept]
        del self.counting[kept:]
        self._forget_turns(first)
        words = "takes back what has happened since." if self.table.takebacks == FREE else "grants a takeback."
        self._announce(Line(side, f"{TAKE_BACK} {kept}"), words, first)

    def instruct(self, side: int, text: str) -> None:
        """The side's standing instruction in the record's words. Nobody else is told. Raises Invalid."""
        self.table.instruct(side, text)
        word, _, reason = text.partition(" ")
        if word == STOP and not self.open[side]:
            said = LogEntry("table", f"The standing instruction is in force no longer: {reason}", "", side)
            for viewer in (side, EVERYTHING):
                self._tell(viewer, self._next, (said,))
        self.record.append(Line(side, f"{STANDING} {text}"))

    def release(self, side: int) -> None:
        """Stops the side's instruction if it would give an answer again that was taken back."""
        if surprise := self.table.release(side):
            self.stand_in(side, surprise)

    def stand_in(self, side: int, answer: Action | Surprise) -> None:
        """A standing instruction answers for its side as that would itself, or stops."""
        if isinstance(answer, Surprise):
            self.instruct(side, f"{STOP} {answer.reason}")
        else:
            self.act(side, self.table.ruleset.format_action(self.table.state, side, answer))

    def carry_out(self, line: Line) -> None:
        """Carries out a line of a record. Raises Invalid or Illegal."""
        word, _, kept = line.text.partition(" ")
        words = {UNDO: self.undo, RESIGN: self.resign, AGREE: self.agree}
        if line.actor != CHANCE and line.text in words:
            words[line.text](line.actor)
        elif line.actor != CHANCE and word == TAKE_BACK and kept.isascii() and kept.isdigit():
            self.take_back(line.actor, int(kept))
        elif line.actor != CHANCE and word == ADOPT and kept.isascii() and kept.isdigit():
            self.adopt(line.actor, int(kept))
        elif line.actor != CHANCE and word == STANDING:
            self.instruct(line.actor, kept)
        else:
            carry_out(self.table, self.table.name(line.actor), line.text)
            self._passed(line)

    def _passed(self, line: Line) -> None:
        self.record.append(line)
        self.table.pass_on()

    def _announce(self, line: Line, words: str, void_from: int | None = None) -> None:
        """Tells everybody what a player did that is no action of the rules."""
        said = LogEntry("table", f"{self.table.name(line.actor).capitalize()} {words}", "", line.actor)
        for viewer in VIEWERS:
            dropped = 0 if void_from is None else self._void_from(viewer, void_from)
            self._tell(viewer, self._next, (said,), dropped)
        self.record.append(line)

    # --- what is heard meanwhile -------------------------------------------------------------------------------------

    def acted(self, step: Step) -> None:
        """An action: its own actor is told at once."""
        line = self._next
        self._open(step.actor, (*self.open[step.actor], line))
        self.counting.append(line)
        date = self.table.ruleset.date(step.transition.state)
        if date != self.turns[-1][:2]:
            self.turns.append(Turn(*date, line + 1))
        if step.actor != CHANCE:
            self._tell(step.actor, line, step.transition.events(step.actor))

    def undone(self, step: Step) -> None:
        """A draft was taken back: its actor alone hears of it."""
        *left, line = self.open[step.actor]
        self._open(step.actor, tuple(left))
        self.counting.remove(line)
        self._forget_turns(line)
        self._tell(step.actor, self._next, (), len(step.transition.events(step.actor)))

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
    def _next(self) -> int:
        """The number of the line that is being tried."""
        return len(self._history.record) + len(self.record)

    def _tell(self, viewer: int, line: int, told: tuple[Any, ...], dropped: int = 0) -> None:
        turn = bisect_right(self.turns, line, key=_first_line) - 1
        is_last = self.turns[turn + 1 :] and self.turns[turn + 1].line == line + 1
        begun = next((at for at, what in enumerate(told) if is_last and _begins_turn(what)), len(told))
        self.notifications[viewer].append(Notification(self.n(viewer) + 1, line, turn, told, dropped, begun))

    def _open(self, actor: int, lines: tuple[int, ...]) -> None:
        self.open = (*self.open[:actor], lines, *self.open[actor + 1 :])

    def _forget_turns(self, line: int) -> None:
        """The turns that began after a line that is void."""
        while self.turns[-1].line > line:
            self.turns.pop()

    def _void_from(self, viewer: int, line: int) -> int:
        """How many lines of a viewer's chronicle are void from a line of the record on."""
        notification = self.notifications[viewer]
        return self._history.logs[viewer].void_from(line) + sum(len(news.told) - news.dropped for news in notification)


def _begins_turn(what: Any) -> bool:
    """Whether an event begins a turn; what is said at the table does not."""
    return isinstance(what, Event) and what.BEGINS_TURN


def _first_line(turn: Turn) -> int:
    return turn.line
