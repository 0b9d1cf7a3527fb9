"""The odds of an undertaking, and all that may be known of a place."""

from __future__ import annotations

from leuthen.screen.basics import Place, Shown
from leuthen.screen.log_entries import Spot


class OddsResult(Shown, frozen=True):
    """A result and how probable it is: exact, and as a number."""

    label: str
    odds: str
    chance: float
    value: int | None = None


class Spread(Shown, frozen=True):
    """How a number is distributed: «SP that we lose», from the lowest up."""

    label: str
    side: int
    parts: tuple[OddsResult, ...]


class OddsCase(Shown, frozen=True):
    """The odds for one strength of the enemy: results, spreads, and what each die brings."""

    label: str
    results: tuple[OddsResult, ...]
    spreads: tuple[Spread, ...] = ()
    rolls: tuple[str, ...] = ()


class Odds(Shown, frozen=True):
    """Exact odds, from one end of what is not known to the other."""

    title: str
    rule: str
    cases: tuple[OddsCase, ...]
    notes: tuple[str, ...] = ()
    spots: tuple[Spot, ...] = ()


class About(Shown, frozen=True):
    """All that a viewer may know of a place."""

    place: Place
    title: str
    lines: tuple[str, ...]
