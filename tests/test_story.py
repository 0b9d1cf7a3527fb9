from typing import Any

import pytest

from leuthen.load import ruleset
from leuthen.screen.story import DatedEntry, Moment, commanders, make_story
from leuthen.screen.values import UNLED, BattleReport, BattleSide, Fate, LogEntry, LostForce
from leuthen.wargame.board import around, parse_hex
from leuthen.wargame.war import Battlefields, hex_distance
from tests.rows import rows

SIDES = ("Prussia", "the Coalition")
FREDERICK = ruleset("frederick").data
FIELDS = Battlefields(
    FREDERICK.places, [(fort.name, here) for here, fort in FREDERICK.fortresses.items()], FREDERICK.fought
)


def report(name: str, winner: int, lost: tuple[int, int], taken: int = 0) -> BattleReport:
    first, second = BattleSide("Frederick", 14, lost[0]), BattleSide("Daun", 22, lost[1], taken)
    return BattleReport(name, "1128", 0, winner, "SP", (first, second))


def line(turn: int, **facts: Any) -> DatedEntry:
    return DatedEntry(turn, LogEntry(event="x", text="told", rule="", **facts))


@pytest.mark.parametrize(("place", "name"), rows("story-battlefields"))
def test_a_battle_is_called_after_the_nearest_battlefield(place: str, name: str) -> None:
    assert FIELDS.name(parse_hex(place)) == name


def test_what_the_war_did_is_told_on_its_fields_alone() -> None:
    assert FIELDS.history(parse_hex("1128")) == (
        "Kolin, 18 June 1757: Daun with 54,000 men held out against Frederick with 34,000; they lost 8,100 and 13,700"
    )
    assert FIELDS.history(parse_hex("1127")).startswith("Kolin")
    assert FIELDS.history(parse_hex("1432")) == ""
    assert FIELDS.history(parse_hex("0826")) == ""


def test_all_fields_of_the_war_are_on_the_map() -> None:
    assert len(FIELDS.fields) == len(FREDERICK.fought) == 14


@pytest.mark.parametrize("place", ["1128", "1229", "2420"])
def test_neighbours_are_one_hex_apart(place: str) -> None:
    here = parse_hex(place)
    assert {hex_distance(here, there) for there in around(here)} == {1}
    assert {hex_distance(here, two) for there in around(here) for two in around(there)} == {0, 1, 2}


def test_a_year_is_told_in_three_sentences() -> None:
    moments = [
        Moment(1757, "early June", {"vp": (60, 50)}),
        Moment(1757, "late June", {"vp": (60, 50)}),
        Moment(1758, "late April", {"vp": (50, 60)}),
    ]
    lines = [
        line(0, battle=report("Kolin", 1, (6, 2))),
        line(1, battle=report("Lobositz", 2, (3, 3))),
        line(1, gained="Dresden", side=0),
        line(1, gained="Glatz", side=1),
        line(1, topic="politics"),
        line(2, battle=report("Zorndorf", 0, (1, 1), 2)),
    ]
    back = [line(1, gained="Torgau", side=0), line(2, gained="Torgau", side=1)]
    story = make_story(("Prussia", "Coalition"), moments, lines, "Victory points", is_over=False)
    first, second = story.years
    assert first.sentences == (
        "Two battles were fought: Prussia won none, the Coalition one, and one had no winner. "
        "The bloodiest was Kolin in early June, where Daun beat Frederick, at a combined cost of 8 SP.",
        "Dresden fell to Prussia, and Glatz fell to the Coalition.",
        "Victory points: 60 to 50 at the start of the year, 50 to 60 at the end of the year; Prussia lost 10, "
        "the Coalition gained 10, a swing of 20 to the Coalition.",
    )
    assert [(news.heading, news.lines) for news in first.news] == [("Diplomacy and alliances", ("told",))]
    assert second.sentences[0].startswith("One battle was fought: Zorndorf in late April, where Frederick beat Daun")
    assert second.sentences[1:] == (
        "No fortress changed hands.",
        "Victory points: 50 to 60 at the start of the year, 50 to 60 now; neither side gained.",
    )
    assert story.war == (
        "Three battles were fought: Prussia won one, the Coalition one, and one had no winner. "
        "The bloodiest was Kolin in early June 1757, where Daun beat Frederick, at a combined cost of 8 SP.",
        "Dresden fell to Prussia, and Glatz fell to the Coalition.",
    )
    assert make_story(("Prussia", "Coalition"), moments, lines + back, "Victory points").war == story.war
    assert make_story(("Prussia", "Coalition"), moments[:2], lines[:5], "Victory points").war == ()


OVERRUN = LostForce(1, "near Kolin", 9, "SP", "was overrun")
ARMS = LostForce(0, "near Maxen", 5, "SP", "laid down its arms")


