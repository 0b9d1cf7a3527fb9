"""What a side leaves undone before a phase ends, and what that will cost by the rules, the dearest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from leuthen.engine.kind import ByKind
from leuthen.engine.ruleset import SIDES
from leuthen.screen.values import Left, begun
from leuthen.wargame.board import NOWHERE, Hex, hex_name


class Undone(NamedTuple):
    """Something left undone, and about how many men or points it costs; 0 if nothing by itself."""

    cost: float
    left: Left


def note(text: str, rule: str, here: Hex = NOWHERE, cost: float = 0) -> Undone:
    """A line, which begins with a capital."""
    return Undone(cost, Left(begun(text), rule, hex_name(here) if here >= 0 else ""))


class Reviewed(Protocol):
    """A side's position before it ends something: a report of its view."""

    @property
    def view(self) -> Any: ...

    @property
    def pos(self) -> Any: ...


R = TypeVar("R", bound=Reviewed)


def undone(review: R, frames: Sequence[Any], make: ByKind[Any, R, Iterator[Undone]]) -> tuple[Left, ...]:
    """What the viewer leaves undone if he ends the first of the decisions that is known; nothing if he is not asked."""
    view, pos = review.view, review.pos
    if view.viewer not in SIDES or view.outcome is not None or view.viewer not in pos.frames[-1].actors(pos):
        return ()
    known = next((frame for frame in frames if type(frame) in make), None)
    found = make[type(known)](review, known) if known is not None else ()
    return tuple([one.left for one in sorted(found, key=lambda one: -one.cost)])
