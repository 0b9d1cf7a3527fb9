"""What never changes in a rule set: its cards."""

from __future__ import annotations

from collections.abc import Iterable

from leuthen.screen.basics import Place, Shown
from leuthen.wargame.board import Board, Hex, hex_name, hexes_of, rows_of
from leuthen.wargame.names import simplify
from leuthen.wargame.theatres import THEATRES, theatre_of


class PowerCard(Shown, frozen=True):
    """A power of the game: name, letters for its counters, the side it belongs to if it never changes (else 2)."""

    name: str
    letters: str
    side: int
    is_major: bool


class LeaderCard(Shown, frozen=True):
    """A leader: name, power, ratings as «3-2-1», and each rating by name."""

    name: str
    power: int
    ratings: str
    facts: tuple[tuple[str, str], ...]


class FortressCard(Shown, frozen=True):
    """A fortress: name, hex, province, power, kind, VP, and whether it is one of the great ones."""

    name: str
    place: Place
    province: str
    power: int
    kind: str
    points: int
    is_great: bool


class Town(Shown, frozen=True):
    """A name to jump to, of then or of now."""

    name: str
    place: Place


class TheatreCard(Shown, frozen=True):
    """A theatre of the war: its name, and its hexes in rows from the south, «08:13-15,17-17 09:14-14»."""

    name: str
    rows: str


class TableCard(Shown, frozen=True):
    """A table of the game; `rows` begin with their heading, and so does `columns`."""

    id: str
    title: str
    rule: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


class LayerCard(Shown, frozen=True):
    """A layer that can be laid over the map: its key on the keyboard, and whether it is about one hex."""

    id: str
    key: str
    title: str
    text: str
    needs_place: bool = False


class OptionCard(Shown, frozen=True):
    """An option of the game: its values, the default first, and what it does."""

    name: str
    values: tuple[str, ...]
    text: str


class ScenarioCard(Shown, frozen=True):
    """A scenario: a whole `war`, a single `year`, or for an `evening`; how many years it touches, and how many turns it
    has at most (0: not told); by how much more the first side scores than the second in even play, if known; about how
    many minutes it takes against a machine (0: not told). `ends`: the year and the number of its last turn."""

    name: str
    text: str
    kind: str = "evening"
    years: int = 1
    turns: int = 0
    par: int | None = None
    minutes: int = 0
    ends: tuple[int, int] = (0, 0)


def scenario_card(
    name: str, text: str, begins: tuple[int, int], ends: tuple[int, int], year: int, par: int | None, pace: int
) -> ScenarioCard:
    """The card of a scenario that begins and ends with these turns (year and number) of a calendar of `year` turns,
    each of which takes `pace` minutes."""
    years = ends[0] - begins[0] + 1
    turns = (years - 1) * year + ends[1] - begins[1] + 1
    kind = "war" if years > 1 else "evening" if 2 * turns <= year else "year"
    return ScenarioCard(name, text, kind, years, turns, par, turns * pace, ends)


class Setting(Shown, frozen=True):
    """What never changes in a rule set: what a client has to know before it draws."""

    ruleset: str
    title: str
    version: str
    sides: tuple[str, str]
    powers: tuple[PowerCard, ...]
    leaders: tuple[LeaderCard, ...]
    fortresses: tuple[FortressCard, ...]
    towns: tuple[Town, ...]
    tables: tuple[TableCard, ...]
    layers: tuple[LayerCard, ...]
    scenarios: tuple[ScenarioCard, ...]
    options: tuple[OptionCard, ...]
    years: tuple[int, int]
    turns: tuple[str, ...]
    """The dates of a year's turns: «early April»."""
    winter: tuple[int, ...] = ()
    """Which of them lie in winter, by their place in `turns`."""
    rulings: tuple[str, ...] = ()
    theatres: tuple[TheatreCard, ...] = ()
    """The theatres of its war, in which what is asked can be left as it is; a game may have none."""


def towns_of(named: Iterable[tuple[str, Hex]]) -> list[Town]:
    """Every name to jump to, each once a hex, in the order given; who has no name is left out."""
    found: dict[tuple[str, Hex], str] = {}
    for name, here in named:
        if name:
            found.setdefault((simplify(name), here), name)
    return [Town(name, hex_name(here)) for (_, here), name in found.items()]


def theatre_cards(board: Board) -> tuple[TheatreCard, ...]:
    """The theatres of a war on a board."""
    found: dict[str, list[Hex]] = {word: [] for word in THEATRES}
    for here in hexes_of(board.land):
        found[theatre_of(board.territory[here])].append(here)
    return tuple([TheatreCard(THEATRES[word], rows_of(map(hex_name, hexes))) for word, hexes in found.items()])
