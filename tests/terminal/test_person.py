from pathlib import Path

import pytest

from leuthen.engine.choice import Action
from leuthen.engine.ruleset import CHANCE, ActorId
from leuthen.play.dice import Key
from leuthen.play.loop import Game
from leuthen.play.record import Writer
from leuthen.play.table import Table, make_header
from leuthen.terminal.person import COMMANDS, Person
from tests.seats import ScriptedPlayer
from tests.terminal.typist import Typist, hotseat_at
from tests.toy import Bid, Die, Done, Peek, Toy

pytestmark = pytest.mark.usefixtures("toy_data")


def table_in_move(toy: Toy) -> Table:
    table = Table(toy, toy.new_game("parley", {"rounds": "1"}))
    actions: list[tuple[ActorId, Action]] = [(0, Bid(2)), (1, Bid(3)), (CHANCE, Die(1))]
    for actor, action in actions:
        table.act(actor, action)
    return table


def typed(table: Table, *lines: str) -> str:
    typist = Typist(*lines)
    hotseat = hotseat_at(table, typist, 0)
    Game(table, (Person(hotseat, 0), ScriptedPlayer()), Key.from_seed(1).dice()).play()
    return typist.screen.getvalue()[len(typist.screens[0]) :]


def test_he_is_told_what_is_asked_and_by_which_rule(toy: Toy) -> None:
    table = table_in_move(toy)
    typist = Typist()
    hotseat = hotseat_at(table, typist, 0)
    Game(table, (Person(hotseat, 0), ScriptedPlayer()), Key.from_seed(1).dice()).play()
    assert "hidden (2, -1)" in typist.screens[0]
    assert "Prussia: step, peek or be done (T3)" in typist.screens[0]
    assert typist.prompts == ["prussia> "]
    assert "---" not in typist.screens[0], "nobody else is at the keyboard"


def test_an_order_is_carried_out_and_told(toy: Toy) -> None:
    table = table_in_move(toy)
    assert "prussia steps +2." in typed(table, "step north 2")
    assert table.state.steps == (3, 1)


def test_a_slip_is_explained_and_costs_nothing(toy: Toy) -> None:
    table = table_in_move(toy)
    before = table.state
    text = typed(table, "step north 7", "dance", "step", "bid 2", "", "   ")
    assert "No: 7 is too far, 2 at most (T3.2). Type `why` for the rule." in text
    assert '"dance" is not a valid order' in text
    assert '"step" says too much or too little' in text
    assert "No: bid is not possible now (T3)" in text
    assert table.state is before


def test_why_quotes_the_rule(toy: Toy) -> None:
    table = table_in_move(toy)
    text = typed(table, "why", "step north 7", "why", "why step south 2", "why peek", "why dance")
    assert text.startswith("No order has been refused yet.")
    assert text.count("**T3.2** (S) A step goes 2 far at most:") == 2
    assert "2 is too far, 1 at most (T3.2)" in text
    assert "No rule forbids that." in text
    assert '"dance" is not a valid order' in text


@pytest.mark.parametrize("word", ["help", "?"])
def test_help_lists_every_command(toy: Toy, word: str) -> None:
    text = typed(table_in_move(toy), word)
    for command in COMMANDS:
        assert f"  {command}" in text
    assert "T1 Bids, T3 Moves" in text


@pytest.mark.parametrize("query", ["T3.3", "t3", "peeks once"])
def test_help_quotes_rules(toy: Toy, query: str) -> None:
    assert "**T3.3** Each side peeks once a game." in typed(table_in_move(toy), f"help {query}")


def test_help_says_when_there_is_no_such_rule(toy: Toy) -> None:
    assert 'no rule contains "Z9"' in typed(table_in_move(toy), "help Z9")


def test_show_and_odds_ask_the_rule_set(toy: Toy) -> None:
    text = typed(table_in_move(toy), "show", "show 0001", "show Prag", "odds die", "odds step north 1", "odds")
    assert "Round 1 · move" in text
    assert "0001\n  -1\n" in text
    assert '"Prag" is not a place, leader or power' in text
    assert "The die (T2)" in text
    assert '"step north 1" has no odds: die' in text
    assert text.count("type odds and an order") == 1


def test_a_game_without_hexes_has_no_map(toy: Toy) -> None:
    text = typed(table_in_move(toy), "map", "map 0001", "map Prag")
    assert text.count("has no hex map. Type show and a place to see it") == 3
    assert '"' not in text.replace('"show"', "")


