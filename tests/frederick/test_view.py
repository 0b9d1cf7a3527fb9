from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import msgspec
import pytest

from leuthen.engine.choice import Action
from leuthen.engine.codec import digest_text
from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import CHANCE, EVERYTHING, WATCHER, as_side, as_viewer
from leuthen.load import load
from leuthen.rulesets.frederick.knowledge import View, make_view
from leuthen.rulesets.frederick.model import actions as do
from leuthen.rulesets.frederick.model.data import ALL_POWERS, AUSTRIA, FRANCE, HANOVER, PRUSSIA
from leuthen.rulesets.frederick.model.decisions import Covered, Decision, Secret
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN, SeenStack
from leuthen.rulesets.frederick.model.state import FIELDS, FRAME, WAYS, Draft, State
from leuthen.rulesets.frederick.rules.c06_resources import RaiseSealed
from leuthen.rulesets.frederick.rules.o05_march import ForceMarchDie, Marching
from leuthen.wargame.board import NOWHERE, Hex, hexes_of, parse_hex, stack_key
from leuthen.wargame.strength import Bag, PowerId, bag
from tests.frederick.handmade import dump, game_data, hexagon, leader, random_state, restore, some_state
from tests.rows import rows

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


def test_points_and_changes_at_a_fortress_are_ones_own() -> None:
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


class Sub(msgspec.Struct, frozen=True):
    here: Hex
    sp: tuple[Bag, ...] = ()


class Probe(Decision, frozen=True, tag="test-probe"):
    here: Hex
    path: tuple[Hex, ...]
    sp: Bag
    sub: Sub | None
    pair: tuple[int, Bag]
    plan: Secret | None = None
    inner: Decision | None = None
    flag: bool = False


PROBE = Probe(
    parse_hex("1623"),
    (parse_hex("1720"), parse_hex("0101")),
    bag(PRUSSIA, 3) + bag(FRANCE, 70),
    Sub(NOWHERE, (bag(PowerId(7), 2),)),
    (4, bag(PowerId(1), 1)),
    Covered(True),
    Probe(Hex(1), (), 0, None, (0, 0)),
    True,
)


def back(state: State) -> State:
    return restore(game_data(), dump(state))


def test_every_field_stands_in_the_text() -> None:
    assert list(json.loads(dump(some_state()))) == sorted(set(FIELDS) - {"scenario", "sallied"})
    draft = Draft(load("frederick").new_game("bohemia", {}))
    draft.sallied = frozenset({parse_hex("1623")})
    assert list(json.loads(dump(draft.freeze()))) == sorted(FIELDS)


def test_round_trip() -> None:
    state = some_state()
    again = back(state)
    assert again == state
    assert hash(again) == hash(state)
    assert dump(again) == dump(state)
    assert digest_text(dump(again)) == digest_text(dump(state))
    for name in FIELDS:
        assert type(getattr(again, name)) is type(getattr(state, name)), name


@pytest.mark.parametrize("seed", range(40))
def test_round_trip_of_random_positions(seed: int) -> None:
    state = random_state(seed)
    assert back(state) == state, f"seed {seed}"


def test_names_not_numbers() -> None:
    text = json.loads(dump(some_state()))
    assert text["stacks"][0]["hex"] == "1125"
    assert text["stacks"][0]["sp"] == {"prussia": 6, "hanover": 1}
    assert text["stacks"][0]["leaders"] == ["Schwerin"]
    assert text["allegiance"]["france"] == "austrian"
    assert text["spent"] == {"Frederick": 2}
    assert text["depots"]["1129"]["power"] == "austria"
    assert text["roster"]["Daun"] == "map"
    written = msgspec.to_builtins(FRAME.write(PROBE))
    assert written["path"] == ["1720", "0101"]
    assert written["sp"] == {"prussia": 3, "france": 70}
    assert written["sub"] == {"here": "", "sp": [{"empire": 2}]}


def test_text_does_not_depend_on_the_order_of_stacks() -> None:
    state = some_state()
    turned = dict(reversed(state.stacks.items()))
    assert dump(some_state(stacks=turned)) == dump(state)


def test_digest_tells_positions_apart() -> None:
    assert digest_text(dump(some_state())) != digest_text(dump(some_state(spent={leader("Frederick"): 3})))
    assert re.fullmatch("[0-9a-f]{16}", digest_text(dump(some_state())))


@pytest.mark.parametrize(("was", "now", "place"), rows("frederick-view-damaged"))
def test_a_damaged_text_is_invalid_and_the_place_named(was: bytes, now: bytes, place: str) -> None:
    text = dump(some_state())
    assert was in text
    with pytest.raises(Invalid, match=re.escape(place)):
        restore(game_data(), text.replace(was, now, 1))


def test_two_stacks_in_one_place() -> None:
    text = json.loads(dump(some_state()))
    text["stacks"].append(text["stacks"][0])
    with pytest.raises(Invalid, match="two stacks"):
        restore(game_data(), json.dumps(text).encode())


def test_every_decision_of_the_game_can_be_written() -> None:
    def kinds(base: type[Decision]) -> list[type[Decision]]:
        return [kind for sub in base.__subclasses__() for kind in (sub, *kinds(sub))]

    for kind in kinds(Decision):
        assert WAYS.of(kind)


RULES = load("frederick")


def force(state: State, name: str) -> State:
    stack = next(stack for stack in state.stacks.values() if leader(name) in stack.leaders)
    rest = {key: other for key, other in state.stacks.items() if other is not stack}
    return some_state(stacks=rest, moving=stack)


