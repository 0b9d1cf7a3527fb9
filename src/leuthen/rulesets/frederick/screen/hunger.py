"""Who will roll for attrition as things stand, what each die would cost (O10.8, O14.2), and what is left undone."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from leuthen.engine.ruleset import OwnerId
from leuthen.rulesets.frederick.model.pieces import Stack
from leuthen.rulesets.frederick.model.state import Position
from leuthen.rulesets.frederick.odds.dice import attrition_rolls
from leuthen.rulesets.frederick.rules.o10_supply.supply import is_supplied
from leuthen.rulesets.frederick.rules.o14_winter.attrition import must_roll


class Hungry(NamedTuple):
    """A stack that will roll: whether because it is out of supply, and percentage and SP lost by die, from 1 to 6."""

    stack: Stack
    is_unsupplied: bool
    losses: tuple[tuple[int, int], ...]

    @property
    def mean(self) -> Fraction:
        """SP lost on average."""
        return Fraction(sum(points for _, points in self.losses), len(self.losses))

    @property
    def text(self) -> str:
        """«out of supply, rolls on 2–4 for 5 %, on 5–6 for 10 %: 0.8 SP on average»."""
        why = "out of supply" if self.is_unsupplied else "in the open in winter"
        return f"{why}, {dice_text(self.losses)}: {float(self.mean):.1f} SP on average"


def dice_text(losses: tuple[tuple[int, int], ...]) -> str:
    """Which dice cost what: «rolls on 2–4 for 5 %, on 5–6 for 10 %»."""
    parts: list[str] = []
    for percent, group in groupby(enumerate(losses, 1), key=lambda item: item[1][0]):
        dice = [die for die, _ in group]
        if percent:
            span = f"{dice[0]}–{dice[-1]}" if len(dice) > 1 else f"{dice[0]}"
            parts.append(f"on {span} for {percent} %")
    return f"rolls {', '.join(parts)}" if parts else "rolls, and no die hurts"


def hungry_stacks(pos: Position, side: OwnerId) -> list[Hungry]:
    """The stacks of a side that would roll if its Attrition Phase were now, in the order of the board."""
    found: list[Hungry] = []
    for stack in pos.own(side):
        out = bool(stack.sp) and not is_supplied(pos, stack)
        if stack.sp and must_roll(pos, stack, hungry=out):
            losses = tuple((roll.percent, roll.loss or 0) for roll in attrition_rolls(pos, stack))
            found.append(Hungry(stack, out, losses))
    return found


def hunger_rule(hungry: Hungry) -> str:
    """The rule by which a stack rolls for attrition: out of supply, or in the open in winter."""
    return "O10.8" if hungry.is_unsupplied else "O14.2"
