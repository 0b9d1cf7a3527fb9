import pickle
import random
from collections.abc import Callable
from copy import copy, deepcopy
from functools import cache
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import Kind
from leuthen.engine.decision import Decision
from leuthen.engine.fields import LockedDict
from leuthen.engine.refusal import Illegal, Invalid, Refusal
from leuthen.engine.ruleset import CHANCE, EVERYTHING, NOBODY, SIDES, WATCHER
from leuthen.load import RULESETS, load, unpickle_state
from leuthen.play.dice import Key
from leuthen.rulesets.frederick.model.actions import Place, PlaceDepot
from leuthen.rulesets.frederick.model.data import HANOVER, PRUSSIA, SWEDEN
from leuthen.screen.presenter import TableRuleset
from leuthen.wargame.board import NOWHERE, parse_hex
from leuthen.wargame.strength import LeaderId, bag, powers

ACTIONS = 400


def over_the_wire(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


COPIES = (over_the_wire, deepcopy, copy)


def a_turn(rules: TableRuleset, state: Any, rng: random.Random) -> Any:
    actor = rules.pending(state)[0].actor
    dice = Key.from_seed(1).dice()
    action = dice.pick(rules.chances(state)) if actor == CHANCE else rules.legal_actions(state, actor).sample(rng)
    return rules.apply(state, actor, action).state


@cache
def in_the_midst(name: str) -> Any:
    rules, rng = load(name), random.Random(1)
    state = rules.new_game(next(iter(rules.scenarios)), {})
    for _ in range(ACTIONS):
        state = a_turn(rules, state, rng)
    while (actor := rules.pending(state)[0].actor) == CHANCE:
        state = a_turn(rules, state, rng)
    rules.legal_actions(state, actor).sample(rng)
    assert state.legal, "something is remembered"
    return state


def draft_of(name: str) -> Any:
    rules: Any = load(name)
    return rules.draft(in_the_midst(name))


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("name", RULESETS)
def test_a_copied_state_is_the_same_and_plays_on_alike(name: str, copied: Callable[[Any], Any]) -> None:
    rules, state = load(name), in_the_midst(name)
    twin = copied(state)
    assert twin == state
    assert hash(twin) == hash(state)
    for seed in range(8):
        state, twin = (a_turn(rules, one, random.Random(seed)) for one in (state, twin))
        assert rules.dump(twin) == rules.dump(state)
    with pytest.raises(AttributeError, match="does not change"):
        twin.year = 1700


@pytest.mark.parametrize("copied", [over_the_wire, deepcopy])
@pytest.mark.parametrize("name", RULESETS)
def test_a_copied_draft_is_the_same_and_goes_its_own_way(name: str, copied: Callable[[Any], Any]) -> None:
    state, draft = in_the_midst(name), draft_of(name)
    draft.learn(1)
    twin = copied(draft)
    assert twin == draft
    assert (twin.learned, twin.facts, twin.touched) == (draft.learned, draft.facts, draft.touched)
    for pieces in ("stacks", "units", "touched", "facts"):
        if hasattr(twin, pieces):
            getattr(twin, pieces).clear()
    assert twin != draft
    assert draft == state == draft.freeze()


@pytest.mark.parametrize("name", RULESETS)
def test_a_deep_copy_of_a_draft_has_no_second_board(name: str) -> None:
    draft = draft_of(name)
    assert deepcopy(draft).data is draft.data


@pytest.mark.parametrize("name", RULESETS)
def test_rule_set_and_view_can_be_sent_to_another_process(name: str) -> None:
    rules, state = load(name), in_the_midst(name)
    twin = over_the_wire(rules)
    assert twin.digest == rules.digest
    assert twin.dump(a_turn(twin, over_the_wire(state), random.Random(3))) == rules.dump(
        a_turn(rules, state, random.Random(3))
    )
    view = rules.view(state, 0)
    assert over_the_wire(view) == view == deepcopy(view)


def test_an_action_can_be_read() -> None:
    place = Place(PRUSSIA, parse_hex("2030"), True, (LeaderId(6),), bag(PRUSSIA, 21) + bag(HANOVER, 2))
    said = "Place(power=0, hex=parse_hex('2030'), inside=True, leaders=(6,), sp=bag(0, 21) + bag(3, 2))"
    assert repr(place) == said
    assert repr(PlaceDepot(NOWHERE)) == "PlaceDepot(hex=-1)"


@pytest.mark.parametrize("name", RULESETS)
def test_what_an_action_shows_makes_it_again(name: str) -> None:
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
def test_tables_of_positions_and_views_do_not_change(name: str) -> None:
    rules, state = load(name), in_the_midst(name)
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


@pytest.mark.parametrize("name", RULESETS)
def test_a_pickled_position_is_its_text(name: str) -> None:
    rules, state = load(name), in_the_midst(name)
    assert len(pickle.dumps(state)) < len(rules.dump(state)) + 500
    assert over_the_wire(state) == state


def test_a_pickled_position_of_other_data_is_refused() -> None:
    text = load("frederick").dump(in_the_midst("frederick"))
    with pytest.raises(Invalid, match="was pickled with data 0123"):
        unpickle_state("frederick", None, "0123", text)


def test_an_error_of_a_rule_can_be_sent() -> None:
    refusal = Refusal("O5.3", "{} is too far", (3,))
    assert over_the_wire(Illegal(refusal)).refusal == refusal


def test_what_is_no_bag_has_no_powers() -> None:
    assert list(powers(bag(PRUSSIA, 3) - bag(PRUSSIA, 4))) == []
    assert list(powers(bag(PRUSSIA, 3) + bag(SWEDEN, 1))) == [0, 5]


def test_actors_viewers_and_owners_are_told_apart() -> None:
    assert [repr(who) for who in (CHANCE, WATCHER, NOBODY)] == [
        "<Actor.CHANCE: 2>", "<Viewer.WATCHER: 2>", "<Owner.NOBODY: 2>"
    ]  # fmt: skip
    assert msgspec.json.encode([*SIDES, CHANCE, WATCHER, NOBODY, EVERYTHING]) == b"[0,1,2,2,2,3]"


def test_the_head_of_a_class_says_its_rule_and_name() -> None:
    class PartyChoice(Decision, rule="X1.2", name="Choice"):
        pass

    class LatePartyChoice(PartyChoice, rule="X1.3"):
        pass

    assert (PartyChoice.RULE, PartyChoice.NAME, PartyChoice.__struct_config__.tag) == ("X1.2", "Choice", "party-choice")
    assert (LatePartyChoice.RULE, LatePartyChoice.NAME) == ("X1.3", "Choice")
    with pytest.raises(TypeError):
        Kind("Odd", (Decision,), {}, ruel="X1.4")
