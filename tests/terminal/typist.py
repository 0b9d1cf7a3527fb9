"""A simulated keyboard, and a hotseat game that it plays."""

import io

from rich.console import Console

from leuthen.engine.ruleset import Side
from leuthen.play.table import Table
from leuthen.terminal.hotseat import Hotseat
from leuthen.terminal.page import Page


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


def hotseat_at(table: Table, typist: Typist, *people: Side) -> Hotseat:
    page = Page(Console(file=typist.screen, width=100))
    return Hotseat(table, typist, page, people)
