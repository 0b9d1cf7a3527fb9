"""A line that is read word by word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from leuthen.engine.refusal import Ambiguous, Invalid
from leuthen.wargame.board import Hex
from leuthen.wargame.names import NameBook

R = TypeVar("R")


def begin(text: str, readers: Mapping[str, R]) -> tuple[R, list[str]]:
    """Who reads a line, by its first word or the beginning of it, and the words that follow.

    Raises Invalid or Ambiguous.
    """
    verb, *words = text.split() or [""]
    found = [word for word in readers if word == verb.casefold()]
    found = found or [word for word in readers if verb and word.startswith(verb.casefold())]
    if len(found) > 1:
        raise Ambiguous(f"«{verb}» may be {', '.join(found)}")
    if not found:
        raise Invalid(f"«{verb}» is no order; a line begins with one of: {', '.join(readers)}")
    return readers[found[0]], words


class WordReader:
    """The words of a line that are still to be read, and the names of the board."""

    book: NameBook
    words: list[str]

    def has(self, word: str) -> bool:
        """Whether the next word is this one; it is then taken."""
        if self.words and self.words[0].casefold() == word:
            self.words.pop(0)
            return True
        return False

    def next(self, what: str) -> str:
        """The next word. Raises Invalid if there is none."""
        if not self.words:
            raise Invalid(f"{what} is missing at the end of the line")
        return self.words.pop(0)

    def end(self) -> None:
        """Nothing may follow. Raises Invalid."""
        if self.words:
            raise Invalid(f"«{self.words[0]}» is one word too many, or not understood here")

    def number(self, what: str) -> int:
        """A whole number. Raises Invalid."""
        text = self.next(what)
        if not text.isascii() or not text.isdigit() or len(text) > 4:
            raise Invalid(f"«{text}» is no number: {what} is expected")
        return int(text)

    def hex(self) -> Hex:
        """A hex or a town. Raises Invalid or Ambiguous."""
        if not self.words or self.words[0][:1].isdigit():
            return self.book.hex(self.next("a hex"))
        taken = self.book.towns.take(self.words)
        if taken is None:
            raise Invalid(f"«{self.words[0]}» is no town or hex")
        del self.words[: taken[1]]
        return taken[0]
