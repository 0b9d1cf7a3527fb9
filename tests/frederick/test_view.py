import json
from typing import Any

import pytest

from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import EVERYTHING, WATCHER, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge.view import View, make_view
from leuthen.rulesets.frederick.model.data import AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Covered
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SeenStack
from leuthen.rulesets.frederick.rules.c06_resources import RaiseSealed
from leuthen.rulesets.frederick.rules.o05_march import Marching
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchDie
from leuthen.wargame.board import Hex, stack_key
from leuthen.wargame.strength import PowerId, bag
from tests.frederick.handmade import hexagon, leader, random_state, some_state

VIEWERS = (PRUSSIAN, AUSTRIAN, WATCHER, EVERYTHING)


def stack(view: View, name: str, side: int, inside: bool = False) -> SeenStack:
    key = stack_key(hexagon(name), as_side(side), inside)
    return next(stack for stack in view.stacks if stack.key == key)


def encoded(view: View) -> bytes:
    return load("frederick").encode_view(view)


def depots(view: View) -> list[Hex]:
    return list(view.depots)


def test_own_stacks_in_full() -> None:
    seen = stack(make_view(some_state(), PRUSSIAN), "1126", PRUSSIAN)
    assert seen.sp == bag(PRUSSIA, 24)
    assert seen.leaders is not None
    assert len(seen.leaders) == 3
    assert seen.marched == bag(PRUSSIA, 4)
    assert (seen.least, seen.most) == (24, 24)


def test_the_owner_sees_what_the_enemy_knows_of_him() -> None:
    seen = stack(make_view(some_state(), PRUSSIAN), "1623", PRUSSIAN, True)
    assert (seen.low, seen.high, seen.since) == (5, 5, 175703)


def test_an_enemy_stack_shows_place_nation_commander_and_band() -> None:
    seen = stack(make_view(some_state(), AUSTRIAN), "1126", PRUSSIAN)
    assert (seen.nation, seen.commander, seen.alone) == (PRUSSIA, leader("Frederick"), False)
    assert (seen.sp, seen.leaders, seen.marched) == (None, None, None)
    assert (seen.least, seen.most, seen.since) == (1, 999, 0)
    garrison = stack(make_view(some_state(), PRUSSIAN), "1125", AUSTRIAN, True)
    assert (garrison.least, garrison.most, garrison.since) == (2, 12, 175702)
    assert stack(make_view(some_state(), AUSTRIAN), "2413", PRUSSIAN).demoralized
    assert stack(make_view(some_state(), AUSTRIAN), "1125", PRUSSIAN).hungry == 1


def test_leaders_alone_are_seen_to_be_alone() -> None:
    seen = stack(make_view(some_state(), PRUSSIAN), "2209", AUSTRIAN)
    assert seen.alone
    assert (seen.least, seen.most) == (0, 0)
    assert seen.sp is None


def test_a_mixed_stack_shows_its_largest_contingent() -> None:
    seen = stack(make_view(some_state(), PRUSSIAN), "2212", AUSTRIAN)
    assert (seen.nation, seen.commander) == (FRANCE, leader("d'Estrées"))


@pytest.mark.parametrize("viewer", VIEWERS)
def test_neutral_stacks_are_open(viewer: int) -> None:
    seen = stack(make_view(some_state(), as_viewer(viewer)), "3742", 2, True)
    assert seen.sp is not None
    assert seen.leaders is not None
    assert len(seen.leaders) == 2


def test_depots_under_construction_are_for_their_side() -> None:
    under, complete = hexagon("1129"), hexagon("1228")
    assert under in depots(make_view(some_state(), AUSTRIAN))
    assert under not in depots(make_view(some_state(), PRUSSIAN))
    assert under not in depots(make_view(some_state(), WATCHER))
    assert all(complete in depots(make_view(some_state(), as_viewer(viewer))) for viewer in VIEWERS)


def test_a_watcher_knows_what_both_know() -> None:
    view = make_view(some_state(), WATCHER)
    assert all(seen.sp is None for seen in view.stacks if seen.side != 2)
    assert stack(view, "1623", PRUSSIAN, True).most == 5


