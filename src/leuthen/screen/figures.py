"""Numbers as a table shows them: signs, sums of dice, probabilities, luck, tables of a game."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from leuthen.screen.values import OddsResult, Spread, TableCard

Rows: TypeAlias = Iterable[tuple[object, ...]]
Values: TypeAlias = Iterable[tuple[int, Fraction]]
"""Numbers and how probable each is."""
SURE: Final = Fraction(1)


def signed(number: int) -> str:
    """A number with a true minus sign: «−1»."""
    return str(number).replace("-", "−")


def plus(number: int) -> str:
    """A modifier: «+1», «−2», «0»."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def percent_text(chance: Fraction) -> str:
    """A probability in whole per cent; never 0 or 100 unless it is that."""
    if 0 < chance < Fraction(1, 100):
        return "<1 %"
    if Fraction(99, 100) < chance < 1:
        return ">99 %"
    return f"{round(100 * chance)} %"


def part(label: str, chance: Fraction, value: int | None = None) -> OddsResult:
    """A result with its probability, exact and as a number."""
    return OddsResult(label, str(chance), float(chance), value)


def parts(words: Iterable[str], chances: Iterable[Fraction]) -> tuple[OddsResult, ...]:
    """Results with their probabilities."""
    return tuple([part(word, chance) for word, chance in zip(words, chances, strict=True)])


def either(yes: str, chance: Fraction, no: str) -> tuple[OddsResult, ...]:
    """What has a probability, and what happens else."""
    return part(yes, chance), part(no, SURE - chance)


def loss_or_none(unit: str, loss: Values) -> tuple[OddsResult, ...]:
    """How probable it is to lose something; what is impossible is left out."""
    none = sum((chance for value, chance in loss if not value), Fraction(0))
    return tuple([result for result in either("no loss", none, f"loses {unit}") if result.chance])


def spread_of(label: str, side: int, values: Values) -> Spread:
    """How a number is distributed."""
    return Spread(label, side, tuple(part(str(value), chance, value) for value, chance in values))


def make_card(ident: str, title: str, rule: str, columns: Iterable[str], rows: Rows, *notes: str) -> TableCard:
    """A table with its headings and notes; numbers in its cells are written out."""
    return TableCard(ident, title, rule, tuple(columns), tuple([tuple(map(str, row)) for row in rows]), notes)
