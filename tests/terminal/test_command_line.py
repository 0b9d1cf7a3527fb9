import io

import pytest
from rich.console import Console

import leuthen
from leuthen.load import load
from leuthen.play.table import Table
from leuthen.terminal.page import Page, wrap_line
from tests.terminal.typist import answers_to
from tests.toy import Toy


def frederick_answers(given: str, *lines: str, is_terminal: bool = False) -> str:
    table = Table(leuthen.ruleset("frederick"), leuthen.position(given))
    return answers_to(table, *lines, is_terminal=is_terminal)


KEITH_TO_MARCH = "bare ; phase march prussia die 1 ; Prussia 1632 5 Keith ; Prussia 2030 2"


def test_a_map_without_a_place_shows_the_strongest_force() -> None:
    assert frederick_answers(KEITH_TO_MARCH, "map 1").startswith("1632")


def test_marching_a_leader_without_troops_needs_confirmation() -> None:
    alone = "march Keith 1632-1633"
    assert "5 Prussian SP" not in frederick_answers(KEITH_TO_MARCH, alone, "yes", "show 1633", is_terminal=True)
    assert (
        frederick_answers(KEITH_TO_MARCH, alone, "no", "undo", is_terminal=True).count("nothing can be taken back") == 1
    )
    assert (
        frederick_answers(KEITH_TO_MARCH, "march Keith +5 1632-1633", "undo", is_terminal=True).count("Taken back") == 1
    )


def test_why_explains_a_refused_order_or_its_beginning() -> None:
    too_far = "needs 2 MP: river +1, has 0 (O5.3)"
    assert (
        frederick_answers(KEITH_TO_MARCH, "march Keith +5 1632-1633-1733-1734", "why march Keith", "why march").count(
            too_far
        )
        == 3
    )
    assert (
        frederick_answers(KEITH_TO_MARCH, "why attack", "attack").count('this is not the phase for "attack" (O4.2)')
        == 2
    )
    assert '"react" is not a valid order' in frederick_answers(KEITH_TO_MARCH, "why react")
    assert "a leader is missing at the end of the line" in frederick_answers(KEITH_TO_MARCH, "why march")


def test_options_of_points_show_their_result() -> None:
    raising = "bare ; phase increment year 1757 ; rp 3 3 ; Prussia Berlin 10 ; Austria Prague 10"
    said = frederick_answers(raising, "options raise")
    assert "0: 0 new SP, 3 RP left" in said
    assert "3: 3 new SP, 0 RP left" in said


def test_long_lines_are_wrapped_with_an_indent() -> None:
    line = "map [PLACE]    the map around a place, some hexes far"
    assert (
        wrap_line(line, 30) == "map [PLACE]    the map around\n               a place, some\n               hexes far"
    )
    assert wrap_line("  The besieged come out of Schweidnitz", 20) == "  The besieged come\n    out of\n    Schweidnitz"
    assert wrap_line("short", 20) == "short"


@pytest.mark.parametrize("is_terminal", [True, False])
def test_pieces_are_coloured_at_a_terminal(is_terminal: bool) -> None:
    console = Console(file=io.StringIO(), force_terminal=is_terminal, color_system="standard" if is_terminal else None)
    Page(console).draw("1632 P12 A<5 Prague", ["P", "A"])
    assert isinstance(console.file, io.StringIO)
    said = console.file.getvalue()
    assert ("\x1b[1;94mP12\x1b[0m" in said) == is_terminal
    assert ("\x1b[1;91mA<5\x1b[0m" in said) == is_terminal
    assert "Prague" in said


def test_a_misspelt_word_is_answered_with_similar_words() -> None:
    lines = ("marhc Keith 1", "optoins", "march Fredrick 1", "march Keith Schwrin 1633", "march Keith Dresdn")
    said = frederick_answers(KEITH_TO_MARCH, *lines)
    for word in ("march", "options?", "Frederick?", "Schwerin?", "Dresden"):
        assert f"Did you mean {word}" in said
    assert "Did you mean" not in frederick_answers(KEITH_TO_MARCH, "march Xerxes 1", "besiege Xanten", "march Nobody")


def test_advise_suggests_a_legal_order_without_giving_it() -> None:
    rules = load("frederick")
    table = Table(rules, rules.new_game("campaign", {}))
    said = answers_to(table, "advise")
    order, why = said.partition("The captain would order: ")[2].split("\n")[:2]
    assert why.strip() == "Armies start where they cover most fortresses, with 1 SP in each of the others (C2.1)."
    assert rules.parse_action(table.state, 0, order) in rules.legal_actions(table.state, 0)
    assert not table.actions


def test_auto_lets_the_captain_play_the_phase() -> None:
    rules = load("frederick")
    table = Table(rules, rules.new_game("campaign", {}))
    answers_to(table, "auto")
    assert [one.actor for one in rules.pending(table.state)] == [1], "Prussia has sealed, Austria is asked"


@pytest.mark.usefixtures("toy_data")
def test_a_rule_set_without_captain_has_no_advice(toy: Toy) -> None:
    said = answers_to(Table(toy, toy.new_game("parley", {"rounds": "1"})), "advise", "auto")
    assert said.count("the captain does not know the rule set toy") == 2
