"""The second rule set, and random games of it."""

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
    return games.shared_play("campaigns", seed, scenario, options or {})


def moments(seed: int, scenario: str, options: dict[str, str], often: int = 60) -> Iterator[Moment]:
    return games.picked(rules(), play(seed, scenario, options), Random(seed), often)
