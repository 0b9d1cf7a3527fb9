"""The Seven Years War: its calendar, its theatres, and its battles, after which battlefields are named."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from leuthen.engine.refusal import require
from leuthen.wargame.board import WIDTH, Hex
from leuthen.wargame.data_files import Files, Row, read_each
from leuthen.wargame.names import UMLAUTS

BATTLES: Final = "battles.csv"
_MONTHS: Final = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
NEAR: Final = 1  # hexes from a historical battlefield within which a battle is named after it
_COLUMNS: Final = (
    "battle date attacker_leader attacker_men attacker_losses defender_leader defender_men defender_losses winner"
)


class Fought(msgspec.Struct, frozen=True):
    """A battle of the war: its day, leaders, men, losses and victor."""

    name: str
    day: str  # the date, such as 1757-06-18
    leaders: tuple[str, str]
    men: tuple[int, int]
    losses: tuple[int, int]
    attacker_won: bool

    @property
    def sentence(self) -> str:
        """One sentence about the battle, with leaders, men and losses."""
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
    """Return the battles of the war. Raise Invalid."""
    return tuple(read_each(files, BATTLES, _COLUMNS, _was_fought)) if BATTLES in files else ()


def _was_fought(row: Row) -> Fought:
    leaders, men, losses = ((row[f"attacker_{what}"], row[f"defender_{what}"]) for what in ("leader", "men", "losses"))
    numbers = [(int(first), int(second)) for first, second in (men, losses)]
    won = row.word("winner", ("attacker", "defender")) == "attacker"
    text = row["date"]
    year, month, day = text.split("-")
    reason = f'date: "{text}" is not a valid day, such as 1757-06-18'
    require(len(year) == 4 and 1 <= int(month) <= 12 and 1 <= int(day) <= 31, reason)
    return Fought(row.name("battle"), text, leaders, numbers[0], numbers[1], won)


def hex_distance(here: Hex, there: Hex) -> int:
    """Return the distance of two hexes over any terrain."""
    (row, x), (other, y) = _axes(here), _axes(there)
    down, across = other - row, y - x
    return max(abs(down), abs(across), abs(down + across))


def _axes(here: Hex) -> tuple[int, int]:
    row, column = divmod(here, WIDTH)
    return row, column - (row + 1) // 2


class Battlefields:
    """Names for battlefields: historical ones first, then fortresses, then other places."""

    def __init__(
        self, places: Mapping[str, Hex], fortresses: Iterable[tuple[str, Hex]], fought: Sequence[Fought]
    ) -> None:
        named = {_simple(name): here for name, here in places.items()}
        spelt = {_simple(name): name for name in reversed(list(places))}  # the first spelling of a name
        self.fields = [
            (msgspec.structs.replace(one, name=spelt[_simple(one.name)]), named[_simple(one.name)])
            for one in fought
            if _simple(one.name) in named
        ]
        forts = ((name, here) for name, here in fortresses if name in places)
        self._names: dict[Hex, str] = {}  # names by hex, the best known first
        for name, here in (*((one.name, here) for one, here in self.fields), *forts, *places.items()):
            self._names.setdefault(here, name)

    def name(self, here: Hex) -> str:
        """Return the name of a battle in a hex: the place there, a historical battlefield next to it, or the nearest
        place.
        """
        if here in self._names:
            return self._names[here]
        near = [one.name for one, there in self.fields if hex_distance(here, there) <= NEAR]
        grounds = {there for _, there in self.fields}  # farther away they lend nobody their name who is as near
        ranked = (
            (hex_distance(here, there), there in grounds, rank, name)
            for rank, (there, name) in enumerate(self._names.items())
        )
        return near[0] if near else min(ranked, default=(0, False, 0, ""))[-1]

    def where(self, here: Hex) -> str:
        """Return the location of a hex in words: "at Kolin", "near Kolin"."""
        return f"{'at' if here in self._names else 'near'} {self.name(here)}"

    def history(self, here: Hex) -> str:
        """Return a sentence about the historical battle after which a battle here is named; "" if there is none."""
        name = self.name(here)
        near = (one for one, there in self.fields if one.name == name and hex_distance(here, there) <= NEAR)
        return next((one.sentence for one in near), "")


def _simple(name: str) -> str:
    return name.casefold().translate(UMLAUTS)


_HALF_MONTHS: Final = "April May May June June July July August August September September October October November"
_SEASONS: Final = (*_HALF_MONTHS.split(), "November", "December", "December", "January")
TURNS: Final = len(_SEASONS)


def half_month(turn: int) -> str:
    """Return the date of a turn: "early June". The first turn is late April, the last early January."""
    return f"{'late' if turn % 2 else 'early'} {_SEASONS[turn - 1]}"


def date_text(year: int, turn: int) -> str:
    """Return the date of a turn, with the year if it is the next one: "early January 1757"."""
    date = half_month(turn)
    return f"{date} {year + 1}" if _SEASONS[turn - 1] == "January" else date


THEATRES: Final = {
    "silesia": "Silesia",
    "bohemia": "Bohemia",
    "saxony": "Saxony",
    "brandenburg": "Brandenburg",
    "east": "the East",
    "west": "the West",
    "sweden": "Swedish Pomerania",
}
"""names of theatres by word"""
_LANDS: Final = {
    "silesia": "silesia", "bohemia": "bohemia", "moravia": "bohemia", "austria": "bohemia", "saxony": "saxony",
    "brandenburg": "brandenburg", "mecklenburg": "brandenburg", "east-prussia": "east", "poland": "east",
    "russia": "east", "sweden": "sweden",
}  # fmt: skip


def theatre_of(territory: str) -> str:
    """Return the word of a territory's theatre; "west" if it is in no other."""
    return _LANDS.get(territory, "west")
