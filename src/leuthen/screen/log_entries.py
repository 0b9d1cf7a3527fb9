"""An event as the chronicle shows it."""

from __future__ import annotations

from leuthen.engine.events import Event
from leuthen.engine.ruleset import NOBODY, SIDES
from leuthen.screen.basics import Place, Shown
from leuthen.screen.battles import BattleReport, LostForce


class Spot(Shown, frozen=True):
    """A cell of a table of the game: table, row and column by their headings; the column may be left out."""

    table: str
    row: str
    column: str = ""


class Luck(Shown, frozen=True):
    """How lucky a roll was for a side: the probability of a worse result, plus half that of an equal one (0 to 1)."""

    side: int
    value: float


class Fate(Shown, frozen=True):
    """What befalls a leader: his name, `killed`, `captured` or `freed`, and how in words, «is captured at Kolin»."""

    leader: str
    fate: str
    how: str

    @property
    def sentence(self) -> str:
        """«Keith is captured at Kolin»"""
        return f"{self.leader} {self.how}"


class LogEntry(Shown, frozen=True):
    """An event in the chronicle: its sentence with dice and modifiers, its rule, and what on the map it is about.

    `hurts` is the side to which something was done, or 2; `is_small` leaves it out of a terse chronicle. `steps` are
    the modifiers one by one, from the die to the total. `topic` is «turn» or «opening» where a turn or a battle
    begins, «battle» or «siege» where an event settles one, «politics», «leaders» or «strength» where it is news of
    the year, so that they can be listed, «attempt» at a roll from which such news may come, «declined» where a side
    lets something pass; else empty. `battle` is the report of a battle that ends, `gained` the fortress that passes to
    `side`. `round` is the round of a battle that it opens; `losses` has, where one ends, what each side began with and
    has lost. `is_sum`: what `dice` has is the sum of two. `brief` is the text without the side, where there is another,
    for a column of its own. `lost` is a force that it destroys, `fates` says who of the leaders is killed, captured or
    comes back by it.
    """

    event: str
    text: str
    rule: str
    side: int = 2
    hurts: int = 2
    is_small: bool = False
    places: tuple[Place, ...] = ()
    path: tuple[Place, ...] = ()
    dice: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    spot: Spot | None = None
    luck: tuple[Luck, ...] = ()
    topic: str = ""
    round: int = 0
    losses: tuple[tuple[int, int], ...] = ()
    is_sum: bool = False
    brief: str = ""
    battle: BattleReport | None = None
    gained: str = ""
    lost: LostForce | None = None
    fates: tuple[Fate, ...] = ()

    @property
    def sentence(self) -> str:
        """The text with its rule."""
        return f"{self.text} ({self.rule})" if self.rule else self.text


def own_side(event: Event) -> int:
    """Whose event it is, where it does something to its own side."""
    return event.side


def other_side(event: Event) -> int:
    """The enemy of whose event it is, where it does something to him; else nobody."""
    return 1 - event.side if event.side in SIDES else NOBODY
