"""What may come next in a line that is being typed, from the lines of the legal actions themselves."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any, Final

from leuthen.engine.choice import LegalSet
from leuthen.wargame.names import simplify

MANY: Final = 2_000
"""So many actions of the canonical subset are looked at."""


def complete_line(legal: LegalSet[Any], text: str, write: Callable[[Any], str]) -> list[str]:
    """The words that may stand in place of the last, perhaps unfinished, word of a line.

    `write` gives the line of an action. Only the canonical subset of the legal actions is looked at.
    """
    *words, last = text.split(" ")
    words = [word for word in words if word]
    kinds = [str(kind) for kind in legal.options().values]
    if not words:
        return [kind for kind in kinds if kind.startswith(last.casefold())]
    if words[0].casefold() not in kinds:
        return []
    begun = [simplify(word) for word in words]
    found: dict[str, None] = {}
    for action in islice(legal.under(words[0].casefold()), MANY):
        line = write(action).split(" ")
        fits = len(line) > len(begun) and [simplify(word) for word in line[: len(begun)]] == begun
        if fits and simplify(line[len(begun)]).startswith(simplify(last)):
            found[line[len(begun)]] = None
    return list(found)