def test_options_tell_what_may_come_next(toy: Toy) -> None:
    text = typed(table_in_move(toy), "options", "legal step", "options step north", "options nonsense at all")
    lines = text.splitlines()
    assert lines[:4] == ["done  step  peek", "not: bid is not possible now (T3)", "north  south", "0  1  2"]
    assert lines[4].startswith("Nothing more")
    assert len(lines) == 5


def test_undo_until_revealed(toy: Toy) -> None:
    table = table_in_move(toy)
    text = typed(table, "undo", "step north 2", "undo", "step north 1", "peek", "undo")
    assert text.count("nothing can be taken back") == 2
    assert "Taken back: step north 2" in text
    assert table.state.steps == (2, 1)
    assert table.state.peeked == (True, False)


@pytest.mark.parametrize("word", ["pass", "done"])
def test_pass_leaves_everything_as_it_is_where_that_is_an_answer(toy: Toy, word: str) -> None:
    table = table_in_move(toy)
    assert ("That is: done" in typed(table, word)) == (word == "pass")
    assert table.state.turn == 1


@pytest.mark.parametrize("word", ["pass", "done"])
def test_pass_lists_the_choices_where_one_has_to_be_chosen(toy: Toy, word: str) -> None:
    table = Table(toy, toy.new_game("parley", {}))
    text = typed(table, word)
    assert f'"{word}" is not possible here' in text
    assert "  bid 1\n  bid 2\n  bid 3\n" in text
    assert table.state.sealed == (0, 0)


def test_order_gives_an_order_whatever_its_first_word_means(toy: Toy) -> None:
    table = table_in_move(toy)
    typed(table, "order done")
    assert table.state.turn == 1
    assert "order what? ORDER" in typed(table_in_move(toy), "order")


def test_log_repeats_the_last_lines(toy: Toy) -> None:
    table = table_in_move(toy)
    text = typed(table, "step north 1", "step north 2", "log 1", "log 0", "log x")
    assert text.count("prussia steps +2.") == 2
    assert '"x" is not a number of lines' in text


def test_save_says_where(toy: Toy, tmp_path: Path) -> None:
    table = table_in_move(toy)
    assert "not saved" in typed(table, "save")
    with Writer.create(tmp_path / "game", make_header(toy, "parley", {}, ("a", "b"), game="g1")) as record:
        table.record = record
        text = typed(table, "save")
        assert f"saved in {tmp_path / 'game'}" in text.replace("\n", "")
        assert "not that this computer's dice were fair" in " ".join(text.split())


@pytest.mark.parametrize("last", ["quit", "exit", "^C"])
def test_leaving_changes_nothing(toy: Toy, last: str) -> None:
    table = table_in_move(toy)
    before = table.state
    typed(table, last, "done")
    assert table.state is before


def test_markup_in_a_line_is_plain_text(toy: Toy) -> None:
    assert '"[bold]" is not a valid order' in typed(table_in_move(toy), "[bold] :smile:")


def two_people(toy: Toy, *lines: str, is_terminal: bool = True) -> tuple[Table, Typist]:
    table = Table(toy, toy.new_game("parley", {"rounds": "1"}))
    typist = Typist(*lines, is_terminal=is_terminal)
    hotseat = hotseat_at(table, typist, 0, 1)
    people = (Person(hotseat, 0), Person(hotseat, 1))
    Game(table, people, Key.from_seed(1).dice(), handover=hotseat.hand_over).play()
    return table, typist


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


def test_the_last_order_is_taken_back_before_the_keyboard_is_passed(toy: Toy) -> None:
    table, _ = two_people(toy, "", "bid 3", "undo", "bid 1", "")
    assert table.state.sealed == (1, 0)


def test_leaving_at_the_handover_leaves_the_game(toy: Toy) -> None:
    table, typist = two_people(toy, "", "bid 3")
    assert table.state.sealed == (3, 0)
    assert typist.prompts[-1].startswith("Press Enter to hand over")


def test_through_a_pipe_nobody_waits(toy: Toy) -> None:
    table, typist = two_people(toy, "bid 3", "bid 2", is_terminal=False)
    assert table.state.phase == "move"
    assert "--- Austria ---" in typist.screens[1]
    assert WIPE not in typist.screen.getvalue()


def test_what_was_learned_needs_no_asking_to_stand(toy: Toy) -> None:
    table = table_in_move(toy)
    table.act(0, Peek())
    table.act(0, Done())
    table.commit()
    typist = Typist("", is_terminal=True)
    hotseat = hotseat_at(table, typist, 0, 1)
    people = (Person(hotseat, 0), Person(hotseat, 1))
    Game(table, people, Key.from_seed(1).dice(), handover=hotseat.hand_over).play()
    assert typist.prompts[0].startswith("Pass the keyboard to Austria")
