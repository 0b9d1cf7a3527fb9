from functools import cache
from random import Random

import pytest

from leuthen.engine.refusal import Illegal, Invalid
from tests.properties.checks import check_step
from tests.properties.games import CAMPAIGN, Kind, Step, game, rules, seeds

OTHER = {"march-die": "force", "morale-target": "5", "hanover-note": "marked", "besieged-redeployment": "barred"}


@pytest.mark.parametrize("seed", seeds(6))
def test_the_laws_hold_in_a_random_campaign(seed: int) -> None:
    options = {**OTHER, "last-year": "1759"} if seed % 3 == 2 else {}
    for number, step in enumerate(game(seed, CAMPAIGN._replace(options=options))):
        check_step(step, step.name, number)
    assert step.after.outcome is not None
    assert step.after.year <= step.after.options.last_year


KINDS = (
    Kind("frederick", "campaign", {"last-year": "1757"}),
    Kind("campaigns", "1757", {"rules": "einhorn"}),
    Kind("campaigns", "1758", {"rules": "base"}),
)
BY_NAME = {kind.name: kind for kind in KINDS}


@cache
def short_game(name: str, seed: int) -> tuple[Step, ...]:
    return tuple(game(seed, BY_NAME[name]))


@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("name", BY_NAME)
def test_a_finished_game_takes_no_action(name: str, seed: int) -> None:
    ruleset, end = rules(BY_NAME[name].ruleset), short_game(name, seed)[-1].after
    assert ruleset.pending(end) == ()
    assert ruleset.chances(end) == ()
    for step in short_game(name, seed)[:40]:
        with pytest.raises(Illegal):
            ruleset.apply(end, step.actor, step.action)


@pytest.mark.parametrize("name", BY_NAME)
def test_a_damaged_dump_is_refused(name: str) -> None:
    ruleset = rules(BY_NAME[name].ruleset)
    state = short_game(name, seeds(1)[0])[200].after
    text, rng, invalid = ruleset.dump(state), Random(5), 0
    for _ in range(60):
        cut = rng.randrange(len(text))
        try:
            again = ruleset.restore(text[:cut] + text[cut + 1 + rng.randrange(3) :])
        except Invalid:
            invalid += 1
            continue
        assert isinstance(again, type(state))
    assert invalid > 20
