"""Completion offers every legal word and no other, in positions of whole games.

What is legal is found out in two other ways: by lines of actions that were drawn from the legal set, and by following
the offers to a line that the rule set reads and does not refuse.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice
from random import Random
from typing import Any

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE
from tests.properties.games import CAMPAIGN, Kind, game, rules, seeds

KINDS = {kind.name: kind for kind in (CAMPAIGN, Kind("campaigns", "1757", {}), Kind("campaigns", "campaign", {}))}
EVERY = 61
"""Decisions."""
DRAWN = 6
"""Actions drawn in a position."""
FOLLOWED = 8
"""Offers followed in a position."""
LONG = 40
"""Words of a line that never ends."""


@cache
def asked(name: str, seed: int) -> tuple[tuple[str, Any, int], ...]:
    """Some positions of a random game in which a side is asked, with their names."""
    decisions = (step for step in game(seed, KINDS[name]) if step.actor != CHANCE)
    return tuple((step.name, step.before, step.actor) for step in islice(decisions, 0, None, EVERY))


def prefixes(line: str) -> Iterator[tuple[str, str]]:
    """What was typed of a line, and what has to be offered then; a path is typed hex by hex."""
    words = line.split(" ")
    for count, word in enumerate(words):
        before = "".join(f"{other} " for other in words[:count])
        steps = word.split("-") if word[:1].isdigit() else [word]
        offers = ["-".join(steps[:number]) for number in range(min(2, len(steps)), len(steps) + 1)]
        for typed, offer in zip(["", *(f"{offer}-" for offer in offers)], offers, strict=False):
            yield before + typed, offer


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", seeds(1))
def test_every_word_of_a_legal_line_is_offered(name: str, seed: int) -> None:
    door, rng = rules(KINDS[name].ruleset), Random(seed)
    for where, state, actor in asked(name, seed):
        legal = door.legal_actions(state, actor)
        for line in {door.format_action(state, actor, legal.sample(rng)) for _ in range(DRAWN)}:
            for typed, word in prefixes(line):
                assert word in door.complete(state, actor, typed), f"{where}: «{typed}» of «{line}»"


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("seed", seeds(1))
def test_every_offer_leads_to_a_legal_line(name: str, seed: int) -> None:
    door, rng = rules(KINDS[name].ruleset), Random(seed)
    for where, state, actor in asked(name, seed):
        for _ in range(FOLLOWED):
            line = rng.choice(door.complete(state, actor, ""))
            while not is_legal(door, state, actor, line):
                ways = further(door, state, actor, line)
                assert ways, f"{where}: «{line}» leads nowhere"
                assert line.count(" ") < LONG, f"{where}: «{line}» has no end"
                line = rng.choice(ways)


def further(door: Any, state: Any, actor: int, line: str) -> list[str]:
    """A line with one more word, or with one more hex of its path, as it is offered."""
    *before, last = line.split(" ")
    longer = [f"{line} {word}" for word in door.complete(state, actor, f"{line} ")]
    if last[:1].isdigit():
        longer += [" ".join([*before, word]) for word in door.complete(state, actor, f"{line}-")]
    return longer


def is_legal(door: Any, state: Any, actor: int, line: str) -> bool:
    """Whether the rule set reads a line and does not refuse it."""
    try:
        return door.why_not(state, actor, door.parse_action(state, actor, line)) is None
    except Invalid:
        return False
