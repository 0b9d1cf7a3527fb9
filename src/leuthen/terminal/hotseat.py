"""The hot seat that people share: one table, one keyboard, one screen that keeps each side's secrets."""

from __future__ import annotations

from collections.abc import Sequence

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.seat import LeaveGame, Undo
from leuthen.load import Unreadable, read_map, read_rulebook
from leuthen.play.table import Table
from leuthen.rulebook import Rulebook
from leuthen.terminal.keyboard import Complete, Keyboard
from leuthen.terminal.page import Page
from leuthen.terminal.situation import SeenPosition
from leuthen.terminal.viewer_logs import ViewerLogs
from leuthen.wargame.board import Board


class Hotseat:
    """What the seats of people share. `people` are the sides that sit here, `logs` what they were told before.

    `game` is the id of the game, under which a staff's plan is kept; "" for a game that is not kept either.
    """

    def __init__(
        self,
        table: Table,
        keyboard: Keyboard,
        page: Page,
        people: Sequence[Side],
        logs: ViewerLogs | None = None,
        game: str = "",
    ) -> None:
        self.table = table
        self.keyboard = keyboard
        self.page = page
        self.people = tuple(people)
        self.logs = logs or ViewerLogs(table.ruleset)
        self.game = game
        self.is_resumed = logs is not None
        self.present: Side | None = None if len(self.people) > 1 else self.people[0] if self.people else None
        self.setting = table.ruleset.presenter.setting()
        self._rulebook: Rulebook | None = None
        self._board: Board | None = None
        self._welcomed: set[Side] = set()
        if logs is None:
            table.observers.append(self.logs)

    @property
    def rulebook(self) -> Rulebook:
        """The rules, read when they are first asked for."""
        if self._rulebook is None:
            self._rulebook = Rulebook(read_rulebook(self.table.ruleset.name))
        return self._rulebook

    @property
    def board(self) -> Board:
        """The hexes of the map, read when they are first asked for. Raises Invalid if the game has none."""
        if self._board is None:
            try:
                self._board = read_map(self.table.ruleset.name)
            except Unreadable as error:
                raise Invalid(
                    f"The board of {self.setting.title} has no hexes, so no map of it can be drawn here. "
                    "«show», and the name of a place, tells what is there."
                ) from error
        return self._board

    def situation(self, side: Side) -> SeenPosition:
        """The position as a side may know it."""
        ruleset = self.table.ruleset
        return SeenPosition(ruleset, self.setting, ruleset.view(self.table.state, side))

    def title(self, side: Side) -> str:
        """The side's name as a heading."""
        return self.table.name(side).capitalize()

    def ask(self, side: Side, complete: Complete) -> str:
        """Asks a side for a line."""
        return self.keyboard.ask(f"{self.table.name(side)}> ", side, complete)

    def arrive(self, side: Side) -> None:
        """A side comes to answer: the other's secrets leave the screen, and it hears what it may know."""
        if self.present != side:
            self._change_places(side)
        if side not in self._welcomed:
            self._welcomed.add(side)
            self.page.say(self.situation(side).tell())
        self.page.say_all(self.logs.news(side))

    def _change_places(self, side: Side) -> None:
        self.present = side
        if not self.keyboard.is_terminal:
            self.page.say(f"--- {self.title(side)} ---")
            return
        self.page.wipe()
        self.keyboard.wait(f"Pass the keyboard to {self.title(side)}; {self.title(side)} presses Enter. ")
        self.page.wipe()

    def hand_over(self, leaves: Side, comes: Side) -> Undo | LeaveGame | None:
        """Asks a person who has just ended his turn, before another sits down, whether it may stand."""
        if leaves not in self.people or comes not in self.people or not self.keyboard.is_terminal:
            return None
        self.page.say_all(self.logs.news(leaves))
        try:
            answer = self.keyboard.wait(f"Enter hands over to {self.title(comes)}; undo takes your last order back. ")
        except (EOFError, KeyboardInterrupt):
            return LeaveGame()
        if answer == "undo":
            return Undo()
        return LeaveGame() if answer == "quit" else None
