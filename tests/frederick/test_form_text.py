from collections.abc import Mapping

import pytest

from leuthen.rulesets.frederick.model.actions import March
from leuthen.rulesets.frederick.model.data import AUSTRIA, PRUSSIA
from leuthen.rulesets.frederick.model.pieces import AUSTRIAN, PRUSSIAN
from leuthen.rulesets.frederick.rules.o05_march import MarchPhase
from leuthen.rulesets.frederick.rules.o06_force_march import ForceMarchPhase
from leuthen.rulesets.frederick.rules.o09_combat import CombatPhase
from leuthen.rulesets.frederick.rules.o09_retreat import Routed
from leuthen.screen.values import Objection
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import bag
from tests.frederick.formkit import door, fed_by_depots, form, labels, marching
from tests.frederick.handmade import Table, leader


def test_a_click_on_a_stack_names_its_commander() -> None:
    for at in ("1632", "1632-0f"):
        found = form(marching(), at=at)
        assert [field.value for field in found.fields[:3]] == ["march", str(leader("Keith")), "-1"]
        assert found.start == "1632"
        assert not found.order
    inside = form(marching(), at="1733-0i")
    assert inside.fields[1].value == str(leader("Winterfeldt"))
    assert form(marching(), at="1634").refused == (Objection("", "nothing can be done there now"),)


def test_the_summary_says_who_commands_and_who_stays() -> None:
    found = form(marching(), leader=str(leader("Keith")), sp_0="10")
    assert found.summary == (
        "Keith 1-1-2 commands 10 SP",
        "Zieten 2-2-1 stays behind with 2 SP Prussia, 3 SP Hanover",
        "MP: die 4 + initiative 1 = 5; 0 spent, 5 left",
    )
    both = form(marching(die=6), leader=str(leader("Keith")), companions_0=str(leader("Zieten")))
    assert both.summary[0] == "Keith 1-1-2 commands 12 SP, with Zieten"
    assert both.summary[1:] == (
        "3 SP stay behind without a leader (O8.6)",
        "MP: die 6 + initiative 1 = 7, at most 6; 0 spent, 6 left",
    )


def test_a_far_hex_makes_a_whole_leg() -> None:
    found = form(marching(), leader=str(leader("Keith")), path="1634")
    assert found.order == "march Keith +12 1632-1633-1634"
    assert found.summary[3:6] == (
        "1633: 2 MP: enemy zone +1",
        "1634 Brieg: 1 MP",
        "Meets Daun, 4–9 SP: the march ends there (O5.8)",
    )
    assert found.odds is not None
    assert [case.label.split(" SP")[0] for case in found.odds.cases][0::7] == ["4"]
    assert found.reach["1633"].left == 3
    again = form(marching(), leader=str(leader("Keith")), path_0="1633", path="1634")
    assert again.order == found.order
    assert "1632" in again.reach
    assert form(marching(), leader=str(leader("Keith")), path="1633-1634").order == found.order


def test_why_a_far_hex_is_out_of_reach() -> None:
    found = form(marching(die=1), leader=str(leader("Keith")), path="1634")
    assert not found.order
    (reason,) = found.refused
    assert (reason.rule, reason.place) == ("O5.3", "1634")
    assert reason.text == "1634 needs 3 MP, has 2 (1633 2 MP: enemy zone +1; 1634 1 MP)"
    nowhere = form(marching(), leader=str(leader("Keith")), path="moon")
    assert nowhere.refused[0].text == "«moon» is no town or hex"


@pytest.mark.parametrize(
    ("partial_order", "rule", "text"),
    [
        ({"path_0": "1732"}, "", ""),
        ({"path_0": "1634"}, "O5.13", "1634 is not next to 1632"),
        ({"companions_0": "0"}, "O5.15", "Frederick is not in that stack"),
        ({"sp_0": "13"}, "O2.4", "only 12 SP of Prussia are there"),
        ({"sp_3": "1"}, "O5.1", "SP of Hanover need a leader of Hanover in the force"),
        (
            {"path_0": "1633", "path_1": "1634", "path_2": "1635"},
            "O5.8",
            "an enemy stack or fortress is there: the leg ends at 1634",
        ),
    ],
)
def test_why_not(partial_order: Mapping[str, str], rule: str, text: str) -> None:
    found = form(marching(), PRUSSIAN, leader=str(leader("Keith")), **partial_order)
    assert [(one.rule, one.text) for one in found.refused] == ([(rule, text)] if rule else [])


def test_who_cannot_march_says_why() -> None:
    state = marching(spent={leader("Zieten"): 6})
    found = form(state, do="march", leader=str(leader("Zieten")))
    assert found.refused == (Objection("O5.13", "Zieten has no movement points left in this phase", "1632"),)
    barred = {one.label: one.reason.rule for one in found.fields[1].barred}
    assert barred == {"Zieten 2-2-1": "O5.13"}
    assert {choice.label: choice.price for choice in found.fields[1].choices}["Keith 1-1-2"] == "5 MP"


def test_the_price_of_a_hex_says_what_makes_it_dear() -> None:
    found = form(marching(), leader=str(leader("Keith")))
    prices = {choice.token: choice.price for choice in found.fields[-1].choices}
    assert prices["1633"] == "2 MP: enemy zone +1, 3 left"
    assert found.fields[-1].choices[0].place == found.fields[-1].choices[0].token


