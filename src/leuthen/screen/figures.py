"""Formatting of numbers: signs, modifiers, probabilities, distributions and tables of the game."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from leuthen.screen.values import OddsResult, Spread, TableCard

Rows: TypeAlias = Iterable[tuple[object, ...]]
Values: TypeAlias = Iterable[tuple[int, Fraction]]
"""Numbers, each with its probability."""
SURE: Final = Fraction(1)


def signed(number: int) -> str:
    """Return a number with a true minus sign: "−1"."""
    return str(number).replace("-", "−")


def plus(number: int) -> str:
    """Return a modifier with its sign: "+1", "−2", "0"."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def percent_text(chance: Fraction) -> str:
    """Return a probability in whole per cent; "<1 %" and ">99 %" mark what is neither impossible nor certain."""
    if 0 < chance < Fraction(1, 100):
        return "<1 %"
    if Fraction(99, 100) < chance < 1:
        return ">99 %"
    return f"{round(100 * chance)} %"


def part(label: str, chance: Fraction, value: int | None = None) -> OddsResult:
    return OddsResult(label, str(chance), float(chance), value)


def parts(words: Iterable[str], chances: Iterable[Fraction]) -> tuple[OddsResult, ...]:
    return tuple([part(word, chance) for word, chance in zip(words, chances, strict=True)])


def either(yes: str, chance: Fraction, no: str) -> tuple[OddsResult, ...]:
    """Return the two results of a yes-or-no roll."""
    return part(yes, chance), part(no, SURE - chance)


def loss_or_none(unit: str, loss: Values) -> tuple[OddsResult, ...]:
    """Return the chances of a loss and of no loss, without a result of probability 0."""
    none = sum((chance for value, chance in loss if not value), Fraction(0))
    return tuple([result for result in either("no loss", none, f"loses {unit}") if result.chance])


def spread_of(label: str, side: int, values: Values) -> Spread:
    return Spread(label, side, tuple(part(str(value), chance, value) for value, chance in values))


def make_card(ident: str, title: str, rule: str, columns: Iterable[str], rows: Rows, *notes: str) -> TableCard:
    return TableCard(ident, title, rule, tuple(columns), tuple([tuple(map(str, row)) for row in rows]), notes)
