"""A line that is read word by word."""

from __future__ import annotations

from leuthen.core.board import Hex
from leuthen.core.lookup import NameBook
from leuthen.core.refusal import Invalid


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