def test_an_attack_shows_whom_it_is_against_as_he_is_known() -> None:
    table = Table()
    table.put("1126", PRUSSIAN, bag(PRUSSIA, 20), "Frederick")
    table.put("1126", AUSTRIAN, bag(AUSTRIA, 15), "Daun", low=9, high=20, since=175702)
    found = form(table.state(frames=(CombatPhase(PRUSSIAN, PRUSSIAN),)), at="1126")
    assert found.order == "attack 1126"
    assert labels(found, "hex") == {"1126": "1126: Daun, 9–20 SP"}
    assert found.odds is not None
    assert found.odds.cases[0].label == "9 SP, 222 %"
    assert found.odds.notes[1].startswith("Enemy strength 9 to 20.")


def test_a_force_march_shows_its_dice() -> None:
    state = marching()
    state = Table().state(frames=(ForceMarchPhase(PRUSSIAN),), stacks=state.stacks)
    found = form(state, leader=str(leader("Keith")))
    assert found.order == "march Keith +12"
    assert found.odds is not None
    assert [part.label for part in found.odds.cases[0].results] == ["2 MP", "3 MP", "4 MP", "5 MP", "6 MP"]
    assert found.odds.cases[0].spreads[0].label == "SP that we lose"
    parsed = door().parse_action(state, PRUSSIAN, found.order)
    assert parsed == March(leader("Keith"), (), bag(PRUSSIA, 12))


def test_the_board_of_a_form_is_the_board_of_the_game() -> None:
    found = form(marching(), leader=str(leader("Keith")))
    assert all(parse_hex(here) in door().data.board.terrain for here in found.reach)
    assert all(one.place != "" for one in found.fields[-1].barred)


def test_an_overwhelming_attack_shows_what_it_needs_and_what_follows() -> None:
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 20), "Keith")
    table.put("1634", AUSTRIAN, bag(AUSTRIA, 5), "Daun", low=4, high=9, since=175702)
    state = table.state(frames=(MarchPhase(PRUSSIAN, 6),))
    found = form(state, leader=str(leader("Keith")), path="1634", overwhelm="1")
    assert found.order == "march Keith +20 1632-1633-1634 !"
    assert found.odds is not None
    assert [case.label for case in found.odds.cases][:2] == ["4 to 5 SP", "6 or more SP"] or found.odds.cases[1].label
    assert found.odds.cases[0].results[0].label == "succeeds"
    assert found.odds.cases[2].label.startswith("6 SP, 333 %")


def test_where_the_march_begins_it_attacks_with_the_friends_who_stay() -> None:
    """The force overwhelms alone; if that fails, the battle is that of the whole stack (O5.17)."""
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 20), "Keith", "Zieten")
    table.put("1632", AUSTRIAN, bag(AUSTRIA, 5), "Daun", low=4, high=9, since=175702)
    state = table.state(frames=(MarchPhase(PRUSSIAN, 6),))
    found = form(state, leader=str(leader("Zieten")), sp_0="8", path="1632")
    assert found.order == "march Zieten +8 1632 !"
    assert found.odds is not None
    assert found.odds.notes == ("Overwhelming with 8 SP against 4 to 9 SP is hopeless (O5.9)",)
    assert found.odds.cases[1].label == "4 SP, 500 %"


def test_what_an_order_brings_with_it() -> None:
    assert form(fed_by_depots(), do="build").summary == (
        "Depot 2 of 6 of Prussia (O10.4, O10.11)",
        "It is complete in your next Depot Phase if SP stay there and the hex keeps its supply (O10.10)",
    )
    (cut,) = form(fed_by_depots(), do="remove").summary
    assert cut == "Out of supply without it: Zieten, 4 SP, at 1128 Kolin (O10.2)"
    assert not form(fed_by_depots("1231"), do="remove", hex="1330").summary


def test_the_one_hex_that_is_always_allowed_is_named_so() -> None:
    table = Table()
    table.put("1632", PRUSSIAN, bag(PRUSSIA, 12), "Keith")
    table.put("1634", AUSTRIAN, bag(AUSTRIA, 9), "Daun")
    state = table.state(frames=(MarchPhase(PRUSSIAN, 1),), turn=17)  # 1 + 1 - 1 MP
    found = form(state, leader=str(leader("Keith")))
    prices = {choice.token: choice.price for choice in found.fields[-1].choices}
    assert prices["1633"] == "2 MP: enemy zone +1, the one hex that is always allowed (O5.6), 0 left"
    assert found.reach["1633"].price == "2 MP: enemy zone +1, the one hex that is always allowed (O5.6)"
    assert found.reach["1633"].left == 0


def test_nothing_is_in_reach_where_the_leg_has_ended() -> None:
    found = form(marching(), leader=str(leader("Keith")), path_0="1633", path_1="1634")
    assert found.order.endswith("1633-1634")
    assert not found.reach


def test_why_nothing_is_overwhelmed() -> None:
    found = form(marching(die=2), leader=str(leader("Keith")), path="1634")
    (flag,) = [field for field in found.fields if field.key == "overwhelm"]
    assert [(one.token, one.reason.text) for one in flag.barred] == [
        ("1", "an overwhelming attack needs 1 MP more, 0 left")
    ]


def test_a_beaten_stack_sees_how_far_it_would_have_to_go() -> None:
    table = Table()
    table.put("1631", PRUSSIAN, bag(PRUSSIA, 6), "Keith")
    table.put("1631", AUSTRIAN, bag(AUSTRIA, 9), "Daun")
    found = form(table.state(frames=(Routed(PRUSSIAN, parse_hex("1631"), 1),)), do="done")
    assert found.order == "done"
    assert found.odds is not None
    assert [(part.label, part.odds) for part in found.odds.cases[0].results] == [
        *((f"{hexes} hexes", "1/6") for hexes in range(2, 6)),
        ("6 hexes", "1/3"),
    ]
    inside = form(table.state(frames=(Routed(PRUSSIAN, parse_hex("1631"), 1),)), do="shelter")
    assert (inside.order, inside.odds) == ("shelter inside", None)
