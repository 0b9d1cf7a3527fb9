"""Odds as text: the same numbers that a browser draws."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from leuthen.screen import Odds, OddsCase, OddsResult, Spread
from leuthen.screen.figures import percent_text


def odds_lines(odds: Odds) -> Iterator[str]:
    """A sheet of odds; of many cases only the first and the last are told die by die."""
    yield f"{odds.title} ({odds.rule})"
    for case in odds.cases:
        yield from _case(case, is_whole=case in (odds.cases[0], odds.cases[-1]))
    yield from (f"  {note}" for note in odds.notes)


def _case(case: OddsCase, *, is_whole: bool) -> Iterator[str]:
    yield f"  {case.label}: {', '.join(map(_part, case.results))}"
    for spread in case.spreads:
        yield f"    {spread.label}: {_spread(spread)}"
    if is_whole:
        yield from (f"    {roll}" for roll in case.rolls)


def _part(part: OddsResult) -> str:
    return f"{part.label} {percent_text(Fraction(part.odds))}"


def _spread(spread: Spread) -> str:
    """A number by its mean and its ends, anything else part by part."""
    if any(part.value is None for part in spread.parts):
        return ", ".join(map(_part, spread.parts))
    mean = sum(Fraction(part.odds) * (part.value or 0) for part in spread.parts)
    return f"{float(mean):.1f} on average, {spread.parts[0].value} to {spread.parts[-1].value}"