def test_everything() -> None:
    view = make_view(some_state(), EVERYTHING)
    assert all(seen.sp is not None for seen in view.stacks)
    assert view.spent == {leader("Frederick"): 2}


def test_movement_points_reinforcements_and_changes_at_a_fortress_are_ones_own() -> None:
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


def test_a_sealed_choice_shows_that_it_is_sealed() -> None:
    state = some_state(sealed=(RaiseSealed(True, 5), RaiseSealed(False, 3)))
    assert make_view(state, PRUSSIAN).sealed == (RaiseSealed(True, 5), None)
    assert make_view(state, AUSTRIAN).sealed == (Covered(True), RaiseSealed(False, 3))
    assert make_view(state, WATCHER).sealed == (Covered(True), None)


def test_an_enemy_march_does_not_tell_what_it_has_left() -> None:
    march = Marching(PRUSSIAN, 4, False, False)
    state = some_state(frames=(march, ForceMarchDie(PRUSSIAN, march)))
    assert make_view(state, PRUSSIAN).frames == state.frames
    hidden = Marching(PRUSSIAN, 4, False, True)
    assert make_view(state, AUSTRIAN).frames == (hidden, ForceMarchDie(PRUSSIAN, hidden))


def test_a_force_on_the_march_is_seen_like_a_stack() -> None:
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


def test_what_is_open_to_both() -> None:
    views = [make_view(some_state(), as_viewer(viewer)) for viewer in VIEWERS]
    for name in ("rp", "prisoners", "captives", "roster", "arrival", "owners", "allegiance", "sieges", "year", "turn"):
        assert all(getattr(view, name) == getattr(views[0], name) for view in views), name


@pytest.mark.parametrize("viewer", VIEWERS)
def test_hidden_strengths_leave_no_trace(viewer: int) -> None:
    first = some_state()
    stacks = dict(first.stacks)
    key = stack_key(hexagon("1128"), AUSTRIAN, 0)
    stacks[key] = stacks[key].__class__(
        *(getattr(stacks[key], name) if name not in ("sp", "leaders") else value for name, value in _other(stacks[key]))
    )
    second = some_state(stacks=stacks)
    same = encoded(make_view(first, as_viewer(viewer))) == encoded(make_view(second, as_viewer(viewer)))
    assert same == (viewer in (PRUSSIAN, WATCHER))


def _other(of: Any) -> list[tuple[str, Any]]:
    values = {name: getattr(of, name) for name in of.__struct_fields__}
    return list((values | {"sp": bag(AUSTRIA, 3), "leaders": of.leaders[:1]}).items())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_view_is_a_value_and_survives_its_bytes(viewer: int) -> None:
    march = Marching(PRUSSIAN, 4, False, False)
    state = some_state(frames=(march,), sealed=(RaiseSealed(True, 5), None))
    view = make_view(state, as_viewer(viewer))
    again = load("frederick").decode_view(encoded(view))
    assert again == view
    assert hash(again) == hash(view)
    assert again != make_view(some_state(turn=5), as_viewer(viewer))


@pytest.mark.parametrize("seed", range(20))
def test_views_of_random_positions_survive_their_bytes(seed: int) -> None:
    state = random_state(seed)
    for viewer in VIEWERS:
        view = make_view(state, as_viewer(viewer))
        assert load("frederick").decode_view(encoded(view)) == view, f"seed {seed}"


def test_numbers_fit_into_json_everywhere() -> None:
    def numbers(value: Any) -> list[int]:
        if isinstance(value, dict):
            return [n for part in value.values() for n in numbers(part)]
        if isinstance(value, list):
            return [n for part in value for n in numbers(part)]
        return [value] if isinstance(value, int) else []

    assert max(numbers(json.loads(encoded(make_view(some_state(), EVERYTHING))))) < 2**31


def test_damaged_bytes_are_invalid() -> None:
    with pytest.raises(Invalid):
        load("frederick").decode_view(b'{"viewer": "x"}')
