"""Reasons why something is refused: forbidden, invalid or ambiguous; and the reading of numbers and lines of texts."""

from typing import Final, Self

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """The reason why a value or an action is illegal.

    `rule` is the number in the rulebook, `reason` a sentence with `{}` for each of `numbers`, `place` a hex number or
    -1.
    """

    rule: str
    reason: str
    numbers: tuple[int | str, ...] = ()
    place: int = -1

    @property
    def text(self) -> str:
        """The reason with its numbers, followed by the rule."""
        return f"{self.reason.format(*self.numbers)} ({self.rule})"


def first_refusal(place: int, *bars: tuple[object, str, str, *tuple[int | str, ...]]) -> Refusal | None:
    """Return the refusal of the first bar that holds, or None; a bar is a condition, a rule, a reason, its numbers."""
    for holds, rule, reason, *numbers in bars:
        if holds:
            return Refusal(rule, reason, tuple(numbers), place)
    return None


class Illegal(ValueError):
    """A valid action that a rule forbids. Nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Self], tuple[Refusal]]:
        return type(self), (self.refusal,)


class Invalid(ValueError):
    """An invalid word, hex, file or field. The message names the place."""


def require(holds: object, reason: str) -> None:
    """Raise Invalid with a reason unless something holds."""
    if not holds:
        raise Invalid(reason)


class Ambiguous(Invalid):
    """A text with more than one meaning; the message lists them."""


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
