import pickle
import random
from collections.abc import Callable
from copy import copy, deepcopy
from functools import cache
from typing import Any

import pytest

from leuthen.engine.choice import Kind
from leuthen.engine.decision import Decision
from leuthen.engine.refusal import Illegal, Invalid, Refusal
from leuthen.engine.ruleset import CHANCE
from leuthen.engine.state import LockedDict
from leuthen.load import RULESETS, load, unpickle_state
from leuthen.play.dice import Key
from leuthen.rulesets.frederick.model.data import PRUSSIA, SWEDEN
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import bag, powers

ACTIONS = 400


def pickle_copy(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


COPIES = (pickle_copy, deepcopy, copy)


def play_action(rules: TableRuleset, state: Any, rng: random.Random) -> Any:
    actor = rules.pending(state)[0].actor
    dice = Key.from_seed(1).dice()
    action = dice.pick(rules.chances(state)) if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
    return rules.apply(state, actor, action).state


@cache
def position_in_mid_game(name: str) -> Any:
    rules, rng = load(name), random.Random(1)
    state = rules.new_game(next(iter(rules.scenarios)), {})
    for _ in range(ACTIONS):
        state = play_action(rules, state, rng)
    while (actor := rules.pending(state)[0].actor) == CHANCE:
        state = play_action(rules, state, rng)
    rules.legal_actions(state, actor).sample(rng)
    assert state.legal, "something is remembered"
    return state


def draft_of(name: str) -> Any:
    rules: Any = load(name)
    return rules.draft(position_in_mid_game(name))


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", RULESETS)
def test_a_copied_position_is_equal_and_continues_alike(name: str, copied: Callable[[Any], Any]) -> None:
    rules, state = load(name), position_in_mid_game(name)
    copied_value = copied(state)
    assert copied_value == state
    assert hash(copied_value) == hash(state)
    for seed in range(8):
        state, copied_value = (play_action(rules, one, random.Random(seed)) for one in (state, copied_value))
        assert rules.dump(copied_value) == rules.dump(state)
    with pytest.raises(AttributeError, match="does not change"):
        copied_value.year = 1700


@pytest.mark.parametrize("copied", [pickle_copy, deepcopy])
@pytest.mark.parametrize("name", RULESETS)
def test_a_copied_draft_is_equal_and_independent(name: str, copied: Callable[[Any], Any]) -> None:
    state, draft = position_in_mid_game(name), draft_of(name)
    draft.learn(1)
    copied_value = copied(draft)
    assert copied_value == draft
    assert copied is not deepcopy or copied_value.data is draft.data
    assert (copied_value.learned, copied_value.facts, copied_value.touched) == (
        draft.learned,
        draft.facts,
        draft.touched,
    )
    for pieces in ("stacks", "units", "touched", "facts"):
        if hasattr(copied_value, pieces):
            getattr(copied_value, pieces).clear()
    assert copied_value != draft
    assert draft == state == draft.freeze()


@pytest.mark.parametrize("name", RULESETS)
def test_a_rule_set_and_a_view_can_be_pickled(name: str) -> None:
    rules, state = load(name), position_in_mid_game(name)
    copied_value = pickle_copy(rules)
    assert copied_value.digest == rules.digest
    assert copied_value.dump(play_action(copied_value, pickle_copy(state), random.Random(3))) == rules.dump(
        play_action(rules, state, random.Random(3))
    )
    view = rules.view(state, 0)
    assert pickle_copy(view) == view == deepcopy(view)


@pytest.mark.parametrize("name", RULESETS)
def test_the_repr_of_an_action_evaluates_to_it(name: str) -> None:
    rules, rng = load(name), random.Random(2)
    state: Any = rules.new_game(next(iter(rules.scenarios)), {})
    dice, shown = Key.from_seed(1).dice(), set()
    for _ in range(2 * ACTIONS):
        if not (awaited := rules.pending(state)):
            break
        actor = awaited[0].actor
        action = dice.pick(rules.chances(state)) if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
        names = {type(action).__name__: type(action), "parse_hex": parse_hex, "bag": bag}
        assert eval(repr(action), names) == action
        shown.add(action.do)
        state = rules.apply(state, actor, action).state
    assert {"march", "roll"} <= shown


@pytest.mark.parametrize("name", RULESETS)
def test_the_tables_of_a_position_are_immutable(name: str) -> None:
    rules, state = load(name), position_in_mid_game(name)
    tables = [
        value for one in (state, rules.view(state, 0)) for value in vars(one).values() if isinstance(value, LockedDict)
    ]
    assert len(tables) > 5
    for table in tables:
        for change in (table.clear, lambda t=table: t.update({1: 2}), lambda t=table: t.__setitem__(1, 2)):
            with pytest.raises(TypeError, match="does not change"):
                change()
    mutable = [f for f in state.FIELDS if isinstance(getattr(state, f), (dict, list, set))]
    assert all(isinstance(getattr(state, field), LockedDict) for field in mutable)


def test_a_pickled_position_of_other_data_is_refused() -> None:
    text = load("frederick").dump(position_in_mid_game("frederick"))
    with pytest.raises(Invalid, match="was pickled with data 0123"):
        unpickle_state("frederick", None, "0123", text)


def test_a_refusal_can_be_pickled() -> None:
    refusal = Refusal("O5.3", "{} is too far", (3,))
    assert pickle_copy(Illegal(refusal)).refusal == refusal


def test_a_bag_names_only_its_powers() -> None:
    assert list(powers(bag(PRUSSIA, 3) - bag(PRUSSIA, 4))) == []
    assert list(powers(bag(PRUSSIA, 3) + bag(SWEDEN, 1))) == [0, 5]


def test_a_decision_class_declares_rule_and_name() -> None:
    class PartyChoice(Decision, rule="X1.2", name="Choice"):
        pass

    class LatePartyChoice(PartyChoice, rule="X1.3"):
        pass

    assert (PartyChoice.RULE, PartyChoice.NAME, PartyChoice.__struct_config__.tag) == ("X1.2", "Choice", "party-choice")
    assert (LatePartyChoice.RULE, LatePartyChoice.NAME) == ("X1.3", "Choice")
    with pytest.raises(TypeError):
        Kind("Odd", (Decision,), {}, ruel="X1.4")