@pytest.mark.parametrize(
    ("lost", "sentence"),
    [
        ([OVERRUN], "The Coalition lost a whole force, 9 SP near Kolin in early June, which was overrun."),
        (
            [ARMS, ARMS],
            "Prussia lost two whole forces; the largest, 5 SP near Maxen in early June, laid down its arms.",
        ),
        (
            [ARMS, OVERRUN, ARMS],
            "Prussia lost two whole forces and the Coalition lost one whole force; the largest, 9 SP near Kolin in "
            "early June, was lost by the Coalition and was overrun.",
        ),
    ],
)
def test_a_year_tells_of_forces_that_were_lost_without_a_battle(lost: list[LostForce], sentence: str) -> None:
    moments = [Moment(1757, "early June", {"vp": (60, 50)}), Moment(1758, "late April", {"vp": (60, 50)})]
    (year, _) = make_story(
        ("Prussia", "Coalition"), moments, [line(0, lost=force) for force in lost], "Victory points"
    ).years
    assert year.sentences[:2] == ("No battle was fought.", sentence)


def test_the_news_of_leaders_has_all_that_befell_them() -> None:
    lines = [
        line(0, topic="battle", fates=(Fate("Browne", "captured", "is captured with his men at 1125 Prague"),)),
        line(0, topic="leaders", fates=(Fate("Daun", "killed", "is killed at 1128 Kolin"),)),
        line(0, topic="leaders"),
    ]
    (year,) = make_story(("Prussia", "Austria"), [Moment(1757, "early June", {})], lines, "Victory points").years
    assert [(news.heading, news.lines) for news in year.news] == [
        ("Leaders", ("Browne is captured with his men at 1125 Prague", "Daun is killed at 1128 Kolin", "told"))
    ]


def test_an_editor_has_read_it() -> None:
    hosts = BattleSide("Austrian general", 5, 1), BattleSide("no leader", 2, 2)
    fought = BattleReport("Kolin", "1128", 0, 0, "SP", hosts)
    lines = [line(0, battle=fought) for _ in range(13)] + [line(0, gained=f"Fort {n}", side=1) for n in range(12)]
    moments = [Moment(1757, "early June", {"vp": (0, 0)}), Moment(1757, "late June", {"vp": (5, 3)})]
    (year,) = make_story(("Prussia", "Coalition"), moments, lines, "Victory points").years
    assert year.sentences == (
        "Thirteen battles were fought, all of them won by Prussia. The bloodiest was Kolin in early June, "
        "where an Austrian general beat a force without a leader, at a combined cost of 3 SP.",
        f"{', '.join(f'Fort {n}' for n in range(8))} and four more places fell to the Coalition.",
        "Victory points: 5 to 3 at the end of the year.",
    )


def test_the_records_of_commanders() -> None:
    led = [report("Kolin", 1, (6, 2)), report("Zorndorf", 0, (1, 2), 3), report("Torgau", 2, (4, 4))]
    found = commanders(
        [*led, BattleReport("Kay", "2228", 0, 2, "SP", (BattleSide(UNLED, 1, 0), BattleSide(UNLED, 1, 0)))]
    )
    assert [(one.name, one.side, one.battles, one.won, one.lost, one.suffered, one.inflicted) for one in found] == [
        ("Frederick", 0, 3, 1, 1, 11, 11),
        ("Daun", 1, 3, 1, 1, 11, 11),
    ]


def test_fates_of_leaders_are_summed_up_and_there_one_by_one() -> None:
    moments = [Moment(1757, "early June", {}), Moment(1757, "late June", {})]
    caught, back = Fate("Keith", "captured", "is captured"), Fate("Keith", "freed", "returns from captivity")
    rolls = [line(0, topic="attempt"), line(0, topic="politics")]
    fates = [line(0, topic="leaders", fates=(caught, back)) for _ in range(5)]
    (year,) = make_story(SIDES, moments, [*rolls, *fates], "VP").years
    politics, leaders = year.news
    assert (politics.lines, politics.details) == (("told",), ("told", "told"))
    assert leaders.lines == ("Captured: Keith (five times)", "Back from captivity: Keith (five times)")
    assert leaders.details[0] == "Early June: Keith is captured"
    assert len(leaders.details) == 10


def test_a_force_that_was_overrun_is_in_its_commanders_record() -> None:
    lost = LostForce(1, "near Eger", 6, "SP", "was overrun", "Arenberg")
    (record,) = commanders([], [lost, LostForce(1, "near Eger", 2, "SP", "was overrun")])
    assert (record.name, record.battles, record.suffered, record.overrun) == ("Arenberg", 0, 6, 1)
