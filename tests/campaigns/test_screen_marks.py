from typing import Any

import pytest

from leuthen.rulesets.campaigns.model.data import AUSTRIA, PRUSSIA, GameOptions
from leuthen.rulesets.campaigns.model.pieces import HUNGRY, Coming, Siege, Unit
from leuthen.rulesets.campaigns.model.state import Draft, State
from leuthen.rulesets.campaigns.rules.r04_command.command import Command, Orders
from leuthen.rulesets.campaigns.rules.r18_setup import blank
from leuthen.screen.values import Piece, Scene
from leuthen.wargame.board import parse_hex
from leuthen.wargame.strength import LeaderId, PowerId, bag
from tests.campaigns.kit import rules

OPEN = "1819"
BRESLAU = "1733"


def number(name: str) -> LeaderId:
    return rules().data.leader_named(name)


def leader(name: str, place: str, points: int, **more: Any) -> Unit:
    nation = rules().data.leaders[number(name)].nation
    return Unit(number(name), parse_hex(place), tp=bag(nation, points), **more)


def position(*units: Unit, garrison: int = 0, siege: Siege | None = None, chit: int = 0) -> State:
    draft = Draft(blank(rules().data, "1757", GameOptions()))
    for unit in units:
        draft.put(unit)
    if garrison:
        draft.set_garrison(parse_hex(BRESLAU), bag(PowerId(0), garrison))
    if siege:
        draft.set_siege(parse_hex(BRESLAU), siege)
    draft.frames = (Command((1, 9)), Orders(0, chit)) if chit else ()
    draft.touched = set()
    return draft.freeze()


def scene(state: State) -> Scene:
    found: Scene = rules().presenter.scene(rules().view(state, 0))
    return found


def marks(piece: Piece) -> dict[str, str]:
    return {badge.code: badge.mark for badge in piece.badges}


@pytest.mark.parametrize(
    ("values", "code", "mark"),
    [
        ({"moved": True}, "marched", "M"),
        ({"shaken": 20}, "demoralized", "D"),
        ({"daunted": 20}, "daunted", "L"),
        ({"fodder": HUNGRY}, "hungry", "H"),
        ({"hunger": 2}, "unfed", "U"),
        ({"cornered": True}, "cornered", "!"),
    ],
)
def test_each_state_has_its_mark(values: dict[str, Any], code: str, mark: str) -> None:
    plain = scene(position(leader("Keith", OPEN, 12)))
    marked = scene(position(leader("Keith", OPEN, 12, **values)))
    assert code not in marks(plain.pieces["1819-0f"])
    assert marks(marked.pieces["1819-0f"]) == {code: mark}


def test_who_of_a_force_has_moved_is_named() -> None:
    piece = scene(position(leader("Keith", OPEN, 12, moved=True), leader("Frederick", OPEN, 30))).pieces["1819-0f"]
    (badge,) = piece.badges
    assert (badge.code, badge.text) == ("part-marched", "Keith: moved")


def test_a_counter_tells_ratings_nations_and_supply() -> None:
    piece = scene(position(leader("Frederick", OPEN, 30, sp=2), leader("Keith", OPEN, 12, sp=1))).pieces["1819-0f"]
    assert (piece.title, piece.strength, piece.ratings, piece.power) == ("Frederick", "42", "4-5-3-10", 0)
    assert "Frederick 4-5-3-10: 30 of 40 TP, 2 of 3 SP, senior leader of his nation" in piece.lines
    assert "Keith 3-3-1-9: 12 of 40 TP, 1 of 2 SP" in piece.lines
    assert [chip.name for chip in piece.leaders] == ["Frederick", "Keith"]


def test_a_wagon_shows_its_supply() -> None:
    wagon = Unit(rules().data.wagon(PowerId(0), 0), parse_hex(OPEN), sp=3)
    alone = scene(position(wagon))
    train = alone.pieces["1819-0f"]
    assert (train.title, train.strength, train.load) == ("Wagon P1", "W3", "")
    assert train.spoken.startswith("Wagon P1, 3 SP, at 1819")
    assert not alone.markers
    led = scene(position(wagon, leader("Keith", OPEN, 12, sp=2)))
    assert (led.pieces["1819-0f"].strength, led.pieces["1819-0f"].load) == ("12", "2")
    (marker,) = led.markers.values()
    assert (marker.mark, marker.place, marker.side) == ("W3", OPEN, 0)
    assert "3 of 4 SP" in marker.text


