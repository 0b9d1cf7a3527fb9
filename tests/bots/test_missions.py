from collections.abc import Iterator
from functools import cache
from typing import Any, Final

import msgspec
import pytest

from leuthen.engine.refusal import Illegal, Invalid
from leuthen.engine.ruleset import as_viewer
from leuthen.load import load, make_level
from leuthen.rulesets.campaigns.model.data import AUSTRIA
from leuthen.rulesets.campaigns.model.pieces import CAPTIVE, GONE
from leuthen.rulesets.campaigns.model.state import Draft as CampaignDraft
from leuthen.rulesets.campaigns.rules.r04_command.command import Orders
from leuthen.rulesets.frederick.model.pieces import CAPTIVE as PRISONER
from leuthen.rulesets.frederick.model.pieces import GONE as DEAD
from leuthen.rulesets.frederick.model.state import Draft
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.screen.forms import mission_form
from leuthen.wargame.board import Hex, hex_name
from leuthen.wargame.missions import Missions, Staff
from leuthen.wargame.names import number_named
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
from tests.bots.fields import COALITION, Field
from tests.bots.positions import War
from tests.rows import rows

BOTH: Final = pytest.mark.parametrize("name", ["frederick", "campaigns"])


@cache
def position(name: str) -> Any:
    state: Any
    if name == "frederick":
        war = War()
        war.prussians("1630", 20, "Frederick", "Keith")
        war.prussians("1528", 12, "Schwerin")
        war.austrians("1230", 10, "Browne")
        state = war.at(MarchPhase(0, die=4))
        gone = {"Ferdinand": PRISONER, "Maurice": DEAD}
    else:
        field = Field()
        field.place("1230", COALITION, AUSTRIA, 1)
        field.army("1630", "Frederick", 24)
        field.army("1630", "Keith", 10)
        field.army("1528", "Schwerin", 12)
        field.army("1034", "Browne", 10)
        state = field.at(Orders(0, 4))
        gone = {"Ferdinand": CAPTIVE, "Moritz": GONE}
    draft: Any = (Draft if name == "frederick" else CampaignDraft)(state)
    for who, status in gone.items():
        draft.set_roster(number_named(state.data.leaders, who), status)
    return draft.freeze()


def staff_of(name: str) -> tuple[Staff[Any], Any]:
    staff = make_level(name, "captain", 0, 0)
    assert isinstance(staff, Staff)
    return staff, load(name).view(position(name), as_viewer(0))


def missions_of(name: str) -> Missions:
    staff, view = staff_of(name)
    return staff.missions(view)


def lines(missions: Missions) -> Iterator[str]:
    for leader in missions.able:
        for kind in missions.KINDS:
            field = mission_form(missions, {"leader": str(leader), "kind": kind}).fields[-1]
            for choice in (*field.choices[:2], *field.choices[-1:]):
                form = mission_form(missions, {"leader": str(leader), "kind": kind, "place": choice.token})
                assert form.order, form.refused
                yield form.order


@BOTH
def test_a_form_leads_to_every_mission_and_its_line_gives_it(name: str) -> None:
    missions, given = missions_of(name), 0
    for line in lines(missions):
        told = missions.read(line)
        assert missions.write(told) == line
        (mission,) = [one for one in missions.after(told).missions if one.signed]
        assert mission.kind in line
        assert missions.stand(mission.army)[1]
        given += 1
    assert given > 30


@BOTH
def test_words_are_completed_to_the_same_missions(name: str) -> None:
    missions = missions_of(name)
    assert {"Frederick", "Schwerin", "drop"} <= set(missions.complete(""))
    assert [word for word in missions.complete("Frederick ") if word != "to"] == list(missions.KINDS)
    assert missions.complete("Frederick besiege K") == ["Königgrätz"]
    assert missions.complete("Frederick besiege Gla") == [], "Glatz is one's own"
    assert missions.complete("Frederick besiege 12") == ["1230"]
    assert "Schwerin" in missions.complete("drop ")


@BOTH
@pytest.mark.parametrize(("line", "why"), rows("missions-refused"))
def test_what_cannot_be_is_refused_and_changes_nothing(name: str, line: str, why: str) -> None:
    staff, view = staff_of(name)
    missions = staff.missions(view)
    water = next(hex_name(here) for here, land in missions.board.terrain.items() if land == "water")
    before = staff.thought
    with pytest.raises((Invalid, Illegal), match=why.format(water=water)):
        staff.set_mission(view, line.format(water=water))
    assert staff.thought == before


