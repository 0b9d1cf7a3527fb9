"""The options of a game (docs/rulings.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from leuthen.engine.ruleset import RULINGS

OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("einhorn", "base"),
    "need25": ("no", "yes"),
    "recoverReduced": ("no", "yes"),
    "hidden": ("no", "yes"),
    RULINGS: ("0",),
}


class GameOptions(msgspec.Struct, frozen=True):
    """The options of a game with their defaults."""

    einhorn: bool = True
    """Whether the variant is played (part V of the rulebook)."""
    need25: bool = False
    """Whether a force needs 1 SP for 25 TP, to the nearest whole (V3)."""
    recover_reduced: bool = False
    """Whether troops recover by the reduced morale (V8.1)."""
    hidden: bool = False
    """Whether strengths, supply and junior leaders of the other side are hidden (R1.8)."""
    rulings: int = 0
    """Up to which number the rulings made since this version of the rules are played by."""


def options_of(chosen: Mapping[str, str]) -> GameOptions:
    """The options by the words with which they were chosen."""
    return GameOptions(
        einhorn=chosen["rules"] == "einhorn",
        need25=chosen["need25"] == "yes",
        recover_reduced=chosen["recoverReduced"] == "yes",
        hidden=chosen["hidden"] == "yes",
        rulings=int(chosen[RULINGS]),
    )
