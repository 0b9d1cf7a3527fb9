"""A general as a player's staff: what a table asks of him, his plan in words, and why he orders what he orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar, runtime_checkable

from leuthen.engine.choice import Action, LegalSet
from leuthen.engine.ruleset import Pending
from leuthen.engine.seat import Look
from leuthen.wargame.board import NOWHERE, Hex, hex_name, parse_hex
from leuthen.wargame.missions import Assignment, Missions
from leuthen.wargame.plans import Reason

V_contra = TypeVar("V_contra", contravariant=True)
"""A rule set's views."""
NOTHING_TO_DO: Final = "No army has anything to do."


def lines_of(plan: Sequence[Assignment]) -> list[str]:
    """A plan as lines."""
    return [assignment.line for assignment in plan] or [NOTHING_TO_DO]


@runtime_checkable
class Staff(Protocol[V_contra]):
    """What a table needs of a staff. It knows what its side may know; its plan is its thought, and as secret."""

    thought: bytes
    word: str
    """Why an old thought could not be used; "" mostly."""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """The next order of the plan."""
        ...

    def turn(self, view: V_contra) -> int:
        """A number that is another one when another turn has begun for which the side is to be asked again."""
        ...

    def missions(self, view: V_contra) -> Missions:
        """The plan, made if there is none yet, and the missions that may be given."""
        ...

    def obey(self, view: V_contra, words: str) -> None:
        """Gives an army a mission, or takes it away: a line of `missions`. Raises Invalid or Illegal."""
        ...

    def doubt(self, view: V_contra, action: Action) -> str:
        """Why an order, or what it answers, was not foreseen; "" if it was."""
        ...

    def affair(self, view: V_contra) -> str:
        """What a player may leave to the staff as a whole where he is asked: a battle, a council; "" for no more than
        the order at hand."""
        ...

    def habit(self, view: V_contra) -> str:
        """What the staff goes by in the decision at hand, where no mission says it: a sentence with its rule."""
        ...


def reasons_for(staff: Staff[V_contra], view: V_contra, order: str) -> tuple[str, ...]:
    """Two reasons for an order: what the army is for whose leader it names, or that stands where it begins; and what
    this rests on. Of an order that belongs to no mission what the staff goes by."""
    missions = staff.missions(view)
    for one in missions.assignments():
        at, rest = hex_name(one.at), f" {order.partition(' ')[2]} "
        if rest == f" {at} " or f" {at}-" in rest or any(f" {name} " in rest for name in one.names):
            why = one.mission.reason
            goal = goal_on_the_way(missions, one, _end_of(order))
            return (f"{one.names[0]} is to {goal} ({why.rule}).", *sentences(why))[:2]
    return (staff.habit(view),)


def goal_on_the_way(missions: Missions, one: Assignment, end: Hex) -> str:
    """Return the goal of a mission, with the place that its army goes to now if that is not the goal."""
    if end in (NOWHERE, one.at, one.mission.place):
        return one.mission.reason.goal
    return f"{one.mission.reason.goal}, and goes to {missions.book.place(end)} now"


def _end_of(order: str) -> Hex:
    """Return the last hex of the path in an order, NOWHERE if it has none."""
    found = re.findall(r"(?<=-)\d{4}\b", order)
    return parse_hex(found[-1]) if found else NOWHERE


def sentences(why: Reason) -> tuple[str, ...]:
    """What a mission rests on, as at most two sentences."""
    return tuple(f"{premise[:1].upper()}{premise[1:]}." for premise in why.premises[:2])
