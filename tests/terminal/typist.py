"""A simulated keyboard, and games that are played at it."""

import io

from rich.console import Console

from leuthen.engine.ruleset import SIDES, Side
from leuthen.play.dice import Key
from leuthen.play.table import Game, Table
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.page import Page
from leuthen.terminal.person import Person
from tests.seats import ScriptedPlayer


class Typist:
    def __init__(self, *lines: str, is_terminal: bool = False) -> None:
        self.is_terminal = is_terminal
        self.lines = list(lines)
        self.prompts: list[str] = []
        self.screens: list[str] = []
        self.screen: io.StringIO = io.StringIO()

    def ask(self, prompt: str, side: Side) -> str:
        return self.wait(prompt)

    def wait(self, prompt: str) -> str:
        self.prompts.append(prompt)
        self.screens.append(self.screen.getvalue())
        if not self.lines:
            raise EOFError
        line = self.lines.pop(0)
        if line == "^C":
            raise KeyboardInterrupt
        return line


def play_at_keyboard(table: Table, *lines: str, people: tuple[Side, ...] = (0,), is_terminal: bool = False) -> Typist:
    typist = Typist(*lines, is_terminal=is_terminal)
    hotseat = Hotseat(table, typist, Page(Console(file=typist.screen, width=100)), people)
    seats = [Person(hotseat, side) if side in people else ScriptedPlayer() for side in SIDES]
    Game(table, seats, Key.from_seed(1).dice(), handover=hotseat.hand_over if len(people) > 1 else None).play()
    return typist


def answers_to(table: Table, *lines: str, is_terminal: bool = False) -> str:
    """Return the text on Prussia's screen after the first prompt."""
    typist = play_at_keyboard(table, *lines, is_terminal=is_terminal)
    return typist.screen.getvalue()[len(typist.screens[0]) :]
