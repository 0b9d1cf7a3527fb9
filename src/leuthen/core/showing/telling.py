"""An event as the chronicle shows it."""

from __future__ import annotations

from leuthen.core.showing.basics import Place, Shown


class Spot(Shown, frozen=True):
    """A cell of a table of the game: table, row and column by their headings; the column may be left out."""

    table: str
    row: str
    column: str = ""


class Luck(Shown, frozen=True):
    """How lucky a roll was for a side: the probability of a worse result, plus half that of an equal one (0 to 1)."""

    side: int
    value: float


class Told(Shown, frozen=True):
    """An event in the chronicle: its sentence with dice and modifiers, its rule, and what on the map it is about.

    `hurts` is the side to which something was done, or 2; `is_small` leaves it out of a terse chronicle. `steps` are
    the modifiers one by one, from the die to the total. `topic` is «opening» where a battle begins, «battle» or «siege»
    where an event settles one, so that they can be listed; else empty. `round` is the round of a battle that it opens.
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
