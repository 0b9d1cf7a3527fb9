"""What a report on a game needs of a rule set beyond its interface and the learned value of its positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from leuthen.engine.ruleset import Side

S = TypeVar("S")
"""A rule set's positions."""


class Analyst(ABC, Generic[S]):
    """Says of the positions of one rule set what a report cannot know."""

    horizon: ClassVar[int] = 1
    """For how many player turns a decision is played on before the position is judged."""

    @abstractmethod
    def turn(self, state: S) -> int:
        """The number of the player turn: one more each time."""

    def settled(self, state: S) -> S:
        """The position as it is judged: a force that is under way stands where it is."""
        return state

    @abstractmethod
    def strengths(self, state: S, side: Side) -> Mapping[str, int]:
        """How strong each force of a side is, by a name that its enemy knows it by."""


def force_name(who: str, inside: bool, place: str) -> str:
    """The name of a force: who leads it, or its nation, and where it stands."""
    return f"{who} {'inside' if inside else 'at'} {place}"
