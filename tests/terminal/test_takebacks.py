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
TWO = ["--ruleset", "toy", "--scenario", "parley", "--prussia", "human", "--austria", "human"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr("platformdirs.user_data_path", lambda name: tmp_path / "home" / name)
    return tmp_path / "home" / "leuthen"


def screen(table: Table, *lines: str, people: tuple[Side, ...] = (0, 1)) -> str:
    typist = play_at_keyboard(table, *lines, people=people)
    return " ".join(typist.screen.getvalue().split()) + " ".join(typist.prompts)


def test_free_is_free(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    said = screen(table, "takeback")
    assert "Taken back: the last 3 actions. The same dice will be rolled again." in said
    assert (table.log, table.place) == ([], 0)


def test_the_last_orders_are_counted(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    screen(table, "step north 1", "peek", "step north 2", "takeback 2")
    assert [done.action.do for done in table.log] == ["bid", "bid", "die", "step"]
    assert "you have given only 1 order" in screen(toy_in_move(toy, takebacks=FREE), "takeback 2")


@pytest.mark.parametrize("word", ["x", "0", "-1", "1 2"])
def test_a_number_that_is_none_is_refused(toy: Toy, word: str) -> None:
    table = toy_in_move(toy, takebacks=FREE)
    assert f'"{word}" is not a number of orders' in screen(table, f"takeback {word}")
    assert len(table.log) == 3


def test_the_other_person_consents(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    said = screen(table, "takeback", "yes")
    assert "Prussia asks Austria to take back the last 3 actions, dice among them: yes or no?" in said
    assert table.log == []


def test_the_other_person_does_not_consent(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    assert "Austria does not agree." in screen(table, "takeback", "no")
    assert len(table.log) == 3


@pytest.mark.parametrize("takebacks", [NEVER, CONSENT])
def test_the_machine_consents_to_nothing_after_a_die(toy: Toy, takebacks: str) -> None:
    table = toy_in_move(toy, takebacks=takebacks)
    assert "that cannot be taken back: a die was rolled since" in screen(table, "takeback", people=(0,))
    assert len(table.log) == 3


def test_the_machine_consents_before(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=CONSENT)
    table.act(0, Done())
    assert "Taken back: the last action." in screen(table, "step north 1", "takeback", people=(1,))
    assert [done.actor for done in table.log] == [0, 1, CHANCE, 0]


def test_never_asks_nobody(toy: Toy) -> None:
    table = toy_in_move(toy, takebacks=NEVER)
    said = screen(table, "takeback", "yes")
    assert "a die was rolled since" in said
    assert "yes or no" not in said
    assert len(table.log) == 3


# --- the command line -------------------------------------------------------------------------------------------------


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def begin(path: Path, monkeypatch: pytest.MonkeyPatch, *more: str) -> Path:
    typing(monkeypatch)
    assert run(["play", *TWO, "--record", str(path), *more]) == 0
    return path


def go_on(path: Path, monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    typing(monkeypatch, *lines)
    assert run(["resume", str(path)]) == 0


def test_the_option_is_chosen_shown_and_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = begin(tmp_path / "game", monkeypatch, "--takebacks", "never")
    assert read(path).header.takebacks == "never"
    assert "Takebacks: no takeback after a roll" in " ".join(capsys.readouterr().out.split())
    go_on(path, monkeypatch, "bid 1", "bid 1", "takeback")
    assert "that cannot be taken back: a die was rolled since" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        run(["play", *TWO, "--takebacks", "often"])


def test_a_seeded_game_goes_on_with_its_seed_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seeded = begin(tmp_path / "seeded", monkeypatch, "--seed", "a")
    own = begin(tmp_path / "own", monkeypatch)
    capsys.readouterr()
    typing(monkeypatch)
    for words, reason in (
        ([str(seeded)], "started with --seed: resume it with the same --seed"),
        ([str(seeded), "--seed", "b"], "does not use the dice of that seed"),
        ([str(own), "--seed", "a"], "does not use the dice of that seed; leave it out"),
    ):
        assert run(["resume", *words]) == 2
        assert reason in capsys.readouterr().err
    assert run(["resume", str(seeded), "--seed", "a"]) == 0


# --- the key ----------------------------------------------------------------------------------------------------------


def test_the_key_is_made_once_for_its_owner_alone(home: Path) -> None:
    first = own_key()
    assert own_key().secret == first.secret
    assert stat.S_IMODE((home / FILE).stat().st_mode) == 0o600
    assert [path.name for path in home.iterdir()] == [FILE]


def test_no_record_holds_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = begin(tmp_path / "game", monkeypatch)
    go_on(path, monkeypatch, "bid 1", "bid 1")
    keys = own_key(), own_key().for_game(read(path).header.game)
    assert not any(key.secret.hex() in path.read_text() or key.secret in path.read_bytes() for key in keys)


def test_a_damaged_key_is_reported(home: Path) -> None:
    own_key()
    (home / FILE).write_bytes(b"short")
    with pytest.raises(Invalid, match=r"dice\.key: the dice key is damaged"):
        own_key()


def test_a_folder_that_cannot_be_written_is_reported(home: Path) -> None:
    home.parent.mkdir()
    home.write_text("a file where the folder should be")
    with pytest.raises(Invalid, match=r"dice\.key: cannot use the dice key"):
        own_key()
