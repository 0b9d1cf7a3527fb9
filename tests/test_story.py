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


def battle_report(name: str, winner: int, lost: tuple[int, int], taken: int = 0) -> BattleReport:
    first, second = BattleSide("Frederick", 14, lost[0]), BattleSide("Daun", 22, lost[1], taken)
    return BattleReport(name, "1128", 0, winner, "SP", (first, second))


def story_line(turn: int, **facts: Any) -> DatedEntry:
    return DatedEntry(turn, LogEntry(event="x", text="told", rule="", **facts))


@pytest.mark.parametrize(("place", "name"), rows("story-battlefields"))
def test_a_battle_is_named_after_the_nearest_battlefield(place: str, name: str) -> None:
    assert FIELDS.name(parse_hex(place)) == name


def test_history_is_shown_only_on_battlefields() -> None:
    assert FIELDS.history(parse_hex("1128")) == (
        "Kolin, 18 June 1757: Daun with 54,000 men held out against Frederick with 34,000; they lost 8,100 and 13,700"
    )
    assert FIELDS.history(parse_hex("1127")).startswith("Kolin")
    assert FIELDS.history(parse_hex("1432")) == ""
    assert FIELDS.history(parse_hex("0826")) == ""


def test_every_battlefield_is_on_the_map() -> None:
    assert len(FIELDS.fields) == len(FREDERICK.fought) == 14


@pytest.mark.parametrize("place", ["1128", "1229", "2420"])
def test_hex_distance_counts_steps(place: str) -> None:
    here = parse_hex(place)
    assert {hex_distance(here, there) for there in around(here)} == {1}
    assert {hex_distance(here, two) for there in around(here) for two in around(there)} == {0, 1, 2}


def test_a_year_is_summarized_in_three_sentences() -> None:
    moments = [
        Moment(1757, "early June", {"vp": (60, 50)}),
        Moment(1757, "late June", {"vp": (60, 50)}),
        Moment(1758, "late April", {"vp": (50, 60)}),
    ]
    lines = [
        story_line(0, battle=battle_report("Kolin", 1, (6, 2))),
        story_line(1, battle=battle_report("Lobositz", 2, (3, 3))),
        story_line(1, gained="Dresden", side=0),
        story_line(1, gained="Glatz", side=1),
        story_line(1, topic="politics"),
        story_line(2, battle=battle_report("Zorndorf", 0, (1, 1), 2)),
    ]
    back = [story_line(1, gained="Torgau", side=0), story_line(2, gained="Torgau", side=1)]
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
SURRENDERED = LostForce(0, "near Maxen", 5, "SP", "laid down its arms")


@pytest.mark.parametrize(
    ("lost", "sentence"),
    [
        ([OVERRUN], "The Coalition lost a whole force, 9 SP near Kolin in early June, which was overrun."),
        (
            [SURRENDERED, SURRENDERED],
            "Prussia lost two whole forces; the largest, 5 SP near Maxen in early June, laid down its arms.",
        ),
        (
            [SURRENDERED, OVERRUN, SURRENDERED],
            "Prussia lost two whole forces and the Coalition lost one whole force; the largest, 9 SP near Kolin in "
            "early June, was lost by the Coalition and was overrun.",
        ),
    ],
)
def test_a_year_mentions_forces_lost_without_battle(lost: list[LostForce], sentence: str) -> None:
    moments = [Moment(1757, "early June", {"vp": (60, 50)}), Moment(1758, "late April", {"vp": (60, 50)})]
    (year, _) = make_story(
        ("Prussia", "Coalition"), moments, [story_line(0, lost=force) for force in lost], "Victory points"
    ).years
    assert year.sentences[:2] == ("No battle was fought.", sentence)


def test_long_lists_are_abbreviated_in_good_english() -> None:
    hosts = BattleSide("Austrian general", 5, 1), BattleSide("no leader", 2, 2)
    fought = BattleReport("Kolin", "1128", 0, 0, "SP", hosts)
    lines = [story_line(0, battle=fought) for _ in range(13)] + [
        story_line(0, gained=f"Fort {n}", side=1) for n in range(12)
    ]
    moments = [Moment(1757, "early June", {"vp": (0, 0)}), Moment(1757, "late June", {"vp": (5, 3)})]
    (year,) = make_story(("Prussia", "Coalition"), moments, lines, "Victory points").years
    assert year.sentences == (
        "Thirteen battles were fought, all of them won by Prussia. The bloodiest was Kolin in early June, "
        "where an Austrian general beat a force without a leader, at a combined cost of 3 SP.",
        f"{', '.join(f'Fort {n}' for n in range(8))} and four more places fell to the Coalition.",
        "Victory points: 5 to 3 at the end of the year.",
    )


def test_commanders_have_a_record_of_battles() -> None:
    led = [
        battle_report("Kolin", 1, (6, 2)),
        battle_report("Zorndorf", 0, (1, 2), 3),
        battle_report("Torgau", 2, (4, 4)),
    ]
    found = commanders(
        [*led, BattleReport("Kay", "2228", 0, 2, "SP", (BattleSide(UNLED, 1, 0), BattleSide(UNLED, 1, 0)))]
    )
    assert [(one.name, one.side, one.battles, one.won, one.lost, one.suffered, one.inflicted) for one in found] == [
        ("Frederick", 0, 3, 1, 1, 11, 11),
        ("Daun", 1, 3, 1, 1, 11, 11),
    ]


def test_repeated_fates_are_summarized_with_details() -> None:
    moments = [Moment(1757, "early June", {}), Moment(1757, "late June", {})]
    caught, back = Fate("Keith", "captured", "is captured"), Fate("Keith", "freed", "returns from captivity")
    rolls = [story_line(0, topic="attempt"), story_line(0, topic="politics")]
    fates = [story_line(0, topic="leaders", fates=(caught, back)) for _ in range(5)]
    (year,) = make_story(SIDES, moments, [*rolls, *fates], "VP").years
    politics, leaders = year.news
    assert (politics.lines, politics.details) == (("told",), ("told", "told"))
    assert leaders.lines == ("Captured: Keith (five times)", "Back from captivity: Keith (five times)")
    assert leaders.details[0] == "Early June: Keith is captured"
    assert len(leaders.details) == 10


def test_an_overrun_force_counts_in_its_commander_s_record() -> None:
    lost = LostForce(1, "near Eger", 6, "SP", "was overrun", "Arenberg")
    (record,) = commanders([], [lost, LostForce(1, "near Eger", 2, "SP", "was overrun")])
    assert (record.name, record.battles, record.suffered, record.overrun) == ("Arenberg", 0, 6, 1)
