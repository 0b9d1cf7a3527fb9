"""Setting cards that all war games share."""

from __future__ import annotations

from collections.abc import Iterable

from leuthen.screen.values import ScenarioCard, TheatreCard, Town
from leuthen.wargame.board import Board, Hex, hex_name, hexes_of, rows_of
from leuthen.wargame.names import simplify
from leuthen.wargame.theatres import THEATRES, theatre_of


def scenario_card(
    name: str, text: str, begins: tuple[int, int], ends: tuple[int, int], year: int, par: int | None, pace: int
) -> ScenarioCard:
    """Return the card of a scenario, from its first and last turn (year and number), the turns of a `year`, and the
    minutes that a turn takes (`pace`)."""
    years = ends[0] - begins[0] + 1
    turns = (years - 1) * year + ends[1] - begins[1] + 1
    kind = "war" if years > 1 else "evening" if 2 * turns <= year else "year"
    return ScenarioCard(name, text, kind, years, turns, par, turns * pace, ends)


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
