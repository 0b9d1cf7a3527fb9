from collections.abc import Iterator, Sequence
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
from leuthen.wargame.bot.commander import Commander, Staff
from leuthen.wargame.missions import (
    VERSION,
    Limits,
    Mission,
    Missions,
    Plan,
    Reason,
    Thought,
    decode_thought,
    encode_thought,
    recall,
)
from leuthen.wargame.names import number_named
from leuthen.wargame.strength import LeaderId
from tests.bots import campaign_positions, frederick_positions
from tests.rows import rows

each_ruleset: Final = pytest.mark.parametrize("name", ["frederick", "campaigns"])


@cache
def state_of(name: str) -> Any:
    position: Any
    if name == "frederick":
        position = frederick_positions.Position()
        position.prussians("1630", 20, "Frederick", "Keith")
        position.prussians("1528", 12, "Schwerin")
        position.austrians("1230", 10, "Browne")
        state = position.at(MarchPhase(0, die=4))
        gone = {"Ferdinand": PRISONER, "Maurice": DEAD}
    else:
        position = campaign_positions.Position()
        position.place("1230", campaign_positions.COALITION, AUSTRIA, 1)
        position.army("1630", "Frederick", 24)
        position.army("1630", "Keith", 10)
        position.army("1528", "Schwerin", 12)
        position.army("1034", "Browne", 10)
        state = position.at(Orders(0, 4))
        gone = {"Ferdinand": CAPTIVE, "Moritz": GONE}
    draft: Any = (Draft if name == "frederick" else CampaignDraft)(state)
    for who, status in gone.items():
        draft.set_roster(number_named(state.data.leaders, who), status)
    return draft.freeze()


def staff_of(name: str) -> tuple[Staff, Any]:
    staff = make_level(name, "captain", 0, 0)
    assert isinstance(staff, Commander)
    return staff, load(name).view(state_of(name), as_viewer(0))


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


@each_ruleset
def test_the_form_offers_every_mission_with_its_line(name: str) -> None:
    missions, count = missions_of(name), 0
    for line in lines(missions):
        parsed = missions.read(line)
        assert missions.write(parsed) == line
        (mission,) = [one for one in missions.after(parsed).missions if one.signed]
        assert mission.kind in line
        assert missions.stand(mission.army)[1]
        count += 1
    assert count > 30


@each_ruleset
def test_typed_missions_are_completed(name: str) -> None:
    missions = missions_of(name)
    assert {"Frederick", "Schwerin", "drop"} <= set(missions.complete(""))
    assert [word for word in missions.complete("Frederick ") if word != "to"] == list(missions.KINDS)
    assert missions.complete("Frederick besiege K") == ["Königgrätz"]
    assert missions.complete("Frederick besiege Gla") == [], "Glatz is one's own"
    assert missions.complete("Frederick besiege 12") == ["1230"]
    assert "Schwerin" in missions.complete("drop ")


@each_ruleset
@pytest.mark.parametrize(("line", "reason"), rows("missions-refused"))
def test_an_impossible_mission_changes_nothing(name: str, line: str, reason: str) -> None:
    staff, view = staff_of(name)
    missions = staff.missions(view)
    water = next(hex_name(here) for here, land in missions.board.terrain.items() if land == "water")
    before = staff.thought
    with pytest.raises((Invalid, Illegal), match=reason.format(water=water)):
        staff.set_mission(view, line.format(water=water))
    assert staff.thought == before


def test_an_assignment_names_new_leaders_and_enemies() -> None:
    staff, view = staff_of("frederick")
    missions = staff.missions(view)
    parsed = missions.read("Frederick besiege Königgrätz")
    (mission,) = [one for one in missions.after(parsed).missions if one.signed]
    missions.plan = Plan(missions=(msgspec.structs.replace(mission, army=mission.army[:1]),))
    (army,) = missions.assignments()
    assert army.names == ("Frederick", "Keith"), "Keith has come since"
    assert "more in the field nearby" in army.line


def test_a_place_out_of_play_is_refused_with_its_rule() -> None:
    rules = load("frederick")
    staff = make_level("frederick", "captain", 0, 0)
    assert isinstance(staff, Commander)
    view = rules.view(rules.new_game("bohemia", {}), as_viewer(0))
    with pytest.raises(Illegal, match=r"Vienna is beyond the part of the map that is played \(C14.4\)"):
        staff.set_mission(view, "Frederick besiege Vienna")


@pytest.mark.parametrize(("name", "line", "reason"), [
    ("frederick", "Maurice hold Glatz", r"Maurice is dead or dismissed \(O2.5\)"),
    ("campaigns", "Moritz hold", r"Moritz has left the war \(R2.2\)"),
])  # fmt: skip
def test_a_leader_who_is_gone_gets_no_mission(name: str, line: str, reason: str) -> None:
    staff, view = staff_of(name)
    with pytest.raises(Illegal, match=reason):
        staff.set_mission(view, line)


def test_only_the_commander_gets_the_mission_of_an_army() -> None:
    staff, view = staff_of("frederick")
    staff.set_mission(view, "Frederick besiege Königgrätz")
    with pytest.raises(Illegal, match="Keith is under Frederick: give the army's mission to him"):
        staff.set_mission(view, "Keith hold Glatz")
    (mission,) = [one for one in staff.missions(view).plan.missions if one.signed]
    assert [staff.missions(view).name(leader) for leader in mission.army] == ["Frederick", "Keith"]


