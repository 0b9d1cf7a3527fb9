"""Where typed lines come from: a terminal with completion and history, or a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol, TypeAlias

from leuthen.engine.ruleset import Side

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer

Complete: TypeAlias = Callable[[str], Iterable[str]]
"""What may stand instead of the last word of a line that is being typed."""


class Keyboard(Protocol):
    """Asks for a line. Raises EOFError at the end of input or Ctrl-D, KeyboardInterrupt at Ctrl-C in a pipe."""

    is_terminal: bool

    def ask(self, prompt: str, side: Side, complete: Complete) -> str:
        """One line, without its end. `side` has a history of its own that the other never sees."""
        ...

    def wait(self, prompt: str) -> str:
        """One line with no history and no completion."""
        ...


class Pipe:
    """Lines from standard input that is no terminal. They are shown, so that what comes out reads as a whole."""

    is_terminal = False

    def ask(self, prompt: str, side: Side, complete: Complete) -> str:
        """The next line."""
        return self.wait(prompt)

    def wait(self, prompt: str) -> str:
        """The next line."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        line = sys.stdin.readline()
        sys.stdout.write(line if line.endswith("\n") else f"{line}\n")
        if not line:
            raise EOFError
        return line.strip()


class Prompt:
    """A terminal, with completion by Tab and each side's own history."""

    is_terminal = True

    def __init__(self) -> None:
        self._sessions: dict[int, PromptSession[str]] = {}

    def ask(self, prompt: str, side: Side, complete: Complete) -> str:
        """One line of orders. Ctrl-C clears what was typed."""
        from prompt_toolkit import PromptSession

        session = self._sessions.setdefault(side, PromptSession())
        while True:
            try:
                return session.prompt(prompt, completer=_completer(complete), complete_while_typing=False).strip()
            except KeyboardInterrupt:
                print("(Ctrl-D or quit leaves; the game is kept.)")

    def wait(self, prompt: str) -> str:
        """One line that is not kept."""
        return input(prompt).strip()


def _completer(complete: Complete) -> Completer:
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.document import Document

    class ByRules(Completer):
        def get_completions(self, document: Document, complete_event: object) -> Iterator[Completion]:
            text = document.text_before_cursor
            last = text.rpartition(" ")[2]
            for word in complete(text):
                yield Completion(word, start_position=-len(last))

    return ByRules()


def the_keyboard() -> Keyboard:
    """The keyboard of this process."""
    return Prompt() if sys.stdin.isatty() and sys.stdout.isatty() else Pipe()


def beginning_with(words: Sequence[str], text: str) -> list[str]:
    """The words that may complete a line that consists of one word so far."""
    return [word for word in words if word.startswith(text)] if " " not in text else []
