"""The hot seat: one table, keyboard and screen for two players, that keeps each side's secrets."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final, Protocol

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import Side
from leuthen.engine.seat import LeaveGame, Undo
from leuthen.load import UnreadableFile, read_map, read_rulebook
from leuthen.play.table import Table
from leuthen.rulebook import Rulebook
from leuthen.terminal.page import Page
from leuthen.terminal.situation import SeenPosition
from leuthen.terminal.viewer_logs import ViewerLogs
from leuthen.wargame.board import Board

YES: Final = ("y", "yes")


class Keyboard(Protocol):
    """Source of typed lines. Raises EOFError at the end of input or Ctrl-D, KeyboardInterrupt at Ctrl-C."""

    is_terminal: bool

    def ask(self, prompt: str, side: Side) -> str:
        """Return an order line. `side` has a history of its own that the other side never sees."""
        ...

    def wait(self, prompt: str) -> str:
        """Return a line that enters no history."""
        ...


class Pipe:
    """Lines from standard input that is not a terminal. They are echoed, so that the output reads as a whole."""

    is_terminal = False

    def ask(self, prompt: str, side: Side) -> str:
        return self.wait(prompt)

    def wait(self, prompt: str) -> str:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
        if not line:
            raise EOFError
        return line.strip()


class Prompt:
    """A terminal, with line editing and a history for each side where the platform has readline."""

    is_terminal = True

    def __init__(self) -> None:
        self._histories: dict[int, list[str]] = {}

    def ask(self, prompt: str, side: Side) -> str:
        """Return an order line. Ctrl-C discards the input and prompts again."""
        history = self._histories.setdefault(side, [])
        while True:
            _load_history(history)
            try:
                line = input(prompt).strip()
            except KeyboardInterrupt:
                print("\n(Press Ctrl-D or type quit to leave. The game is saved.)")
                continue
            finally:
                _load_history(())
            if line and line not in history[-1:]:
                history.append(line)
            return line

    def wait(self, prompt: str) -> str:
        return input(prompt).strip()


def _load_history(lines: Sequence[str]) -> None:
    try:
        import readline
    except ImportError:  # Windows
        return
    readline.set_auto_history(False)
    readline.clear_history()
    for line in lines:
        readline.add_history(line)


def get_keyboard() -> Keyboard:
    """Return the keyboard of this process."""
    return Prompt() if sys.stdin.isatty() and sys.stdout.isatty() else Pipe()


class Hotseat:
    """The table, screen and keyboard of the players at this terminal. `people` are their sides, `logs` the entries
    that they have seen in earlier sessions."""

    def __init__(
        self, table: Table, keyboard: Keyboard, page: Page, people: Sequence[Side], logs: ViewerLogs | None = None
    ) -> None:
        self.table = table
        self.keyboard = keyboard
        self.page = page
        self.people = tuple(people)
        self.logs = logs or ViewerLogs(table.ruleset)
        self.present: Side | None = None if len(self.people) > 1 else self.people[0] if self.people else None
        self.setting = table.ruleset.presenter.setting()
        self._rulebook: Rulebook | None = None
        self._board: Board | None = None
        self._welcomed: set[Side] = set()
        if logs is None:
            table.observers.append(self.logs)

    @property
    def rulebook(self) -> Rulebook:
        if self._rulebook is None:
            self._rulebook = Rulebook(read_rulebook(self.table.ruleset.name))
        return self._rulebook

    @property
    def board(self) -> Board:
        """The hexes of the map. Raises Invalid if the game has none."""
        if self._board is None:
            try:
                self._board = read_map(self.table.ruleset.name)
            except UnreadableFile as error:
                raise Invalid(f"{self.setting.title} has no hex map. Type show and a place to see it.") from error
        return self._board

    def situation(self, side: Side) -> SeenPosition:
        """Return the position as a side may know it."""
        ruleset = self.table.ruleset
        return SeenPosition(ruleset, self.setting, ruleset.view(self.table.state, side))

    def title(self, side: Side) -> str:
        """Return the side's name as a heading."""
        return self.table.name(side).capitalize()

    def ask(self, side: Side) -> str:
        """Return an order line. Ctrl-C discards the input and prompts again."""
        return self.keyboard.ask(f"{self.table.name(side)}> ", side)

    def is_confirmed(self, question: str) -> bool:
        """Ask a yes-or-no question at the keyboard."""
        return self.keyboard.wait(f"{question}: yes or no? ").lower() in YES

    def arrive(self, side: Side) -> None:
        """Seat a side that has to answer: clear the other side's secrets from the screen, print what is new."""
        if self.present != side:
            self._change_places(side)
        if side not in self._welcomed:
            self._welcomed.add(side)
            self.page.say(self.situation(side).render())
        self.page.print_lines(self.logs.news(side))

    def _change_places(self, side: Side) -> None:
        self.present = side
        if not self.keyboard.is_terminal:
            self.page.say(f"--- {self.title(side)} ---")
            return
        self.page.wipe()
        self.keyboard.wait(f"Pass the keyboard to {self.title(side)}; {self.title(side)} presses Enter. ")
        self.page.wipe()

    def hand_over(self, leaves: Side, comes: Side) -> Undo | LeaveGame | None:
        """Let a player confirm the end of a turn, or undo it, before the other side sees the screen."""
        if leaves not in self.people or comes not in self.people or not self.keyboard.is_terminal:
            return None
        self.page.print_lines(self.logs.news(leaves))
        try:
            answer = self.keyboard.wait(f"Press Enter to hand over to {self.title(comes)}, or type undo: ")
        except (EOFError, KeyboardInterrupt):
            return LeaveGame()
        if answer == "undo":
            return Undo()
        return LeaveGame() if answer == "quit" else None
