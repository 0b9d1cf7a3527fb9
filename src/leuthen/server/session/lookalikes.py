"""Letters that look alike, by Unicode's table (UTS #39), and letters that are not seen at all."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from unicodedata import normalize

import idna

_TABLE: Final = Path(__file__).with_name("confusables.txt")
JOINERS: Final = "\u200c\u200d"
_DIRECTIONS: Final = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates, which turn round the text that follows them."""


class _Letters(NamedTuple):
    """The table: what each letter is taken for, and the letters that are not seen."""

    prototypes: dict[int, str]
    ignorable: frozenset[int]


@cache
def _letters() -> _Letters:
    prototypes, ignorable = dict[int, str](), set[int]()
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        target, _, sources = line.partition(": ")
        if target == "ignorable":
            for each in sources.split():
                first, _, last = each.partition("-")
                ignorable.update(range(int(first, 16), int(last or first, 16) + 1))
        elif not line.startswith("#"):
            prototype = "".join(chr(int(code, 16)) for code in target.split())
            prototypes |= {int(code, 16): prototype for code in sources.split()}
    return _Letters(prototypes, frozenset(ignorable))


def skeleton(text: str) -> str:
    """What a text is taken for: texts that look alike have the same skeleton (UTS #39, section 4)."""
    letters = _letters()
    seen = "".join(letter for letter in normalize("NFD", text) if ord(letter) not in letters.ignorable)
    return normalize("NFD", seen.translate(letters.prototypes))


def is_unseen(text: str, at: int) -> bool:
    """Whether the letter at a place of a word is not seen, and is no joiner that the word's script needs there."""
    if text[at] in JOINERS:
        try:
            return not idna.valid_contextj(text, at)  # RFC 5892, A.1 and A.2: Persian and Indian names
        except ValueError:
            return True
    return ord(text[at]) in _letters().ignorable


def without_turns(text: str) -> str:
    """A text without the letters that turn round the direction of what follows them."""
    return text.translate(_DIRECTIONS)
