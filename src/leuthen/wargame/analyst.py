"""What a report on a game needs of a rule set beyond its interface and the learned value of its positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from leuthen.engine.ruleset import Side

S_contra = TypeVar("S_contra", contravariant=True)
"""A rule set's positions."""


class Analyst(Protocol[S_contra]):
    """Says of the positions of one rule set what a report cannot know."""

    horizon: int
    """For how many player turns a decision is played on before the position is judged."""

    def turn(self, state: S_contra) -> int:
        """The number of the player turn: one more each time."""
        ...

    def settled(self, state: S_contra) -> object:
        """The position as it is judged: a force that is under way stands where it is."""
        ...

    def strengths(self, state: S_contra, side: Side) -> Mapping[str, int]:
        """How strong each force of a side is, by a name that its enemy knows it by."""
        ...
