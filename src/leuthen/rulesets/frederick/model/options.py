"""The options of a game (docs/rulings.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec


class GameOptions(msgspec.Struct, frozen=True):
    """The options of a game with their defaults."""

    march_die: str = "phase"
    morale_target: int = 7
    hanover_note: str = "any"
    besieged_redeployment: str = "allowed"
    last_year: int = 1762
    counters: str = "limited"
    rulings: int = 0
    austrian_points: int | msgspec.UnsetType = msgspec.UNSET
    """Not written down unless it is chosen: so positions from before there was this option keep their digests."""


EXPLAINED: Final[Mapping[str, str]] = {
    "march-die": "One die of movement for all forces of a March Phase, or one for each force as it sets out (O5.2)",
    "morale-target": "What die and initiative must come to for a demoralized stack to recover (O11.2)",
    "hanover-note": "Minden and Münster receive any Hanover on Prussia's side, or one of a starred result (C5.5)",
    "besieged-redeployment": "Whether a besieged fortress may send and receive in the Re-deployment Phase (C8.7)",
    "counters": "Whether the majors' SP are limited by their counters: Prussia's to 100, Austria's to 120 (C6.5)",
    "austrian-points": "Austria's Resource Points after 1756; between equal generals 36 to 39 make an even war (C6.1)",
    "last-year": "The year after which the war ends of itself (C13.2)",
    "rulings": "Up to which number the rulings made since this version of the rules are played by",
}
"""What each option does."""
