"""A general as a player's staff: his plan in words, missions that the player changes, orders while all is foreseen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Final, Protocol, TypeVar, runtime_checkable

import msgspec

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.decision import Decision
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import Mission

V_contra = TypeVar("V_contra", contravariant=True)
"""A rule set's views."""
TO: Final = "to"
"""Instead of a mission: the one that a place asks for."""
NOTHING_TO_DO: Final = "No army has anything to do."


class Assignment(msgspec.Struct, frozen=True):
    """A mission with what its army is now: its leaders by name, the first commands; where it stands; its strength."""

    mission: Mission
    names: tuple[str, ...]
    at: Hex
    men: str

    @property
    def line(self) -> str:
        """The mission with its goal, what it rests on, the odds and the rule."""
        why = self.mission.reason
        odds = f", {why.odds:.0%}" if why.odds is not None else ""
        rests = f": {'; '.join(why.premises)}" if why.premises else ""
        ordered = ", as you ordered" if self.mission.signed else ""
        return f"{', '.join(self.names)} with {self.men} to {why.goal}{rests}{odds} ({why.rule}){ordered}"


def lines_of(plan: Sequence[Assignment]) -> list[str]:
    """A plan as lines."""
    return [assignment.line for assignment in plan] or [NOTHING_TO_DO]


@runtime_checkable
class Staff(Protocol[V_contra]):
    """What a table needs of a staff. It knows what its side may know; its plan is its thought, and as secret."""

    kinds: tuple[str, ...]
    """The missions that may be given."""
    thought: bytes
    word: str
    """Why an old thought could not be used; "" mostly."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The next order of the plan."""
        ...

    def turn(self, view: V_contra) -> int:
        """A number that is another one when another turn has begun for which the side is to be asked again."""
        ...

    def assignments(self, view: V_contra) -> list[Assignment]:
        """The plan, made if there is none yet: what each army is to do."""
        ...

    def give(self, view: V_contra, words: str) -> None:
        """Gives an army a mission: leader, what, where; «to» is what the place asks for. Raises Invalid."""
        ...

    def drop(self, view: V_contra, words: str) -> None:
        """Takes a leader's mission away; the staff proposes another one next turn. Raises Invalid."""
        ...

    def doubt(self, view: V_contra, action: Action) -> str:
        """Why an order, or what it answers, was not foreseen; "" if it was."""
        ...

    def affair(self, view: V_contra) -> str:
        """What a player may leave to the staff as a whole where he is asked: a battle, a council; "" for no more than
        the order at hand."""
        ...


class Foresight:
    """What the plans of a rule set foresee, by the decisions in progress."""

    FORESEEN: ClassVar[tuple[type[Decision], ...]]
    """What a plan has orders for; with all else the player is asked."""
    AFFAIRS: ClassVar[Mapping[type[Decision], str]]
    """What belongs together, by a decision that it begins with."""

    @classmethod
    def affair_of(cls, frames: tuple[Decision, ...]) -> str:
        """The affair that the innermost decision is a part of."""
        return next((cls.AFFAIRS[type(frame)] for frame in reversed(frames) if type(frame) in cls.AFFAIRS), "")

    @classmethod
    def surprise(cls, frames: tuple[Decision, ...]) -> str:
        """Why the innermost decision was not foreseen; "" if it was."""
        frame = frames[-1]
        return "" if isinstance(frame, cls.FORESEEN) else f"{frame.NAME} ({frame.RULE}) was not foreseen"
