"""What cannot be done, and why: forbidden by a rule, not understood, or more than one reading."""

from __future__ import annotations

from leuthen.engine.choice import Refusal


class Illegal(ValueError):
    """An action that was understood, and that a rule forbids. Nothing was changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


class Invalid(ValueError):
    """Something that cannot be understood: a word, a hex, a file, a field. The message names the place."""


class Ambiguous(Invalid):
    """Something that has more than one reading; the message lists them."""
