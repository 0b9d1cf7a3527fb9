"""Numbers as a table shows them: signs, sums of dice, probabilities, luck, tables of a game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

from leuthen.screen import Part, Spread, TableCard

Rows: TypeAlias = Iterable[tuple[str, ...]]
Values: TypeAlias = Iterable[tuple[int, Fraction]]
"""Numbers and how probable each is."""
SURE: Final = Fraction(1)


def signed(number: int) -> str:
    """A number with a true minus sign: «−1»."""
    return str(number).replace("-", "−")


def plus(number: int) -> str:
    """A modifier: «+1», «−2», «0»."""
    return f"{number:+d}".replace("-", "−") if number else "0"


def steps_of(die: int, parts: Iterable[tuple[int, str]], result: int, word: str = "die") -> Iterator[str]:
    """From the die to the total by modifiers and their reasons, and what it counts as beyond the limits of a table."""
    counting = [(number, reason) for number, reason in parts if number]
    whole = die + sum(number for number, _ in counting)
    yield f"{word} {die}"
    yield from (f"{plus(number)} {reason}" for number, reason in counting)
    if counting:
        yield f"= {signed(whole)}"
    if whole != result:
        yield f"counts as {signed(result)}"


def middle_rank(worths: Sequence[float], mine: float, weights: Sequence[int] | None = None) -> float | None:
    """The probability of less, plus half that of as much (0 to 1); None if all faces bring the same.

    `weights`: how many ways lead to each face; alike if they are not given.
    """
    if min(worths) == max(worths):
        return None
    ways = weights or [1] * len(worths)
    less = sum(way for worth, way in zip(worths, ways, strict=True) if worth < mine)
    equal = sum(way for worth, way in zip(worths, ways, strict=True) if worth == mine)
    return round((less + equal / 2) / sum(ways), 4)


def percent_text(chance: Fraction) -> str:
    """A probability in whole per cent; never 0 or 100 unless it is that."""
    if 0 < chance < Fraction(1, 100):
        return "<1 %"
    if Fraction(99, 100) < chance < 1:
        return ">99 %"
    return f"{round(100 * chance)} %"


def part(label: str, chance: Fraction, value: int | None = None) -> Part:
    """A result with its probability, exact and as a number."""
    return Part(label, str(chance), float(chance), value)


def spread_of(label: str, side: int, values: Values) -> Spread:
    """How a number is distributed."""
    return Spread(label, side, tuple(part(str(value), chance, value) for value, chance in values))


def make_card(ident: str, title: str, rule: str, columns: Iterable[str], rows: Rows, *notes: str) -> TableCard:
    """A table with its headings and notes."""
    return TableCard(ident, title, rule, tuple(columns), tuple(rows), notes)
