"""The second rule set, and random games of it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

from leuthen.load import load
from leuthen.rulesets.campaigns.ruleset import Campaigns
from tests.laws import games
from tests.laws.games import Moment, Step


def rules() -> Campaigns:
    return cast(Campaigns, load("campaigns"))


def play(seed: int, scenario: str = "1757", options: dict[str, str] | None = None) -> Iterator[Step]:
    """A random game, step by step."""
    return games.shared_play("campaigns", seed, scenario, options or {})


def moments(seed: int, scenario: str, options: dict[str, str], often: int = 60) -> Iterator[Moment]:
    """The moments of one random game that deserve a look."""
    return games.picked(rules(), play(seed, scenario, options), Random(seed), often)
