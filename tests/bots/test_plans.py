import msgspec
import pytest

from leuthen.engine.refusal import Invalid
from leuthen.wargame.board import Hex
from leuthen.wargame.plans import (
    VERSION,
    Limits,
    Mission,
    Plan,
    Reason,
    Theatre,
    Thought,
    decode_thought,
    encode_thought,
    recall,
)
from leuthen.wargame.strength import LeaderId

SIEGE = Mission(
    "besiege",
    (LeaderId(3), LeaderId(5)),
    Hex(120),
    Limits(0.6, due=175707),
    Reason("take Prague", ("3 VP",), "O13.2", 0.4),
    175701,
)
COVER = Mission("cover", (LeaderId(7),), Hex(90))
PLAN = Plan((Theatre("Bohemia", (Hex(120),), (LeaderId(3), LeaderId(5))),), (SIEGE, COVER), {"saxony": 1})


def test_an_army_has_one_mission() -> None:
    relief = Mission("relieve", (LeaderId(5),), Hex(77))
    plan = PLAN.give(relief)
    assert plan.mission_of(LeaderId(5)) == relief
    assert plan.mission_of(LeaderId(3)) == msgspec.structs.replace(SIEGE, army=(3,))
    assert plan.cancel(LeaderId(7)).mission_of(LeaderId(7)) is None
    hold = Mission("hold", (LeaderId(3), LeaderId(5)), Hex(1))
    assert plan.give(hold).missions == (COVER, hold)


def test_a_leader_belongs_to_a_theatre() -> None:
    theatre = PLAN.theatre_of(LeaderId(5))
    assert theatre is not None
    assert theatre.name == "Bohemia"
    assert PLAN.theatre_of(LeaderId(7)) is None


def test_a_thought_comes_back_from_its_bytes() -> None:
    thought = Thought("frederick", 1, 9, 175701, PLAN, {"b": 1, "a": 2})
    assert decode_thought(encode_thought(thought)) == thought
    turned = msgspec.structs.replace(thought, notes={"a": 2, "b": 1})
    assert encode_thought(turned) == encode_thought(thought)


def test_a_thought_with_limits_of_before_can_be_read() -> None:
    thought = Thought("frederick", 1, 9, 175701, PLAN)
    text = encode_thought(thought).replace(b'"least_odds":0.6', b'"keeps_supply":true,"least_odds":0.6,"risk":0')
    assert b"risk" in text
    assert decode_thought(text) == thought


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"version": 1}', b'{"version": 1, "ruleset": 3}'])
def test_what_is_no_thought_is_refused(data: bytes) -> None:
    with pytest.raises(Invalid):
        decode_thought(data)


@pytest.mark.parametrize(
    ("missions", "why"),
    [
        ((SIEGE, Mission("hold", (LeaderId(5),))), "mission 2: its army has a mission already"),
        ((SIEGE, Mission("hold", ())), "mission 2 needs an army"),
    ],
)
def test_a_thought_with_a_strange_plan_is_refused(missions: tuple[Mission, ...], why: str) -> None:
    with pytest.raises(Invalid, match=why):
        decode_thought(encode_thought(Thought("frederick", 1, 9, plan=Plan(missions=missions))))


def test_a_thought_of_another_version_is_dropped_and_that_is_said() -> None:
    old = encode_thought(Thought("frederick", 1, 9, 175701, PLAN, version=VERSION + 1))
    thought, word = recall(old, "frederick", 1, 4)
    assert thought == Thought("frederick", 1, 4)
    assert f"version {VERSION + 1}" in word
    assert recall(encode_thought(Thought("frederick", 0, 9)), "frederick", 1, 4)[1]
    assert recall(b"", "frederick", 1, 4) == (Thought("frederick", 1, 4), "")
