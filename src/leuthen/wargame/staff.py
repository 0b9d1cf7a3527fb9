"""A general as a player's staff: his plan in words, missions that the player changes, orders while all is foreseen."""

from __future__ import annotations

from typing import Protocol, TypeVar, runtime_checkable

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look

V_contra = TypeVar("V_contra", contravariant=True)
"""A rule set's views."""


@runtime_checkable
class Staff(Protocol[V_contra]):
    """What a table needs of a staff. It knows what its side may know; its plan is its thought, and as secret."""

    thought: bytes

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The next order of the plan."""
        ...

    def turn(self, view: V_contra) -> int:
        """A number that is another one when another player turn has begun."""
        ...

    def tell(self, view: V_contra) -> list[str]:
        """The plan: a line for each mission with its goal, what it rests on, the odds and the rule."""
        ...

    def give(self, view: V_contra, words: str) -> None:
        """Gives an army a mission: leader, what, where. Raises Invalid, naming what is wrong."""
        ...

    def drop(self, view: V_contra, words: str) -> None:
        """Takes a leader's mission away; the staff proposes another one next turn. Raises Invalid."""
        ...

    def doubt(self, view: V_contra, action: Action) -> str:
        """Why an order, or what it answers, was not foreseen; "" if it was."""
        ...
