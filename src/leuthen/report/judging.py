"""What a decision cost: its order beside the staff's, in the same worlds of the side's view with the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from leuthen.engine.choice import Action
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.report.course import Position
from leuthen.report.playing import Headquarters
from leuthen.report.values import Judgement, grade_of
from leuthen.wargame.search import mean, seed_of, standard_error

SLIGHT: Final = 0.1
"""Points below which an order makes no difference in a world."""
SAID: Final = 3
"""Lines of the staff's plan at most."""


class Disagreement(msgspec.Struct, frozen=True):
    """A decision that differs from the staff's, as its side could know it: its view, the staff's thought, the orders.

    Nothing else goes into the judgement.
    """

    line: int
    side: Side
    date: tuple[int, int]
    decision: str
    view: bytes
    thought: bytes
    order: str
    staff: str


class Look(msgspec.Struct, frozen=True):
    """What a look at a question found: by world, how many points the staff's order is better by."""

    gains: tuple[float, ...]

    @property
    def cost(self) -> float:
        """How many points the staff's order is better by; 0 if nothing could be tried."""
        return mean(self.gains) if self.gains else 0.0

    @property
    def error(self) -> float:
        """The standard error of the cost; 0 where nothing differs."""
        return standard_error(self.gains) if len(self.gains) > 1 else 0.0


def look_at(
    headquarters: Headquarters, question: Disagreement, worlds: Sequence[int], seed: str, enough: int | None = None
) -> Look:
    """Tries both orders in the worlds of these numbers; in no more than `enough` if hardly anything differs in them."""
    view = headquarters.ruleset.decode_view(question.view)
    gains: list[float] = []
    for number in worlds:
        if len(gains) == enough and max(map(abs, gains), default=0.0) < SLIGHT:
            break
        mark = seed_of(seed, question.view, number)
        world = headquarters.world(view, seed_of(mark, "world"))
        try:
            gain = _gain(headquarters, question, world, seed_of(mark, "dice"))
        except (Illegal, Invalid):
            continue
        gains.append(gain)
    return Look(tuple(gains))


def _gain(headquarters: Headquarters, question: Disagreement, world: Position, dice: int) -> float:
    """How many points the staff's order is better by in a world."""
    chances = []
    for text in (question.staff, question.order):
        action = headquarters.ruleset.parse_action(world, question.side, text)
        after = _after(headquarters.ruleset, world, question.side, action)
        chances.append(headquarters.chance_after(after, question.side, question.thought, dice))
    return 100 * (chances[0] - chances[1])


def _after(ruleset: Ruleset, world: Position, side: Side, action: Action) -> Position:
    return ruleset.apply(world, side, action).state


def judged(headquarters: Headquarters, question: Disagreement, look: Look) -> Judgement:
    """The judgement, with the staff's reasons."""
    view = headquarters.ruleset.decode_view(question.view)
    told = headquarters.tell(question.side, question.thought, view)
    return Judgement(
        question.line, question.side, question.date, question.decision, question.order, question.staff,
        about(told, question.staff, question.order), look.cost, look.error, len(look.gains), grade_of(look.cost),
    )  # fmt: skip


def about(told: Sequence[str], *orders: str) -> tuple[str, ...]:
    """Those lines of a plan that are for somebody whom an order names, by the first word of either."""
    words = {word for order in orders for word in order.replace(",", " ").split()}
    return tuple([line for line in told if line.split(",")[0].split(" ")[0] in words][:SAID])