def key(name: str, side: int, inside: bool) -> int:
    return stack_key(hexagon(name), as_side(side), inside)


def parse(text: str, actor: int = PRUSSIAN, state: State | None = None) -> Any:
    return RULES.parse_action(state or some_state(), as_side(actor), text)


@pytest.mark.parametrize(("typed", "meant"), rows("frederick-view-what-people-type"))
def test_what_people_type(typed: str, meant: str | None) -> None:
    if meant is None:
        with pytest.raises(Invalid):
            parse(typed)
    else:
        written = RULES.format_action(some_state(), PRUSSIAN, parse(typed))
        assert re.sub(r"[-0-9]{14,}", "{way}", written) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("march DESTREES piccolomini +all 2211", "march d'Estrées Piccolomini +18 +2 Austria 2212-2211"),
        ("march estrees +all 2211", "march d'Estrées +18 2212-2211"),
        ("march de b 2309", "march de Broglie 2209-2309"),
        ("march broglie 2309", "march de Broglie 2209-2309"),
        ("place austria prague inside +1 odonnell", "place Austria 1125 inside +1 O'Donnell"),
        ("place france metz st germain du muy", "place France 0703 St. Germain du Muy"),
    ],
)
def test_names_with_spaces_and_accents(typed: str, meant: str) -> None:
    state = some_state()
    assert RULES.format_action(state, AUSTRIAN, parse(typed, AUSTRIAN, state)) == meant


def test_all_on_the_march() -> None:
    state = force(some_state(), "Schwerin")
    assert parse("drop +all", PRUSSIAN, state) == do.Drop(False, (), bag(PRUSSIA, 6) + bag(HANOVER, 1))
    assert parse("drop +all Hanover", PRUSSIAN, state) == do.Drop(False, (), bag(HANOVER, 1))


@pytest.mark.parametrize(("text", "word"), rows("frederick-view-not-understood"))
def test_what_is_not_understood_is_named(text: str, word: str) -> None:
    with pytest.raises(Invalid) as caught:
        parse(text)
    assert word in str(caught.value)


def test_a_way_goes_round_enemies_and_neutral_ground() -> None:
    action = parse("march Daun +5 1128-1124", AUSTRIAN)
    assert action.path[-1] == hexagon("1124")
    assert hexagon("1126") not in action.path[:-1]
    assert hexagon("1125") not in action.path[:-1]


def random_sp(rng: Random) -> Bag:
    return sum(bag(power, rng.choice((0, 0, 0, 1, 7, 30))) for power in ALL_POWERS)


def random_action(rng: Random, state: State, actor: int) -> Action:
    places = list(hexes_of(game_data().board.land))
    here, sp, flag = rng.choice(places), random_sp(rng), rng.random() < 0.5
    everybody = game_data().leader_ids
    some = tuple(sorted(rng.sample(everybody, rng.randrange(4))))
    stacks = [stack for stack in state.stacks.values() if stack.leaders]
    stack = rng.choice(stacks)
    chief, *others = rng.sample(stack.leaders, rng.randrange(1, len(stack.leaders) + 1))
    path = tuple(game_data().board.neighbours[stack.hex][:1])
    one = rng.choice(everybody)
    power = rng.choice(ALL_POWERS)
    return rng.choice(
        (
            do.March(chief, tuple(sorted(others)), sp, rng.choice(((), path, (stack.hex,))), flag),
            do.Drop(flag, some, sp),
            do.Take(flag, some, sp),
            do.Halt(flag),
            do.Shift(here, flag, some, sp),
            do.Garrison(some, sp),
            do.Follow(some, sp),
            do.Place(power, here, flag, some, sp, rng.choice((-1, stack_key(here, as_side(actor), flag)))),
            do.Lose(stack_key(here, as_side(actor), flag), power, rng.randrange(100)),
            do.Sack(one),
            do.Free(power, rng.randrange(50), here),
            do.Free(game_data().leaders[one].power, 0, here, one),
            do.Offer(one),
            do.Envoys(tuple(rng.randrange(5) for _ in range(6))),
            do.Raise(rng.randrange(40)),
            rng.choice((do.Build, do.Remove, do.Attack, do.Besiege, do.Retreat, do.PlaceDepot))(here),
            rng.choice((do.Quarter, do.Refuge))(here, flag),
        )
    )


@pytest.mark.parametrize("seed", range(60))
def test_format_and_parse_are_the_identity(seed: int) -> None:
    rng = Random(seed)
    state = random_state(seed)
    if not any(stack.leaders for stack in state.stacks.values()):
        return
    for _ in range(50):
        actor = rng.choice((PRUSSIAN, AUSTRIAN))
        action = random_action(rng, state, actor)
        text = RULES.format_action(state, as_side(actor), action)
        assert RULES.parse_action(state, as_side(actor), text) == action, f"seed {seed}: {text}"


@pytest.mark.parametrize("sp", [-1, 1 << 4000, True])
def test_a_march_with_what_is_no_strength_is_refused(sp: int) -> None:
    door = load("frederick")
    state = door.new_game("campaign", {})
    while "march" not in {str(pending.decision).lower() for pending in door.pending(state)}:
        actor = door.pending(state)[0].actor
        action = door.chances(state)[0][0] if actor == CHANCE else door.legal_actions(state, actor).default()
        state = door.apply(state, actor, action).state
    side = door.pending(state)[0].actor
    number = next(stack.leaders[0] for stack in state.stacks.values() if stack.side == side and stack.leaders)
    with pytest.raises(Illegal):
        door.apply(state, side, do.March(number, (), sp))
