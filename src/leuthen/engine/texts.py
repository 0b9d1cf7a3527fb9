"""Numbers and lines of texts from outside: the one reader of each."""

from __future__ import annotations

from typing import Final

from leuthen.engine.refusal import Invalid

DIGITS: Final = 4
"""As many as a number of the games has at most."""
_SHOWN: Final = 40
_BYTE_ORDER_MARK: Final = "\ufeff"
_NO_BREAK: Final = str.maketrans({"\u00a0": " ", "\u202f": " "})


def number_of(text: str, digits: int = DIGITS) -> int | None:
    """The whole number that a text is: ASCII digits, and not more of them; None for anything else."""
    return int(text) if 0 < len(text) <= digits and text.isascii() and text.isdigit() else None


def read_number(text: str, what: str, digits: int = DIGITS) -> int:
    """The whole number that a text is. Raises Invalid, naming what is expected."""
    number = number_of(text, digits)
    if number is None:
        raise Invalid(f"«{brief(text)}» is no number: {what} is expected")
    return number


def brief(text: str) -> str:
    """A text as a message quotes it: not more than the beginning of a long one."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def lines_of(text: str) -> list[str]:
    """The lines of a text, each of which ends with \\n or \\r\\n and nothing else; the last one may lack its end.

    A byte order mark is left out.
    """
    lines = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def plain_spaces(text: str) -> str:
    """The text with plain spaces for no-break spaces, which come from web pages and word processors."""
    return text.translate(_NO_BREAK)
