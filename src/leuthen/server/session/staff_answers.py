"""What goes over the wire of the machine's help to a seat: its staff's plan, what that is at, an order advised."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.screen import Place
from leuthen.server.session.requests import Message


class StaffMission(Message, frozen=True):
    """What an army is to do by the staff's plan: who commands it, all its leaders, its men and where it stands; what,
    where ("" in no place), and why: the goal, what it rests on, the rule, the odds in per cent (null: none). `is_yours`
    says that the player gave it; `path` is the way that the army goes this turn; `price` what men the mission costs by
    the rules, "" if that is not known beforehand."""

    leader: str
    names: tuple[str, ...]
    men: str
    at: Place
    kind: str
    place: Place
    goal: str
    reasons: tuple[str, ...]
    rule: str
    odds: int | None
    is_yours: bool
    path: tuple[Place, ...] = ()
    price: str = ""


class StaffStep(Message, frozen=True):
    """An order that the staff would give: its line, what it does in words, the rule, and the way if it is a march.
    `asks` is why the player is asked before."""

    order: str
    text: str
    rule: str
    path: tuple[Place, ...] = ()
    asks: str = ""


class StaffPlan(Message, frozen=True):
    """The staff's plan for the turn: what each army is to do; the orders to the end of the turn, tried in a world that
    the seat's view allows; the missions that there are; what is to be said of an earlier plan that could not be
    kept, or ""."""

    missions: tuple[StaffMission, ...]
    steps: tuple[StaffStep, ...]
    kinds: tuple[str, ...]
    word: str = ""


class StaffCard(Message, frozen=True):
    """What a seat's staff is at. It carries out the plan while `is_at_work`; else, if the plan is signed, it `asks`:
    why, with the order that it would give, its line and in words. `affair` is what it would see to as a whole if it is
    told to carry on, "" for no more than the order."""

    is_at_work: bool = False
    is_signed: bool = False
    asks: str = ""
    affair: str = ""
    order: str = ""
    text: str = ""
    word: str = ""


class Advice(Message, frozen=True):
    """What the machine would order in the seat's place, knowing what the seat may know: the order, a sentence, and
    reasons: two if the order belongs to a mission of the staff's plan, else what the staff goes by.

    `partial_order` has what is chosen in the form of the order, so that it can be shown and changed.
    """

    order: str
    text: str
    partial_order: Mapping[str, str] = {}
    reasons: tuple[str, ...] = ()
