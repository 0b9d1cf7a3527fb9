"""What the school says over the wire: the list of its lessons, and where a pupil stands in one."""

from __future__ import annotations

from collections.abc import Mapping

from leuthen.screen import Place
from leuthen.server.session.requests import Message


class LessonCard(Message, frozen=True):
    """A lesson on the list: what it is about, and how many minutes it takes.

    `begun` is one's own seat at the last game of it that goes on, or "".
    """

    name: str
    ruleset: str
    title: str
    about: str
    minutes: int
    begun: str = ""


class School(Message, frozen=True):
    """The lessons, in the order in which they are taken."""

    lessons: tuple[LessonCard, ...]


class Schooling(Message, frozen=True):
    """Where a pupil stands in a lesson: `done` of its `steps`, what is said now, and what to point at.

    `stray` is said of another way that he has gone, `remark` of a rule that bites for the first time.

    `press` is the kind of order to point at, `point` are places. `partial_order` has what a model order would choose in
    the form, if it is legal now; `order` is its line. `back` is the number of the pupil's news of his last order,
    for a takeback to it, or 0. When all is done `say` is the ending, and `next` the lesson that comes next.
    """

    name: str
    title: str
    goal: str
    done: int
    steps: int
    say: str
    stray: str = ""
    remark: str = ""
    point: tuple[Place, ...] = ()
    press: str = ""
    order: str = ""
    partial_order: Mapping[str, str] = {}
    back: int = 0
    next: str = ""
    plain: bool = False


class DrillLine(Message, frozen=True):
    """A drill on the list: the name to ask for, and what it is about."""

    name: str
    title: str


class Drills(Message, frozen=True):
    """The drills of a rule set by the rule that they are about."""

    rules: Mapping[str, tuple[DrillLine, ...]]


class DrillOrder(Message, frozen=True):
    """An order that a drill asks about: its line, and in words."""

    order: str
    text: str


class Drilling(Message, frozen=True):
    """A drill at the table: its rules, what is asked, the orders that it is about, the places that they name.

    Once it is answered: whether that `is_right`, on what the question turns (`lesson`), which of the orders are
    `allowed`, and what `came` in the case of the one that is `done` there, in words. `next` is the name of the next
    drill, "" where there is none.
    """

    name: str
    rules: tuple[str, ...]
    say: str
    orders: tuple[DrillOrder, ...]
    is_answered: bool = False
    is_right: bool = False
    lesson: str = ""
    allowed: tuple[str, ...] = ()
    done: str = ""
    came: tuple[str, ...] = ()
    point: tuple[Place, ...] = ()
    next: str = ""
