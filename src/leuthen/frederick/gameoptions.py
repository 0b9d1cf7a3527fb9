"""The options of a game (docs/rulings.md)."""

from __future__ import annotations

import msgspec


class GameOptions(msgspec.Struct, frozen=True):
    """The options of a game with their defaults."""

    march_die: str = "phase"
    morale_target: int = 7
    hanover_note: str = "any"
    besieged_redeployment: str = "allowed"
    last_year: int = 1762