def test_a_siege_has_its_track() -> None:
    charles = leader("Charles", BRESLAU, 30, start=parse_hex(BRESLAU))
    shown = scene(position(charles, garrison=4, siege=Siege(2, 1, 2)))
    assert marks(shown.pieces["1733-0i"]) == {"besieged": "B"}
    assert marks(shown.pieces["1733-1f"]) == {"besieging": "S"}
    assert shown.holdings[BRESLAU].siege.split(", ") == [
        "1 of 3 breaches",
        "siege turn 2",
        "next breach at 3 or less",
        "surrender at 1 or less",
        "besieged in 2 steps G in a row",
    ]


def test_nobody_besieges_an_empty_place() -> None:
    shown = scene(position(leader("Charles", BRESLAU, 30)))
    assert not shown.pieces["1733-1f"].badges
    assert not shown.holdings[BRESLAU].siege


def test_a_place_counts_for_an_enemy_of_its_home_alone() -> None:
    draft = Draft(position())
    assert scene(draft.freeze()).holdings[BRESLAU].points == 0
    draft = Draft(position())
    draft.set_owner(parse_hex(BRESLAU), 1)
    shown = scene(draft.freeze()).holdings[BRESLAU]
    assert (shown.side, shown.points, shown.is_held) == (1, 5, False)


def left(state: State) -> list[str]:
    return [one.text for one in rules().presenter.left_undone(rules().view(state, 0))]


def test_who_has_not_moved_with_a_chit_is_left_undone() -> None:
    assert left(position(leader("Keith", OPEN, 12), chit=3)) == ["Keith, 12 TP at 1819 has not moved"]
    assert not left(position(leader("Keith", OPEN, 12), chit=2))
    assert not left(position(leader("Keith", OPEN, 12, moved=True), chit=3))


def test_a_demoralized_leader_who_has_to_go_stands_first() -> None:
    units = leader("Schwerin", OPEN, 30), leader("Keith", OPEN, 12, daunted=20, shaken=20)
    first, *_ = left(position(*units, chit=3))
    assert first == "Keith is demoralized: he has to march to a fort first"


def test_an_undefended_place_may_still_be_taken() -> None:
    draft = Draft(position(leader("Keith", BRESLAU, 12), chit=3))
    draft.set_owner(parse_hex(BRESLAU), 1)
    assert any("is undefended" in text for text in left(draft.freeze()))


def test_who_is_on_the_way_stands_in_one_line_for_each_nation_and_date() -> None:
    draft = Draft(position())
    draft.coming = (
        Coming(32, PRUSSIA, 2),
        Coming(32, PRUSSIA, 3),
        Coming(32, PRUSSIA, 0, number("Keith")),
        Coming(33, AUSTRIA, 1),
    )
    notes = [note for note in scene(draft.freeze()).notes if note.startswith("On the way")]
    assert notes == [
        "On the way to Prussia: 5 TP, Keith, early November 1757 (V7.3)",
        "On the way to Austria: 1 TP, late November 1757 (V7.3)",
    ]


def test_the_cup_shows_every_chit_of_the_turn() -> None:
    wagon = Unit(rules().data.wagon(PowerId(0), 0), parse_hex(OPEN), sp=3)
    shown = scene(position(wagon, leader("Keith", OPEN, 12), leader("Charles", BRESLAU, 30), chit=3))
    (cup,) = shown.trays
    assert cup.text == "2 in the cup"
    assert cup.tokens[1].text == "Prussian side, chit 3: out now"
    assert [(token.side, token.mark, token.when) for token in cup.tokens] == [
        (0, "1", "next"),
        (0, "3", "now"),
        (1, "1", "next"),
    ]


def test_a_siege_tells_what_the_next_rolls_have_to_be() -> None:
    charles = leader("Charles", BRESLAU, 30, start=parse_hex(BRESLAU))
    (meter,) = scene(position(charles, garrison=4, siege=Siege(2, 1, 2))).meters
    assert (meter.place, meter.side, meter.value, meter.most, meter.text) == (BRESLAU, 1, 1, 3, "1 of 3 breaches")
    assert meter.lines[1:] == (
        "Breach at 3 or less: die, −1 four to one (R11.3)",
        "Surrender at 1 or less: die, −1 four to one (R11.4)",
    )
