from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from leuthen.screen.values import Badge, HeldFortress, Piece, Scene, Score
from leuthen.server.session.streams import difference
from tests.server.test_stream import merged

badges = st.builds(Badge, st.sampled_from("ab"), st.just("m"), st.text(max_size=2), st.just("O1"))
pieces = st.builds(
    Piece,
    place=st.sampled_from(["1623", "1624"]),
    side=st.integers(0, 2),
    inside=st.booleans(),
    power=st.integers(0, 2),
    title=st.text(max_size=2),
    ratings=st.just("1-1-1"),
    strength=st.sampled_from(["?", "4–9"]),
    low=st.integers(0, 2),
    high=st.integers(0, 2),
    is_known=st.booleans(),
    spoken=st.just(""),
    since=st.sampled_from(["", "now"]),
    badges=st.lists(badges, max_size=2).map(tuple),
)
keys = st.sampled_from(["a", "b", "c"])
scenes = st.builds(
    Scene,
    viewer=st.integers(0, 3),
    title=st.text(max_size=2),
    phase=st.just("march"),
    year=st.integers(1756, 1757),
    turn=st.just(1),
    phasing=st.just(0),
    pieces=st.dictionaries(keys, pieces),
    markers=st.just({}),
    holdings=st.dictionaries(keys, st.builds(HeldFortress, st.integers(0, 1), st.booleans(), st.just(3), st.just(""))),
    scores=st.lists(st.builds(Score, st.just("vp"), st.just("VP"), st.just((1, 2)), st.just(""), st.just(""))).map(
        tuple
    ),
    stages=st.just(()),
    powers=st.just(()),
    musters=st.just(()),
    notes=st.lists(st.text(max_size=2), max_size=2).map(tuple),
    result=st.sampled_from(["", "won"]),
)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@settings(max_examples=30)
@given(scenes, scenes)
def test_a_patch_makes_one_scene_into_another(before: Scene, after: Scene) -> None:
    assert merged(plain(before), plain(difference(before, after))) == plain(after)


@given(scenes)
def test_nothing_is_told_of_what_is_the_same(scene: Scene) -> None:
    assert difference(scene, msgspec.convert(plain(scene), Scene)) == {}


@given(scenes, scenes, scenes)
def test_a_patch_may_come_twice(one: Scene, two: Scene, three: Scene) -> None:
    patches = plain(difference(one, two)), plain(difference(two, three))
    scene = plain(three)
    for patch in patches:
        scene = merged(scene, patch)
    assert scene == plain(three)


def test_only_the_piece_that_changed_is_sent() -> None:
    one = Scene(0, "", "", 1756, 1, 0, {}, {}, {}, (), (), (), ())
    piece = Piece("1623", 0, False, 0, "Keith", "1-1-2", "4", 4, 4, True, "")
    two = msgspec.structs.replace(one, pieces={"a": piece, "b": piece})
    three = msgspec.structs.replace(two, pieces={"a": msgspec.structs.replace(piece, low=3), "b": piece})
    assert difference(two, three) == {"pieces": {"a": {"low": 3}}}
    assert difference(three, one) == {"pieces": {"a": None, "b": None}}
