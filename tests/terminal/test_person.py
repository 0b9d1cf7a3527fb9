from pathlib import Path

import pytest

from leuthen.play.record import Writer
from leuthen.play.table import Table, make_header
from leuthen.terminal.person import COMMANDS
from tests.seats import toy_in_move
from tests.terminal.typist import Typist, answers_to, play_at_keyboard
from tests.toy import Done, Peek, Toy

pytestmark = pytest.mark.usefixtures("toy_data")


def test_a_prompt_shows_the_decision_and_its_rule(toy: Toy) -> None:
    typist = play_at_keyboard(toy_in_move(toy, rounds="1"))
    assert "hidden (2, -1)" in typist.screens[0]
    assert "Prussia: step, peek or be done (T3)" in typist.screens[0]
    assert typist.prompts == ["prussia> "]
    assert "---" not in typist.screens[0], "nobody else is at the keyboard"


def test_an_order_is_carried_out_and_reported(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    assert "prussia steps +2." in answers_to(table, "step north 2")
    assert table.state.steps == (3, 1)


def test_a_refused_order_is_explained_and_changes_nothing(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    before = table.state
    text = answers_to(table, "step north 7", "dance", "step", "bid 2", "", "   ")
    assert "No: 7 is too far, 2 at most (T3.2). Type `why` for the rule." in text
    assert '"dance" is not a valid order' in text
    assert '"step" says too much or too little' in text
    assert "No: bid is not possible now (T3)" in text
    assert table.state is before


def test_why_quotes_the_rule(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    text = answers_to(table, "why", "step north 7", "why", "why step south 2", "why peek", "why dance")
    assert text.startswith("No order has been refused yet.")
    assert text.count("**T3.2** (S) A step goes 2 far at most:") == 2
    assert "2 is too far, 1 at most (T3.2)" in text
    assert "No rule forbids that." in text
    assert '"dance" is not a valid order' in text


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_lists_every_command(toy: Toy, word: str) -> None:
    text = answers_to(toy_in_move(toy, rounds="1"), word, "help Z9")
    assert 'no rule contains "Z9"' in text
    for command in COMMANDS:
        assert f"  {command}" in text
    assert "T1 Bids, T3 Moves" in text


@pytest.mark.parametrize("query", ["T3.3", "t3", "peeks once"])
def test_help_quotes_rules(toy: Toy, query: str) -> None:
    assert "**T3.3** Each side peeks once a game." in answers_to(toy_in_move(toy, rounds="1"), f"help {query}")


def test_show_and_odds_describe_the_position(toy: Toy) -> None:
    text = answers_to(
        toy_in_move(toy, rounds="1"), "show", "show 0001", "show Prag", "odds die", "odds step north 1", "odds"
    )
    assert "Round 1 · move" in text
    assert "0001\n  -1\n" in text
    assert '"Prag" is not a place, leader or power' in text
    assert "The die (T2)" in text
    assert '"step north 1" has no odds: die' in text
    assert text.count("type odds and an order") == 1


def test_a_game_without_hexes_offers_no_map(toy: Toy) -> None:
    text = answers_to(toy_in_move(toy, rounds="1"), "map", "map 0001", "map Prag")
    assert text.count("has no hex map. Type show and a place to see it") == 3
    assert '"' not in text.replace('"show"', "")


def test_options_list_the_possible_next_words(toy: Toy) -> None:
    text = answers_to(
        toy_in_move(toy, rounds="1"), "options", "legal step", "options step north", "options nonsense at all"
    )
    lines = text.splitlines()
    assert lines[:4] == ["done  step  peek", "not: bid is not possible now (T3)", "north  south", "0  1  2"]
    assert lines[4].startswith("Nothing more")
    assert len(lines) == 5


def test_undo_takes_back_orders_until_a_secret_is_revealed(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    text = answers_to(table, "undo", "step north 2", "undo", "step north 1", "peek", "undo")
    assert text.count("nothing can be taken back") == 2
    assert "Taken back: step north 2" in text
    assert table.state.steps == (2, 1)
    assert table.state.peeked == (True, False)


@pytest.mark.parametrize("word", ["pass", "done"])
def test_pass_gives_the_neutral_order(toy: Toy, word: str) -> None:
    table = toy_in_move(toy, rounds="1")
    assert ("That is: done" in answers_to(table, word)) == (word == "pass")
    assert table.state.turn == 1


@pytest.mark.parametrize("word", ["pass", "done"])
def test_pass_lists_the_choices_without_a_neutral_order(toy: Toy, word: str) -> None:
    table = Table(toy, toy.new_game("parley", {}))
    text = answers_to(table, word)
    assert f'"{word}" is not possible here' in text
    assert "  bid 1\n  bid 2\n  bid 3\n" in text
    assert table.state.sealed == (0, 0)


def test_order_gives_an_order_that_looks_like_a_command(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    answers_to(table, "order done")
    assert table.state.turn == 1
    assert "order what? ORDER" in answers_to(toy_in_move(toy, rounds="1"), "order")


def test_log_prints_the_last_entries(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    text = answers_to(table, "step north 1", "step north 2", "log 1", "log 0", "log x")
    assert text.count("prussia steps +2.") == 2
    assert '"x" is not a number of lines' in text


def test_save_names_the_file(toy: Toy, tmp_path: Path) -> None:
    table = toy_in_move(toy, rounds="1")
    assert "not saved" in answers_to(table, "save")
    with Writer.create(tmp_path / "game", make_header(toy, "parley", {}, ("a", "b"), game="g1")) as record:
        table.record = record
        text = answers_to(table, "save")
        assert f"saved in {tmp_path / 'game'}" in text.replace("\n", "")
        assert "not that this computer's dice were fair" in " ".join(text.split())


@pytest.mark.parametrize("last", ["quit", "exit", "^C"])
def test_leaving_keeps_the_position(toy: Toy, last: str) -> None:
    table = toy_in_move(toy, rounds="1")
    before = table.state
    answers_to(table, last, "done")
    assert table.state is before


def test_markup_in_an_order_is_plain_text(toy: Toy) -> None:
    assert '"[bold]" is not a valid order' in answers_to(toy_in_move(toy, rounds="1"), "[bold] :smile:")


def two_people(toy: Toy, *lines: str, is_terminal: bool = True) -> tuple[Table, Typist]:
    table = Table(toy, toy.new_game("parley", {"rounds": "1"}))
    return table, play_at_keyboard(table, *lines, people=(0, 1), is_terminal=is_terminal)


WIPE = "\x1b[H\x1b[2J\x1b[3J"


def test_the_screen_hides_secrets_between_two_people(toy: Toy) -> None:
    _, typist = two_people(toy, "", "bid 3", "", "", "bid 2")
    assert typist.prompts[:5] == [
        "Pass the keyboard to Prussia; Prussia presses Enter. ",
        "prussia> ",
        "Press Enter to hand over to Austria, or type undo: ",
        "Pass the keyboard to Austria; Austria presses Enter. ",
        "austria> ",
    ]
    waiting, austria = typist.screens[3], typist.screens[4]
    assert waiting.endswith(WIPE), "nothing is left to be read while the keyboard is passed"
    after = austria[len(waiting) :]
    assert after.startswith(WIPE)
    assert "prussia seals a bid." in after
    assert "3" not in after.removeprefix(WIPE)


def test_the_last_order_can_be_undone_before_the_handover(toy: Toy) -> None:
    table, _ = two_people(toy, "", "bid 3", "undo", "bid 1", "")
    assert table.state.sealed == (1, 0)


def test_a_player_may_leave_at_the_handover(toy: Toy) -> None:
    table, typist = two_people(toy, "", "bid 3")
    assert table.state.sealed == (3, 0)
    assert typist.prompts[-1].startswith("Press Enter to hand over")


def test_a_pipe_needs_no_handover(toy: Toy) -> None:
    table, typist = two_people(toy, "bid 3", "bid 2", is_terminal=False)
    assert table.state.phase == "move"
    assert "--- Austria ---" in typist.screens[1]
    assert WIPE not in typist.screen.getvalue()


def test_a_committed_order_needs_no_confirmation(toy: Toy) -> None:
    table = toy_in_move(toy, rounds="1")
    table.act(0, Peek())
    table.act(0, Done())
    table.commit()
    typist = play_at_keyboard(table, "", people=(0, 1), is_terminal=True)
    assert typist.prompts[0].startswith("Pass the keyboard to Austria")
