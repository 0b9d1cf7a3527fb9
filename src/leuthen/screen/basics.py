"""What all that is shown has in common: hexes as players write them, and the reason for a refusal."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

Place: TypeAlias = str
"""A hex, as players write it: row and column, «1623»."""


class Shown(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """A value that is shown. What is at its default is left out of the JSON."""


class Objection(Shown, frozen=True):
    """Why something may not be done: the rule, the sentence with its numbers, and the hex if it is about one."""

    rule: str
    text: str
    place: Place = ""


def begun(text: str) -> str:
    """A text as it begins a sentence: with a capital."""
    return text[:1].upper() + text[1:]
