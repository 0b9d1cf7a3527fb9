from __future__ import annotations

import json
import re
from typing import Any

import pytest

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge import View, make_view
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import AUSTRIA, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Covered
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SeenStack
from leuthen.rulesets.frederick.model.state import State
from leuthen.rulesets.frederick.rules.c05_council import RaiseSealed
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchDie, Marching
from leuthen.wargame.board import stack_key
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import dump, game_data, hexagon, leader, random_state, restore, some_state
from tests.rows import rows

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def stack(view: View, name: str, side: int, inside: bool = False) -> SeenStack:
    key = stack_key(hexagon(name), as_side(side), inside)
    return next(stack for stack in view.stacks if stack.key == key)


def test_a_side_sees_what_the_enemy_knows() -> None:
    seen = stack(make_view(some_state(), PRUSSIAN), "1623", PRUSSIAN, True)
    assert (seen.low, seen.high, seen.since) == (5, 5, 175703)


def test_a_spectator_sees_only_common_knowledge() -> None:
    view = make_view(some_state(), WATCHER)
    assert all(seen.sp is None for seen in view.stacks if seen.side != 2)
    assert stack(view, "1623", PRUSSIAN, True).most == 5


def test_spent_points_and_new_troops_are_private() -> None:
    state = some_state(
        spent={leader("Frederick"): 2, leader("Daun"): 3},
        waiting=bag(PRUSSIA, 4) + bag(HANOVER, 1) + bag(AUSTRIA, 7),
        shifted=frozenset({hexagon("1230"), hexagon("2413")}),
    )
    prussian, austrian = make_view(state, PRUSSIAN), make_view(state, AUSTRIAN)
    assert prussian.spent == {leader("Frederick"): 2}
    assert austrian.spent == {leader("Daun"): 3}
    assert (prussian.waiting, austrian.waiting) == (bag(PowerId(0), 4) + bag(HANOVER, 1), bag(AUSTRIA, 7))
    assert (prussian.shifted, austrian.shifted) == (frozenset({hexagon("2413")}), frozenset({hexagon("1230")}))
    watched = make_view(state, WATCHER)
    assert (watched.spent, watched.waiting) == ({}, 0)


def test_the_enemy_sees_only_that_a_choice_is_sealed() -> None:
    state = some_state(sealed=(RaiseSealed(True, 5), RaiseSealed(False, 3)))
    assert make_view(state, PRUSSIAN).sealed == (RaiseSealed(True, 5), None)
    assert make_view(state, AUSTRIAN).sealed == (Covered(True), RaiseSealed(False, 3))
    assert make_view(state, WATCHER).sealed == (Covered(True), None)


def test_a_march_hides_its_remaining_points() -> None:
    march = Marching(PRUSSIAN, 4, False, False)
    state = some_state(frames=(march, ForceMarchDie(PRUSSIAN, march)))
    assert make_view(state, PRUSSIAN).frames == state.frames
    hidden = Marching(PRUSSIAN, 4, False, True)
    assert make_view(state, AUSTRIAN).frames == (hidden, ForceMarchDie(PRUSSIAN, hidden))


def test_a_marching_force_is_hidden_like_a_stack() -> None:
    state = some_state()
    force = state.stacks[stack_key(hexagon("1126"), 0, 0)]
    rest = {key: other for key, other in state.stacks.items() if other is not force}
    state = some_state(stacks=rest, moving=force)
    own, enemy = make_view(state, PRUSSIAN).moving, make_view(state, AUSTRIAN).moving
    assert own is not None
    assert own.sp == bag(PRUSSIA, 24)
    assert enemy is not None
    assert enemy.sp is None
    assert enemy.commander == leader("Frederick")


def test_public_facts_are_equal_in_every_view() -> None:
    views = [make_view(some_state(), as_viewer(viewer)) for viewer in VIEWERS]
    for name in ("rp", "prisoners", "captives", "roster", "arrival", "owners", "allegiance", "sieges", "year", "turn"):
        assert all(getattr(view, name) == getattr(views[0], name) for view in views), name


@pytest.mark.parametrize("seed", range(20))
def test_random_positions_and_views_survive_their_bytes(seed: int) -> None:
    state = random_state(seed)
    assert restore(game_data(), dump(state)) == state
    for viewer in VIEWERS:
        view = make_view(state, as_viewer(viewer))
        assert load("frederick").decode_view(load("frederick").encode_view(view)) == view, f"seed {seed}"


def test_numbers_of_a_view_fit_into_32_bits() -> None:
    def numbers(value: Any) -> list[int]:
        if isinstance(value, dict):
            return [n for part in value.values() for n in numbers(part)]
        if isinstance(value, list):
            return [n for part in value for n in numbers(part)]
        return [value] if isinstance(value, int) else []

    assert max(numbers(json.loads(load("frederick").encode_view(make_view(some_state(), EVERYTHING))))) < 2**31