def test_who_joined_an_army_or_stands_near_a_siege_is_named() -> None:
    staff, view = staff_of("frederick")
    missions = staff.missions(view)
    told = missions.read("Frederick besiege Königgrätz")
    (mission,) = [one for one in missions.after(told).missions if one.signed]
    missions.plan = Plan(missions=(msgspec.structs.replace(mission, army=mission.army[:1]),))
    (army,) = missions.assignments()
    assert army.names == ("Frederick", "Keith"), "Keith has come since"
    assert "more in the field nearby" in army.line


def test_a_place_out_of_play_is_named_with_its_rule() -> None:
    """C14.4: Vienna is not a water hex."""
    rules = load("frederick")
    staff = make_level("frederick", "captain", 0, 0)
    assert isinstance(staff, Staff)
    view = rules.view(rules.new_game("bohemia", {}), as_viewer(0))
    with pytest.raises(Illegal, match=r"Vienna is beyond the part of the map that is played \(C14.4\)"):
        staff.set_mission(view, "Frederick besiege Vienna")


@pytest.mark.parametrize(("name", "line", "why"), [
    ("frederick", "Maurice hold Glatz", r"Maurice is dead or dismissed \(O2.5\)"),
    ("campaigns", "Moritz hold", r"Moritz has left the war \(R2.2\)"),
])  # fmt: skip
def test_the_dead_lead_nobody(name: str, line: str, why: str) -> None:
    staff, view = staff_of(name)
    with pytest.raises(Illegal, match=why):
        staff.set_mission(view, line)


def test_an_army_of_frederick_has_one_mission_that_of_its_commander() -> None:
    staff, view = staff_of("frederick")
    staff.set_mission(view, "Frederick besiege Königgrätz")
    with pytest.raises(Illegal, match="Keith is under Frederick: give the army's mission to him"):
        staff.set_mission(view, "Keith hold Glatz")
    (mission,) = [one for one in staff.missions(view).plan.missions if one.signed]
    assert [staff.missions(view).name(leader) for leader in mission.army] == ["Frederick", "Keith"]


@BOTH
def test_what_the_form_bars_the_words_refuse_with_the_same_reason(name: str) -> None:
    missions, compared = missions_of(name), 0
    for kind in ("besiege", "hunt"):
        for barred in mission_form(missions, {"leader": "Frederick", "kind": kind}).fields[-1].barred[:20]:
            with pytest.raises(Illegal) as refused:
                missions.read(f"Frederick {kind} {barred.token}")
            assert str(refused.value) == f"{barred.reason.text} ({barred.reason.rule})"
            assert barred.reason.place == barred.place
            compared += 1
    assert compared > 5


@BOTH
@pytest.mark.parametrize(("mission", "why"), [
    (Mission("hold", (LeaderId(9999),)), "mission 1: 9999 is not a leader of this game"),
    (Mission("hold", (LeaderId(-1),)), "mission 1: -1 is not a leader of this game"),
    (Mission("besiege", (LeaderId(1),), Hex(99999)), "mission 1: 99999 is not a hex of the map"),
])  # fmt: skip
def test_a_thought_of_what_is_not_in_the_game_is_dropped(name: str, mission: Mission, why: str) -> None:
    staff, view = staff_of(name)
    staff.thought = encode_thought(Thought(name, 0, 0, plan=Plan(missions=(mission,))))
    assert staff.word == f"The general starts a new plan: {why}."
    assert staff.missions(view).assignments()


@pytest.mark.parametrize(("name", "line", "price"), [
    ("frederick", "Frederick besiege Königgrätz", "no men at the first siege roll (O13.2); 1.2 SP a turn there out of"),
    ("frederick", "Frederick besiege Prague", "0.2 SP a siege roll (O13.2)"),
    ("campaigns", "Frederick besiege Königgrätz", "siege rolls cost no men (R11.3)"),
    ("campaigns", "Frederick hold 1034", "1 SP per turn there beyond the depots, 0 in stock; unfed 2.0 TP"),
])  # fmt: skip
def test_a_plan_names_what_men_sieges_and_marches_cost(name: str, line: str, price: str) -> None:
    staff, view = staff_of(name)
    staff.set_mission(view, line)
    (given,) = [one for one in staff.missions(view).assignments() if one.mission.signed]
    assert price in given.price
    assert given.line.endswith(f"Cost: {given.price}")


@BOTH
def test_a_mission_of_who_is_gone_is_not_told(name: str) -> None:
    staff, view = staff_of(name)
    missions = staff.missions(view)
    lost = next(number for number in missions.book.leaders.names if missions.name(number) == "Ferdinand")
    missions.plan = msgspec.structs.replace(missions.plan, missions=(Mission("hold", (lost,)),))
    assert missions.assignments() == []
    assert missions.complete("d") == []


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
