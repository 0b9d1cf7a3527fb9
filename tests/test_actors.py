import pickle
import random
from typing import Any

import pytest

import leuthen
from leuthen.engine.codec import digest_of
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, SIDES, VIEWERS
from leuthen.load import RULESETS, load
from leuthen.play.dice import Key

PLAYED = 400


def going_on(name: str) -> list[Any]:
    rules, rng, dice = load(name), random.Random(5), Key.from_seed(3).dice()
    state: Any = rules.new_game({"frederick": "bohemia"}.get(name, "1757"), {})
    found = [state]
    while len(found) < PLAYED and (awaited := rules.pending(state)):
        actor = awaited[0].actor
        action = dice.pick(rules.chances(state)) if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
        state = rules.apply(state, actor, action).state
        found.append(state)
    return found[:-1]


@pytest.mark.parametrize("name", RULESETS)
def test_who_is_not_asked_has_nothing_to_do(name: str) -> None:
    rules: Any = load(name)
    for state in going_on(name):
        asked = {pending.actor for pending in rules.pending(state)}
        for side in SIDES:
            legal = rules.legal_actions(state, side)
            if side in asked or rules.is_asked(state, side):
                assert legal.default() in legal
                continue
            assert list(legal) == []
            assert legal.options().values == ()
            assert legal.only() is None
            for give in (legal.default, lambda legal=legal: legal.sample(random.Random(1))):
                with pytest.raises(Illegal, match="is not being asked"):
                    give()


@pytest.mark.parametrize("name", RULESETS)
def test_what_chance_may_answer_is_its_set(name: str) -> None:
    rules, rolled = load(name), 0
    for state in going_on(name):
        legal, answers = rules.legal_actions(state, CHANCE), [action for action, _ in rules.chances(state)]
        assert set(legal) == set(answers)
        assert all(answer in legal for answer in answers)
        if answers:
            rolled += 1
            assert legal.sample(random.Random(1)) in answers
        else:
            with pytest.raises(Illegal, match="chance is not being asked"):
                legal.default()
    assert rolled


@pytest.mark.parametrize("actor", [0, 1, CHANCE])
def test_after_the_end_nobody_has_anything_to_do(actor: Any) -> None:
    rules = leuthen.ruleset("frederick")
    key = Key.from_seed(1)
    seats = [leuthen.make_bot("random", "frederick", side, side) for side in SIDES]
    table = leuthen.Table(rules, rules.new_game("campaign", {"last-year": "1756"}))
    assert leuthen.Game(table, seats, key.dice()).play() is not None
    assert list(rules.legal_actions(table.state, actor)) == []
    with pytest.raises(Illegal, match="the game has ended"):
        rules.legal_actions(table.state, actor).default()


@pytest.mark.parametrize("name", RULESETS)
@pytest.mark.parametrize("who", [9, -1, "prussia", None, 0.5])
def test_nobody_else_acts_or_looks(name: str, who: Any) -> None:
    rules = load(name)
    state: Any = rules.new_game(next(iter(rules.scenarios)), {})
    with pytest.raises(Invalid, match="is no viewer"):
        rules.view(state, who)
    with pytest.raises(Illegal, match="there are two players"):
        rules.legal_actions(state, who).default()
    assert all(rules.view(state, viewer) is not None for viewer in VIEWERS)


def test_an_option_that_is_a_number_is_its_text() -> None:
    rules: Any = leuthen.ruleset("frederick")
    numbered, written = (rules.new_game("campaign", {"last-year": year}) for year in (1756, "1756"))
    assert digest_of(rules, numbered) == digest_of(rules, written)
    options: Any = {"last-year": 1756}
    assert leuthen.header_of(rules, "campaign", options, ("a", "b"), game="g1").options["last-year"] == "1756"
    with pytest.raises(Invalid, match="option last-year: «1755» is not among"):
        rules.new_game("campaign", {"last-year": 1755})


def test_a_legal_set_says_that_it_cannot_be_sent() -> None:
    state = leuthen.position("phase march prussia die 3 ; Prussia 1632 5 Keith")
    with pytest.raises(TypeError, match="a LegalSet cannot be pickled"):
        pickle.dumps(leuthen.ruleset("frederick").legal_actions(state, 0))