def test_a_damaged_view_is_refused() -> None:
    with pytest.raises(Invalid):
        load("frederick").decode_view(b'{"viewer": "x"}')


def test_a_dump_uses_names() -> None:
    text = json.loads(dump(some_state()))
    assert text["stacks"][0]["hex"] == "1125"
    assert text["stacks"][0]["sp"] == {"prussia": 6, "hanover": 1}
    assert text["stacks"][0]["leaders"] == ["Schwerin"]
    assert text["allegiance"]["france"] == "austrian"
    assert text["spent"] == {"Frederick": 2}
    assert text["depots"]["1129"]["power"] == "austria"
    assert text["roster"]["Daun"] == "map"


def test_a_dump_does_not_depend_on_the_order_of_stacks() -> None:
    state = some_state()
    reordered = dict(reversed(state.stacks.items()))
    assert dump(some_state(stacks=reordered)) == dump(state)


@pytest.mark.parametrize(("old", "new", "place"), rows("frederick-view-damaged"))
def test_a_damaged_dump_is_refused_with_the_place(old: bytes, new: bytes, place: str) -> None:
    text = dump(some_state())
    assert old in text
    with pytest.raises(Invalid, match=re.escape(place)):
        restore(game_data(), text.replace(old, new, 1))


def test_a_dump_with_two_stacks_in_one_place_is_refused() -> None:
    text = json.loads(dump(some_state()))
    text["stacks"].append(text["stacks"][0])
    with pytest.raises(Invalid, match="two stacks"):
        restore(game_data(), json.dumps(text).encode())


RULES = load("frederick")


def force(state: State, name: str) -> State:
    stack = next(stack for stack in state.stacks.values() if leader(name) in stack.leaders)
    rest = {key: other for key, other in state.stacks.items() if other is not stack}
    return some_state(stacks=rest, moving=stack)


def key(name: str, side: int, inside: bool) -> int:
    return stack_key(hexagon(name), as_side(side), inside)


def parse(text: str, actor: int = PRUSSIAN, state: State | None = None) -> Any:
    return RULES.parse_action(state or some_state(), as_side(actor), text)


@pytest.mark.parametrize(("text", "order"), rows("frederick-view-what-people-type"))
def test_abbreviated_orders_are_understood(text: str, order: str | None) -> None:
    if order is None:
        with pytest.raises(Invalid):
            parse(text)
    else:
        formatted = RULES.format_action(some_state(), PRUSSIAN, parse(text))
        assert re.sub(r"[-0-9]{14,}", "{way}", formatted) == order


@pytest.mark.parametrize(("text", "order"), rows("frederick-view-names"))
def test_names_need_neither_accents_nor_capitals(text: str, order: str) -> None:
    state = some_state()
    assert RULES.format_action(state, AUSTRIAN, parse(text, AUSTRIAN, state)) == order


def test_all_troops_can_be_dropped() -> None:
    state = force(some_state(), "Schwerin")
    assert parse("drop +all", PRUSSIAN, state) == do.Drop(False, (), bag(PRUSSIA, 6) + bag(HANOVER, 1))
    assert parse("drop +all Hanover", PRUSSIAN, state) == do.Drop(False, (), bag(HANOVER, 1))


@pytest.mark.parametrize(("text", "word"), [*rows("frederick-view-not-understood"), ("x" * 10_000, "")])
def test_an_unknown_word_of_an_order_is_named(text: str, word: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse(text)
    assert word in str(caught.value)


def test_a_completed_path_avoids_enemies() -> None:
    action = parse("march Daun +5 1128-1124", AUSTRIAN)
    assert action.path[-1] == hexagon("1124")
    assert hexagon("1126") not in action.path[:-1]
    assert hexagon("1125") not in action.path[:-1]


@pytest.mark.parametrize("sp", [-1, 1 << 4000, True])
def test_a_march_with_an_invalid_strength_is_refused(sp: int) -> None:
    rules = load("frederick")
    state = rules.new_game("campaign", {})
    while "march" not in {str(pending.decision).lower() for pending in rules.pending(state)}:
        actor = rules.pending(state)[0].actor
        action = rules.chances(state)[0][0] if actor == CHANCE else rules.legal_actions(state, actor).default()
        state = rules.apply(state, actor, action).state
    side = rules.pending(state)[0].actor
    number = next(stack.leaders[0] for stack in state.stacks.values() if stack.side == side and stack.leaders)
    with pytest.raises(Illegal):
        rules.apply(state, side, do.March(number, (), sp))
