import io
import stat
import sys
from pathlib import Path

import pytest

from leuthen.cli import run
from leuthen.engine.refusal import Invalid
from leuthen.engine.ruleset import CHANCE, Side
from leuthen.play.record import CONSENT, FREE, NEVER, read
from leuthen.play.table import Table
from leuthen.terminal.dicekey import FILE, own_key
from tests.seats import toy_in_move
from tests.terminal.typist import play_at_keyboard
from tests.toy import Done, Toy

pytestmark = pytest.mark.usefixtures("toy_data")
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


def test_the_opponent_can_consent_to_a_takeback(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    said = screen_text(table, "takeback", "yes")
    assert "Prussia asks Austria to take back the last 3 actions, dice among them: yes or no?" in said
    assert table.log == []


def test_the_opponent_can_refuse_a_takeback(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    assert "Austria does not agree." in screen_text(table, "takeback", "no")
    assert len(table.log) == 3


@pytest.mark.parametrize("takebacks", [NEVER, CONSENT])
def test_a_bot_refuses_a_takeback_after_a_die(toy: Toy, takebacks: str) -> None:
    table = toy_in_move(toy, takebacks=takebacks)
    assert "that cannot be taken back: a die was rolled since" in screen_text(table, "takeback", people=(0,))
    assert len(table.log) == 3


def test_a_bot_consents_to_a_takeback_before_a_die(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    table.act(0, Done())
    assert "Taken back: the last action." in screen_text(table, "step north 1", "takeback", people=(1,))
    assert [done.actor for done in table.log] == [0, 1, CHANCE, 0]


def test_a_forbidden_takeback_asks_for_no_consent(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=NEVER)
    said = screen_text(table, "takeback", "yes")
    assert "a die was rolled since" in said
    assert "yes or no" not in said
    assert len(table.log) == 3


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
