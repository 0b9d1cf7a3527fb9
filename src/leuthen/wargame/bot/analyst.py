"""Judgement of positions for a report on a finished game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from leuthen.engine.ruleset import Side

S = TypeVar("S")


class Analyst(ABC, Generic[S]):
    """Answers of one rule set about its positions, for a report."""

    horizon: ClassVar[int] = 1  # player turns for which a decision is played on before the position is judged

    @abstractmethod
    def turn(self, state: S) -> int:
        """Return the number of the player turn, which grows by one each turn."""

    def settled(self, state: S) -> S:
        """Return the position as it is judged, with a moving force placed in its hex."""
        return state

    @abstractmethod
    def strengths(self, state: S, side: Side) -> Mapping[str, int]:
        """Return the strength of each force of a side, by a name that its enemy knows."""


def force_name(who: str, inside: bool, place: str) -> str:
    """Return the name of a force: its leader or nation, and its place."""
    return f"{who} {'inside' if inside else 'at'} {place}"
