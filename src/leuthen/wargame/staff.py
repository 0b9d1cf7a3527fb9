"""A bot as a player's staff: its interface for a table, its plan in words, and reasons for its orders."""

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

V_contra = TypeVar("V_contra", contravariant=True)  # a rule set's views
NOTHING_TO_DO: Final = "No army has anything to do."


def lines_of(plan: Sequence[Assignment]) -> list[str]:
    """Return a plan as lines."""
    return [assignment.line for assignment in plan] or [NOTHING_TO_DO]


@runtime_checkable
class Staff(Protocol[V_contra]):
    """A staff as a table sees it. It knows what its side knows; its plan is its thought, and just as secret."""

    thought: bytes
    word: str  # why an old thought could not be used, or ""

    def choose(self, look: Look, legal: LegalSet, pending: Pending) -> Action:
        """Return the next order of the plan."""
        ...

    def turn(self, view: V_contra) -> int:
        """Return a number that changes with each turn for which the side is asked again."""
        ...

    def missions(self, view: V_contra) -> Missions:
        """Return the missions that may be given, with the plan of this turn."""
        ...

    def obey(self, view: V_contra, words: str) -> None:
        """Carry out a line of `missions`: give an army a mission, or end one. Raise Invalid or Illegal."""
        ...

    def doubt(self, view: V_contra, action: Action) -> str:
        """Return why an order, or its decision, was not foreseen; "" if it was."""
        ...

    def affair(self, view: V_contra) -> str:
        """Return the topic that a player may delegate here, such as a battle or a council; "" for the order at hand
        only.
        """
        ...

    def habit(self, view: V_contra) -> str:
        """Return the rule of thumb for the decision at hand, as a sentence with its rule."""
        ...


def reasons_for(staff: Staff[V_contra], view: V_contra, order: str) -> tuple[str, ...]:
    """Return at most two reasons for an order: the mission of the army that it names, and the mission's premise.

    For other orders return the staff's rule of thumb.
    """
    missions = staff.missions(view)
    for one in missions.assignments():
        at, rest = hex_name(one.at), f" {order.partition(' ')[2]} "
        if rest == f" {at} " or f" {at}-" in rest or any(f" {name} " in rest for name in one.names):
            why = one.mission.reason
            goal = goal_on_the_way(missions, one, _end_of(order))
            return (f"{one.names[0]} is to {goal} ({why.rule}).", *sentences(why))[:2]
    return (staff.habit(view),)


def goal_on_the_way(missions: Missions, one: Assignment, end: Hex) -> str:
    """Return the goal of a mission, with the army's next place if that differs."""
    if end in (NOWHERE, one.at, one.mission.place):
        return one.mission.reason.goal
    return f"{one.mission.reason.goal}, and goes to {missions.book.place(end)} now"


def _end_of(order: str) -> Hex:
    found = re.findall(r"(?<=-)\d{4}\b", order)
    return parse_hex(found[-1]) if found else NOWHERE


def sentences(why: Reason) -> tuple[str, ...]:
    """Return the premises of a mission as at most two sentences."""
    return tuple(f"{premise[:1].upper()}{premise[1:]}." for premise in why.premises[:2])
