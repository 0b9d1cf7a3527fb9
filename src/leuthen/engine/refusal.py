"""What cannot be done, and why: forbidden by a rule, not understood, or more than one reading."""

from __future__ import annotations

import msgspec


class Refusal(msgspec.Struct, frozen=True):
    """Why a value or an action is not legal.

    `rule` is the number in the rulebook, `reason` a sentence with a place `{}` for each of `numbers`,
    `place` a hex number or -1.
    """

    rule: str
    reason: str
    numbers: tuple[int | str, ...] = ()
    place: int = -1

    @property
    def text(self) -> str:
        """The sentence with its numbers and, behind it, the rule."""
        return f"{self.reason.format(*self.numbers)} ({self.rule})"


class Illegal(ValueError):
    """An action that was understood, and that a rule forbids. Nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal

    def __reduce__(self) -> tuple[type[Illegal], tuple[Refusal]]:
        return type(self), (self.refusal,)


class Invalid(ValueError):
    """Something that cannot be understood: a word, a hex, a file, a field. The message names the place."""


class Ambiguous(Invalid):
    """Something that has more than one reading; the message lists them."""
