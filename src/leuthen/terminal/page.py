"""Printed output: plain text, rules set from Markdown, odds as lines."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from rich.text import Text

from leuthen.engine.refusal import require
from leuthen.load import Rule, Rulebook
from leuthen.screen.figures import percent_text
from leuthen.screen.values import Odds, OddsResult, Spread

if TYPE_CHECKING:
    from rich.console import Console

COLOURS: Final = ("bold bright_blue", "bold bright_red")
_COLUMN: Final = re.compile(r"\s*\S.{0,30}?\s{2,}(?=\S)")  # the head of a list line, with the gap after it
_LISTED: Final = 8  # the most rules that are quoted whole
_CLEAR_ALL: Final = "\x1b[H\x1b[2J\x1b[3J"


class Page:
    """A console that prints every text literally."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text; on a terminal its lines are broken between words."""
        if self._console.is_terminal:
            text = "\n".join(wrap_line(line, self._console.width) for line in text.split("\n"))
        self._print(text, style)

    def draw(self, text: str, sides: Sequence[str] = ()) -> None:
        """Print a character map, with each side's pieces (a letter of `sides` before a strength) in its colour."""
        drawn = Text(text)
        for letter, colour in zip(sides, COLOURS, strict=False):
            drawn.highlight_regex(rf"\b{letter}(?=[\d(<>?l])[\d()<>?l]*", colour)
        self._print(drawn)

    def _print(self, text: str | Text, style: str = "") -> None:
        self._console.print(text, style=style or None, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def print_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(line)

    def wipe(self) -> None:
        """Clear the screen and its scrollback."""
        self._console.file.write(_CLEAR_ALL)
        self._console.file.flush()

    def quote(self, rule: Rule) -> None:
        """Print a rule: set on a terminal, as plain text elsewhere."""
        self.say(rule.chapter, "dim")
        if not self._console.is_terminal:
            self.say(f"{rule.text}\n")
            return
        from rich.markdown import Markdown

        self._console.print(Markdown(rule.text))

    def print_rules(self, rulebook: Rulebook, query: str) -> None:
        """Print the rules that a query finds: whole, or only their first lines if there are many; without a query, the
        chapters.

        Raises Invalid if nothing is found.
        """
        if not query:
            self.print_lines(rulebook.chapters)
            return
        found = rulebook.find(query)
        require(found, f'no rule contains "{query}"')
        if len(found) > _LISTED:
            self.print_lines(rule.opening for rule in found)
            self.say(f"{len(found)} rules. Type help and a number to read one.", "dim")
            return
        for rule in found:
            self.quote(rule)


def get_page() -> Page:
    from rich.console import Console

    return Page(Console())


def wrap_line(line: str, width: int) -> str:
    """Return a line broken between words, with the rest indented under its text."""
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
        yield f"  {case.label}: {', '.join(map(_part, case.results))}"
        for spread in case.spreads:
            yield f"    {spread.label}: {_spread(spread)}"
        if case in (odds.cases[0], odds.cases[-1]):
            yield from (f"    {roll}" for roll in case.rolls)
    yield from (f"  {note}" for note in odds.notes)


def _part(part: OddsResult) -> str:
    return f"{part.label} {percent_text(Fraction(part.odds))}"


def _spread(spread: Spread) -> str:
    if any(part.value is None for part in spread.parts):
        return ", ".join(map(_part, spread.parts))
    mean = sum(Fraction(part.odds) * (part.value or 0) for part in spread.parts)
    return f"{float(mean):.1f} on average, {spread.parts[0].value} to {spread.parts[-1].value}"
