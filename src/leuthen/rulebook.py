"""The rulebook as numbered rules that can be quoted and searched."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from leuthen.engine.texts import lines_of

_START: Final = re.compile(r"\*\*([A-Z]\d+(?:\.\d+[a-z]?)?)\*\*\s*")
_HEADING: Final = re.compile(r"(#+)\s+(.*)")
_NUMBER: Final = re.compile(r"[A-Za-z]\d+(\.\d+[a-z]?)?")


class Rule(msgspec.Struct, frozen=True):
    """A numbered rule with its chapter. `text` is Markdown, and begins with the number."""

    number: str
    chapter: str
    text: str

    @property
    def opening(self) -> str:
        """The rule's first line."""
        return self.text.partition("\n")[0]


class Rulebook:
    """All rules of a rule set, in the order of its chapters."""

    def __init__(self, chapters: Mapping[str, str]) -> None:
        self.rules = tuple(rule for text in chapters.values() for rule in _rules(text))
        self.chapters = tuple(dict.fromkeys(rule.chapter for rule in self.rules))

    def find(self, query: str) -> list[Rule]:
        """Return the rules with a number (`O5.3`), of a chapter (`O5`), or that contain all words."""
        query = query.strip()
        if _NUMBER.fullmatch(query):
            number = query.upper()
            exact = [rule for rule in self.rules if rule.number.upper() == number]
            return exact or [rule for rule in self.rules if rule.number.upper().startswith(f"{number}.")]
        words = query.casefold().split()
        return [rule for rule in self.rules if words and all(word in rule.text.casefold() for word in words)]


def _rules(text: str) -> Iterator[Rule]:
    chapter, lines = "", list[str]()
    for line in [*lines_of(text), "# end"]:
        heading = _HEADING.match(line)
        if heading or _START.match(line):
            yield from _rule(chapter, lines)
            lines = []
        if heading:
            chapter = heading[2] if len(heading[1]) == 1 else chapter
        elif lines or _START.match(line):
            lines.append(line)


def _rule(chapter: str, lines: list[str]) -> Iterator[Rule]:
    if lines and (start := _START.match(lines[0])):
        yield Rule(start[1], chapter, "\n".join(lines).strip())
