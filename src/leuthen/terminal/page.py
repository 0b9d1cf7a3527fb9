"""Printed output: plain text as it is, rules set from their Markdown, odds as lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from leuthen.engine.refusal import Invalid
from leuthen.rulebook import Rule, Rulebook
from leuthen.screen.figures import percent_text
from leuthen.screen.values import Odds, OddsCase, OddsResult, Spread

if TYPE_CHECKING:
    from rich.console import Console

COLOURS: Final = ("bold bright_blue", "bold bright_red")
"""Of the sides on a map of characters."""
_COLUMN: Final = re.compile(r"\s*\S.{0,30}?\s{2,}(?=\S)")
"""What stands before the text of a line of a list, with the gap."""
_LISTED: Final = 8
"""So many rules are quoted whole; of more, the first lines."""
_CLEAR_ALL: Final = "\x1b[H\x1b[2J\x1b[3J"
"""The screen, and what was scrolled out of it."""


class Page:
    """A console that takes every text literally."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str = "", style: str = "") -> None:
        """Prints a text as it is; on a terminal its lines are broken between words."""
        if self._console.is_terminal:
            text = "\n".join(broken(line, self._console.width) for line in text.split("\n"))
        self._print(text, style)

    def draw(self, text: str, sides: Sequence[str] = ()) -> None:
        """Prints a map of characters, each side's pieces in its colour: a letter of `sides` before a strength."""
        drawn = Text(text)
        for letter, colour in zip(sides, COLOURS, strict=False):
            drawn.highlight_regex(rf"\b{letter}(?=[\d(<>?l])[\d()<>?l]*", colour)
        self._print(drawn)

    def _print(self, text: str | Text, style: str = "") -> None:
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


def broken(line: str, width: int) -> str:
    """A line broken between words, the rest under its text: behind the gap of a list, else a little to the right."""
    if len(line) <= width:
        return line
    column = _COLUMN.match(line)
    indent = column.end() if column else len(line) - len(line.lstrip()) + 2
    indent = indent if indent < width * 2 // 3 else 2
    lines = textwrap.wrap(
        line, width, subsequent_indent=" " * indent, break_long_words=False, break_on_hyphens=False, tabsize=4
    )
    return "\n".join(lines)


def odds_lines(odds: Odds) -> Iterator[str]:
    """Yield the lines of a sheet of odds; of many cases only the first and the last are shown die by die."""
    yield f"{odds.title} ({odds.rule})"
    for case in odds.cases:
        yield from _case(case, is_whole=case in (odds.cases[0], odds.cases[-1]))
    yield from (f"  {note}" for note in odds.notes)


def _case(case: OddsCase, *, is_whole: bool) -> Iterator[str]:
    yield f"  {case.label}: {', '.join(map(_part, case.results))}"
    for spread in case.spreads:
        yield f"    {spread.label}: {_spread(spread)}"
    if is_whole:
        yield from (f"    {roll}" for roll in case.rolls)


def _part(part: OddsResult) -> str:
    return f"{part.label} {percent_text(Fraction(part.odds))}"


def _spread(spread: Spread) -> str:
    """A number by its mean and its ends, anything else part by part."""
    if any(part.value is None for part in spread.parts):
        return ", ".join(map(_part, spread.parts))
    mean = sum(Fraction(part.odds) * (part.value or 0) for part in spread.parts)
    return f"{float(mean):.1f} on average, {spread.parts[0].value} to {spread.parts[-1].value}"
