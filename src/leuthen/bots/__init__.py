"""The machine players, by name. A bot gets its side's view and the legal set, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from leuthen.bots.random import RandomBot
from leuthen.engine.refusal import Invalid
from leuthen.engine.seat import Seat
from leuthen.load import bot_of, bots_of

Maker: TypeAlias = Callable[[str, int, int], Seat]
"""Makes a bot from the rule set's name, its side, and the seed of its own stream."""


def _random(ruleset: str, side: int, seed: int) -> Seat:
    return RandomBot(seed)


def _planner(ruleset: str, side: int, seed: int) -> Seat:
    made: Seat = bot_of(ruleset, "planner")
    return made


BOTS: Final[Mapping[str, Maker]] = {"random": _random, "planner": _planner}

LEVELS: Final[Mapping[str, tuple[str, str]]] = {
    "planner": ("Field marshal", "it plans its campaign by what it may see"),
    "random": ("Recruit", "it gives any order that is legal"),
}
"""What people are told of a bot, the strongest first: a title, and how it plays."""


def bots_for(ruleset: str) -> list[str]:
    """The bots that play a rule set, the strongest first. Raises Invalid for an unknown rule set."""
    alone = bots_of(ruleset)
    return [name for name in LEVELS if name in alone or name == "random"]


def make_bot(name: str, ruleset: str, side: int, seed: int) -> Seat:
    """The bot of that name. Raises Invalid."""
    expect_bot(name)
    return BOTS[name](ruleset, side, seed)


def expect_bot(name: str) -> None:
    """Raises Invalid unless there is such a bot."""
    if name not in BOTS:
        raise Invalid(f"«{name}» is no bot: {', '.join(BOTS)}")
