"""Reasons why something is refused: forbidden by a rule, invalid, or ambiguous."""

from __future__ import annotations

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


class Illegal(ValueError):
    """A valid action that a rule forbids. Nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Illegal], tuple[Refusal]]:
        return type(self), (self.refusal,)


class Invalid(ValueError):
    """An invalid word, hex, file or field. The message names the place."""


class Ambiguous(Invalid):
    """A text with more than one meaning; the message lists them."""