@each_ruleset
def test_form_and_words_refuse_for_the_same_reason(name: str) -> None:
    missions, compared = missions_of(name), 0
    for kind in ("besiege", "hunt"):
        for barred in mission_form(missions, {"leader": "Frederick", "kind": kind}).fields[-1].barred[:20]:
            with pytest.raises(Illegal) as refused:
                missions.read(f"Frederick {kind} {barred.token}")
            assert str(refused.value) == f"{barred.reason.text} ({barred.reason.rule})"
            assert barred.reason.place == barred.place
            compared += 1
    assert compared > 5


@each_ruleset
@pytest.mark.parametrize(("mission", "reason"), [
    (Mission("hold", (LeaderId(9999),)), "mission 1: 9999 is not a leader of this game"),
    (Mission("hold", (LeaderId(-1),)), "mission 1: -1 is not a leader of this game"),
    (Mission("besiege", (LeaderId(1),), Hex(99999)), "mission 1: 99999 is not a hex of the map"),
])  # fmt: skip
def test_a_thought_about_unknown_pieces_is_discarded(name: str, mission: Mission, reason: str) -> None:
    staff, view = staff_of(name)
    staff.thought = encode_thought(Thought(name, 0, 0, plan=Plan(missions=(mission,))))
    assert staff.word == f"The general starts a new plan: {reason}."
    assert staff.missions(view).assignments()


@pytest.mark.parametrize(("name", "line", "price"), [
    ("frederick", "Frederick besiege Königgrätz", "no men at the first siege roll (O13.2); 1.2 SP a turn there out of"),
    ("frederick", "Frederick besiege Prague", "0.2 SP a siege roll (O13.2)"),
    ("campaigns", "Frederick besiege Königgrätz", "siege rolls cost no men (R11.3)"),
    ("campaigns", "Frederick hold 1034", "1 SP per turn there beyond the depots, 0 in stock; unfed 2.0 TP"),
])  # fmt: skip
def test_an_assignment_names_its_cost(name: str, line: str, price: str) -> None:
    staff, view = staff_of(name)
    staff.set_mission(view, line)
    (assignment,) = [one for one in staff.missions(view).assignments() if one.mission.signed]
    assert price in assignment.price
    assert assignment.line.endswith(f"Cost: {assignment.price}")


@each_ruleset
def test_a_mission_of_a_captive_is_not_listed(name: str) -> None:
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
PLAN = Plan((SIEGE, COVER), {"saxony": 1})


def test_a_leader_has_one_mission() -> None:
    relief = Mission("relieve", (LeaderId(5),), Hex(77))
    plan = PLAN.give(relief)
    assert plan.mission_of(LeaderId(5)) == relief
    assert plan.mission_of(LeaderId(3)) == msgspec.structs.replace(SIEGE, army=(3,))
    assert plan.cancel(LeaderId(7)).mission_of(LeaderId(7)) is None
    hold = Mission("hold", (LeaderId(3), LeaderId(5)), Hex(1))
    assert plan.give(hold).missions == (COVER, hold)


def test_a_thought_survives_its_bytes() -> None:
    thought = Thought("frederick", 1, 9, 175701, PLAN, {"b": 1, "a": 2})
    assert decode_thought(encode_thought(thought)) == thought
    reordered = msgspec.structs.replace(thought, notes={"a": 2, "b": 1})
    assert encode_thought(reordered) == encode_thought(thought)


def test_a_thought_with_older_limits_is_read() -> None:
    thought = Thought("frederick", 1, 9, 175701, PLAN)
    text = encode_thought(thought).replace(b'"least_odds":0.6', b'"keeps_supply":true,"least_odds":0.6,"risk":0')
    assert b"risk" in text
    assert decode_thought(text) == thought


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"version": 1}', b'{"version": 1, "ruleset": 3}'])
def test_malformed_thoughts_are_refused(data: bytes) -> None:
    with pytest.raises(Invalid):
        decode_thought(data)


@pytest.mark.parametrize(
    ("missions", "reason"),
    [
        ((SIEGE, Mission("hold", (LeaderId(5),))), "mission 2: its army has a mission already"),
        ((SIEGE, Mission("hold", ())), "mission 2 needs an army"),
    ],
)
def test_a_thought_with_an_inconsistent_plan_is_refused(missions: tuple[Mission, ...], reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        decode_thought(encode_thought(Thought("frederick", 1, 9, plan=Plan(missions=missions))))


def _any_plan(missions: Sequence[Mission]) -> None:
    pass


def test_a_thought_of_another_version_is_discarded() -> None:
    old = encode_thought(Thought("frederick", 1, 9, 175701, PLAN, version=VERSION + 1))
    fresh = Thought("frederick", 1, 4)
    thought, word = recall(old, fresh, _any_plan)
    assert thought == fresh
    assert f"version {VERSION + 1}" in word
    assert recall(encode_thought(Thought("frederick", 0, 9)), fresh, _any_plan)[1]
    assert recall(b"", fresh, _any_plan) == (fresh, "")


def test_a_siege_counts_the_enemy_in_the_field() -> None:
    staff = make_level("frederick", "captain", 0, 0)
    assert isinstance(staff, Commander)
    rules = load("frederick")
    missions = staff.missions(rules.view(rules.new_game("bohemia", {}), as_viewer(0)))
    odds = [
        missions.after(missions.read(f"{name} besiege Prague")).missions[-1].reason.odds
        for name in ("Brunswick", "Frederick")
    ]
    assert odds[0] is not None
    assert odds[1] is not None
    assert odds[0] < 0.1 < odds[1] < 0.5
