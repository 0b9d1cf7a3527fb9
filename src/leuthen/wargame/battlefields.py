"""Where battles are: what a battle is called after the nearest place, and what the war did there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from leuthen.engine.refusal import Invalid
from leuthen.wargame.board import WIDTH, Hex
from leuthen.wargame.data_files import Files, Row, read_each
from leuthen.wargame.names import UMLAUTS

BATTLES: Final = "battles.csv"
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NEAR: Final = 1
"""So many hexes from a battlefield of the war a battle counts as fought on it."""
_COLUMNS: Final = (
    "battle date attacker_leader attacker_men attacker_losses defender_leader defender_men defender_losses winner"
)


class Fought(msgspec.Struct, frozen=True):
    """A battle of the war: its day, who attacked whom with how many men, who won, and what both lost."""

    name: str
    day: str
    """As «1757-06-18»."""
    leaders: tuple[str, str]
    men: tuple[int, int]
    losses: tuple[int, int]
    attacker_won: bool

    @property
    def sentence(self) -> str:
        """«On 18 June 1757 Daun held Kolin against Frederick: of 54,000 and 34,000 men 8,100 and 13,700 were lost.»"""
        year, month, day = self.day.split("-")
        when = f"{int(day)} {_MONTHS[int(month) - 1]} {year}"
        (first, second), (many, few), (lost, cost) = self.leaders, self.men, self.losses
        if self.attacker_won:
            done = f"{first} with {many:,} men beat {second} with {few:,}"
        else:
            done = f"{second} with {few:,} men held out against {first} with {many:,}"
            lost, cost = cost, lost
        return f"{self.name}, {when}: {done}; they lost {lost:,} and {cost:,}"


def read_fought(files: Files) -> tuple[Fought, ...]:
    """The battles of the war; none in data that were kept from earlier. Raises Invalid."""
    return tuple(read_each(files, BATTLES, _COLUMNS, _fought)) if BATTLES in files else ()


def _fought(row: Row) -> Fought:
    leaders, men, losses = ((row[f"attacker_{what}"], row[f"defender_{what}"]) for what in ("leader", "men", "losses"))
    numbers = [(int(first), int(second)) for first, second in (men, losses)]
    won = row.word("winner", ("attacker", "defender")) == "attacker"
    return Fought(row.name("battle"), _day(row), leaders, numbers[0], numbers[1], won)


def apart(here: Hex, there: Hex) -> int:
    """How many hexes lie between two, whatever is on them."""
    (row, x), (other, y) = _axes(here), _axes(there)
    down, across = other - row, y - x
    return max(abs(down), abs(across), abs(down + across))


def _axes(here: Hex) -> tuple[int, int]:
    row, column = divmod(here, WIDTH)
    return row, column - (row + 1) // 2


def _day(row: Row) -> str:
    text = row["date"]
    year, month, day = text.split("-")
    if not (len(year) == 4 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        raise Invalid(f"date: «{text}» is no day, such as 1757-06-18")
    return text


class Battlefields:
    """The names of the map as battlefields: those of the war first, then fortresses, then other places."""

    def __init__(
        self, places: Mapping[str, Hex], fortresses: Iterable[tuple[str, Hex]], fought: Sequence[Fought]
    ) -> None:
        named = {_simple(name): here for name, here in places.items()}
        self.fields = [
            (msgspec.structs.replace(one, name=_spelt(places, one.name)), named[_simple(one.name)])
            for one in fought
            if _simple(one.name) in named
        ]
        forts = ((name, here) for name, here in fortresses if name in places)
        self._names: dict[Hex, str] = {}
        """By hex the most telling name there, the most telling first."""
        for name, here in (*((one.name, here) for one, here in self.fields), *forts, *places.items()):
            self._names.setdefault(here, name)

    def name(self, here: Hex) -> str:
        """What a battle in a hex is called: after the place there, a battlefield of the war beside it, the nearest."""
        if here in self._names:
            return self._names[here]
        near = [one.name for one, there in self.fields if apart(here, there) <= NEAR]
        grounds = {there for _, there in self.fields}  # farther away they lend nobody their name who is as near
        ranked = (
            (apart(here, there), there in grounds, rank, name) for rank, (there, name) in enumerate(self._names.items())
        )
        return near[0] if near else min(ranked, default=(0, False, 0, ""))[-1]

    def where(self, here: Hex) -> str:
        """Where a hex is, without its number: «at Kolin», «near Kolin»."""
        return f"{'at' if here in self._names else 'near'} {self.name(here)}"

    def history(self, here: Hex) -> str:
        """What the war did on the field after which a battle in a hex is called; empty where it did nothing of note."""
        name = self.name(here)
        near = (one for one, there in self.fields if one.name == name and apart(here, there) <= NEAR)
        return next((one.sentence for one in near), "")


def _simple(name: str) -> str:
    return name.casefold().translate(UMLAUTS)


def _spelt(places: Mapping[str, Hex], name: str) -> str:
    """A name as the map spells it."""
    return next(there for there in places if _simple(there) == _simple(name))
