from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import pytest

from leuthen.engine.choice import LegalSet
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE
from tests.properties.games import CAMPAIGN, Kind, game, rules, seeds

YEAR = Kind("campaigns", "1757", {})
KINDS = {kind.name: kind for kind in (CAMPAIGN, Kind("campaigns", "campaign", {}), YEAR)}
CLAUSES = "clauses"
NAMES = (*KINDS, CLAUSES)
EVERY, RARELY = 61, 600
DRAWN = 4
LONG = 40


class Typing(NamedTuple):
    name: str
    legal: LegalSet[Any]
    write: Callable[[Any], str]
    read: Callable[[str], Any]
    complete: Callable[[str], Sequence[str]]

    def is_legal(self, line: str) -> bool:
        try:
            return self.legal.why_not(self.read(line)) is None
        except Invalid:
            return False


@cache
def decisions(name: str, seed: int) -> tuple[tuple[str, Any, int], ...]:
    every = RARELY if name == CLAUSES else EVERY
    found = (step for step in game(seed, KINDS.get(name, YEAR)) if step.actor != CHANCE)
    return tuple((step.name, step.before, step.actor) for step in islice(found, 0, None, every))


def typings(name: str, seed: int) -> Iterator[Typing]:
    ruleset = rules(KINDS.get(name, YEAR).ruleset)
    for where, state, actor in decisions(name, seed):
        if name != CLAUSES:
            legal = ruleset.legal_actions(state, actor)
            write, read = partial(ruleset.format_action, state, actor), partial(ruleset.parse_action, state, actor)
            yield Typing(where, legal, write, read, partial(ruleset.complete, state, actor))
        else:
            view, said = ruleset.view(state, actor), ruleset.standing
            legal = said.clauses(view)
            yield Typing(where, legal, said.format, partial(said.parse, view), partial(said.complete, view))


def prefixes(line: str) -> Iterator[tuple[str, str]]:
    words = line.split(" ")
    for count, word in enumerate(words):
        before = "".join(f"{other} " for other in words[:count])
        first, *steps = word.split("-") if word[:1].isdigit() else [word]
        if not steps:
            yield before, word
        elif words[count - 1] == "of":
            yield before, f"{first}-"
        for number, step in enumerate(steps):
            typed = "-".join([first, *steps[:number]])
            yield before + (f"{typed}-" if number or words[count - 1] == "of" else ""), f"{typed}-{step}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", seeds(1))
def test_every_word_of_a_legal_order_is_offered(name: str, seed: int) -> None:
    rng = Random(seed)
    for typing in typings(name, seed):
        for line in {typing.write(typing.legal.sample(rng)) for _ in range(DRAWN)}:
            for typed, word in prefixes(line):
                assert word in typing.complete(typed), f'{typing.name}: "{typed}" of "{line}"'


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", seeds(1))
def test_every_completion_leads_to_a_legal_order(name: str, seed: int) -> None:
    rng = Random(seed)
    for typing in typings(name, seed):
        for _ in range(DRAWN):
            line = rng.choice(typing.complete(""))
            while not typing.is_legal(line):
                ways = longer_lines(typing, line)
                assert ways, f'{typing.name}: "{line}" leads nowhere'
                assert line.count(" ") < LONG, f'{typing.name}: "{line}" has no end'
                line = rng.choice(ways)


def longer_lines(typing: Typing, line: str) -> list[str]:
    *before, last = line.split(" ")
    if last.endswith("-"):
        return [" ".join([*before, word]) for word in typing.complete(line)]
    longer = [f"{line} {word}" for word in typing.complete(f"{line} ")]
    if last[:1].isdigit():
        longer += [" ".join([*before, word]) for word in typing.complete(f"{line}-")]
    return longer
