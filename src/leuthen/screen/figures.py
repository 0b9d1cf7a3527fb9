"""Formatting of numbers: signs, modifiers, probabilities, distributions and tables of the game."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, TypeAlias

from leuthen.screen.values import Hints, OddsResult, ScenarioCard, Spread, TableCard, TheatreCard, Town
from leuthen.wargame.board import Board, Hex, hex_name, hexes_of, rows_of
from leuthen.wargame.names import simplify
from leuthen.wargame.war import THEATRES, theatre_of

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


def result_now(lead: int, level: str, sides: tuple[str, str]) -> str:
    """Return the result if the game ended now: "substantial victory (Prussia +25)". `lead` is the first side's."""
    who = f"{sides[lead < 0]} {plus(abs(lead))}" if lead else "even"
    return f"{level if level == 'draw' else f'{level} victory'} ({who})"


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


def yes_no_results(yes: str, chance: Fraction, no: str) -> tuple[OddsResult, ...]:
    """Return the two results of a yes-or-no roll."""
    return part(yes, chance), part(no, SURE - chance)


def loss_or_none(unit: str, loss: Values) -> tuple[OddsResult, ...]:
    """Return the chances of a loss and of no loss, without a result of probability 0."""
    none = sum((chance for value, chance in loss if not value), Fraction(0))
    return tuple([result for result in yes_no_results("no loss", none, f"loses {unit}") if result.chance])


def spread_of(label: str, side: int, values: Values) -> Spread:
    return Spread(label, side, tuple(part(str(value), chance, value) for value, chance in values))


def make_card(ident: str, title: str, rule: str, columns: Iterable[str], rows: Rows, *notes: str) -> TableCard:
    return TableCard(ident, title, rule, tuple(columns), tuple([tuple(map(str, row)) for row in rows]), notes)


DRAWN: Final = 5
"""Largest distance from par that is a draw (C14.5, R16.4)."""


def _wins(lead: int) -> str:
    return f"lead by {lead} VP or more" if lead > 0 else f"trail by at most {-lead} VP" if lead else "trail by no VP"


def scenario_card(
    name: str, text: str, begins: tuple[int, int], ends: tuple[int, int], year: int, par: int | None, pace: int,
    hints: Hints = ((), ()), wins: tuple[str, str] = ("", ""),
) -> ScenarioCard:  # fmt: skip
    """Return the card of a scenario, from its first and last turn (year and number), the turns of a `year`, and the
    minutes that a turn takes (`pace`). `wins` is made from par if there is one."""
    years = ends[0] - begins[0] + 1
    turns = (years - 1) * year + ends[1] - begins[1] + 1
    kind = "war" if years > 1 else "evening" if 2 * turns <= year else "year"
    if par is not None:
        wins = (_wins(DRAWN + 1 + par), _wins(DRAWN + 1 - par))
    return ScenarioCard(name, text, kind, years, turns, par, turns * pace, ends, wins, hints)


def towns_of(named: Iterable[tuple[str, Hex]]) -> list[Town]:
    """Return every name once per hex, in the order given."""
    found: dict[tuple[str, Hex], str] = {}
    for name, here in named:
        if name:
            found.setdefault((simplify(name), here), name)
    return [Town(name, hex_name(here)) for (_, here), name in found.items()]


def theatre_cards(board: Board) -> tuple[TheatreCard, ...]:
    """Return the theatres of a war on a board."""
    found: dict[str, list[Hex]] = {word: [] for word in THEATRES}
    for here in hexes_of(board.land):
        found[theatre_of(board.territory[here])].append(here)
    return tuple([TheatreCard(THEATRES[word], rows_of(map(hex_name, hexes))) for word, hexes in found.items()])
