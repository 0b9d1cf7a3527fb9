"""How long a refusal takes in a position, and in a world that the one who is refused cannot tell from it.

If the two differed, a clock could tell what the rules keep hidden.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any, Final, NamedTuple

from bench.door import Campaigns
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import Ruleset, Side
from leuthen.server.session.history import GameHistory, GameTransaction

POSITIONS: Final = 60
REPEATS: Final = 15
TEXTS: Final = 4
HIDDEN: Final = {"hidden": "yes"}
"""The option of a rule set in which something is hidden only if one wants it."""
_HEX: Final = re.compile(r"\b\d{4}\b")


class Refused(NamedTuple):
    """An order that is refused, and how long that takes in the true position and in the other world, in seconds."""

    text: str
    here: float
    there: float


def refusal_figures(ruleset: Ruleset) -> Iterator[str]:
    """What a clock sees: medians, and how often the true position is the slower one of the two."""
    found = list(_refusals(ruleset, Random(1)))
    here, there = (statistics.median(times) for times in zip(*((one.here, one.there) for one in found), strict=True))
    slower = sum(one.here > one.there for one in found) / len(found)
    ratios = statistics.quantiles((one.here / one.there for one in found), n=20)
    yield f"refusals, {ruleset.name}: {len(found)} orders, each in its position and in a world that looks the same"
    yield f"median {1e6 * here:.0f} µs and {1e6 * there:.0f} µs; the true position is the slower one in {slower:.0%}"
    yield f"one through the other: from {ratios[0]:.2f} (5 %) by {ratios[9]:.2f} (median) to {ratios[18]:.2f} (95 %)"


def _refusals(ruleset: Ruleset, rng: Random) -> Iterator[Refused]:
    options = HIDDEN if set(HIDDEN) <= set(ruleset.options) else {}
    for state, actor, _ in Campaigns(ruleset, "campaign", options).positions(POSITIONS):
        world = ruleset.worlds(ruleset.view(state, actor), rng)
        for text in _refused(ruleset, state, actor, rng):
            spent: tuple[list[float], list[float]] = ([], [])
            for number in range(2 * REPEATS):
                which = number % 2
                spent[which].append(_time(ruleset, (state, world)[which], actor, text))
            yield Refused(text, *map(statistics.median, spent))


def _refused(ruleset: Ruleset, state: Any, actor: Side, rng: Random) -> Iterator[str]:
    """Orders that would be legal if they did not end in some other hex."""
    legal = ruleset.legal_actions(state, actor)
    for _ in range(TEXTS):
        text = ruleset.format_action(state, actor, legal.sample(rng))
        if hexes := _HEX.findall(text):
            wrong = text.replace(hexes[-1], f"{rng.randrange(5, 35):02}{rng.randrange(8, 35):02}")
            if _is_refused(ruleset, state, actor, wrong):
                yield wrong


def _is_refused(ruleset: Ruleset, state: Any, actor: Side, text: str) -> bool:
    try:
        return ruleset.legal_actions(state, actor).why_not(ruleset.parse_action(state, actor, text)) is not None
    except Invalid:
        return True


def _time(ruleset: Ruleset, state: Any, actor: Side, text: str) -> float:
    """How long the server takes to refuse an order; nothing is remembered from the time before."""
    history = GameHistory(ruleset, ruleset.restore(ruleset.dump(state)))
    start = time.perf_counter()
    with suppress(Illegal, Invalid):
        GameTransaction(history).act(actor, text)
    return time.perf_counter() - start
