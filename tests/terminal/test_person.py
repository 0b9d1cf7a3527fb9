import io
import stat
import sys
from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.play.record import CONSENT, FREE, NEVER, Writer, read
from leuthen.play.table import Table, make_header
from leuthen.terminal.person import COMMANDS
from leuthen.terminal.start import FILE, own_key
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


TWO_HUMANS = ["--ruleset", "toy", "--scenario", "parley", "--prussia", "human", "--austria", "human"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "home" / name)
    return tmp_path / "home" / "leuthen"


def screen_text(table: Table, *lines: str, people: tuple[Side, ...] = (0, 1)) -> str:
    typist = play_at_keyboard(table, *lines, people=people)
    return " ".join(typist.screen.getvalue().split()) + " ".join(typist.prompts)


def test_a_free_takeback_needs_no_consent(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    said = screen_text(table, "takeback")
    assert "Taken back: the last 3 actions. The same dice will be rolled again." in said
    assert (table.log, table.place) == ([], 0)


def test_a_takeback_counts_own_orders(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    screen_text(table, "step north 1", "peek", "step north 2", "takeback 2")
    assert [done.action.do for done in table.log] == ["bid", "bid", "die", "step"]
    assert "you have given only 1 order" in screen_text(toy_in_move(toy, takebacks=FREE), "takeback 2")


@pytest.mark.parametrize("word", ["x", "0", "-1", "1 2"])
def test_an_invalid_number_of_orders_is_refused(toy: Toy, word: str) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    assert f'"{word}" is not a number of orders' in screen_text(table, f"takeback {word}")
    assert len(table.log) == 3


@pytest.mark.parametrize(("answer", "said", "left"), [("yes", "", 0), ("no", "Austria does not agree.", 3)])
def test_the_opponent_can_consent_to_a_takeback(toy: Toy, answer: str, said: str, left: int) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    text = screen_text(table, "takeback", answer)
    assert "Prussia asks Austria to take back the last 3 actions, dice among them: yes or no?" in text
    assert said in text
    assert len(table.log) == left


@pytest.mark.parametrize(("takebacks", "people"), [(NEVER, (0,)), (CONSENT, (0,)), (NEVER, (0, 1))])
def test_a_takeback_after_a_die_may_be_forbidden(toy: Toy, takebacks: str, people: tuple[Side, ...]) -> None:
    table = toy_in_move(toy, takebacks=takebacks)
    said = screen_text(table, "takeback", "yes", people=people)
    assert "that cannot be taken back: a die was rolled since" in said
    assert "yes or no" not in said
    assert len(table.log) == 3


def test_a_bot_consents_to_a_takeback_before_a_die(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    table.act(0, Done())
    assert "Taken back: the last action." in screen_text(table, "step north 1", "takeback", people=(1,))
    assert [done.actor for done in table.log] == [0, 1, CHANCE, 0]


# --- the command line -------------------------------------------------------------------------------------------------


def type_lines(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def begin_game(path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Path:
    type_lines(monkeypatch)
    assert run(["play", *TWO_HUMANS, "--record", str(path), *more]) == 0
    return path


def resume_game(path: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    type_lines(monkeypatch, *lines)
    assert run(["resume", str(path)]) == 0


def test_the_takeback_rule_is_an_option_of_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = begin_game(tmp_path / "game", monkeypatch, "--takebacks", "never")
    assert read(path).header.takebacks == "never"
    assert "Takebacks: no takeback after a roll" in " ".join(capsys.readouterr().out.split())
    resume_game(path, monkeypatch, "bid 1", "bid 1", "takeback")
    assert "that cannot be taken back: a die was rolled since" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run(["play", *TWO_HUMANS, "--takebacks", "often"])


def test_a_seeded_game_resumes_only_with_its_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeded = begin_game(tmp_path / "seeded", monkeypatch, "--seed", "a")
    own = begin_game(tmp_path / "own", monkeypatch)
    capsys.readouterr()
    type_lines(monkeypatch)
    for words, reason in (
        ([str(seeded)], "started with --seed: resume it with the same --seed"),
        ([str(seeded), "--seed", "b"], "does not use the dice of that seed"),
        ([str(own), "--seed", "a"], "does not use the dice of that seed; leave it out"),
    ):
        assert run(["resume", *words]) == 2
        assert reason in capsys.readouterr().err
    assert run(["resume", str(seeded), "--seed", "a"]) == 0


# --- the key ----------------------------------------------------------------------------------------------------------


def test_the_dice_key_is_private_and_created_once(home: Path) -> None:
    first = own_key()
    assert own_key().secret == first.secret
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == [FILE]


def test_a_record_does_not_contain_the_dice_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begin_game(tmp_path / "game", monkeypatch)
    resume_game(path, monkeypatch, "bid 1", "bid 1")
    keys = own_key(), own_key().for_game(read(path).header.game)
    assert not any(key.secret.hex() in path.read_text() or key.secret in path.read_bytes() for key in keys)


def test_a_damaged_dice_key_is_reported(home: Path) -> None:
    own_key()
    (home / FILE).write_bytes(b"short")
    with pytest.raises(Invalid, match=r"dice\.key: the dice key is damaged"):
        own_key()


def test_an_unwritable_key_folder_is_reported(home: Path) -> None:
    home.parent.mkdir()
    home.write_text("a file where the folder should be")
    with pytest.raises(Invalid, match=r"dice\.key: cannot use the dice key"):
        own_key()
