"""Reading numbers and lines of external texts."""

from __future__ import annotations

from typing import Final

from leuthen.engine.refusal import Invalid

DIGITS: Final = 4  # digits of the largest number in the games
_SHOWN: Final = 40
_BYTE_ORDER_MARK: Final = "\ufeff"
_NO_BREAK: Final = str.maketrans({"\u00a0": " ", "\u202f": " "})


def number_of(text: str, digits: int = DIGITS) -> int | None:
    """Return the whole number of a text of ASCII digits; None for any other text."""
    return int(text) if 0 < len(text) <= digits and text.isascii() and text.isdigit() else None


def read_number(text: str, what: str, digits: int = DIGITS) -> int:
    """Return the whole number of a text. Raise Invalid, naming what is expected."""
    number = number_of(text, digits)
    if number is None:
        raise Invalid(f'"{shorten(text)}" is not a valid number: {what} is expected')
    return number


def shorten(text: str) -> str:
    """Return a text shortened for quotation in a message."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def lines_of(text: str) -> list[str]:
    """Return the lines of a text, which end with \\n or \\r\\n, without a byte order mark."""
    lines = text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").split("\n")
    return lines if lines[-1] else lines[:-1]


def plain_spaces(text: str) -> str:
    """Return the text with plain spaces instead of no-break spaces, which web pages and word processors insert."""
    return text.translate(_NO_BREAK)
