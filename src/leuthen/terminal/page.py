"""What is printed: plain text as it is, rules set from their Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from leuthen.engine.refusal import Invalid
from leuthen.rulebook import Rule, Rulebook

if TYPE_CHECKING:
    from rich.console import Console

_LISTED: Final = 8
"""So many rules are quoted whole; of more, the first lines."""
_CLEAR_ALL: Final = "\x1b[H\x1b[2J\x1b[3J"
"""The screen, and what was scrolled out of it."""


class Page:
    """A console that takes every text literally."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str = "", style: str = "") -> None:
        """Prints a text as it is."""
        self._console.print(text, style=style or None, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def say_all(self, lines: Iterable[str]) -> None:
        """Prints lines as they are."""
        for line in lines:
            self.say(line)

    def wipe(self) -> None:
        """Clears the screen and what was scrolled out of it."""
        self._console.file.write(_CLEAR_ALL)
        self._console.file.flush()

    def quote(self, rule: Rule) -> None:
        """Prints a rule: set on a terminal, as its plain text elsewhere."""
        self.say(rule.chapter, "dim")
        if not self._console.is_terminal:
            self.say(f"{rule.text}\n")
            return
        from rich.markdown import Markdown

        self._console.print(Markdown(rule.text))

    def look_up(self, rulebook: Rulebook, query: str) -> None:
        """Quotes the rules that a query finds; of many the first lines, of none at all the chapters.

        Raises Invalid if nothing is found.
        """
        if not query:
            self.say_all(rulebook.chapters)
            return
        found = rulebook.find(query)
        if not found:
            raise Invalid(f"no rule has «{query}»")
        if len(found) > _LISTED:
            self.say_all(rule.opening for rule in found)
            self.say(f"{len(found)} rules; ask for a number to read one.", "dim")
            return
        for rule in found:
            self.quote(rule)


def the_page() -> Page:
    """The page on standard output."""
    from rich.console import Console

    return Page(Console())
